CREATE TABLE `sources` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`campaign_number` integer NOT NULL,
	`key_id` text NOT NULL,
	`name` text NOT NULL,
	`countries` text NOT NULL,
	`fields` text NOT NULL,
	`ignored` text NOT NULL,
	`consent` text,
	`on_existing` text NOT NULL,
	`redirect_url` text,
	`sealed_secrets` text,
	`is_enabled` integer NOT NULL,
	`version` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`changed_at_ms` integer NOT NULL,
	`removed_at_ms` integer,
	`last_names` text,
	`names_at_ms` integer,
	`last_problem` text,
	`problem_at_ms` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`campaign_number`) REFERENCES `campaigns`(`number`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `sources_campaign` ON `sources` (`campaign_number`);--> statement-breakpoint
ALTER TABLE `api_keys` ADD `source_id` text;--> statement-breakpoint
CREATE INDEX `api_keys_source` ON `api_keys` (`source_id`) WHERE "api_keys"."source_id" is not null;