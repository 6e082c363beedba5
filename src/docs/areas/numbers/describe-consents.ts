// Consents, and the record of a number, in the API description. What they mean is on the page ../../consent.md.

import { limits } from '../../../base/limits.ts'
import { timestampPattern } from '../../../base/timestamp.ts'
import {
  consentsBody,
  numberBody,
  recordBody,
  usesQuery,
  withdrawBody,
} from '../../../queue/consents/input.ts'
import { recordCsvHeader } from '../../../queue/consents/record-format.ts'
import { consentItem } from '../../../queue/leads/consent-input.ts'
import { callId } from '../../fields/call-fields.ts'
import { consentFields, consentId, shownConsent } from '../../fields/consent-fields.ts'
import { fields as leadFields, leadId } from '../../fields/lead-fields.ts'
import * as s from '../../openapi/json-schema.ts'
import { type Area, body, json, list, needs, ok, page, response } from '../../openapi/operation.ts'
import { prose } from '../../openapi/prose.ts'
import { exampleIds } from '../../samples/example-ids.ts'
import { exampleLead, exampleOrigin } from '../../samples/example-leads.ts'
import { pastCall } from '../describe-lead-calls.ts'
import { origin } from '../describe-leads.ts'

const tag = {
  name: 'Consents',
  description: prose`What people have agreed to, and all that is held of a number. The service keeps what it is
    given, refuses calls without it where a campaign says so (\`requireConsent\`), and shows the record.
    [Consent](/docs/consent#what-you-remain-responsible-for) says what you remain responsible for.`,
}

const phoneNumber = leadFields.phoneNumber ?? {}
const number = '+14155550123'
const { claimedAt: _, callbackAt: __, isLate: ___, outcome, ...ofCall } = pastCall
const withdrawnAt = s.time('It covers consents that were given until then.')

const at = s.time('When it happened. Of a consent: when it was given.')
const entry = (type: string, members: s.Properties) =>
  s.exactObject({ at, type: { const: type }, ...members })
const logged = (type: string) =>
  entry(type, {
    withdraws: s.textOrNull('Which purpose’s consents it withdraws, `*` for all. Null: none.'),
    campaignId: s.textOrNull('Null: the company.'),
    actor: s.text('The id of an API key or of a member, `operator` or `system`; of a gate, its mark.'),
    actorName: s.textOrNull('The name of the member, or `former member`. Null: it was no member.'),
    reason: s.textOrNull`A note. \`suppressed\`: the erasure left the number suppressed. Null also once it is hashed.`,
    source: s.oneOfOrNull(['gate'])`What said it, if no person: the gate of a campaign.`,
    gateVersion: s.countOrNull('The version of that gate.'),
  })

const entries = {
  LeadEntry: entry('lead', { leadId, ...origin, lead: s.reference('Lead') }),
  ConsentEntry: entry('consent', { ...shownConsent, keptUntil: s.time('Until when it is kept.') }),
  CallEntry: entry('call', { leadId, campaignId: s.text('The id of the campaign.'), outcome, ...ofCall }),
  UseEntry: entry('use', { consentId, callId, outcome }),
  MentionEntry: {
    ...entry('mention', { leadId, campaignId: s.text('The id of the campaign.') }),
    description: 'A lead with another number, whose metadata holds this one.',
  },
  WithdrawalEntry: logged('withdrawal'),
  SuppressionEntry: logged('suppression'),
  RemovalEntry: logged('removal'),
  ErasureEntry: logged('erasure'),
}

const schemas = {
  NewConsent: s.describeBody(consentItem, 'A consent of a number.', { phoneNumber, ...consentFields }),
  StoreConsents: s.describeBody(consentsBody, 'The consents. Either all are stored, or none.', {
    consents: { items: s.reference('NewConsent'), description: 'Each is stored once.' },
  }),
  StoredConsent: s.exactObject({
    index: s.count('Index in `consents` of the request, from 0.'),
    status: s.oneOf(['created', 'existing', 'ignored'])`\`existing\`: the same consent was stored before, or
      is earlier in the request. \`ignored\`: nothing was stored, because the key is a campaign’s and the number has
      no lead there.`,
    consentId: { ...consentId, type: ['string', 'null'], description: 'Null: ignored.' },
  }),
  Consent: s.exactObject(shownConsent),
  Withdrawal: s.exactObject({
    purpose: s.textOrNull('Null: consents of every purpose.'),
    withdrawnAt,
    kind: s.oneOf(['withdrawal', 'suppression', 'erasure'])`What withdrew them: a request, a do-not-call or
      suppression of the company, or an erasure.`,
    reason: s.textOrNull('A note.'),
  }),
  NumberOfConsents: s.describeBody(numberBody, 'The number.', { phoneNumber }),
  WithdrawConsents: s.describeBody(withdrawBody, 'Whose consents to withdraw.', {
    phoneNumber,
    purpose: {
      ...consentFields.purpose,
      description: 'Only consents of this purpose. Default: of every purpose.',
    },
    withdrawnAt: {
      pattern: timestampPattern.source,
      description:
        'It covers consents given until then. Default: now. ISO 8601 with a UTC offset, at most ' +
        '5 minutes in the future.',
    },
    reason: { maxLength: limits.reasonMaxChars, description: 'A note for people.' },
  }),
  ConsentUse: s.exactObject({ callId, usedAt: s.time('When the number was called by it.'), outcome }),
  ReadRecord: s.describeBody(recordBody, 'The number.', { phoneNumber, cursor: s.pageCursor }),
  RecordEntry: { description: 'An entry of the record.', oneOf: Object.keys(entries).map(s.reference) },
  ...entries,
}

const exampleConsent = {
  consentId: exampleIds.consent,
  purpose: 'phone-offers',
  givenAt: '2026-11-20T08:30:00.000Z',
  expiresAt: null,
  text: 'I agree that Acme calls me about offers.',
  textSha256: '7ff0c6efeb663dd15acc745f68a0612116ceafd93a743a3dbbd115b30d9b2f4b',
  source: { url: 'https://acme.example/offer', ip: '203.0.113.7', userAgent: null },
  certificateUrl: null,
  reference: null,
  storedAt: '2026-11-20T08:30:01.000Z',
}
const sentConsent = {
  phoneNumber: number,
  purpose: exampleConsent.purpose,
  givenAt: '2026-11-20T08:30:00Z',
  text: exampleConsent.text,
  source: { url: exampleConsent.source.url, ip: exampleConsent.source.ip },
}
const exampleUse = { callId: exampleIds.call, outcome: 'answered' }
const usedAt = '2026-11-20T09:00:00.000Z'
const exampleEntry: Readonly<Record<string, string>> = {
  at: usedAt,
  type: 'use',
  consentId: exampleIds.consent,
  ...exampleUse,
}

const exampleRecord = {
  entries: [
    { at: exampleConsent.givenAt, type: 'consent', ...exampleConsent, keptUntil: '2031-11-20T09:00:00.000Z' },
    {
      at: '2026-11-20T08:30:01.000Z',
      type: 'lead',
      leadId: exampleLead._id,
      origin: exampleOrigin,
      lead: exampleLead,
    },
    exampleEntry,
  ],
  keptUntil: '2031-11-20T09:00:00.000Z',
  isPartial: false,
  nextCursor: null,
}

/** As `exampleRecord` has it. */
const exampleRow = recordCsvHeader
  .trim()
  .split(',')
  .map((name) => exampleEntry[name] ?? '')

const operations = {
  storeConsents: needs.write('POST /api/v1/consents', {
    summary: 'Store consents',
    description: prose`Stores 1 to ${limits.consentsPerRequest.toLocaleString('en')} consents, whether their numbers
      have leads or not; a lead can bring its own. Those that a campaign’s key sends for numbers without a lead in its
      campaign are ignored. Nothing changes a consent: the same one again is the same
      record. Leads that were held because it was missing return to the queue. Safe to retry.`,
    body: body('StoreConsents', consentsBody, { one: ['One consent', { consents: [sentConsent] }] }),
    refusals: [
      'consents[0].purpose is required',
      'consents[0].textSha256 must be a SHA-256 of 64 hexadecimal digits',
    ],
    responses: list('Stored.', 'results', 'StoredConsent', [
      { index: 0, status: 'created', consentId: exampleIds.consent },
    ]),
  }),

  searchConsents: needs.read('POST /api/v1/consents/search', {
    summary: 'Find the consents of a number',
    description: prose`Consents and withdrawals, oldest first, at most the newest
      ${limits.consentsShown.toLocaleString('en')} of each. The key of a campaign finds the numbers that have a
      lead there, and the texts that came with its leads or keys. The number is in the body, since paths and
      queries end up in logs.`,
    cli: { noun: 'consent', verb: 'search', words: 'phoneNumber' },
    body: body('NumberOfConsents', numberBody, { number: ['A number', { phoneNumber: number }] }),
    refusals: ['phoneNumber must be in E.164 format'],
    responses: ok(
      'What is known.',
      s.exactObject({ consents: s.arrayOf('Consent'), withdrawals: s.arrayOf('Withdrawal') }),
      { consents: [exampleConsent], withdrawals: [] },
    ),
  }),

  withdrawConsents: needs.write('POST /api/v1/consents/withdraw', {
    summary: 'Withdraw consents',
    description: prose`Withdraws the consents of a number, in every known spelling, that were given until
      \`withdrawnAt\`: a record of its own, also where there is no consent yet. An older consent that is
      sent later stays withdrawn; a newer one counts. From then on no claim returns the number where a consent
      is required, and an ongoing call that used one gets \`stop: "consent_withdrawn"\`. To forbid every call,
      suppress the number. The key of a campaign withdraws the consents of numbers that have a lead there, in
      any spelling; for others the request has no effect. With \`withdrawnAt\` a retry covers what the first
      request did; without, what was given until then.`,
    cli: { noun: 'consent', verb: 'withdraw', words: 'phoneNumber' },
    body: body('WithdrawConsents', withdrawBody, {
      all: ['Every purpose', { phoneNumber: number, reason: 'asked by mail' }],
      one: ['One purpose', { phoneNumber: number, purpose: 'phone-offers' }],
    }),
    refusals: ['withdrawnAt must not be more than 5 minutes in the future'],
    responses: ok(
      'Withdrawn.',
      s.exactObject({
        withdrawnAt,
        consents: s.count('Stored consents that it covers.'),
      }),
      { withdrawnAt: '2026-11-20T10:00:00.000Z', consents: 1 },
    ),
  }),

  listConsentUses: needs.read('GET /api/v1/consents/{consentId}/uses', {
    summary: 'List the uses of a consent',
    description: prose`Every call that was made by this consent, oldest first. Uses outlive lead and call. The key of
      a campaign sees those of its campaign.`,
    cli: { noun: 'consent', verb: 'uses', columns: 'callId usedAt outcome' },
    query: s.describeQuery(usesQuery, s.pageOf('uses', limits.leadsPerPage)),
    responses: page('The uses.', 'uses', 'ConsentUse', [{ usedAt, ...exampleUse }]),
  }),

  readRecord: needs.manage('POST /api/v1/numbers/record', {
    summary: 'Read the record of a number',
    description: prose`All that the company holds of a number, oldest first, ${limits.recordEntriesPerPage} entries a
      page: leads, calls, consents and their uses, withdrawals, suppressions and their removals, erasures, and
      other leads whose metadata holds the number. With the number it also finds what an erasure has left under
      its hash. Needs a company-wide key; each read is a \`record.read\` event. With \`Accept: text/csv\` the
      response is CSV, and the header \`Next-Cursor\` has the cursor of the next page.`,
    cli: {
      noun: 'consent',
      verb: 'record',
      words: 'phoneNumber',
      columns: 'at type purpose withdraws outcome reason consentId callId',
      csv: { columns: recordCsvHeader.trim().split(','), spread: 'source' },
    },
    body: body('ReadRecord', recordBody, { number: ['The first page', { phoneNumber: number }] }),
    refusals: ['phoneNumber must be in E.164 format'],
    responses: {
      200: response(
        'The record.',
        {
          ...json(
            s.exactObject({
              entries: s.arrayOf('RecordEntry'),
              keptUntil: s.timeOrNull('Until when the last consent is kept. Null: there is none.'),
              isPartial: s.flag`True if more metadata may hold the number: more than
                ${limits.mentionsMax.toLocaleString('en')} leads do, of which these are the newest, or the search is
                off or still being prepared. CSV does not say so.`,
              nextCursor: s.nextCursor,
            }),
            exampleRecord,
          ),
          'text/csv': {
            schema: { type: 'string', pattern: `^(${recordCsvHeader.trim()}\r\n)?` },
            example: `${recordCsvHeader}${exampleRow.join()}\r\n`,
          },
        },
        'Vary',
        'Next-Cursor',
      ),
    },
    failures: ['company_key_required'],
  }),
}

export const consents: Area = { tag, operations, schemas }
