// The query parameters of list and bulk. All but campaignId are optional: absent and empty alike are null.
import * as z from 'zod/mini'
import { isAbsent, problem } from '../http/schemas.ts'
import { limits } from '../limits.ts'
import { isTimestamp, parseTimestampMs } from '../timestamp.ts'
import { campaignId, externalId, invalidPhoneNumber, isE164, leadStatus } from './fields.ts'

/** A schema for what `before` makes of the value. */
function after<Output>(before: (value: unknown) => unknown, schema: z.ZodMiniType<Output>) {
  return z.pipe(z.transform(before), schema as z.ZodMiniType<Output, unknown>)
}

function optional<Output>(schema: z.ZodMiniType<Output>) {
  return after((value) => (isAbsent(value) ? null : value), z.nullable(schema))
}

const flag = (name: string) =>
  z.pipe(
    optional(z.enum(['true', 'false'], `${name} must be true or false`)),
    z.transform((value) => value === 'true'),
  )

export const bulkQuery = z.object({
  results: flag('results'),
  onInvalid: optional(z.enum(['fail', 'skip'], 'onInvalid must be fail or skip')),
  dryRun: flag('dryRun'),
})

/** A plus sign that a client forgot to encode arrives as a space, which none of these texts can hold. */
function withPlus<Output>(schema: z.ZodMiniType<Output>) {
  return after((value) => (typeof value === 'string' ? value.replace(' ', '+') : value), schema)
}

function instant(name: string) {
  const invalid = `${name} must be an ISO 8601 timestamp with a UTC offset, or Unix milliseconds`
  const text = z
    .string(invalid)
    .check(problem((value) => (/^\d{1,15}$/.test(value) || isTimestamp(value) ? null : invalid)))
  const toMs = (value: string) => (isTimestamp(value) ? parseTimestampMs(value) : Number(value))
  return optional(withPlus(z.pipe(text, z.transform(toMs))))
}

const invalidLimit = `limit must be an integer between 1 and ${limits.leadsPerPage}`
const limit = z.pipe(
  z
    .string(invalidLimit)
    .check(
      problem((text) =>
        /^[1-9]\d{0,3}$/.test(text) && Number(text) <= limits.leadsPerPage ? null : invalidLimit,
      ),
    ),
  z.transform(Number),
)

const invalidCursor = 'cursor is not valid'

export const listQuery = z.object({
  campaignId: campaignId('campaignId query parameter is required'),
  status: optional(leadStatus),
  phoneNumber: optional(withPlus(z.string(invalidPhoneNumber).check(isE164))),
  externalId: optional(externalId),
  createdAfter: instant('createdAfter'),
  createdBefore: instant('createdBefore'),
  limit: optional(limit),
  cursor: optional(z.string(invalidCursor).check(z.regex(/^[0-9a-f]{14}$/, invalidCursor))),
})
