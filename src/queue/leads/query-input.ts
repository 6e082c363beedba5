// The query parameters of list, create and bulk. All but campaignId are optional, and empty means absent.
import * as z from 'zod/mini'
import {
  cursor,
  flag,
  instant,
  oneOf,
  optional,
  pageSize,
  query,
  someOf,
  withPlus,
} from '../../base/http/schemas.ts'
import { limits } from '../../base/limits.ts'
import { campaignId, externalId, invalidPhoneNumber, isE164, leadStatus } from './fields.ts'
import { leadOrders } from './lead.ts'
import { originFilterPattern, originKinds } from './origin/origin.ts'

export const createQuery = query({ dryRun: flag('dryRun') })

export const bulkQuery = query({
  results: flag('results'),
  onInvalid: optional(z.enum(['fail', 'skip'], 'onInvalid must be fail or skip')),
  dryRun: flag('dryRun'),
})

/** What a list adds to each lead: its last outcome and when it is due, or where it came from. */
const listIncludes = ['calling', 'origin'] as const
type Include = (typeof listIncludes)[number]

/** Whether a value of `include` has one of these. */
export const hasInclude = (include: string | null, wanted: Include) =>
  include?.split(',').includes(wanted) ?? false

const invalidOrigin = `origin must be one of ${originKinds.join(', ')}, or the id of a source, key or member`
export const originFilter = optional(
  z.string(invalidOrigin).check(z.regex(originFilterPattern, invalidOrigin)),
)

export const leadQuery = query({ include: optional(someOf('include', ['origin'])) })

export const listQuery = query({
  campaignId: campaignId('campaignId query parameter is required'),
  status: optional(leadStatus),
  phoneNumber: optional(withPlus(z.string(invalidPhoneNumber).check(isE164))),
  externalId: optional(externalId),
  createdAfter: instant('createdAfter'),
  createdBefore: instant('createdBefore'),
  order: optional(oneOf('order', leadOrders)),
  origin: originFilter,
  include: optional(someOf('include', listIncludes)),
  limit: pageSize(limits.leadsPerPage),
  cursor: cursor(/^[0-9a-f]{14}$/),
})
