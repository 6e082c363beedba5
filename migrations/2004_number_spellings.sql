-- A no holds for every spelling of a phone (src/ledger/suppression/spellings.ts, as it was in 2.1.0): the numbers that are
-- suppressed already get theirs. Numbers that are suppressed by their hash alone stay as they were written.
INSERT INTO `suppressions` (`company_id`, `phone_number`, `campaign_number`, `reason`, `token`, `leads_removed`, `created_at_ms`)
	SELECT own.company_id, spelling.value, own.campaign_number, own.reason, own.token, 0, own.created_at_ms
	FROM `suppressions` AS own
	CROSS JOIN json_each((select json_array(w.number, w.plain, w.other,
	case when length(w.plain) < 16
	and substr(w.plain, 2, 2) in ('20', '27', '31', '32', '33', '40', '41', '43', '44', '46', '49', '51', '53', '54', '55', '57', '58', '60', '61', '62', '63', '64', '66', '81', '82', '84', '86', '90', '91', '92', '93', '94', '95', '98')
	and substr(w.plain, 4, 1) between '1' and '9'
	then substr(w.plain, 1, 3) || '0' || substr(w.plain, 4) when length(w.plain) < 16
	and substr(w.plain, 2, 3) in ('211', '212', '213', '218', '231', '232', '233', '234', '243', '249', '251', '252', '254', '255', '256', '260', '261', '262', '263', '264', '265', '291', '353', '355', '358', '359', '370', '373', '374', '377', '380', '381', '382', '383', '385', '386', '387', '389', '421', '423', '508', '590', '591', '593', '594', '595', '596', '598', '686', '850', '855', '856', '880', '886', '961', '962', '963', '964', '966', '967', '970', '971', '972', '976', '977', '994', '995', '996')
	and substr(w.plain, 5, 1) between '1' and '9'
	then substr(w.plain, 1, 4) || '0' || substr(w.plain, 5) end, case when length(w.other) < 16
	and substr(w.other, 2, 2) in ('20', '27', '31', '32', '33', '40', '41', '43', '44', '46', '49', '51', '53', '54', '55', '57', '58', '60', '61', '62', '63', '64', '66', '81', '82', '84', '86', '90', '91', '92', '93', '94', '95', '98')
	and substr(w.other, 4, 1) between '1' and '9'
	then substr(w.other, 1, 3) || '0' || substr(w.other, 4) when length(w.other) < 16
	and substr(w.other, 2, 3) in ('211', '212', '213', '218', '231', '232', '233', '234', '243', '249', '251', '252', '254', '255', '256', '260', '261', '262', '263', '264', '265', '291', '353', '355', '358', '359', '370', '373', '374', '377', '380', '381', '382', '383', '385', '386', '387', '389', '421', '423', '508', '590', '591', '593', '594', '595', '596', '598', '686', '850', '855', '856', '880', '886', '961', '962', '963', '964', '966', '967', '970', '971', '972', '976', '977', '994', '995', '996')
	and substr(w.other, 5, 1) between '1' and '9'
	then substr(w.other, 1, 4) || '0' || substr(w.other, 5) end)
	from (select v.number, v.plain, case when length(v.plain) = 13 and substr(v.plain, 1, 3) = '+52' and substr(v.plain, 4, 1) between '1' and '9'
	then substr(v.plain, 1, 3) || '1' || substr(v.plain, 4) when length(v.plain) = 14 and substr(v.plain, 1, 3) = '+52' and substr(v.plain, 4, 1) = '1' and substr(v.plain, 5, 1) between '1' and '9' then substr(v.plain, 1, 3) || substr(v.plain, 5) when length(v.plain) = 13 and substr(v.plain, 1, 3) = '+54' and substr(v.plain, 4, 1) between '1' and '9'
	then substr(v.plain, 1, 3) || '9' || substr(v.plain, 4) when length(v.plain) = 14 and substr(v.plain, 1, 3) = '+54' and substr(v.plain, 4, 1) = '9' and substr(v.plain, 5, 1) between '1' and '9' then substr(v.plain, 1, 3) || substr(v.plain, 5) when length(v.plain) = 13 and substr(v.plain, 1, 3) = '+55' and substr(v.plain, 4, 1) between '1' and '9' and substr(v.plain, 5, 1) between '1' and '9' and substr(v.plain, 6, 1) between '6' and '9'
	then substr(v.plain, 1, 5) || '9' || substr(v.plain, 6) when length(v.plain) = 14 and substr(v.plain, 1, 3) = '+55' and substr(v.plain, 4, 1) between '1' and '9' and substr(v.plain, 5, 1) between '1' and '9' and substr(v.plain, 6, 1) = '9' and substr(v.plain, 7, 1) between '6' and '9' then substr(v.plain, 1, 5) || substr(v.plain, 7) end as other
	from (select u.number, case when substr(u.number, 2, 2) in ('20', '27', '31', '32', '33', '40', '41', '43', '44', '46', '49', '51', '53', '54', '55', '57', '58', '60', '61', '62', '63', '64', '66', '81', '82', '84', '86', '90', '91', '92', '93', '94', '95', '98')
	and substr(u.number, 4, 2) between '01' and '09'
	then substr(u.number, 1, 3) || substr(u.number, 5) when substr(u.number, 2, 3) in ('211', '212', '213', '218', '231', '232', '233', '234', '243', '249', '251', '252', '254', '255', '256', '260', '261', '262', '263', '264', '265', '291', '353', '355', '358', '359', '370', '373', '374', '377', '380', '381', '382', '383', '385', '386', '387', '389', '421', '423', '508', '590', '591', '593', '594', '595', '596', '598', '686', '850', '855', '856', '880', '886', '961', '962', '963', '964', '966', '967', '970', '971', '972', '976', '977', '994', '995', '996')
	and substr(u.number, 5, 2) between '01' and '09'
	then substr(u.number, 1, 4) || substr(u.number, 6) else u.number end as plain
	from (select own.phone_number as number limit 1) as u limit 1) as v limit 1) as w limit 1)) AS spelling
	WHERE spelling.value IS NOT NULL AND own.token <> 'erasure'
	ON CONFLICT DO NOTHING;
