-- The tables and views as src/**/tables.ts have them, written by `npm run db:generate`. By hand: which tables are without
-- rowid, so that a row costs one row written, and the triggers at the end.
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
	`created_by` text,
	`request_token` text,
	`successor_of` text,
	`frozen` integer DEFAULT 0 NOT NULL,
	`is_dialer` integer DEFAULT 0 NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`company_id`,`campaign_number`) REFERENCES `campaigns`(`company_id`,`number`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "api_keys_scope" CHECK("api_keys"."scope" in ('read', 'write', 'agent', 'manage'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash_unique` ON `api_keys` (`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_company` ON `api_keys` (`company_id`,`created_at_ms`);--> statement-breakpoint
CREATE INDEX `api_keys_created_by` ON `api_keys` (`created_by`) WHERE "api_keys"."created_by" is not null;--> statement-breakpoint
CREATE INDEX `api_keys_successor_of` ON `api_keys` (`successor_of`) WHERE "api_keys"."successor_of" is not null;--> statement-breakpoint
CREATE TABLE `campaign_numbers` (
	`id` integer PRIMARY KEY NOT NULL,
	`last` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `campaigns` (
	`number` integer PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`company_id` text NOT NULL,
	`name` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`archived_at_ms` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "campaigns_number" CHECK("campaigns"."number" between 1 and 2097151)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `campaigns_company_id` ON `campaigns` (`company_id`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `campaigns_company` ON `campaigns` (`company_id`,`number`);--> statement-breakpoint
CREATE INDEX `campaigns_current` ON `campaigns` (`company_id`,`number`) WHERE "campaigns"."archived_at_ms" is null;--> statement-breakpoint
CREATE INDEX `campaigns_archived` ON `campaigns` (`company_id`,`number`) WHERE "campaigns"."archived_at_ms" is not null;--> statement-breakpoint
CREATE TABLE `companies` (
	`id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`listens_since_ms` integer,
	`log_epochs` text DEFAULT '[]' NOT NULL,
	`store` text,
	`frozen_at_ms` integer,
	`max_campaigns` integer,
	`consent_years` integer,
	`request_token` text
);
--> statement-breakpoint
CREATE INDEX `companies_store` ON `companies` (`store`) WHERE "companies"."store" is not null;--> statement-breakpoint
CREATE INDEX `companies_frozen` ON `companies` (`frozen_at_ms`) WHERE "companies"."frozen_at_ms" is not null;--> statement-breakpoint
CREATE INDEX `companies_request` ON `companies` (`request_token`) WHERE "companies"."request_token" is not null;--> statement-breakpoint
CREATE TABLE `key_hours` (
	`key_id` text NOT NULL,
	`hour` integer NOT NULL,
	`code` text NOT NULL,
	`requests` integer NOT NULL,
	`last_used_at_ms` integer NOT NULL,
	PRIMARY KEY(`key_id`, `hour`, `code`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `key_hours_hour` ON `key_hours` (`hour`);--> statement-breakpoint
CREATE TABLE `operator_keys` (
	`id` text PRIMARY KEY NOT NULL,
	`hash` text NOT NULL,
	`hint` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	`expires_at_ms` integer NOT NULL,
	`revoked_at_ms` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operator_keys_hash_unique` ON `operator_keys` (`hash`);--> statement-breakpoint
CREATE TABLE `store_keys` (
	`hash` text PRIMARY KEY NOT NULL,
	`key_id` text NOT NULL,
	`company_id` text NOT NULL,
	`revoked_at_ms` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `store_keys_key` ON `store_keys` (`key_id`);--> statement-breakpoint
CREATE TABLE `alert_cursor` (
	`id` integer PRIMARY KEY NOT NULL,
	`campaign_number` integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE `alerts` (
	`company_id` text NOT NULL,
	`kind` text NOT NULL,
	`campaign_number` integer NOT NULL,
	`subject` text NOT NULL,
	`since_ms` integer NOT NULL,
	`raised_at_ms` integer,
	`calls_counted` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`kind`, `campaign_number`, `company_id`, `subject`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
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
CREATE TABLE `call_details` (
	`seq` integer NOT NULL,
	`claimed_at_ms` integer NOT NULL,
	`details` text NOT NULL,
	PRIMARY KEY(`seq`, `claimed_at_ms`)
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
CREATE TABLE `requeues` (
	`campaign_number` integer NOT NULL,
	`status` text NOT NULL,
	`since_ms` integer NOT NULL,
	`after_seq` integer NOT NULL,
	`at_ms` integer NOT NULL,
	PRIMARY KEY(`campaign_number`, `status`, `since_ms`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `resting_lanes` (
	`campaign_number` integer NOT NULL,
	`lane` text NOT NULL,
	`is_for_appointments` integer NOT NULL,
	`until_ms` integer NOT NULL,
	PRIMARY KEY(`campaign_number`, `lane`, `is_for_appointments`)
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
	`retention_days` integer,
	`retention_seq` integer DEFAULT 0 NOT NULL,
	`retention_suppresses` integer DEFAULT 1 NOT NULL,
	`max_live_calls` integer,
	`calls_per_minute` integer,
	`paced_until_us` integer,
	`callable_since_ms` integer DEFAULT 0 NOT NULL,
	`waited_for_until_ms` integer DEFAULT 0 NOT NULL,
	`has_dialer` integer DEFAULT 0 NOT NULL,
	`consent_purpose` text,
	`consent_max_age_days` integer,
	`returns_held_after` integer,
	FOREIGN KEY (`campaign_number`) REFERENCES `campaigns`(`number`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `calling_settings_returning` ON `calling_settings` (`campaign_number`) WHERE "calling_settings"."returns_held_after" is not null;--> statement-breakpoint
CREATE TABLE `openings` (
	`campaign_number` integer NOT NULL,
	`lane` text NOT NULL,
	`is_for_appointments` integer NOT NULL,
	`opens_at_ms` integer NOT NULL,
	`closes_at_ms` integer NOT NULL,
	PRIMARY KEY(`campaign_number`, `lane`, `is_for_appointments`, `opens_at_ms`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `company_moves` (
	`company_id` text PRIMARY KEY NOT NULL,
	`from_store` text,
	`to_store` text,
	`requested_at_ms` integer NOT NULL,
	`phase` text NOT NULL,
	`frozen_at_ms` integer,
	`switched_at_ms` integer,
	`ended_at_ms` integer,
	`progress` text DEFAULT '{}' NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `store_states` (
	`company_id` text PRIMARY KEY NOT NULL,
	`size_bytes` integer NOT NULL,
	`leads` integer NOT NULL,
	`last_migration` text NOT NULL,
	`noted_at_ms` integer NOT NULL,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `dialers` (
	`campaign_number` integer PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`key_id` text NOT NULL,
	`max_live` integer NOT NULL,
	`preset` text NOT NULL,
	`template` text,
	`variables` text NOT NULL,
	`sealed_secrets` text NOT NULL,
	`origin` text NOT NULL,
	`version` integer NOT NULL,
	`changed_at_ms` integer NOT NULL,
	`removed_at_ms` integer,
	`stopped_reason` text,
	`stopped_at_ms` integer,
	`resting_reason` text,
	`resting_since_ms` integer,
	`unmapped_reason` text,
	`unmapped_at_ms` integer,
	FOREIGN KEY (`campaign_number`) REFERENCES `campaigns`(`number`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `erased_runs` (
	`first_seq` integer PRIMARY KEY NOT NULL,
	`last_seq` integer NOT NULL
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
	`request_key` text,
	`token` text NOT NULL,
	`lane` text DEFAULT '' NOT NULL,
	`queue_rank` integer DEFAULT 0 NOT NULL,
	`due_at_ms` integer,
	`lease_expires_at_ms` integer,
	`claim_token` text,
	`attempts_forgiven` integer DEFAULT 0 NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`finished_at_ms` integer,
	`erased_at_ms` integer,
	`moved_to_ms` integer,
	`held_due_at_ms` integer,
	`number_hash` text,
	`number_word` text,
	`external_word` text,
	`words` text,
	`scheduled_at_ms` integer GENERATED ALWAYS AS (iif(scheduled_for is null, null, unixepoch(substr(substr(scheduled_for, 1, length(scheduled_for) - length(ltrim(substr(scheduled_for, 12), '0123456789:.'))), 1, 19)) * 1000 + substr(substr(substr(scheduled_for, 1, length(scheduled_for) - length(ltrim(substr(scheduled_for, 12), '0123456789:.'))), 21, 3) || '000', 1, 3) - (substr(replace(replace(ltrim(substr(scheduled_for, 12), '0123456789:.'), ':', ''), 'Z', '+'), 1, 1) || '1') * (60 * substr(replace(replace(ltrim(substr(scheduled_for, 12), '0123456789:.'), ':', ''), 'Z', '+'), 2, 2) + substr(replace(replace(ltrim(substr(scheduled_for, 12), '0123456789:.'), ':', ''), 'Z', '+'), 4, 2)) * 60000)) VIRTUAL,
	FOREIGN KEY (`campaign_number`) REFERENCES `campaigns`(`number`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "leads_queued_or_leased" CHECK("leads"."due_at_ms" is null or "leads"."lease_expires_at_ms" is null),
	CONSTRAINT "leads_seq" CHECK("leads"."seq" >> 32 = "leads"."campaign_number"),
	CONSTRAINT "leads_status" CHECK("leads"."status" in ('raw', 'attempting', 'exhausted', 'concluded')),
	CONSTRAINT "leads_priority" CHECK("leads"."priority" between 0 and 100),
	CONSTRAINT "leads_attempts" CHECK("leads"."attempts" >= 0)
);
--> statement-breakpoint
CREATE UNIQUE INDEX `leads_campaign_phone` ON `leads` (`campaign_number`,`phone_number`);--> statement-breakpoint
CREATE INDEX `leads_campaign_external_id` ON `leads` (`campaign_number`,`external_id`) WHERE "leads"."external_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_campaign_status` ON `leads` (`campaign_number`,`status`) WHERE "leads"."status" <> 'raw';--> statement-breakpoint
CREATE INDEX `leads_request_key` ON `leads` (`request_key`) WHERE "leads"."request_key" is not null;--> statement-breakpoint
CREATE INDEX `leads_queue` ON `leads` (`campaign_number`,`lane`,"queue_rank" desc,`due_at_ms`) WHERE "leads"."due_at_ms" is not null;--> statement-breakpoint
CREATE INDEX `leads_leased` ON `leads` (`campaign_number`,`lease_expires_at_ms`) WHERE "leads"."lease_expires_at_ms" is not null;--> statement-breakpoint
CREATE INDEX `leads_moved` ON `leads` (`phone_number`) WHERE "leads"."moved_to_ms" is not null;--> statement-breakpoint
CREATE INDEX `leads_held_number` ON `leads` (`phone_number`) WHERE "leads"."held_due_at_ms" is not null;--> statement-breakpoint
CREATE INDEX `leads_held` ON `leads` (`campaign_number`) WHERE "leads"."held_due_at_ms" is not null;--> statement-breakpoint
CREATE TABLE `search_place` (
	`id` integer PRIMARY KEY NOT NULL,
	`place` integer NOT NULL
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
	`dialled_at_ms` integer,
	`is_done` integer DEFAULT 0 NOT NULL,
	`do_not_call` integer DEFAULT 0 NOT NULL,
	`is_late` integer DEFAULT 0 NOT NULL,
	`ended_at_ms` integer,
	`callback_at_ms` integer,
	`duration_seconds` integer,
	`provider_call_id` text,
	`report_token` text,
	`key_id` text,
	`consent_id` text,
	PRIMARY KEY(`company_id`, `phone_number`, `claimed_at_ms`, `seq`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `calls_consent` ON `calls` (`company_id`,`consent_id`,`claimed_at_ms`) WHERE "calls"."consent_id" is not null;--> statement-breakpoint
CREATE TABLE `consent_texts` (
	`company_id` text NOT NULL,
	`sha256` text NOT NULL,
	`text` text NOT NULL,
	`stored_at_ms` integer NOT NULL,
	PRIMARY KEY(`company_id`, `sha256`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `consents` (
	`company_id` text NOT NULL,
	`phone_number` text NOT NULL,
	`purpose` text NOT NULL,
	`given_at_ms` integer NOT NULL,
	`id` text NOT NULL,
	`number_hash` text,
	`content_hmac` text,
	`expires_at_ms` integer,
	`text_sha256` text,
	`source_url` text,
	`ip` text,
	`user_agent` text,
	`certificate_url` text,
	`reference` text,
	`stored_at_ms` integer NOT NULL,
	`hashed_at_ms` integer,
	PRIMARY KEY(`company_id`, `phone_number`, `purpose`, `given_at_ms`, `id`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE UNIQUE INDEX `consents_id` ON `consents` (`company_id`,`id`);--> statement-breakpoint
CREATE TABLE `number_log` (
	`company_id` text NOT NULL,
	`phone_number` text NOT NULL,
	`withdraws` text NOT NULL,
	`at_ms` integer NOT NULL,
	`kind` text NOT NULL,
	`campaign_number` integer NOT NULL,
	`actor` text NOT NULL,
	`reason` text,
	`stored_at_ms` integer NOT NULL,
	`hashed_at_ms` integer,
	PRIMARY KEY(`company_id`, `phone_number`, `withdraws`, `at_ms`, `kind`, `campaign_number`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `campaign_hours` (
	`campaign_number` integer NOT NULL,
	`hour` integer NOT NULL,
	`created` integer DEFAULT 0 NOT NULL,
	`skipped` integer DEFAULT 0 NOT NULL,
	`invalid` integer DEFAULT 0 NOT NULL,
	`suppressed` integer DEFAULT 0 NOT NULL,
	`claimed` integer DEFAULT 0 NOT NULL,
	`answered` integer DEFAULT 0 NOT NULL,
	`not_interested` integer DEFAULT 0 NOT NULL,
	`wrong_number` integer DEFAULT 0 NOT NULL,
	`invalid_number` integer DEFAULT 0 NOT NULL,
	`do_not_call` integer DEFAULT 0 NOT NULL,
	`no_answer` integer DEFAULT 0 NOT NULL,
	`busy` integer DEFAULT 0 NOT NULL,
	`voicemail` integer DEFAULT 0 NOT NULL,
	`failed` integer DEFAULT 0 NOT NULL,
	`abandoned` integer DEFAULT 0 NOT NULL,
	`callback_requested` integer DEFAULT 0 NOT NULL,
	`unknown` integer DEFAULT 0 NOT NULL,
	`released` integer DEFAULT 0 NOT NULL,
	`pick_up_1s` integer DEFAULT 0 NOT NULL,
	`pick_up_5s` integer DEFAULT 0 NOT NULL,
	`pick_up_30s` integer DEFAULT 0 NOT NULL,
	`pick_up_5min` integer DEFAULT 0 NOT NULL,
	`pick_up_1h` integer DEFAULT 0 NOT NULL,
	`pick_up_later` integer DEFAULT 0 NOT NULL,
	`d_raw` integer DEFAULT 0 NOT NULL,
	`d_attempting` integer DEFAULT 0 NOT NULL,
	`d_exhausted` integer DEFAULT 0 NOT NULL,
	`d_concluded` integer DEFAULT 0 NOT NULL,
	`writes` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`campaign_number`, `hour`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `recounts` (
	`campaign_number` integer PRIMARY KEY NOT NULL,
	`due_at_ms` integer NOT NULL,
	`after_seq` integer DEFAULT 0 NOT NULL,
	`writes` integer DEFAULT 0 NOT NULL,
	`raw` integer DEFAULT 0 NOT NULL,
	`attempting` integer DEFAULT 0 NOT NULL,
	`exhausted` integer DEFAULT 0 NOT NULL,
	`concluded` integer DEFAULT 0 NOT NULL,
	`counted_at_ms` integer,
	`is_unrepaired` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `recounts_due` ON `recounts` (`due_at_ms`);--> statement-breakpoint
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
CREATE INDEX `events_lead` ON `events` (`company_id`,`lead_seq`,`number`) WHERE "events"."lead_seq" is not null and "events"."type" <> 'leads.created';--> statement-breakpoint
CREATE TABLE `webhooks` (
	`id` text PRIMARY KEY NOT NULL,
	`company_id` text NOT NULL,
	`campaign_number` integer,
	`url` text NOT NULL,
	`types` text NOT NULL,
	`include` text NOT NULL,
	`secret_version` integer DEFAULT 1 NOT NULL,
	`previous_expires_at_ms` integer,
	`older_secrets` text DEFAULT '[]' NOT NULL,
	`passed_number` integer NOT NULL,
	`created_at_ms` integer NOT NULL,
	`created_by` text,
	`expires_at_ms` integer,
	`disabled_at_ms` integer,
	`disabled_reason` text,
	`given_up` integer DEFAULT 0 NOT NULL,
	`failing_since_ms` integer,
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhooks_company` ON `webhooks` (`company_id`,`created_at_ms`);--> statement-breakpoint
CREATE TABLE `number_calls` (
	`company_id` text NOT NULL,
	`number_hash` text NOT NULL,
	`called_at_ms` integer NOT NULL,
	PRIMARY KEY(`company_id`, `number_hash`, `called_at_ms`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `number_calls_called_at` ON `number_calls` (`called_at_ms`);--> statement-breakpoint
CREATE TABLE `retained_hashes` (
	`company_id` text NOT NULL,
	`campaign_number` integer NOT NULL,
	`number_hash` text NOT NULL,
	`reason` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`company_id`, `number_hash`, `campaign_number`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
) WITHOUT ROWID;
--> statement-breakpoint
CREATE TABLE `suppressed_hashes` (
	`company_id` text NOT NULL,
	`number_hash` text NOT NULL,
	`created_at_ms` integer NOT NULL,
	PRIMARY KEY(`company_id`, `number_hash`),
	FOREIGN KEY (`company_id`) REFERENCES `companies`(`id`) ON UPDATE no action ON DELETE no action
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
CREATE INDEX `suppressions_campaign` ON `suppressions` (`campaign_number`,`phone_number`) WHERE "suppressions"."campaign_number" <> 0;--> statement-breakpoint
CREATE VIEW `campaign_rights` AS select "api_keys"."id" as key_id, "api_keys"."scope", case when "api_keys".frozen = 2 then json_extract('{}', 'store moved')
  when "api_keys".revoked_at_ms is null then ifnull("api_keys".expires_at_ms, 9e15) else 0 end as ends_at_ms, "api_keys"."frozen",
  "campaigns"."number", "campaigns"."id", "campaigns"."company_id", "campaigns"."archived_at_ms"
  from "api_keys" join "campaigns" on "campaigns"."company_id" = "api_keys"."company_id"
  and ("api_keys"."campaign_number" is null or "api_keys"."campaign_number" = "campaigns"."number");--> statement-breakpoint
CREATE VIEW `key_rights` AS select "api_keys"."id", "api_keys"."company_id", "api_keys"."campaign_number", "api_keys"."scope",
  "api_keys"."expires_at_ms", case when "api_keys".frozen = 2 then json_extract('{}', 'store moved')
  when "api_keys".revoked_at_ms is null then ifnull("api_keys".expires_at_ms, 9e15) else 0 end as ends_at_ms, "api_keys"."frozen" from "api_keys";
--> statement-breakpoint
-- Written by hand from here on.
-- Nothing that was logged is ever changed.
CREATE TRIGGER `events_never_change` BEFORE UPDATE ON `events` BEGIN
	SELECT RAISE(ABORT, 'an event never changes');
END;
--> statement-breakpoint
-- Runs of erased leads, which lists step over. A campaign that has any has one that begins before its first lead.
CREATE TRIGGER `leads_erased` AFTER UPDATE OF `erased_at_ms` ON `leads` WHEN new.`erased_at_ms` IS NOT NULL AND old.`erased_at_ms` IS NULL BEGIN
	INSERT INTO `erased_runs` (`first_seq`, `last_seq`) VALUES (new.`campaign_number` << 32, new.`campaign_number` << 32)
		ON CONFLICT DO NOTHING;
	INSERT INTO `erased_runs` (`first_seq`, `last_seq`) VALUES (
		coalesce((SELECT iif(`last_seq` = new.`seq` - 1, `first_seq`, NULL) FROM `erased_runs`
			WHERE `first_seq` < new.`seq` ORDER BY `first_seq` DESC LIMIT 1), new.`seq`),
		coalesce((SELECT `last_seq` FROM `erased_runs` WHERE `first_seq` = new.`seq` + 1), new.`seq`))
		ON CONFLICT (`first_seq`) DO UPDATE SET `last_seq` = excluded.`last_seq`;
	DELETE FROM `erased_runs` WHERE `first_seq` = new.`seq` + 1;
END;
--> statement-breakpoint
-- Notes in `resting_lanes` are kept true: these act on leads with a time zone of their own alone, and write only where
-- such a note is in the way.
CREATE TRIGGER `leads_wake_lane` AFTER INSERT ON `leads` WHEN new.`lane` <> '' AND new.`due_at_ms` IS NOT NULL BEGIN
	UPDATE `resting_lanes` SET `until_ms` = new.`due_at_ms` WHERE `campaign_number` = new.`campaign_number`
		AND `lane` = new.`lane` AND `is_for_appointments` = (new.`queue_rank` IS 101) AND `until_ms` > new.`due_at_ms`;
END;
--> statement-breakpoint
CREATE TRIGGER `leads_wake_lane_again` AFTER UPDATE OF `due_at_ms`, `queue_rank`, `lane` ON `leads`
	WHEN new.`lane` <> '' AND new.`due_at_ms` IS NOT NULL BEGIN
	UPDATE `resting_lanes` SET `until_ms` = new.`due_at_ms` WHERE `campaign_number` = new.`campaign_number`
		AND `lane` = new.`lane` AND `is_for_appointments` = (new.`queue_rank` IS 101) AND `until_ms` > new.`due_at_ms`;
END;
--> statement-breakpoint
-- The search index (src/leads/store/search-index.ts). `prefix`: lists for starts of 1, 2, 3, 4, 6 and 8 characters behind
-- the mark of the company, which has 9. The triggers leave out the leads behind `search_place`, which none are, unless the
-- operator makes the index again: src/admin/deploy/search.ts does so with what names `lead_search` here.
INSERT INTO `search_place` (`id`, `place`) VALUES (1, 9007199254740991);
--> statement-breakpoint
CREATE VIRTUAL TABLE `lead_search` USING fts5(number_word, external_word, words, content='leads', content_rowid='seq',
	detail=none, columnsize=0, prefix='10 11 12 13 15 17', tokenize="ascii tokenchars '_@#='");
--> statement-breakpoint
-- What is taken out is overwritten.
INSERT INTO `lead_search` (`lead_search`, `rank`) VALUES ('secure-delete', 1);
--> statement-breakpoint
-- Words of a transaction are sorted in this much memory, by bytes, before they are written. With the default of 1 MiB, a
-- bulk writes them in pieces, which takes three times as long.
INSERT INTO `lead_search` (`lead_search`, `rank`) VALUES ('hashsize', 8388608);
--> statement-breakpoint
CREATE TRIGGER `leads_search_insert` AFTER INSERT ON `leads` WHEN new.`seq` <= (SELECT `place` FROM `search_place`) BEGIN
	INSERT INTO `lead_search` (`rowid`, `number_word`, `external_word`, `words`)
		VALUES (new.`seq`, new.`number_word`, new.`external_word`, new.`words`);
END;
--> statement-breakpoint
CREATE TRIGGER `leads_search_update` AFTER UPDATE OF `number_word`, `external_word`, `words` ON `leads`
	WHEN new.`seq` <= (SELECT `place` FROM `search_place`) AND (new.`number_word` IS NOT old.`number_word`
		OR new.`external_word` IS NOT old.`external_word` OR new.`words` IS NOT old.`words`) BEGIN
	INSERT INTO `lead_search` (`lead_search`, `rowid`, `number_word`, `external_word`, `words`)
		VALUES ('delete', old.`seq`, old.`number_word`, old.`external_word`, old.`words`);
	INSERT INTO `lead_search` (`rowid`, `number_word`, `external_word`, `words`)
		VALUES (new.`seq`, new.`number_word`, new.`external_word`, new.`words`);
END;
--> statement-breakpoint
CREATE TRIGGER `leads_search_delete` AFTER DELETE ON `leads` WHEN old.`seq` <= (SELECT `place` FROM `search_place`) BEGIN
	INSERT INTO `lead_search` (`lead_search`, `rowid`, `number_word`, `external_word`, `words`)
		VALUES ('delete', old.`seq`, old.`number_word`, old.`external_word`, old.`words`);
END;
