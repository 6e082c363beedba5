// The component schemas of the API description. What may be sent is what the zod schemas of lead-input.ts say; added
// here is only what zod cannot express as JSON Schema, and words for people. What is answered has no zod schema: the
// contract test holds these to real answers.

import * as z from 'zod/mini'
import { bulkBody, createBody, leadItem } from '../leads/create-input.ts'
import { leadStatus } from '../leads/fields.ts'
import { leadIdPattern } from '../leads/lead.ts'
import { limits } from '../limits.ts'
import { timestampPattern } from '../timestamp.ts'

export type JsonSchema = { readonly [keyword: string]: unknown }
export type Properties = Readonly<Record<string, JsonSchema>>

const thousands = (count: number) => count.toLocaleString('en')

/** What zod's refinements check, and what each field is for. By the field's name: it means the same everywhere. */
const additions: Properties = {
  campaignId: {
    maxLength: limits.campaignIdMaxChars,
    description: 'The campaign that the leads belong to.',
    examples: ['demo'],
  },
  phoneNumber: {
    description: `E.164: \`+\`, then ${limits.phoneNumberMinDigits} to ${limits.phoneNumberMaxDigits} digits, the first not 0. Compared and stored exactly as sent, never repaired.`,
    examples: ['+14155550123'],
  },
  externalId: {
    maxLength: limits.externalIdMaxChars,

    description: 'Your own id for the lead, such as your CRM’s. No NUL, no unpaired surrogates.',
    examples: ['crm-42'],
  },
  metadata: {
    type: 'object',
    additionalProperties: true,
    description: `Anything you want to keep with the lead. At most ${thousands(limits.metadataMaxBytes)} bytes of JSON and ${limits.metadataMaxDepth} levels deep; no NUL, no unpaired surrogates. Comes back exactly as sent.`,
    examples: [{ name: 'Ada', company: 'Acme' }],
  },
  scheduledFor: {
    pattern: timestampPattern.source,
    description:
      'When to call: ISO 8601 with a UTC offset. Without it, or in the past: as soon as possible, within business hours. Comes back exactly as sent.',
    examples: ['2027-01-15T09:30:00+01:00'],
  },
  priority: { description: 'Higher is called first. 0 when not set.', examples: [10] },
  leads: { items: { $ref: '#/components/schemas/NewLead' }, description: 'All of them are stored, or none.' },
  status: { description: 'Only leads with this status.' },
  createdAfter: {
    pattern: `${timestampPattern.source}|^\\d{1,15}$`,
    description: 'Only leads created later than this: ISO 8601 with a UTC offset, or Unix milliseconds.',
  },
  createdBefore: {
    pattern: `${timestampPattern.source}|^\\d{1,15}$`,
    description: 'Only leads created earlier than this: ISO 8601 with a UTC offset, or Unix milliseconds.',
  },
  // As a client thinks of it; zod reads the text of the query.
  limit: {
    type: 'integer',
    pattern: undefined,
    minimum: 1,
    maximum: limits.leadsPerPage,
    description:
      'Answer one page of at most so many leads, with `data.nextCursor` and a `Link` header. Without `limit` and `cursor` the answer is the whole campaign, streamed.',
  },
  cursor: { description: 'Go on after a page: its `nextCursor`. Opaque.' },
  results: {
    type: 'boolean',
    enum: undefined,
    description: 'Also answer `data.results`: what became of each lead, in the order of the input.',
  },
  onInvalid: {
    description:
      '`fail`, the default: one invalid lead fails the whole request. `skip`: the valid ones are stored.',
  },
  dryRun: { type: 'boolean', enum: undefined, description: 'Check and tell everything, store nothing.' },
}

type Field = { readonly schema: JsonSchema; readonly isNullable: boolean; readonly isRequired: boolean }

/** The members of a zod object, each without the null that stands for "not set". */
export function describeFields(schema: z.ZodMiniType): Readonly<Record<string, Field>> {
  const object = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const fields = Object.entries(object.properties ?? {}).map(([name, property]) => {
    const { isNullable, value } = withoutNull(property as JsonSchema)
    const isRequired = !isNullable && object.required?.includes(name) === true
    return [name, { schema: { ...value, ...additions[name] }, isNullable, isRequired }]
  })
  return Object.fromEntries(fields)
}

function withoutNull(schema: JsonSchema): { value: JsonSchema; isNullable: boolean } {
  if (Array.isArray(schema.type)) return { value: { ...schema, type: schema.type[0] }, isNullable: true }
  const { anyOf, ...rest } = schema as { anyOf?: JsonSchema[] }
  if (anyOf?.at(-1)?.type !== 'null') return { value: schema, isNullable: false }
  return { value: { ...rest, ...anyOf[0] }, isNullable: true }
}

function describeBody(schema: z.ZodMiniType, description: string) {
  const fields = Object.entries(describeFields(schema))
  return {
    type: 'object',
    description,
    required: fields.flatMap(([name, { isRequired }]) => (isRequired ? [name] : [])),
    properties: Object.fromEntries(
      fields.map(([name, field]) => [
        name,
        field.isNullable ? { ...field.schema, type: [field.schema.type, 'null'] } : field.schema,
      ]),
    ),
  }
}

const integer = { type: 'integer', minimum: 0 }
const leadId = {
  type: 'string',
  pattern: `^${leadIdPattern}$`,
  description: 'Opaque, ordered by time of creation.',
  examples: ['1a1fb47365400000100000001nTelzbbSjlh'],
}

/** An object that has these members and no others. */
function answered(properties: Properties, optional: readonly string[] = []) {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', additionalProperties: false, required, properties }
}

/** A success: the envelope with these data. */
export function envelopeOf(data: JsonSchema) {
  return answered({ success: { const: true }, data, error: { type: 'null' } })
}

/** A failure: the envelope with one of these messages. */
export function failureWith(error: JsonSchema, data: JsonSchema = { type: 'null' }) {
  return answered({ success: { const: false }, data, error })
}

const { campaignId, phoneNumber, externalId, metadata, scheduledFor, priority } = Object.fromEntries(
  Object.entries(describeFields(createBody)).map(([name, field]) => [name, field.schema]),
) as Record<string, JsonSchema>

const lead = answered(
  {
    _id: leadId,
    campaignId: campaignId as JsonSchema,
    phoneNumber: phoneNumber as JsonSchema,
    externalId: externalId as JsonSchema,
    metadata: metadata as JsonSchema,
    status: {
      type: 'string',
      enum: leadStatus.options,
      description:
        '`raw`: never called. `attempting`: in the calling queue. `exhausted`: every attempt made, none succeeded. `concluded`: a call completed.',
    },
    scheduledFor: scheduledFor as JsonSchema,
    priority: priority as JsonSchema,
    attempts: { ...integer, description: 'Calls attempted.' },
    _creationTime: { ...integer, description: 'Unix milliseconds.', examples: [1795217110612] },
  },
  ['externalId', 'metadata', 'scheduledFor'],
)

const count = (description: string) => ({ ...integer, description })
const index = count('Place in `leads` of the request, from 0.')
const idOfResult = { ...leadId, type: ['string', 'null'] }

export const schemas = {
  NewLead: describeBody(leadItem, 'A lead of a bulk.'),
  CreateLead: describeBody(createBody, 'A lead and its campaign. Null or an empty text means: not set.'),
  CreateLeads: describeBody(bulkBody, 'Leads of one campaign.'),
  Lead: { ...lead, description: 'A lead. Optional fields are absent when not set.' },
  CreatedLead: answered({ leadId }),
  LeadList: answered(
    {
      leads: { type: 'array', items: { $ref: '#/components/schemas/Lead' } },
      count: count('Number of `leads`.'),
      nextCursor: {
        type: ['string', 'null'],
        description: 'With `limit` or `cursor` only: the `cursor` of the next page, null on the last one.',
      },
    },
    ['nextCursor'],
  ),
  CreatedLeads: answered(
    {
      created: count('Leads created.'),
      skipped: count('Leads skipped: their phone number is in the campaign, or came earlier in the request.'),
      createdIds: {
        type: 'array',
        items: leadId,
        description: 'In the order of the input. Empty in a dry run.',
      },
      skippedPhones: {
        type: 'array',
        items: phoneNumber as JsonSchema,
        description: 'In the order of the input.',
      },
      results: {
        type: 'array',
        items: { $ref: '#/components/schemas/LeadResult' },
        description: 'With `results=true` only: one for each lead of the request, in its order.',
      },
    },
    ['results'],
  ),
  LeadResult: {
    description: 'What became of one lead of a bulk.',
    oneOf: [
      answered({
        index,
        status: { const: 'created' },
        leadId: { ...idOfResult, description: 'Null in a dry run.' },
      }),
      answered({
        index,
        status: { const: 'skipped' },
        leadId: {
          ...idOfResult,
          description: 'The lead that was there before. Null when a dry run would create it.',
        },
      }),
      answered({
        index,
        status: { const: 'invalid' },
        error: { type: 'string', description: 'What is wrong.' },
      }),
    ],
  },
  Health: answered({
    status: { type: 'string', enum: ['ok', 'error'] },
    timestamp: { type: 'string', format: 'date-time' },
    version: { type: 'string' },
    checks: answered({
      database: answered({
        status: { type: 'string', enum: ['ok', 'error'] },
        latencyMs: count('Milliseconds.'),
      }),
    }),
  }),
} as const

export const reference = (name: keyof typeof schemas) => ({ $ref: `#/components/schemas/${name}` })

/** The parameters of a query, from its zod schema. `example` stands in the page’s form. */
export function describeQuery(schema: z.ZodMiniType) {
  return Object.entries(describeFields(schema)).map(([name, { schema, isRequired }]) => {
    const { description, examples, ...rest } = schema
    const example = isRequired ? { example: (examples as unknown[] | undefined)?.[0] } : {}
    return { name, in: 'query', required: isRequired, description, schema: rest, ...example }
  })
}
