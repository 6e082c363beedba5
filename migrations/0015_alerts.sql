CREATE TABLE `alert_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`campaign_number` integer NOT NULL
);
--> statement-breakpoint
-- Without rowid: one row written for each alert.
CREATE TABLE `alerts` (
	`company_id` text NOT NULL,
	`kind` text NOT NULL,
	`campaign_number` integer NOT NULL,
	`subject` text NOT NULL,
	`since_ms` integer NOT NULL,
	`raised_at_ms` integer,
	`calls_counted` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`kind`, `campaign_number`, `company_id`, `subject`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `key_hours_hour` ON `key_hours` (`hour`);
--> statement-breakpoint
ALTER TABLE `calls` ADD `dialled_at_ms` integer;
