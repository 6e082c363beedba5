-- Calls whose lead is gone. `lost_calls` is without rowid, by hand.
CREATE TABLE `lost_calls` (
	`company_id` text NOT NULL,
	`number_hash` text NOT NULL,
	`claimed_at_ms` integer NOT NULL,
	`seq` integer NOT NULL,
	`token` text NOT NULL,
	`campaign_number` integer NOT NULL,
	`pepper_check` text NOT NULL,
	PRIMARY KEY(`company_id`, `number_hash`, `claimed_at_ms`, `seq`, `token`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `lost_calls_call` ON `lost_calls` (`claimed_at_ms`,`company_id`,`seq`);--> statement-breakpoint
CREATE INDEX `members_created_by` ON `members` (`created_by`);--> statement-breakpoint
CREATE INDEX `leads_number_hash` ON `leads` (`number_hash`) WHERE "leads"."number_hash" is not null;