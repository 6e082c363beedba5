// Creating leads, one or many, and reading one: input, then store, then answer. The middleware before each handler
// stands in the order of D8, so that what is checked first can be read off. Listing is in lead-list.ts.
import { Hono } from 'hono'
import { accessTo, granted, type KeyVariables, limitKey, requireScope } from '../access/authenticate.ts'
import { success, successText } from '../http/envelope.ts'
import { ApiError } from '../http/errors.ts'
import type { RecordVariables } from '../http/request-log.ts'
import { limitBody, requireJson, validateBody, validateQuery } from '../http/validate.ts'
import { limits } from '../limits.ts'
import { bulkPerKey, hourlyPerKey } from '../rate-limits/rate-limit.ts'
import {
  bulkBody,
  createBody,
  type ItemReading,
  readBulkBody,
  readCreateBody,
  readItem,
} from './create-input.ts'
import { identifyRequest, type OriginVariables } from './idempotency.ts'
import { leadIdPattern } from './lead.ts'
import { bulkQuery } from './query-input.ts'
import { createLead, createLeads, type LeadResult } from './store/create.ts'
import { getLead } from './store/read.ts'

type App = { Bindings: Env; Variables: RecordVariables & KeyVariables & OriginVariables }

export const leads = new Hono<App>()

const onePath = `/:leadId{${leadIdPattern}}` as const

leads.post(
  '/',
  limitKey(hourlyPerKey),
  requireScope('write'),
  requireJson,
  limitBody(limits.leadBodyMaxBytes),
  validateBody(createBody, readCreateBody),
  identifyRequest,
  async (c) => {
    const { campaignId, lead } = c.req.valid('json')
    const origin = { ...accessTo(c, campaignId), ...c.get('origin') }
    const outcome = await granted(c, createLead(c.env.DB, origin, lead))
    if (outcome.kind === 'reused') throw new ApiError({ kind: 'idempotency_key_reused' })
    const { leadId } = outcome
    if (outcome.kind === 'exists') throw new ApiError({ kind: 'lead_exists', location: locationOf(leadId) })
    Object.assign(c.get('record'), { campaignId, leadsCreated: outcome.isReplay ? 0 : 1 })
    if (outcome.isReplay) c.header('Idempotent-Replayed', 'true')
    return c.json(success({ leadId }), 201, { Location: locationOf(leadId) })
  },
)

leads.post(
  '/bulk',
  limitKey(hourlyPerKey, bulkPerKey),
  requireScope('write'),
  requireJson,
  limitBody(limits.bulkBodyMaxBytes),
  validateQuery(bulkQuery),
  validateBody(bulkBody, readBulkBody),
  identifyRequest,
  async (c) => {
    const { results: withResults, onInvalid, dryRun: isDryRun } = c.req.valid('query')
    const { campaignId, leads: items } = c.req.valid('json')
    const readings = items.map(readItem)
    if (onInvalid !== 'skip') failOnInvalid(readings)
    const valid = readings.flatMap((reading) => (reading.isValid ? [reading.lead] : []))

    const origin = { ...accessTo(c, campaignId), ...c.get('origin') }
    const options = { withSkippedIds: withResults, isDryRun }
    const outcome = await granted(c, createLeads(c.env.DB, origin, valid, options))
    if (outcome.kind === 'reused') throw new ApiError({ kind: 'idempotency_key_reused' })

    const { results, isReplay } = outcome
    const created = results.filter((result) => result.status === 'created')
    const skipped = valid.filter((_, index) => results[index]?.status === 'skipped')
    const isStored = !isReplay && !isDryRun
    Object.assign(c.get('record'), {
      campaignId,
      leadsCreated: isStored ? created.length : 0,
      leadsSkipped: skipped.length,
    })
    if (isReplay) c.header('Idempotent-Replayed', 'true')
    return c.json(
      success({
        created: created.length,
        skipped: skipped.length,
        createdIds: created.flatMap(({ leadId }) => leadId ?? []),
        skippedPhones: skipped.map((lead) => lead.phoneNumber),
        ...(withResults && { results: tellResults(readings, results) }),
      }),
    )
  },
)

leads.get(onePath, limitKey(hourlyPerKey), async (c) => {
  const outcome = await granted(c, getLead(c.env.DB, c.get('apiKey').id, c.req.param('leadId'), Date.now()))
  if (outcome.kind !== 'found') throw new ApiError({ kind: 'lead_not_found' })
  return c.body(successText(`{"lead":${outcome.json}}`), 200, { 'Content-Type': 'application/json' })
})

leads.all('/', limitKey(hourlyPerKey), () => {
  throw new ApiError({ kind: 'method_not_allowed', allow: ['GET', 'HEAD', 'POST'] })
})
leads.all('/bulk', limitKey(hourlyPerKey), () => {
  throw new ApiError({ kind: 'method_not_allowed', allow: ['POST'] })
})
leads.all(onePath, limitKey(hourlyPerKey), () => {
  throw new ApiError({ kind: 'method_not_allowed', allow: ['GET', 'HEAD'] })
})

const locationOf = (leadId: string) => `/api/v1/leads/${leadId}`

/** Bulk, rule 4 and D14: one bad item, and nothing is stored. */
function failOnInvalid(readings: readonly ItemReading[]): void {
  const index = readings.findIndex((reading) => !reading.isValid)
  const reading = readings[index]
  if (reading?.isValid === false) {
    throw new ApiError({ kind: 'invalid_field', message: `leads[${index}].${reading.message}` })
  }
}

/** One entry per item of the input; `results` are those of the valid ones. */
function tellResults(readings: readonly ItemReading[], results: readonly LeadResult[]) {
  const ofValid = results.values()
  return readings.map((reading, index) =>
    reading.isValid
      ? { index, ...ofValid.next().value }
      : { index, status: 'invalid', error: reading.message },
  )
}
