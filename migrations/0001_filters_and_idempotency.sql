ALTER TABLE `leads` ADD `request_key` text;--> statement-breakpoint
CREATE INDEX `leads_campaign_external_id` ON `leads` (`campaign_number`,`external_id`) WHERE "leads"."external_id" is not null;--> statement-breakpoint
CREATE INDEX `leads_request_key` ON `leads` (`request_key`) WHERE "leads"."request_key" is not null;