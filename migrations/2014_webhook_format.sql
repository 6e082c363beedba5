ALTER TABLE `webhooks` ADD `format` text;--> statement-breakpoint
ALTER TABLE `webhooks` ADD `sealed_secrets` text;