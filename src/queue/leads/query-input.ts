// The query parameters of list, create and bulk. All but campaignId are optional, and empty means absent.
import * as z from 'zod/mini'
import { cursor, flag, instant, oneOf, optional, pageSize, query, withPlus } from '../../base/http/schemas.ts'
import { limits } from '../../base/limits.ts'
import { campaignId, externalId, invalidPhoneNumber, isE164, leadStatus } from './fields.ts'
import { leadOrders } from './lead.ts'

export const createQuery = query({ dryRun: flag('dryRun') })

export const bulkQuery = query({
  results: flag('results'),
  onInvalid: optional(z.enum(['fail', 'skip'], 'onInvalid must be fail or skip')),
  dryRun: flag('dryRun'),
})

/** What a list adds to each lead: its last outcome, and when it is due. */
const listIncludes = ['calling'] as const

export const listQuery = query({
  campaignId: campaignId('campaignId query parameter is required'),
  status: optional(leadStatus),
  phoneNumber: optional(withPlus(z.string(invalidPhoneNumber).check(isE164))),
  externalId: optional(externalId),
  createdAfter: instant('createdAfter'),
  createdBefore: instant('createdBefore'),
  order: optional(oneOf('order', leadOrders)),
  include: optional(oneOf('include', listIncludes)),
  limit: pageSize(limits.leadsPerPage),
  cursor: cursor(/^[0-9a-f]{14}$/),
})
