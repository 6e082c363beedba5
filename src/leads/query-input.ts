// The query parameters of list and bulk. All but campaignId are optional: absent and empty alike are null.
import * as z from 'zod/mini'
import { limits } from '../limits.ts'
import {
  campaignId,
  externalId,
  invalidPhoneNumber,
  isAbsent,
  isE164,
  isTimestamp,
  leadStatus,
  problem,
} from './fields.ts'

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

/** A parameter that is given more than once arrives as an array, and which of them was meant is not guessed. */
function once<Output>(name: string, schema: z.ZodMiniType<Output>): z.ZodMiniType<Output> {
  const refuseSeveral = z.transform((value: unknown, { issues }: z.core.ParsePayload) => {
    if (Array.isArray(value)) {
      issues.push({ code: 'custom', input: value, message: `${name} must be given once` })
    }
    return value
  })
  return z.pipe(refuseSeveral, schema as z.ZodMiniType<Output, unknown>)
}

type EachOnce<Shape> = { [Name in keyof Shape]: z.ZodMiniType<z.output<Shape[Name]>> }

function query<Shape extends Readonly<Record<string, z.ZodMiniType>>>(shape: Shape) {
  const fields = Object.entries(shape).map(([name, schema]) => [name, once(name, schema)])
  return z.object(Object.fromEntries(fields) as EachOnce<Shape>)
}

export const bulkQuery = query({
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
  // Date.parse wants the minutes of an offset, which ISO 8601 does not.
  const toMs = (value: string) =>
    isTimestamp(value) ? Date.parse(value.replace(/[+-]\d\d$/, '$&:00')) : Number(value)
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

export const listQuery = query({
  campaignId: campaignId('campaignId query parameter is required'),
  status: optional(leadStatus),
  phoneNumber: optional(withPlus(z.string(invalidPhoneNumber).check(isE164))),
  externalId: optional(externalId),
  createdAfter: instant('createdAfter'),
  createdBefore: instant('createdBefore'),
  limit: optional(limit),
  cursor: optional(z.string(invalidCursor).check(z.regex(/^[0-9a-f]{14}$/, invalidCursor))),
})
