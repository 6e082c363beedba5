import { limits } from '../../base/limits.ts'
import { timestampPattern } from '../../base/timestamp.ts'
import {
  type ByKind,
  type LeadFieldName,
  leadFieldNames,
  leadFieldTable,
} from '../../queue/leads/field-table.ts'
import { leadIdPattern } from '../../queue/leads/lead.ts'
import { phoneSlips } from '../guide.ts'
import * as s from '../openapi/json-schema.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'
import { consentOfLead } from './consent-fields.ts'

const thousands = (number: number) => number.toLocaleString('en')

const instant = (comparison: string): s.JsonSchema => ({
  pattern: s.instantPattern,
  description: `Only leads created ${comparison} than this: ISO 8601 with a UTC offset, or Unix milliseconds.`,
  examples: ['2026-11-20T00:00:00Z'],
})

/** What zod cannot express about each kind. */
const keywords: Partial<ByKind<(limit: number) => s.JsonSchema>> = {
  text: (maxLength) => ({ maxLength }),
  json: () => ({ type: 'object', additionalProperties: true }),
  time: () => ({ pattern: timestampPattern.source }),
  zone: () => ({ pattern: '^(?:UTC|GMT|[A-Z][A-Za-z]*(?:/[A-Za-z0-9_+-]+)+)$' }),
}

const descriptions: Readonly<Record<LeadFieldName, string>> = {
  phoneNumber: prose`E.164: \`+\`, then ${limits.phoneNumberMinDigits} to ${limits.phoneNumberMaxDigits}
      digits, the first not 0. Compared and stored exactly as sent, never corrected: ${phoneSlips}.`,
  externalId: 'Your own id for the lead, such as your CRM’s. No NUL, no unpaired surrogates.',
  metadata: prose`Your own data about the lead. At most ${thousands(limits.metadataMaxBytes)} bytes of JSON
      and ${limits.metadataMaxDepth} levels deep; no NUL, no unpaired surrogates. Returned exactly as sent.`,
  scheduledFor: prose`When to call: ISO 8601 with a UTC offset, at most 9999-12-31T23:59:59Z. If absent or in
      the past: as soon as possible within calling hours. Returned exactly as sent.`,
  priority: 'Leads with higher priority are called first. Default: 0.',
  timeZone:
    'The time zone of the person, for calling hours: the exact name of an IANA time zone. Default: the ' +
    'time zone of the campaign.',
}

export const exampleFields = {
  phoneNumber: '+14155550123',
  externalId: 'crm-42',
  metadata: { name: 'Ada', company: 'Acme' },
  scheduledFor: '2027-01-15T09:30:00+01:00',
  priority: 10,
  timeZone: 'Europe/Berlin',
} as const satisfies Readonly<Record<LeadFieldName, unknown>>

const leadFields = leadFieldNames.map((name): [string, s.JsonSchema] => {
  const { kind, limit } = leadFieldTable[name]
  const [description, examples] = [descriptions[name], [exampleFields[name]]]
  return [name, { ...keywords[kind]?.(limit), description, examples }]
})

/** The properties of requests about leads. A field means the same everywhere. */
export const fields: s.Properties = {
  campaignId: {
    maxLength: limits.campaignIdMaxChars,
    description: 'The campaign of the leads. Ids are unique within a company.',
    examples: ['demo'],
  },
  ...Object.fromEntries(leadFields),
  consent: consentOfLead,
  leads: { items: s.reference('NewLead'), description: 'The leads. Either all are stored, or none.' },
  status: { description: 'Only leads with this status.' },
  createdAfter: instant('later'),
  createdBefore: instant('earlier'),
  order: { description: 'The order by creation. Default: `oldest` first.' },
  limit: s.queryNumber(limits.leadsPerPage)`Return one page with at most this many leads,
    \`data.nextCursor\` and a \`Link\` header. A page ends earlier at about 2 MiB of metadata: continue until
    \`nextCursor\` is null. Without \`limit\` and \`cursor\` the response is the whole campaign, streamed.`,
  cursor: s.pageCursor,
  include: {
    description: prose`What to return of each lead besides, separated by commas. \`calling\`: \`lastOutcome\`,
      \`dueAt\` and \`suppressed\`, in CSV the first two as the last columns. \`origin\`: where it came from, in CSV as
      the last columns.`,
    examples: ['calling,origin'],
  },
  origin: {
    description: prose`Only leads that came from here: \`source\`, \`api\`, \`import\`, or the id of a source, API key
      or member. A page ends where it has looked at enough leads: it may be empty, though others follow.`,
    examples: [exampleIds.source],
  },
  results: s.queryFlag`Also return \`data.results\`: the result of each lead, in the order of the request.
    \`onInvalid=skip\` implies it.`,
  onInvalid: {
    description: prose`\`fail\` (the default): one invalid lead fails the whole request. \`skip\`: valid leads
      are stored, and invalid ones are reported in \`data.invalid\` and \`data.results\`.`,
  },
  dryRun: s.queryFlag('Validate and return the result, but store nothing.'),
}

export const leadId = {
  type: 'string',
  pattern: `^${leadIdPattern}$`,
  description: 'The id of the lead. Opaque, ordered by creation.',
  examples: [exampleIds.lead],
}
