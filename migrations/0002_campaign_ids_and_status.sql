DROP INDEX `campaigns_id_unique`;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `has_falling_times` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `campaigns_company_id` ON `campaigns` (`company_id`,`id`);--> statement-breakpoint
CREATE INDEX `leads_campaign_status` ON `leads` (`campaign_number`,`status`) WHERE "leads"."status" <> 'raw';--> statement-breakpoint
UPDATE `campaigns` SET `has_falling_times` = 1 WHERE `number` IN (
	SELECT `campaign_number` FROM (
		SELECT `campaign_number`, `created_at_ms`,
			lag(`campaign_number`) OVER place AS `campaign_before`, lag(`created_at_ms`) OVER place AS `created_before_ms`
		FROM `leads` WINDOW place AS (ORDER BY `seq`)
	) WHERE `campaign_before` = `campaign_number` AND `created_at_ms` < `created_before_ms`
);
