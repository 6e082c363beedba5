-- Where a suppression has found its leads, and the log of one who acts: so that neither is looked for more than once.
ALTER TABLE `suppressions` ADD `lead_seqs` text;--> statement-breakpoint
CREATE INDEX `events_actor` ON `events` (`company_id`,`actor`,`number`) WHERE "events"."lead_seq" is null;