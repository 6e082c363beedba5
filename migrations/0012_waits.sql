ALTER TABLE `calling_settings` ADD `max_live_calls` integer;--> statement-breakpoint
ALTER TABLE `calling_settings` ADD `calls_per_minute` integer;--> statement-breakpoint
ALTER TABLE `calling_settings` ADD `paced_until_us` integer;--> statement-breakpoint
ALTER TABLE `calling_settings` ADD `callable_since_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `calling_settings` ADD `waited_for_until_ms` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `campaign_hours` ADD `pick_up_1s` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `campaign_hours` ADD `pick_up_5s` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `campaign_hours` ADD `pick_up_30s` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `campaign_hours` ADD `pick_up_5min` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `campaign_hours` ADD `pick_up_1h` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `campaign_hours` ADD `pick_up_later` integer DEFAULT 0 NOT NULL;