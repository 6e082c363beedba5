ALTER TABLE `dialers` ADD `failing_reason` text;--> statement-breakpoint
ALTER TABLE `dialers` ADD `failing_at_ms` integer;--> statement-breakpoint
-- A dialer no longer ends with the key that set it.
UPDATE `api_keys` SET `expires_at_ms` = NULL WHERE `is_dialer` = 1 AND `expires_at_ms` IS NOT NULL;