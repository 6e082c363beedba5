// Each field that a client may send: when it is valid, and the message when it is not (D9-D11, D17-D19). What a
// request is made of is in lead-input.ts and list-input.ts.
//
// zod/mini is zod with functions for methods: it is a third of the size, and the Worker starts that much faster.
import * as z from 'zod/mini'
import { limits } from '../limits.ts'
import { JsonSource } from './json-source.ts'
import { leadStatuses } from './lead.ts'

export const isAbsent = (value: unknown) => value === undefined || value === null || value === ''
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** In characters as people count them. No text of more than two units a character is spread out to be counted. */
const isAtMost = (text: string, maxChars: number) =>
  text.length <= maxChars || (text.length <= 2 * maxChars && [...text].length <= maxChars)

// SQLite ends a text at NUL, and UTF-8 has no unpaired surrogates: neither would come back as it was sent.
const isStorable = (text: string) => text.isWellFormed() && !text.includes('\0')
const unstorable = (name: string) => `${name} must not contain NUL or unpaired surrogates`

/** A check that knows what is wrong: it returns the message, or null. */
export function problem<Value>(find: (value: Value) => string | null) {
  return ({ value, issues }: z.core.ParsePayload<Value>) => {
    const message = find(value)
    if (message !== null) issues.push({ code: 'custom', input: value, message })
  }
}

/** A required text: absent and empty alike are missing (D10). */
function requiredText(missing: string, invalid: string) {
  return z
    .string({ error: ({ input }) => (isAbsent(input) ? missing : invalid) })
    .check(z.minLength(1, missing))
}

const invalidCampaignId = `campaignId must be a string of at most ${limits.campaignIdMaxChars} characters`
export const campaignId = (missing: string) =>
  requiredText(missing, invalidCampaignId).check(
    problem((text) => (isAtMost(text, limits.campaignIdMaxChars) ? null : invalidCampaignId)),
  )

export const invalidPhoneNumber = 'phoneNumber must be in E.164 format'
export const isE164 = z.regex(
  new RegExp(`^\\+[1-9][0-9]{${limits.phoneNumberMinDigits - 1},${limits.phoneNumberMaxDigits - 1}}$`),
  invalidPhoneNumber,
)
export const phoneNumber = requiredText('phoneNumber is required', invalidPhoneNumber).check(isE164)

const invalidExternalId = `externalId must be a string of at most ${limits.externalIdMaxChars} characters`
export const externalId = z.string(invalidExternalId).check(
  problem((text) => {
    if (!isAtMost(text, limits.externalIdMaxChars)) return invalidExternalId
    return isStorable(text) ? null : unstorable('externalId')
  }),
)

/** Judged by its source text, which comes here in its place (see create-input.ts). */
export const metadata = z
  .custom<JsonSource>((value) => value instanceof JsonSource, {
    error: 'metadata must be an object',
    abort: true,
  })
  .check(
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

// Not z.iso.datetime: it refuses offsets as Salesforce writes them (+0000) and times without seconds.
export const timestampPattern =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/

export function isTimestamp(text: string): boolean {
  const date = timestampPattern.exec(text)?.[1]
  const parsed = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(`${date}`)
}

const invalidTimestamp = 'scheduledFor must be an ISO 8601 timestamp with a UTC offset'
export const scheduledFor = z
  .string(invalidTimestamp)
  .check(problem((text) => (text === '' || isTimestamp(text) ? null : invalidTimestamp)))

const invalidPriority = `priority must be an integer between ${limits.priorityMin} and ${limits.priorityMax}`
export const priority = z
  .int(invalidPriority)
  .check(z.minimum(limits.priorityMin, invalidPriority), z.maximum(limits.priorityMax, invalidPriority))

export const leadStatus = z.enum(leadStatuses, `status must be one of ${leadStatuses.join(', ')}`)
