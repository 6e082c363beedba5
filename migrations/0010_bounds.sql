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
			ON `leads`.`campaign_number` = `campaigns`.`number` AND `leads`.`phone_number` >= 'erased:' AND `leads`.`phone_number` < 'erased;'
		UNION
		SELECT `campaigns`.`number` << 32 FROM `campaigns` WHERE EXISTS (SELECT 1 FROM `leads` INDEXED BY `leads_campaign_phone`
			WHERE `leads`.`campaign_number` = `campaigns`.`number` AND `leads`.`phone_number` >= 'erased:' AND `leads`.`phone_number` < 'erased;')
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
