// Planted in what people have said: suppressions, consents, posts of forms, erasures.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of the source.
import type { PlantedFault } from './fault.ts'

export const noes: readonly PlantedFault[] = [
  {
    file: 'src/base/ledger/suppression/numbers.ts',
    find: '+${suppressions.campaignNumber} in (0, ${campaignNumber})',
    replace: '+${suppressions.campaignNumber} in (${campaignNumber})',
    story: 'A no to the whole company does not hold in its campaigns.',
    isOfTest: true,
  },
  {
    file: 'src/base/ledger/suppression/numbers.ts',
    find: '+${suppressions.campaignNumber} in (0, ${campaignNumber})',
    replace: '+${suppressions.campaignNumber} in (0)',
    story: 'A no to one campaign holds nowhere.',
  },
  {
    file: 'src/base/ledger/suppression/numbers.ts',
    find: 'where (company_id, phone_number, campaign_number) in (${numbers})',
    replace:
      'where (phone_number, campaign_number) in (select n.phone_number, n.campaign_number from (${numbers}) as n)',
    story: 'Lifting a no in one company lifts it in all.',
  },
  {
    file: 'src/base/ledger/suppression/numbers.ts',
    find: 'where (company_id, phone_number, campaign_number) in (${numbers})',
    replace:
      'where (company_id, phone_number) in (select n.company_id, n.phone_number from (${numbers}) as n)',
    story: 'Lifting a no of one campaign lifts that of the company.',
  },
  {
    file: 'src/queue/suppression/store/suppress.ts',
    find: 'for (const spelling of spellingsOf(asked)) if',
    replace: 'for (const spelling of [asked]) if',
    story: 'A suppression holds for one spelling of a number.',
  },
  {
    file: 'src/queue/suppression/store/suppress.ts',
    find: 'cross join ${campaigns} as c on c.company_id = wanted.company_id and c.number >= wanted.campaign_number',
    replace: 'cross join ${campaigns} as c on c.number >= wanted.campaign_number',
    story: 'An erasure in one company erases the leads of others.',
  },
  {
    file: 'src/queue/suppression/store/suppress.ts',
    find: '    where c.company_id = wanted.company_id and c.number >= wanted.campaign_number',
    replace: '    where c.number >= wanted.campaign_number',
    story: 'A suppression takes the leads of other companies from their queues.',
  },
  {
    file: 'src/queue/suppression/store/suppress.ts',
    find: '  dequeueSuppressed(foundLeads),\n',
    replace: '',
    story: 'A suppression leaves leads in the queue.',
    unfound:
      'The next claim takes them from the queue, as it should where a suppression has not reached all.',
  },
  {
    file: 'src/queue/calling/store/sql/report-steps.ts',
    find: 'from (${spelled(sql`select k.company_id, k.phone_number from ${reported} where ${doNotCall}`)}) as wanted',
    replace: 'from (select k.company_id, k.phone_number from ${reported} where ${doNotCall}) as wanted',
    story: 'A no that an agent reports holds for one spelling of the number (fixed in 2.1).',
  },
  {
    file: 'src/queue/calling/store/sql/report-steps.ts',
    find: '=> doNotCall || forbidsCalls(outcome)',
    replace: '=> doNotCall',
    story: 'The outcome do_not_call suppresses nobody.',
  },
  {
    file: 'src/queue/calling/store/sql/report-steps.ts',
    find: 'from ${reported} where ${doNotCall}`)}) as wanted',
    replace: 'from ${reported} where ${doNotCall} and ${isUnreported}`)}) as wanted',
    story: 'A no that is reported late, of a call that has ended, suppresses nobody.',
  },
  {
    file: 'src/queue/calling/store/sql/lost-reports.ts',
    find: '[logAdded, suppressHashes, listNumbers, withdrawByHash]',
    replace: '[logAdded, withdrawByHash]',
    story: 'A no reported for a call whose lead was erased suppresses nobody (fixed after 2.1).',
  },
  {
    file: 'src/queue/calling/store/sql/lost-reports.ts',
    find: 'and g.company_id = key.company_id\n',
    replace: '\n',
    story: 'A key of one company reports a no for an erased call of another.',
    unfound: 'Nobody knows an id of a call of another company.',
  },
  {
    file: 'src/base/ledger/consent/valid-consent.ts',
    find: 'and coalesce(consent.expires_at_ms, 9e15) > max(${atMs}, consent.given_at_ms)',
    replace: '',
    story: 'A consent that has expired allows calls.',
  },
  {
    file: 'src/base/ledger/consent/valid-consent.ts',
    find: 'consent.given_at_ms >= ${atMs} - ${settings}.consent_max_age_days',
    replace: 'consent.given_at_ms >= ${atMs} - 99 * ${settings}.consent_max_age_days',
    story: 'A consent that is too old for the campaign allows calls.',
  },
  {
    file: 'src/base/ledger/consent/valid-consent.ts',
    find: "w.withdraws in ('*', ${consent}.purpose) and w.at_ms",
    replace: 'w.withdraws = ${consent}.purpose and w.at_ms',
    story: 'Who withdraws every consent is called by one.',
  },
  {
    file: 'src/base/ledger/consent/valid-consent.ts',
    find: 'and consent.given_at_ms <= ${required.atMs}\n',
    replace: '\n',
    story: 'A call names a consent that is given later.',
  },
  {
    file: 'src/base/ledger/consent/valid-consent.ts',
    find: 'where consent.company_id = ${companyId} and consent.phone_number = ${phoneNumber}',
    replace: 'where consent.phone_number = ${phoneNumber}',
    story: 'A consent that was given to another company allows calls.',
  },
  {
    file: 'src/queue/consents/store/keep-consents.ts',
    find: "cross join json_each(${param('spellings')}) as spelling\n      where ${mayWithdraw}",
    replace:
      "cross join json_each(json_array(${param('phoneNumber')})) as spelling\n      where ${mayWithdraw}",
    story: 'A withdrawal holds for one spelling of a number (fixed in 2.1).',
  },
  {
    file: 'src/base/ledger/consent/number-log.ts',
    find: 'iif(numbers.campaign_number = 0, ${everyPurpose}, ${noPurpose}) as withdraws',
    replace: '${noPurpose} as withdraws',
    story: 'A no withdraws no consent: once it is lifted, the old ones count.',
  },
  {
    file: 'src/base/ledger/consent/number-log.ts',
    find: '  from (${entries}) as said\n  where true\n',
    replace:
      '  from (${entries}) as said\n  where exists (select 1 from ${consents} as own ' +
      'where own.phone_number = said.phone_number)\n',
    story: 'A withdrawal does not cover a consent that was given before it and arrives after it.',
  },
  {
    file: 'src/channels/sources/receive.ts',
    find: 'if (row.suppresses) {',
    replace: 'if (row.suppresses && false) {',
    story: 'A form that says do not call makes a lead.',
  },
  {
    file: 'src/channels/sources/hear-noes.ts',
    find: "    said('no', 'yes').length > 0 ||\n",
    replace: '',
    story: 'A form whose field do_not_call says yes is not heard.',
  },
  {
    file: 'src/channels/sources/receive.ts',
    find: 'phoneNumbers: row.suppressed, campaignId,',
    replace: 'phoneNumbers: row.suppressed.slice(1), campaignId,',
    story: 'Of the numbers of a post with a no, the first is called on.',
  },
  {
    file: 'src/channels/sources/store/open-source.ts',
    find: " and s.version = ${param('version')} and s.removed_at_ms is null`\n\nconst open",
    replace: " and ${param('version')} > 0 and s.removed_at_ms is null`\n\nconst open",
    story: 'The old URL of a source still takes posts.',
  },
  {
    file: 'src/channels/sources/store/open-source.ts',
    find: " and s.version = ${param('version')} and s.removed_at_ms is null`\n\nconst open",
    replace: " and s.version = ${param('version')}`\n\nconst open",
    story: 'A source that was removed still takes posts.',
    unfound: 'Its key is revoked with it, so that what stores a post refuses it.',
  },
  {
    file: 'src/queue/erasure/store/number-memory.ts',
    find: "where lost.number_hash <> '' and (k.outcome is not 'released' or k.inbound is not null)`),",
    replace: 'where 0`),',
    story: 'An erasure forgets that a phone was called today.',
  },
  {
    file: 'src/queue/erasure/store/number-memory.ts',
    find: 'const liveUntilMs = sql`iif(k.outcome is null,',
    replace: 'const liveUntilMs = sql`iif(0,',
    story: 'A phone is called while the call of its erased lead goes on (fixed after 2.1).',
  },
  {
    file: 'src/queue/erasure/store/forget-leads.ts',
    find: '  deleteDetails(sql`select found.seq from (${found}) as found`),',
    replace: '  deleteDetails(sql`select found.seq from (${found}) as found where 0`),',
    story: 'An erasure leaves the details of calls.',
  },
  {
    file: 'src/queue/leads/store/emptied.ts',
    find: 'import_name = null, ${inNoIndex},',
    replace: 'import_name = null,',
    story: 'An erasure leaves the words of a lead in the search.',
  },
  {
    file: 'src/queue/leads/store/emptied.ts',
    find: ' ${sql.join(emptyFields, sql`, `)},',
    replace: ' ${sql.join(emptyFields.slice(1), sql`, `)},',
    story: 'An erasure leaves a field of the lead.',
  },
  {
    file: 'src/queue/erasure/store/erase-steps.ts',
    find: '    hash,\n    ...logOfConsents,',
    replace: '    ...logOfConsents,',
    story: 'A person who is erased, and must not be called, is called once he is imported again.',
  },
  {
    file: 'src/queue/erasure/store/erase-steps.ts',
    find: '    ...(isOfPerson ? hashInCampaigns : []),\n',
    replace: '',
    story: 'An erasure forgets a no to one campaign.',
  },
  {
    file: 'src/queue/erasure/store/erase.ts',
    find: '    if (phoneNumber === person.phoneNumber || (leadCount === 0 && !held.includes(place))) continue',
    replace: '    if (leadCount >= 0) continue',
    story: 'An erasure leaves the leads of other spellings of a number.',
    isOfTest: true,
  },
  {
    file: 'src/queue/leads/store/intake.ts',
    find: 'dueAtMs: sql`iif(${isNumberSuppressed(sql`granted`, fields.phoneNumber, numberHash)}, null,',
    replace: 'dueAtMs: sql`iif(0, null,',
    story: 'A lead whose number is suppressed by its hash alone is queued.',
  },
  {
    file: 'src/base/ledger/consent/kept-consents.ts',
    find: 'ip = null, user_agent = null, reference = null, hashed_at_ms',
    replace: 'ip = null, hashed_at_ms',
    story: 'An erasure leaves the browser in the consents of its person.',
  },
]
