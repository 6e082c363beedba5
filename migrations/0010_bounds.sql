-- Written by hand. The index holds what single campaigns suppress alone: a number of the whole company costs no row more.
CREATE INDEX `suppressions_campaign` ON `suppressions` (`campaign_number`,`phone_number`) WHERE "suppressions"."campaign_number" <> 0;
--> statement-breakpoint
-- Runs of erased leads, which lists step over. A campaign that has any has one that begins before its first lead. Kept by
-- a trigger, which costs nothing but where a lead is erased, and holds for the Worker of the version before as well.
CREATE TABLE `erased_runs` (
	`first_seq` integer PRIMARY KEY NOT NULL,
	`last_seq` integer NOT NULL
);
--> statement-breakpoint
INSERT INTO `erased_runs` (`first_seq`, `last_seq`)
SELECT min(`seq`), max(`seq`) FROM (
	SELECT `seq`, `seq` - row_number() OVER (ORDER BY `seq`) AS `run` FROM (
		SELECT `leads`.`seq` FROM `campaigns` CROSS JOIN `leads` INDEXED BY `leads_campaign_phone`
			ON `leads`.`campaign_number` = `campaigns`.`number` AND `leads`.`phone_number` >= 'erased:' AND `leads`.`phone_number` < 'erased:a'
		UNION
		SELECT `campaigns`.`number` << 32 FROM `campaigns` WHERE EXISTS (SELECT 1 FROM `leads` INDEXED BY `leads_campaign_phone`
			WHERE `leads`.`campaign_number` = `campaigns`.`number` AND `leads`.`phone_number` >= 'erased:' AND `leads`.`phone_number` < 'erased:a')
	)
) GROUP BY `run`;
--> statement-breakpoint
CREATE TRIGGER `leads_erased` AFTER UPDATE OF `erased_at_ms` ON `leads` WHEN new.`erased_at_ms` IS NOT NULL AND old.`erased_at_ms` IS NULL BEGIN
	INSERT INTO `erased_runs` (`first_seq`, `last_seq`) VALUES (new.`campaign_number` << 32, new.`campaign_number` << 32)
		ON CONFLICT DO NOTHING;
	INSERT INTO `erased_runs` (`first_seq`, `last_seq`) VALUES (
		coalesce((SELECT iif(`last_seq` = new.`seq` - 1, `first_seq`, NULL) FROM `erased_runs`
			WHERE `first_seq` < new.`seq` ORDER BY `first_seq` DESC LIMIT 1), new.`seq`),
		coalesce((SELECT `last_seq` FROM `erased_runs` WHERE `first_seq` = new.`seq` + 1), new.`seq`))
		ON CONFLICT (`first_seq`) DO UPDATE SET `last_seq` = excluded.`last_seq`;
	DELETE FROM `erased_runs` WHERE `first_seq` = new.`seq` + 1;
END;
--> statement-breakpoint
-- Until when no lead of a lane is due, noted by claims that had much to look at, and kept true by two triggers: they act on
-- leads with a time zone of their own alone, and write only where such a note is in the way.
CREATE TABLE `resting_lanes` (
	`campaign_number` integer NOT NULL,
	`lane` text NOT NULL,
	`is_for_appointments` integer NOT NULL,
	`until_ms` integer NOT NULL,
	PRIMARY KEY(`campaign_number`, `lane`, `is_for_appointments`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER `leads_wake_lane` AFTER INSERT ON `leads` WHEN new.`lane` <> '' AND new.`due_at_ms` IS NOT NULL BEGIN
	UPDATE `resting_lanes` SET `until_ms` = new.`due_at_ms` WHERE `campaign_number` = new.`campaign_number`
		AND `lane` = new.`lane` AND `is_for_appointments` = (new.`queue_rank` IS 101) AND `until_ms` > new.`due_at_ms`;
END;
--> statement-breakpoint
CREATE TRIGGER `leads_wake_lane_again` AFTER UPDATE OF `due_at_ms`, `queue_rank`, `lane` ON `leads`
	WHEN new.`lane` <> '' AND new.`due_at_ms` IS NOT NULL BEGIN
	UPDATE `resting_lanes` SET `until_ms` = new.`due_at_ms` WHERE `campaign_number` = new.`campaign_number`
		AND `lane` = new.`lane` AND `is_for_appointments` = (new.`queue_rank` IS 101) AND `until_ms` > new.`due_at_ms`;
END;
