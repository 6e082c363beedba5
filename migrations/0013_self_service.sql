ALTER TABLE `api_keys` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `request_token` text;--> statement-breakpoint
CREATE INDEX `api_keys_created_by` ON `api_keys` (`created_by`) WHERE "api_keys"."created_by" is not null;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `archived_at_ms` integer;--> statement-breakpoint
CREATE INDEX `campaigns_current` ON `campaigns` (`company_id`,`number`) WHERE "campaigns"."archived_at_ms" is null;--> statement-breakpoint
CREATE INDEX `campaigns_archived` ON `campaigns` (`company_id`,`number`) WHERE "campaigns"."archived_at_ms" is not null;