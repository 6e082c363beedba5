-- Written by hand: tables without rowid, and indexes over part of a table, which cost the rows outside of that part nothing.
-- Tables, columns and indexes are only added, so that the Worker of the version before goes on as it was.
CREATE TABLE `number_calls` (
	`company_id` text NOT NULL,
	`number_hash` text NOT NULL,
	`called_at_ms` integer NOT NULL,
	PRIMARY KEY(`company_id`, `number_hash`, `called_at_ms`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `number_calls_called_at` ON `number_calls` (`called_at_ms`);--> statement-breakpoint
CREATE TABLE `retained_hashes` (
	`company_id` text NOT NULL,
	`campaign_number` integer NOT NULL,
	`number_hash` text NOT NULL,
	`reason` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`company_id`, `number_hash`, `campaign_number`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `requeues` (
	`campaign_number` integer NOT NULL,
	`status` text NOT NULL,
	`since_ms` integer NOT NULL,
	`after_seq` integer NOT NULL,
	`at_ms` integer NOT NULL,
	PRIMARY KEY(`campaign_number`, `status`, `since_ms`)
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `calling_settings` ADD `retention_suppresses` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `leads` ADD `number_hash` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `moved_to_ms` integer;--> statement-breakpoint
CREATE INDEX `leads_moved` ON `leads` (`phone_number`) WHERE "leads"."moved_to_ms" is not null;
