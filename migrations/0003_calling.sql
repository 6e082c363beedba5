-- Written by hand. `leads` and `campaigns` are never rebuilt: columns and indexes are added to a million leads within
-- two seconds, and the Worker of the version before goes on storing leads. A lead that it stores, or that is there
-- already, has no rank and is due at 0: it is queued by a claim. `api_keys` has no children, so it is rebuilt for the
-- new scopes without touching the foreign keys.
CREATE TABLE `call_details` (
	`seq` integer NOT NULL,
	`claimed_at_ms` integer NOT NULL,
	`details` text NOT NULL,
	PRIMARY KEY(`seq`, `claimed_at_ms`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `calling_lanes` (
	`campaign_number` integer NOT NULL,
	`lane` text NOT NULL,
	`covered_until_ms` integer NOT NULL,
	PRIMARY KEY(`campaign_number`, `lane`),
	FOREIGN KEY (`campaign_number`) REFERENCES `campaigns`(`number`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `calling_settings` (
	`campaign_number` integer PRIMARY KEY NOT NULL,
	`paused` integer NOT NULL,
	`time_zone` text,
	`calling_hours` text NOT NULL,
	`appointment_hours` text NOT NULL,
	`closed_dates` text NOT NULL,
	`max_attempts` integer NOT NULL,
	`lease_seconds` integer NOT NULL,
	`min_gap_minutes` integer,
	`per_24_hours` integer,
	`per_7_days` integer,
	`outcomes` text NOT NULL,
	`version` integer NOT NULL,
	FOREIGN KEY (`campaign_number`) REFERENCES `campaigns`(`number`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `calls` (
	`company_id` text NOT NULL,
	`phone_number` text NOT NULL,
	`claimed_at_ms` integer NOT NULL,
	`seq` integer NOT NULL,
	`token` text NOT NULL,
	`attempt` integer NOT NULL,
	`agent` text,
	`outcome` text,
	`is_done` integer DEFAULT 0 NOT NULL,
	`do_not_call` integer DEFAULT 0 NOT NULL,
	`is_late` integer DEFAULT 0 NOT NULL,
	`ended_at_ms` integer,
	`callback_at_ms` integer,
	`duration_seconds` integer,
	`provider_call_id` text,
	`report_token` text,
	PRIMARY KEY(`company_id`, `phone_number`, `claimed_at_ms`, `seq`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `claims` (
	`claimed_at_ms` integer NOT NULL,
	`token` text NOT NULL,
	`campaign_number` integer NOT NULL,
	`request_key` text,
	`request_token` text NOT NULL,
	`picks` text NOT NULL,
	`is_done` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`claimed_at_ms`, `token`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `claims_request_key` ON `claims` (`request_key`) WHERE "claims"."request_key" is not null;--> statement-breakpoint
CREATE TABLE `openings` (
	`campaign_number` integer NOT NULL,
	`lane` text NOT NULL,
	`is_for_appointments` integer NOT NULL,
	`opens_at_ms` integer NOT NULL,
	`closes_at_ms` integer NOT NULL,
	PRIMARY KEY(`campaign_number`, `lane`, `is_for_appointments`, `opens_at_ms`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `suppressions` (
	`company_id` text NOT NULL,
	`phone_number` text NOT NULL,
	`campaign_number` integer NOT NULL,
	`reason` text,
	`created_at_ms` integer NOT NULL,
	`token` text NOT NULL,
	`leads_removed` integer NOT NULL,
	PRIMARY KEY(`company_id`, `phone_number`, `campaign_number`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `__new_api_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`campaign_number` integer,
	`scope` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer,
	`revoked_at_ms` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`company_id`,`campaign_number`) REFERENCES `campaigns`(`company_id`,`number`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_keys_scope" CHECK("__new_api_keys"."scope" in ('read', 'write', 'agent', 'manage'))
);
--> statement-breakpoint
INSERT INTO `__new_api_keys`("id", "company_id", "campaign_number", "scope", "name", "hash", "hint", "created_at_ms", "expires_at_ms", "revoked_at_ms") SELECT "id", "company_id", "campaign_number", "scope", "name", "hash", "hint", "created_at_ms", "expires_at_ms", "revoked_at_ms" FROM `api_keys`;--> statement-breakpoint
DROP TABLE `api_keys`;--> statement-breakpoint
ALTER TABLE `__new_api_keys` RENAME TO `api_keys`;--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_company` ON `api_keys` (`company_id`,`created_at_ms`);--> statement-breakpoint
ALTER TABLE `leads` ADD `lane` text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE `leads` ADD `queue_rank` integer;--> statement-breakpoint
ALTER TABLE `leads` ADD `due_at_ms` integer DEFAULT 0;--> statement-breakpoint
ALTER TABLE `leads` ADD `lease_expires_at_ms` integer CONSTRAINT "leads_queued_or_leased" CHECK("due_at_ms" is null or "lease_expires_at_ms" is null);--> statement-breakpoint
ALTER TABLE `leads` ADD `claim_token` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `attempts_forgiven` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `leads_queue` ON `leads` (`campaign_number`,`lane`,"queue_rank" desc,`due_at_ms`) WHERE "leads"."due_at_ms" is not null;--> statement-breakpoint
CREATE INDEX `leads_leased` ON `leads` (`campaign_number`,`lease_expires_at_ms`) WHERE "leads"."lease_expires_at_ms" is not null;
