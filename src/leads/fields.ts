// Each field that a client may send: when it is valid, and the message when it is not (D9-D11, D17-D19, D60). What a
// request is made of is in create-input.ts and query-input.ts.
import * as z from 'zod/mini'
import {
  integer,
  isAtMost,
  oneOf,
  problem,
  requiredText,
  text,
  timeZone as timeZoneNamed,
  unstorable,
} from '../http/schemas.ts'
import { limits } from '../limits.ts'
import { isTimestamp } from '../timestamp.ts'
import { JsonSource } from './json-source.ts'
import { leadStatuses } from './lead.ts'

const invalidCampaignId = `campaignId must be a string of at most ${limits.campaignIdMaxChars} characters`
export const campaignId = (missing: string) =>
  requiredText(missing, invalidCampaignId).check(
    problem((text) => (isAtMost(text, limits.campaignIdMaxChars) ? null : invalidCampaignId)),
  )

/** Where it may be absent. */
export const emptyCampaignId = 'campaignId must not be empty'

export const invalidPhoneNumber = 'phoneNumber must be in E.164 format'
export const isE164 = z.regex(
  new RegExp(`^\\+[1-9][0-9]{${limits.phoneNumberMinDigits - 1},${limits.phoneNumberMaxDigits - 1}}$`),
  invalidPhoneNumber,
)
export const phoneNumber = requiredText('phoneNumber is required', invalidPhoneNumber).check(isE164)

export const externalId = text('externalId', limits.externalIdMaxChars)

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

const invalidTimestamp = 'scheduledFor must be an ISO 8601 timestamp with a UTC offset'
export const scheduledFor = z
  .string(invalidTimestamp)
  .check(problem((text) => (text === '' || isTimestamp(text) ? null : invalidTimestamp)))

export const priority = integer('priority', { min: limits.priorityMin, max: limits.priorityMax })

/** The lead's own (D45). */
export const timeZone = timeZoneNamed('timeZone')

export const leadStatus = oneOf('status', leadStatuses)
