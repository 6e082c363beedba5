-- People, their sessions, and what people and keys changed. `member_directory` is without rowid, by hand.
CREATE TABLE `member_directory` (
	`email_hash` text NOT NULL,
	`member_id` text NOT NULL,
	`company_id` text NOT NULL,
	PRIMARY KEY(`email_hash`, `member_id`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `member_directory_company` ON `member_directory` (`company_id`,`member_id`);--> statement-breakpoint
CREATE TABLE `members` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`campaign_number` integer,
	`email` text,
	`name` text,
	`scope` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`created_by` text NOT NULL,
	`changed_at_ms` integer,
	`signed_in_at_ms` integer,
	`removed_at_ms` integer,
	`erased_at_ms` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`company_id`,`campaign_number`) REFERENCES `campaigns`(`company_id`,`number`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "members_scope" CHECK("members"."scope" in ('read', 'write', 'manage'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `members_email` ON `members` (`company_id`,`email`) WHERE "members"."removed_at_ms" is null;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `member_id` text;--> statement-breakpoint
CREATE INDEX `api_keys_member` ON `api_keys` (`member_id`,`created_at_ms`) WHERE "api_keys"."member_id" is not null;--> statement-breakpoint
CREATE INDEX `api_keys_sessions` ON `api_keys` (`expires_at_ms`) WHERE "api_keys"."member_id" is not null;--> statement-breakpoint
ALTER TABLE `store_keys` ADD `session_ends_at_ms` integer;--> statement-breakpoint
CREATE INDEX `store_keys_sessions` ON `store_keys` (`session_ends_at_ms`) WHERE "store_keys"."session_ends_at_ms" is not null;--> statement-breakpoint
CREATE INDEX `events_activity` ON `events` (`company_id`,`number`) WHERE "events"."lead_seq" is null;--> statement-breakpoint
DROP VIEW `key_rights`;--> statement-breakpoint
CREATE VIEW `key_rights` AS select "api_keys"."id", "api_keys"."company_id", "api_keys"."campaign_number", "api_keys"."scope",
  case when "api_keys".member_id is null then "api_keys".expires_at_ms end as expires_at_ms, case when "api_keys".frozen = 2 then json_extract('{}', 'store moved')
  when "api_keys".revoked_at_ms is null then ifnull("api_keys".expires_at_ms, 9e15) else 0 end as ends_at_ms, "api_keys"."frozen" from "api_keys";
