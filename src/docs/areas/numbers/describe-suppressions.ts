// Suppressions in the API description: phone numbers that must not be called.

import { limits } from '../../../base/limits.ts'
import { liftQuery, removeBody, suppressBody, suppressionsQuery } from '../../../queue/suppression/input.ts'
import { callId } from '../../fields/call-fields.ts'
import { fields as leadFields } from '../../fields/lead-fields.ts'
import type { Cli } from '../../openapi/cli.ts'
import * as s from '../../openapi/json-schema.ts'
import { type Area, body, needs, ok, page } from '../../openapi/operation.ts'
import { prose } from '../../openapi/prose.ts'

const tag = {
  name: 'Do-not-call list',
  description: prose`Phone numbers that must not be called, in the whole company or in one campaign. After a
    suppression succeeds, no claim returns the number. Known spellings of one phone are held back together: Mexico
    with and without the 1 behind +52, Argentina with and without the 9 behind +54, Brazil's mobile numbers with and
    without their ninth digit, Benin with and without the 01 of November 2024, and a national zero left in
    (\`+490…\`). They also count as one phone for live calls and the limits of calls. The list may show several
    of them; counts and events are of the numbers that you sent. The imports of the console and the command line
    suppress the numbers of a file's column that says who must not be called, before they send its first lead.`,
}

const phoneNumber = leadFields.phoneNumber

const fields: s.Properties = {
  phoneNumbers: {
    items: {
      type: 'string',
      pattern: `^\\+[1-9]\\d{${limits.phoneNumberMinDigits - 1},${limits.phoneNumberMaxDigits - 1}}$`,
    },
    description: 'E.164. Repeated numbers count once.',
    examples: [['+14155550199']],
  },
  campaignId: {
    ...leadFields.campaignId,
    description: 'The campaign. Default: all campaigns of the company, present and future.',
  },
  reason: {
    maxLength: limits.reasonMaxChars,
    description: 'A note for people. No NUL, no unpaired surrogates.',
    examples: ['asked by mail'],
  },
}

const schemas = {
  SuppressNumbers: s.describeBody(suppressBody, 'The numbers to suppress.', fields),
  LiftSuppressions: s.describeBody(removeBody, 'The numbers to allow again.', fields),
  Suppression: s.exactObject({
    phoneNumber: { type: 'string', description: 'E.164.', examples: phoneNumber?.examples },
    campaignId: s.textOrNull('Null: all campaigns of the company.'),
    reason: { type: ['string', 'null'] },
    createdAt: s.time('When the number was suppressed.'),
  }),
}

const cliOptions: Cli['options'] = { phoneNumbers: { name: 'phone-number' } }
const operations = {
  suppressNumbers: needs.write('POST /api/v1/suppressions', {
    summary: 'Suppress phone numbers',
    description: prose`1 to ${limits.phoneNumbersPerSuppression.toLocaleString('en')} numbers, whether they have
      leads or not. Their leads leave the queue; new leads with these numbers are stored but not queued. Ongoing
      calls are listed in \`liveCalls\`; their agents learn of it when they extend the lease. Safe to retry.
      Numbers times campaigns of the company: at most ${limits.numbersTimesCampaigns.toLocaleString('en')}.`,
    cli: { noun: 'suppression', verb: 'add', words: 'phoneNumbers', options: cliOptions },
    body: body('SuppressNumbers', suppressBody, {
      company: ['Suppress in the whole company', { phoneNumbers: ['+14155550199'], reason: 'asked by mail' }],
      campaign: ['Suppress in one campaign', { phoneNumbers: ['+14155550198'], campaignId: 'demo' }],
    }),
    refusals: ['phoneNumbers[1] must be in E.164 format'],
    responses: ok(
      'Suppressed.',
      s.exactObject({
        added: s.count('Numbers that were not suppressed yet, or by a gate alone.'),
        existing: s.count('The others, which were already suppressed.'),
        removedFromQueue: s.count('Leads removed from the queue.'),
        liveCalls: s.array(callId)`Ongoing calls to these numbers.`,
      }),
      { added: 1, existing: 0, removedFromQueue: 1, liveCalls: [] },
    ),
    failures: ['company_key_required', 'campaign_denied'],
  }),

  listSuppressions: needs.read('GET /api/v1/suppressions', {
    summary: 'List suppressions',
    description: 'Returns one page, ordered by number.',
    cli: { noun: 'suppression', verb: 'list', columns: 'phoneNumber campaignId reason createdAt' },
    query: s.describeQuery(suppressionsQuery, {
      campaignId: {
        ...leadFields.campaignId,
        description:
          'Only suppressions of this campaign. Default: those of the company and of all its campaigns.',
      },
      ...s.pageOf('suppressions', limits.phoneNumbersPerSuppression),
    }),
    responses: page('The suppressions.', 'suppressions', 'Suppression', [
      {
        phoneNumber: '+14155550199',
        campaignId: null,
        reason: 'asked by mail',
        createdAt: '2026-11-20T09:00:00.000Z',
      },
    ]),
    failures: ['company_key_required', 'campaign_denied'],
  }),

  liftSuppressions: needs.manage('DELETE /api/v1/suppressions', {
    summary: 'Remove suppressions',
    description: prose`Removes suppressions of the company, or with \`campaignId\` those of the campaign. With
      \`campaignId\` it also removes suppressions that retention created (\`retentionSuppresses\`), which no
      list contains. Suppressions created after the request arrived stay. Leads that were never called return to
      the queue. Exhausted and concluded leads stay as they are until you requeue them. With \`source=gate\` and
      \`since\`, and without a body, it undoes what gates have done since then: it lifts what they have suppressed,
      nothing that a person has said, and requeues the leads that they have ended.`,
    query: s.describeQuery(liftQuery, {
      campaignId: { ...leadFields.campaignId, description: 'With `source`: only of this campaign.' },
      source: { description: 'What gates have done, with `since`. Without it, the numbers of the body.' },
      since: {
        description: 'From when on. Required with `source`.',
        examples: ['2026-11-20T00:00:00Z'],
      },
    }),
    cli: { noun: 'suppression', verb: 'remove', words: 'phoneNumbers', options: cliOptions },
    body: body('LiftSuppressions', removeBody, {
      company: ['Allow in the whole company', { phoneNumbers: ['+14155550199'] }],
    }),
    refusals: ['phoneNumbers[1] must be in E.164 format'],
    responses: ok(
      'Removed.',
      {
        ...s.exactObject({
          lifted: s.count('Numbers that were suppressed.'),
          requeued: s.count('With `source`: leads that were requeued.'),
          more: s.flag('With `source`. True: the same request, sent again, continues.'),
        }),
        required: ['lifted'],
      },
      { lifted: 1 },
    ),
    failures: ['company_key_required', 'campaign_denied'],
  }),
}

export const suppressions: Area = { tag, operations, schemas }
