-- Whose a number of a post is where it has no country code, and by whose clock it is called.
ALTER TABLE `sources` ADD `national_country` text;--> statement-breakpoint
ALTER TABLE `sources` ADD `time_zones` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `sources` ADD `clock_asked_at_ms` integer;--> statement-breakpoint
CREATE INDEX `sources_clock_asked` ON `sources` (`clock_asked_at_ms`) WHERE "sources"."clock_asked_at_ms" is not null;