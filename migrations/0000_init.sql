CREATE TABLE `api_keys` (
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
	CONSTRAINT "api_keys_scope" CHECK("api_keys"."scope" in ('read', 'write'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_company` ON `api_keys` (`company_id`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `campaigns` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`company_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "campaigns_number" CHECK("campaigns"."number" between 1 and 2097151)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `campaigns_id_unique` ON `campaigns` (`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `campaigns_company` ON `campaigns` (`company_id`,`number`);--> statement-breakpoint
CREATE TABLE `companies` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at_ms` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `leads` (
	`seq` integer PRIMARY KEY NOT NULL,
	`campaign_number` integer NOT NULL,
	`phone_number` text NOT NULL,
	`external_id` text,
	`metadata` text,
	`status` text DEFAULT 'raw' NOT NULL,
	`scheduled_for` text,
	`priority` integer DEFAULT 0 NOT NULL,
	`attempts` integer DEFAULT 0 NOT NULL,
	`created_at_ms` integer NOT NULL,
	`token` text NOT NULL,
	FOREIGN KEY (`campaign_number`) REFERENCES `campaigns`(`number`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "leads_seq" CHECK("leads"."seq" >> 32 = "leads"."campaign_number"),
	CONSTRAINT "leads_status" CHECK("leads"."status" in ('raw', 'attempting', 'exhausted', 'concluded')),
	CONSTRAINT "leads_priority" CHECK("leads"."priority" between 0 and 100),
	CONSTRAINT "leads_attempts" CHECK("leads"."attempts" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `leads_campaign_phone` ON `leads` (`campaign_number`,`phone_number`);