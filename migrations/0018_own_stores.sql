-- Finished by hand: a table without rowid.
CREATE TABLE `campaign_numbers` (
	`id` integer PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `store_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`company_id` text NOT NULL,
	`revoked_at_ms` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `store_keys_key` ON `store_keys` (`key_id`);--> statement-breakpoint
CREATE TABLE `company_moves` (
	`company_id` text PRIMARY KEY NOT NULL,
	`from_store` text,
	`to_store` text,
	`wished_at_ms` integer NOT NULL,
	`phase` text NOT NULL,
	`frozen_at_ms` integer,
	`switched_at_ms` integer,
	`ended_at_ms` integer,
	`progress` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `operator_requests` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`kind` text NOT NULL,
	`data` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`done_at_ms` integer,
	`result` text,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `operator_requests_pending` ON `operator_requests` (`company_id`) WHERE "operator_requests"."done_at_ms" is null;--> statement-breakpoint
CREATE TABLE `store_states` (
	`company_id` text PRIMARY KEY NOT NULL,
	`size_bytes` integer NOT NULL,
	`leads` integer NOT NULL,
	`last_migration` text NOT NULL,
	`noted_at_ms` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `api_keys` ADD `frozen` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `companies` ADD `store` text;--> statement-breakpoint
ALTER TABLE `companies` ADD `frozen_at_ms` integer;--> statement-breakpoint
CREATE INDEX `companies_store` ON `companies` (`store`) WHERE "companies"."store" is not null;--> statement-breakpoint
CREATE INDEX `companies_frozen` ON `companies` (`frozen_at_ms`) WHERE "companies"."frozen_at_ms" is not null;--> statement-breakpoint
DROP VIEW `campaign_rights`;--> statement-breakpoint
DROP VIEW `key_rights`;--> statement-breakpoint
CREATE VIEW `campaign_rights` AS select "api_keys"."id" as key_id, "api_keys"."scope", case when "api_keys".frozen = 2 then json_extract('{}', 'store moved')
  when "api_keys".revoked_at_ms is null then ifnull("api_keys".expires_at_ms, 9e15) else 0 end as ends_at_ms, "api_keys"."frozen",
  "campaigns"."number", "campaigns"."id", "campaigns"."company_id", "campaigns"."archived_at_ms"
  from "api_keys" join "campaigns" on "campaigns"."company_id" = "api_keys"."company_id"
  and ("api_keys"."campaign_number" is null or "api_keys"."campaign_number" = "campaigns"."number");--> statement-breakpoint
CREATE VIEW `key_rights` AS select "api_keys"."id", "api_keys"."company_id", "api_keys"."campaign_number", "api_keys"."scope",
  "api_keys"."expires_at_ms", case when "api_keys".frozen = 2 then json_extract('{}', 'store moved')
  when "api_keys".revoked_at_ms is null then ifnull("api_keys".expires_at_ms, 9e15) else 0 end as ends_at_ms, "api_keys"."frozen" from "api_keys";
