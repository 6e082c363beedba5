-- A phone is one phone in every spelling. `ended_lead`: a lease that ran out ended the lead, and a late report may open it again.
-- `was_appointment`: the lead was called at an agreed time, which a late release gives back.
-- `live_until_ms`: a lead was erased during its call, and its phone is free when the lease would have ended.
ALTER TABLE `calls` ADD `ended_lead` integer;--> statement-breakpoint
ALTER TABLE `calls` ADD `was_appointment` integer;--> statement-breakpoint
ALTER TABLE `number_calls` ADD `live_until_ms` integer;--> statement-breakpoint
-- Numbers of Benin have two spellings from this version on (src/ledger/suppression/spellings.ts): a no to one that was said before
-- holds for the other. Numbers that are suppressed by their hash alone stay as they were written.
INSERT INTO `suppressions` (`company_id`, `phone_number`, `campaign_number`, `reason`, `token`, `leads_removed`, `created_at_ms`)
	SELECT said.company_id, said.other, said.campaign_number, said.reason, said.token, 0, said.created_at_ms
	FROM (SELECT own.*, CASE
		WHEN length(own.phone_number) = 12 AND substr(own.phone_number, 5, 1) BETWEEN '1' AND '9'
		THEN '+22901' || substr(own.phone_number, 5)
		WHEN length(own.phone_number) = 14 AND substr(own.phone_number, 5, 2) = '01' AND substr(own.phone_number, 7, 1) BETWEEN '1' AND '9'
		THEN '+229' || substr(own.phone_number, 7) END AS other
	FROM `suppressions` AS own WHERE own.phone_number >= '+229' AND own.phone_number < '+23') AS said
	WHERE said.other IS NOT NULL AND said.token <> 'erasure'
	ON CONFLICT DO NOTHING;
--> statement-breakpoint
INSERT INTO `number_log` (`company_id`, `phone_number`, `withdraws`, `at_ms`, `kind`, `campaign_number`, `actor`, `reason`, `stored_at_ms`)
	SELECT said.company_id, said.other, said.withdraws, said.at_ms, said.kind, said.campaign_number, said.actor, said.reason, said.stored_at_ms
	FROM (SELECT own.*, CASE
		WHEN length(own.phone_number) = 12 AND substr(own.phone_number, 5, 1) BETWEEN '1' AND '9'
		THEN '+22901' || substr(own.phone_number, 5)
		WHEN length(own.phone_number) = 14 AND substr(own.phone_number, 5, 2) = '01' AND substr(own.phone_number, 7, 1) BETWEEN '1' AND '9'
		THEN '+229' || substr(own.phone_number, 7) END AS other
	FROM `number_log` AS own WHERE own.phone_number >= '+229' AND own.phone_number < '+23') AS said
	WHERE said.other IS NOT NULL AND said.withdraws <> ''
	ON CONFLICT DO NOTHING;
