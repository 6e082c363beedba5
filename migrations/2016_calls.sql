-- The calls of a campaign by time. `campaign_number` puts a call into their index, a partial one, which begins empty. New calls
-- have it, those of before follow minute by minute (src/queue/calling/table/store/calls-index.ts).
ALTER TABLE `calls` ADD `cost_micros` integer;--> statement-breakpoint
ALTER TABLE `calls` ADD `cost_currency` text;--> statement-breakpoint
ALTER TABLE `calls` ADD `campaign_number` integer;--> statement-breakpoint
CREATE INDEX `calls_campaign` ON `calls` (`campaign_number`,`claimed_at_ms`,`seq`) WHERE "calls"."campaign_number" is not null;--> statement-breakpoint
ALTER TABLE `search_place` ADD `calls_place` integer DEFAULT 9007199254740991 NOT NULL;--> statement-breakpoint
UPDATE `search_place` SET `calls_place` = 0 WHERE EXISTS (SELECT 1 FROM `calls`);--> statement-breakpoint
-- For calls that the Worker of a version before inserts, or a move.
CREATE TRIGGER `calls_campaign_number` AFTER INSERT ON `calls` WHEN new.`campaign_number` IS NULL BEGIN
	UPDATE `calls` SET `campaign_number` = new.`seq` >> 32
		WHERE `company_id` = new.`company_id` AND `phone_number` = new.`phone_number` AND `claimed_at_ms` = new.`claimed_at_ms`
			AND `seq` = new.`seq`;
END;
