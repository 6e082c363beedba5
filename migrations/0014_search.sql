-- Finished by hand: a table without rowid, and triggers, so that every Worker's leads are found by number and external id
-- at once, and an erased lead is in no index, also when the Worker of the version before creates or erases it. What was
-- there before is indexed by the cron.
CREATE TABLE `lead_words` (
	`company_id` text NOT NULL,
	`word` text NOT NULL,
	`seq` integer NOT NULL,
	`campaign_number` integer NOT NULL,
	PRIMARY KEY(`company_id`, `word`, `seq`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `indexed_places` (
	`campaign_number` integer PRIMARY KEY NOT NULL,
	`after_seq` integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE `leads` ADD `words` text;
--> statement-breakpoint
CREATE TRIGGER `leads_index_number` AFTER INSERT ON `leads` WHEN new.`erased_at_ms` IS NULL BEGIN
	INSERT OR IGNORE INTO `lead_words` (`company_id`, `word`, `seq`, `campaign_number`)
		SELECT `company_id`, '#' || substr(new.`phone_number`,16,1)||substr(new.`phone_number`,15,1)||substr(new.`phone_number`,14,1)||substr(new.`phone_number`,13,1)||substr(new.`phone_number`,12,1)||substr(new.`phone_number`,11,1)||substr(new.`phone_number`,10,1)||substr(new.`phone_number`,9,1)||substr(new.`phone_number`,8,1)||substr(new.`phone_number`,7,1)||substr(new.`phone_number`,6,1)||substr(new.`phone_number`,5,1)||substr(new.`phone_number`,4,1)||substr(new.`phone_number`,3,1)||substr(new.`phone_number`,2,1),
			new.`seq`, new.`campaign_number`
		FROM `campaigns` WHERE `number` = new.`campaign_number`;
END;
--> statement-breakpoint
CREATE TRIGGER `leads_index_external_id` AFTER INSERT ON `leads`
	WHEN new.`external_id` IS NOT NULL AND length(new.`external_id`) <= 100 AND new.`erased_at_ms` IS NULL BEGIN
	INSERT OR IGNORE INTO `lead_words` (`company_id`, `word`, `seq`, `campaign_number`)
		SELECT `company_id`, '=' || lower(new.`external_id`), new.`seq`, new.`campaign_number`
		FROM `campaigns` WHERE `number` = new.`campaign_number`;
END;
--> statement-breakpoint
-- Only erasing changes a number.
CREATE TRIGGER `leads_forget_number` AFTER UPDATE OF `phone_number` ON `leads`
	WHEN new.`phone_number` IS NOT old.`phone_number` BEGIN
	DELETE FROM `lead_words`
		WHERE `company_id` = (SELECT `company_id` FROM `campaigns` WHERE `number` = old.`campaign_number`)
			AND `word` = '#' || substr(old.`phone_number`,16,1)||substr(old.`phone_number`,15,1)||substr(old.`phone_number`,14,1)||substr(old.`phone_number`,13,1)||substr(old.`phone_number`,12,1)||substr(old.`phone_number`,11,1)||substr(old.`phone_number`,10,1)||substr(old.`phone_number`,9,1)||substr(old.`phone_number`,8,1)||substr(old.`phone_number`,7,1)||substr(old.`phone_number`,6,1)||substr(old.`phone_number`,5,1)||substr(old.`phone_number`,4,1)||substr(old.`phone_number`,3,1)||substr(old.`phone_number`,2,1)
			AND `seq` = old.`seq`;
END;
--> statement-breakpoint
CREATE TRIGGER `leads_index_new_external_id` AFTER UPDATE OF `external_id` ON `leads`
	WHEN new.`external_id` IS NOT old.`external_id` BEGIN
	DELETE FROM `lead_words`
		WHERE `company_id` = (SELECT `company_id` FROM `campaigns` WHERE `number` = old.`campaign_number`)
			AND `word` = '=' || lower(old.`external_id`) AND `seq` = old.`seq`;
	INSERT OR IGNORE INTO `lead_words` (`company_id`, `word`, `seq`, `campaign_number`)
		SELECT `company_id`, '=' || lower(new.`external_id`), new.`seq`, new.`campaign_number`
		FROM `campaigns` WHERE `number` = new.`campaign_number`
			AND length(new.`external_id`) <= 100 AND new.`erased_at_ms` IS NULL;
END;
--> statement-breakpoint
CREATE TRIGGER `leads_index_words` AFTER UPDATE OF `words` ON `leads` WHEN new.`words` IS NOT old.`words` BEGIN
	DELETE FROM `lead_words`
		WHERE `company_id` = (SELECT `company_id` FROM `campaigns` WHERE `number` = old.`campaign_number`)
			AND `word` IN (SELECT `value` FROM json_each(old.`words`, '$[1]')) AND `seq` = old.`seq`;
	INSERT OR IGNORE INTO `lead_words` (`company_id`, `word`, `seq`, `campaign_number`)
		SELECT `campaigns`.`company_id`, `word`.`value`, new.`seq`, new.`campaign_number`
		FROM `campaigns` CROSS JOIN json_each(new.`words`, '$[1]') AS `word`
		WHERE `campaigns`.`number` = new.`campaign_number`;
END;
--> statement-breakpoint
-- The metadata changed, and its words did not: it was erased, or the Worker of the version before changed it. The words of
-- each version of a lead differ, since they begin with the version.
CREATE TRIGGER `leads_forget_words` AFTER UPDATE OF `metadata` ON `leads`
	WHEN new.`metadata` IS NOT old.`metadata` AND new.`words` IS old.`words` BEGIN
	UPDATE `leads` SET `words` = NULL WHERE `seq` = new.`seq` AND `words` IS NOT NULL;
	UPDATE `indexed_places` SET `after_seq` = new.`seq` - 1
		WHERE `campaign_number` = new.`campaign_number` AND `after_seq` >= new.`seq` AND new.`metadata` IS NOT NULL;
END;
