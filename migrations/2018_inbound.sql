-- Calls that people make to us: how the lead was before, that they count for the gap alone, and how many there were.
ALTER TABLE `calls` ADD `inbound` text;--> statement-breakpoint
ALTER TABLE `campaign_hours` ADD `inbound` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `number_calls` ADD `is_inbound` integer;