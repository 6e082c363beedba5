-- Gates: what is asked before a lead is called, and what they have answered.
CREATE TABLE `gates` (
	`campaign_number` integer PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`questions` text NOT NULL,
	`keep_hours` integer NOT NULL,
	`later_minutes` integer NOT NULL,
	`when_silent` text NOT NULL,
	`suppress` text NOT NULL,
	`sealed_secrets` text NOT NULL,
	`version` integer NOT NULL,
	`revision` integer NOT NULL,
	`changed_at_ms` integer NOT NULL,
	`silent_since_ms` integer,
	`refusing_since_ms` integer,
	`counts_since_ms` integer NOT NULL,
	FOREIGN KEY (`campaign_number`) REFERENCES `campaigns`(`number`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `calling_settings` ADD `gate_version` integer;--> statement-breakpoint
ALTER TABLE `calling_settings` ADD `gate_checked` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `calling_settings` ADD `gate_refused` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `leads` ADD `gate_version` integer;--> statement-breakpoint
ALTER TABLE `leads` ADD `gate_until_ms` integer;--> statement-breakpoint
ALTER TABLE `leads` ADD `gate_refused_by` text;--> statement-breakpoint
ALTER TABLE `leads` ADD `gate_asks_at_ms` integer;--> statement-breakpoint
CREATE INDEX `leads_gate` ON `leads` (`campaign_number`,`lane`,"queue_rank" desc,`gate_asks_at_ms`) WHERE "leads"."gate_asks_at_ms" is not null;--> statement-breakpoint
CREATE INDEX `leads_refused` ON `leads` (`campaign_number`,`finished_at_ms`) WHERE "leads"."gate_refused_by" is not null;--> statement-breakpoint
CREATE INDEX `suppressions_gate` ON `suppressions` (`company_id`,`created_at_ms`) WHERE "suppressions"."token" glob 'gate:*';