// What a client may send: the zod schemas of create, bulk and list, their messages, and which message comes
// first (D9: zod reports in the order of the shape). It works on values; reading requests is middleware/validate.ts.
import { z } from 'zod'
import { type JsonSource, skipSpace, skipValue, sourceAt, walkArray, walkObject } from './json-source.ts'
import { limits } from './limits.ts'

const absent = (value: unknown) => value === undefined || value === null || value === ''
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isAtMost = (maxChars: number) => (text: string) =>
  text.length <= maxChars || [...text].length <= maxChars

// SQLite ends a text at NUL, and UTF-8 has no unpaired surrogates: neither would come back as it was sent.
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')
const unstorable = (name: string) => `${name} must not contain NUL or unpaired surrogates`

/** A required text: absent and empty alike are missing. */
function requiredText(missing: string, invalid: string) {
  return z.string({ error: ({ input }) => (absent(input) ? missing : invalid) }).min(1, missing)
}

/** A check that knows what is wrong: it returns the message, or null. */
function problem<Value>(find: (value: Value) => string | null) {
  return ({ value, issues }: z.core.ParsePayload<Value>) => {
    const message = find(value)
    if (message !== null) issues.push({ code: 'custom', input: value, message })
  }
}

/** An optional parameter: absent, null and empty alike are null (D10, D18). */
function optional<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (absent(value) ? null : value), schema.nullable())
}

const invalidCampaignId = `campaignId must be a string of at most ${limits.campaignIdMaxChars} characters`
const campaignId = (missing: string) =>
  requiredText(missing, invalidCampaignId).refine(isAtMost(limits.campaignIdMaxChars), invalidCampaignId)

const phoneNumberPattern = new RegExp(
  `^\\+[1-9][0-9]{${limits.phoneNumberMinDigits - 1},${limits.phoneNumberMaxDigits - 1}}$`,
)
const invalidPhoneNumber = 'phoneNumber must be in E.164 format'
const phoneNumber = requiredText('phoneNumber is required', invalidPhoneNumber).regex(
  phoneNumberPattern,
  invalidPhoneNumber,
)

const invalidExternalId = `externalId must be a string of at most ${limits.externalIdMaxChars} characters`
const externalIdText = z.string(invalidExternalId).check(
  problem((text) => {
    if (!isAtMost(limits.externalIdMaxChars)(text)) return invalidExternalId
    return isStorable(text) ? null : unstorable('externalId')
  }),
)

/** The value of `metadata`, replaced by its source text before it comes here (see readCreateBody). */
const metadata = z.custom<JsonSource>(isObject, { error: 'metadata must be an object', abort: true }).check(
  problem(({ text, depth }) => {
    if (Buffer.byteLength(text) > limits.metadataMaxBytes) {
      return `metadata must be at most ${limits.metadataMaxBytes} bytes`
    }
    if (depth > limits.metadataMaxDepth) {
      return `metadata must be nested at most ${limits.metadataMaxDepth} levels deep`
    }
    return !text.includes('\\u') || isStorableJson(text) ? null : unstorable('metadata')
  }),
)

/** JSON.stringify escapes NUL and unpaired surrogates, and of `\u` escapes no others with these digits. */
function isStorableJson(text: string): boolean {
  return !/(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/.test(JSON.stringify(JSON.parse(text)))
}

export const timestampPattern =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/
const invalidTimestamp = 'scheduledFor must be an ISO 8601 timestamp with a UTC offset'
// Not z.iso.datetime: it refuses offsets as Salesforce writes them (+0000) and times without seconds.
const scheduledFor = z
  .string(invalidTimestamp)
  .check(problem((text) => (text === '' || isTimestamp(text) ? null : invalidTimestamp)))

function isTimestamp(text: string): boolean {
  const date = timestampPattern.exec(text)?.[1]
  const parsed = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(`${date}`)
}

const invalidPriority = `priority must be an integer between ${limits.priorityMin} and ${limits.priorityMax}`
const priority = z
  .int(invalidPriority)
  .min(limits.priorityMin, invalidPriority)
  .max(limits.priorityMax, invalidPriority)

const leadFields = {
  phoneNumber,
  externalId: externalIdText.nullish(),
  metadata: metadata.nullish(),
  scheduledFor: scheduledFor.nullish(),
  priority: priority.nullish(),
}

/**
 * What is stored: absent, null and empty alike are null (D10, D18). Once per lead rather than once per field,
 * which made a bulk's validation four times as long.
 */
function toNewLead(lead: z.output<z.ZodObject<typeof leadFields>>) {
  return {
    phoneNumber: lead.phoneNumber,
    externalId: lead.externalId || null,
    metadata: lead.metadata?.text ?? null,
    scheduledFor: lead.scheduledFor || null,
    // Adding 0 turns -0, which JSON can write, into 0.
    priority: (lead.priority ?? 0) + 0,
  }
}

export const createBody = z
  .object(
    { campaignId: campaignId('campaignId is required'), ...leadFields },
    'Request body must be a JSON object',
  )
  .transform((body) => ({ campaignId: body.campaignId, lead: toNewLead(body) }))

/** One item of a bulk, without its campaign. */
export const leadItem = z.object(leadFields, 'phoneNumber is required').transform(toNewLead)

export const bulkBody = z.object(
  {
    campaignId: campaignId('campaignId is required'),
    /** Each item is judged on its own: see readItem. */
    leads: z
      .array(z.unknown(), 'leads array is required')
      .min(1, { error: 'leads array cannot be empty', abort: true })
      .max(limits.leadsPerBulk, `Maximum ${limits.leadsPerBulk} leads per bulk request`),
  },
  'Request body must be a JSON object',
)

export type ItemReading =
  | { readonly isValid: true; readonly lead: z.output<typeof leadItem> }
  | { readonly isValid: false; readonly message: string }

export function readItem(item: unknown): ItemReading {
  const parsed = leadItem.safeParse(item)
  if (parsed.success) return { isValid: true, lead: parsed.data }
  return { isValid: false, message: firstMessage(parsed.error) }
}

const flag = (name: string) =>
  optional(z.enum(['true', 'false'], `${name} must be true or false`)).transform((value) => value === 'true')

export const bulkQuery = z.object({
  results: flag('results'),
  onInvalid: optional(z.enum(['fail', 'skip'], 'onInvalid must be fail or skip')),
  dryRun: flag('dryRun'),
})

export const leadStatus = z.enum(['raw', 'attempting', 'exhausted', 'concluded'])
const invalidStatus = `status must be one of ${leadStatus.options.join(', ')}`

// A plus sign that a client forgot to encode arrives as a space, which none of these texts can hold.
const repairPlus = (value: unknown) => (typeof value === 'string' ? value.replace(' ', '+') : value)

const invalidLimit = `limit must be an integer between 1 and ${limits.leadsPerPage}`
const instant = (name: string) => {
  const invalid = `${name} must be an ISO 8601 timestamp with a UTC offset, or Unix milliseconds`
  return optional(
    z.preprocess(
      repairPlus,
      z
        .string(invalid)
        .refine((text) => /^\d{1,15}$/.test(text) || isTimestamp(text), { error: invalid, abort: true })
        // Date.parse wants the minutes of an offset, which ISO 8601 does not.
        .transform((text) =>
          isTimestamp(text) ? Date.parse(text.replace(/[+-]\d\d$/, '$&:00')) : Number(text),
        ),
    ),
  )
}

export const listQuery = z.object({
  campaignId: campaignId('campaignId query parameter is required'),
  status: optional(z.enum(leadStatus.options, invalidStatus)),
  phoneNumber: optional(
    z.preprocess(repairPlus, z.string(invalidPhoneNumber).regex(phoneNumberPattern, invalidPhoneNumber)),
  ),
  externalId: optional(externalIdText),
  createdAfter: instant('createdAfter'),
  createdBefore: instant('createdBefore'),
  limit: optional(
    z
      .string(invalidLimit)
      .regex(/^[1-9]\d{0,3}$/, { error: invalidLimit, abort: true })
      .transform(Number)
      .refine((limit) => limit <= limits.leadsPerPage, invalidLimit),
  ),
  cursor: optional(z.string('cursor is not valid').regex(/^[0-9a-f]{14}$/, 'cursor is not valid')),
})

/** The first thing wrong, in the client's terms. */
export function firstMessage(error: z.core.$ZodError): string {
  return error.issues[0]?.message ?? 'Request body must be a JSON object'
}

/** Parses the body of a create for `createBody`. Throws SyntaxError when it is not JSON. */
export function readCreateBody(json: string): unknown {
  const body: unknown = JSON.parse(json)
  if (isObject(body)) replaceMetadata(json, skipSpace(json, 0), body)
  return body
}

/** Parses the body of a bulk for `bulkBody`. Throws SyntaxError when it is not JSON. */
export function readBulkBody(json: string): unknown {
  const body: unknown = JSON.parse(json)
  if (!isObject(body) || !Array.isArray(body.leads) || body.leads.length > limits.leadsPerBulk) return body
  const items: unknown[] = body.leads
  walkObject(json, skipSpace(json, 0), (name, start) => {
    // Where `leads` is repeated, JSON.parse has kept the last one, and so does what follows.
    if (name !== 'leads' || json[start] !== '[') return skipValue(json, start)
    return walkArray(json, start, (index, itemStart) => {
      const item = items[index]
      if (!isObject(item) || json[itemStart] !== '{') return skipValue(json, itemStart)
      return replaceMetadata(json, itemStart, item)
    })
  })
  return body
}

/** Puts the source of the `metadata` of the object at `start` in place of its value. Returns where it ends. */
function replaceMetadata(json: string, start: number, lead: Record<string, unknown>): number {
  const wasObject = isObject(lead.metadata)
  return walkObject(json, start, (name, valueStart) => {
    if (!wasObject || name !== 'metadata') return skipValue(json, valueStart)
    const source = sourceAt(json, valueStart)
    lead.metadata = source
    return valueStart + source.text.length
  })
}
