-- Finished by hand: tables without rowid, which cost one row for each entry, and a trigger, so that nothing that was
-- logged is ever changed. Columns are added, so that the Worker of the version before goes on as it was.
CREATE TABLE `events` (
	`company_id` text NOT NULL,
	`number` integer NOT NULL,
	`at_ms` integer NOT NULL,
	`type` text NOT NULL,
	`actor` text NOT NULL,
	`request_id` text,
	`campaign_number` integer,
	`lead_seq` integer,
	`data` text NOT NULL,
	PRIMARY KEY(`company_id`, `number`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TRIGGER `events_never_change` BEFORE UPDATE ON `events` BEGIN
	SELECT RAISE(ABORT, 'an event never changes');
END;
--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`campaign_number` integer,
	`url` text NOT NULL,
	`types` text NOT NULL,
	`include` text NOT NULL,
	`secret_version` integer DEFAULT 1 NOT NULL,
	`previous_expires_at_ms` integer,
	`told_number` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`disabled_at_ms` integer,
	`disabled_reason` text,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhooks_company` ON `webhooks` (`company_id`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `suppressed_hashes` (
	`company_id` text NOT NULL,
	`number_hash` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`company_id`, `number_hash`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
ALTER TABLE `companies` ADD `listens_since_ms` integer;--> statement-breakpoint
ALTER TABLE `calling_settings` ADD `retention_days` integer;--> statement-breakpoint
ALTER TABLE `calling_settings` ADD `retention_seq` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `leads` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `leads` ADD `finished_at_ms` integer;--> statement-breakpoint
ALTER TABLE `leads` ADD `erased_at_ms` integer;