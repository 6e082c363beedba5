-- What a source hears of a no: names under which nothing is, and what a no to being asked does.
ALTER TABLE `sources` ADD `not_do_not_call` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `sources` ADD `permissions` text DEFAULT 'keep' NOT NULL;