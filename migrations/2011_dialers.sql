-- Test calls that are live, and dialers that hear nothing. `test_calls` is without rowid, by hand.
CREATE TABLE `test_calls` (
	`company_id` text NOT NULL,
	`phone_number` text NOT NULL,
	`campaign_number` integer NOT NULL,
	`test_id` text NOT NULL,
	`ends_at_ms` integer NOT NULL,
	PRIMARY KEY(`company_id`, `phone_number`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `dialers` ADD `deaf_since_ms` integer;