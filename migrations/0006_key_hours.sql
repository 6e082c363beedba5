-- Finished by hand: without rowid, which costs one row for each key, hour and kind of answer that is written.
CREATE TABLE `key_hours` (
	`key_id` text NOT NULL,
	`hour` integer NOT NULL,
	`code` text NOT NULL,
	`requests` integer NOT NULL,
	`last_used_at_ms` integer NOT NULL,
	PRIMARY KEY(`key_id`, `hour`, `code`)
) WITHOUT ROWID;
