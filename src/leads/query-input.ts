// The query parameters of list and bulk. All but campaignId are optional: absent and empty alike are null.
import * as z from 'zod/mini'
import { instant, optional, pageSize, withPlus } from '../http/schemas.ts'
import { limits } from '../limits.ts'
import { campaignId, externalId, invalidPhoneNumber, isE164, leadStatus } from './fields.ts'

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

const invalidCursor = 'cursor is not valid'

export const listQuery = query({
  campaignId: campaignId('campaignId query parameter is required'),
  status: optional(leadStatus),
  phoneNumber: optional(withPlus(z.string(invalidPhoneNumber).check(isE164))),
  externalId: optional(externalId),
  createdAfter: instant('createdAfter'),
  createdBefore: instant('createdBefore'),
  limit: pageSize(limits.leadsPerPage),
  cursor: optional(z.string(invalidCursor).check(z.regex(/^[0-9a-f]{14}$/, invalidCursor))),
})
