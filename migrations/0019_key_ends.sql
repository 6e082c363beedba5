ALTER TABLE `api_keys` ADD `successor_of` text;--> statement-breakpoint
CREATE INDEX `api_keys_successor_of` ON `api_keys` (`successor_of`) WHERE "api_keys"."successor_of" is not null;--> statement-breakpoint
ALTER TABLE `companies` ADD `max_campaigns` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `expires_at_ms` integer;