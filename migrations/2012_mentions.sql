-- Numbers in metadata are words of the search index. `words_place`: up to which place leads of before have theirs, while the others
-- follow minute by minute (src/leads/store/mentions/fill-words.ts). `metadata_erased_at_ms`: when a number was erased in the
-- metadata of the lead of another, which a restore must not bring back.
ALTER TABLE `leads` ADD `metadata_erased_at_ms` integer;--> statement-breakpoint
CREATE INDEX `leads_metadata_erased` ON `leads` (`metadata_erased_at_ms`) WHERE "leads"."metadata_erased_at_ms" is not null;--> statement-breakpoint
ALTER TABLE `search_place` ADD `words_place` integer DEFAULT 9007199254740991 NOT NULL;--> statement-breakpoint
UPDATE `search_place` SET `words_place` = 0 WHERE EXISTS (SELECT 1 FROM `leads`);
