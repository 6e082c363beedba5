-- Finished by hand: hours without rowid, which cost one row for each request, and a mark for the campaigns that are
-- there already. Their leads are counted by the cron and not here, where a million of them would be waited for.
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
	`is_seed` integer DEFAULT 0 NOT NULL,
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
INSERT INTO `recounts` (`campaign_number`, `due_at_ms`, `is_seed`) SELECT `number`, 0, 1 FROM `campaigns`;
