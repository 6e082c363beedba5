-- The search index again, with one list of starts instead of six: they were more than half of what a bulk costs. It has the
-- starts of 3 characters behind the mark of a company, which has 9. Words of fewer are found whole. The statements that make
-- the index are those with which `npm run search -- on` makes it again: src/admin/deploy/search-switch.ts.
DROP TABLE IF EXISTS `lead_search`;
--> statement-breakpoint
CREATE VIRTUAL TABLE `lead_search` USING fts5(number_word, external_word, words, content='leads', content_rowid='seq',
	detail=none, columnsize=0, prefix='12', tokenize="ascii tokenchars '_@#='");
--> statement-breakpoint
-- What is taken out is overwritten.
INSERT INTO `lead_search` (`lead_search`, `rank`) VALUES ('secure-delete', 1);
--> statement-breakpoint
-- Words of a transaction are sorted in this much memory, by bytes, before they are written. With the default of 1 MiB, a
-- bulk writes them in pieces, which takes three times as long.
INSERT INTO `lead_search` (`lead_search`, `rank`) VALUES ('hashsize', 8388608);
--> statement-breakpoint
-- They are missing where the operator has switched the search off.
CREATE TRIGGER IF NOT EXISTS `leads_search_insert` AFTER INSERT ON `leads` WHEN new.`seq` <= (SELECT `place` FROM `search_place`) BEGIN
	INSERT INTO `lead_search` (`rowid`, `number_word`, `external_word`, `words`)
		VALUES (new.`seq`, new.`number_word`, new.`external_word`, new.`words`);
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `leads_search_update` AFTER UPDATE OF `number_word`, `external_word`, `words` ON `leads`
	WHEN new.`seq` <= (SELECT `place` FROM `search_place`) AND (new.`number_word` IS NOT old.`number_word`
		OR new.`external_word` IS NOT old.`external_word` OR new.`words` IS NOT old.`words`) BEGIN
	INSERT INTO `lead_search` (`lead_search`, `rowid`, `number_word`, `external_word`, `words`)
		VALUES ('delete', old.`seq`, old.`number_word`, old.`external_word`, old.`words`);
	INSERT INTO `lead_search` (`rowid`, `number_word`, `external_word`, `words`)
		VALUES (new.`seq`, new.`number_word`, new.`external_word`, new.`words`);
END;
--> statement-breakpoint
CREATE TRIGGER IF NOT EXISTS `leads_search_delete` AFTER DELETE ON `leads` WHEN old.`seq` <= (SELECT `place` FROM `search_place`) BEGIN
	INSERT INTO `lead_search` (`lead_search`, `rowid`, `number_word`, `external_word`, `words`)
		VALUES ('delete', old.`seq`, old.`number_word`, old.`external_word`, old.`words`);
END;
--> statement-breakpoint
-- The first 20,000 leads. The others follow minute by minute (src/leads/store/search-index.ts), and until then the search
-- answers 503, in the version before too.
INSERT INTO `lead_search` (`rowid`, `number_word`, `external_word`, `words`)
	SELECT `seq`, `number_word`, `external_word`, `words` FROM `leads` ORDER BY `seq` LIMIT 20000;
--> statement-breakpoint
UPDATE `search_place` SET `place` = coalesce((SELECT `seq` FROM `leads` ORDER BY `seq` LIMIT 1 OFFSET 19999),
	9007199254740991);
