-- Written by hand: columns are added, so that the Worker of the version before goes on as it was.
ALTER TABLE `webhooks` ADD `given_up` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `failing_since_ms` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `older_secrets` text DEFAULT '[]' NOT NULL;
