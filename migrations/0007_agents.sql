-- Finished by hand: `agents` is without rowid. The Worker of the version before leaves the new column of `calls` null.
CREATE TABLE `agents` (
	`company_id` text NOT NULL,
	`campaign_number` integer NOT NULL,
	`name` text NOT NULL,
	`unknown_in_a_row` integer NOT NULL,
	`claims_in_a_row` integer NOT NULL,
	`claim_tokens` text NOT NULL,
	`blocked_until_ms` integer,
	`is_probing` integer DEFAULT 0 NOT NULL,
	`last_unknown_at_ms` integer NOT NULL,
	PRIMARY KEY(`company_id`, `campaign_number`, `name`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`campaign_number`) REFERENCES `campaigns`(`number`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `agents_blocked` ON `agents` (`campaign_number`,`blocked_until_ms`) WHERE "agents"."blocked_until_ms" is not null;--> statement-breakpoint
CREATE INDEX `agents_last_unknown` ON `agents` (`last_unknown_at_ms`);--> statement-breakpoint
ALTER TABLE `calls` ADD `key_id` text;
