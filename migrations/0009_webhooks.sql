-- Written by hand: columns are added, so that the Worker of the version before goes on as it was.
ALTER TABLE `webhooks` ADD `given_up` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `failing_since_ms` integer;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `older_secrets` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `companies` ADD `log_epochs` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
-- The log says who made those that are there, unless that was more than 90 days ago.
UPDATE `webhooks` SET `created_by` = made.actor
FROM (SELECT `data` ->> 'webhookId' AS id, `actor` FROM `events`
	WHERE `type` = 'webhook.changed' AND `data` ->> 'change' = 'created') AS made
WHERE made.id = `webhooks`.`id`;
