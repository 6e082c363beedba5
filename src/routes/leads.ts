// The three lead endpoints: input, then store, then answer. The middleware before each handler stands in the
// order of D8, so that what is checked first can be read off.
import { type Context, Hono } from 'hono'
import { randomBase62 } from '../api-key.ts'
import { success, successText } from '../envelope.ts'
import { ApiError } from '../errors.ts'
import { bulkBody, createBody, listQuery, readBulkBody, readCreateBody } from '../lead-input.ts'
import { limits } from '../limits.ts'
import { forgetKey, type KeyVariables, refuseKey, requireScope } from '../middleware/authenticate.ts'
import { bulkPerKey, hourlyPerKey, limitKey } from '../middleware/rate-limit.ts'
import { limitBody, requireJson, validateBody, validateQuery } from '../middleware/validate.ts'
import { type RecordVariables, timed } from '../request-log.ts'
import type { Refusal } from '../store/access.ts'
import { createLead, createLeads, type LeadPage, leadTokenChars, listLeads } from '../store/leads.ts'

type App = { Bindings: Env; Variables: RecordVariables & KeyVariables }

export const leads = new Hono<App>()

leads.post(
  '/',
  limitKey(hourlyPerKey),
  requireScope('write'),
  requireJson,
  limitBody(limits.leadBodyMaxBytes),
  validateBody(createBody, readCreateBody),
  async (c) => {
    const { campaignId, ...lead } = c.req.valid('json')
    const outcome = await timed(c.var.record, 'databaseMs', createLead(c.env.DB, origin(c, campaignId), lead))
    const { kind, leadId } = await granted(c, outcome, campaignId)
    if (kind === 'exists') throw new ApiError({ kind: 'lead_exists' })
    c.var.record.leadsCreated = 1
    return c.json(success({ leadId }), 201)
  },
)

leads.post(
  '/bulk',
  limitKey(hourlyPerKey, bulkPerKey),
  requireScope('write'),
  requireJson,
  limitBody(limits.bulkBodyMaxBytes),
  validateBody(bulkBody, readBulkBody),
  async (c) => {
    const { campaignId, leads } = c.req.valid('json')
    const outcome = await timed(
      c.var.record,
      'databaseMs',
      createLeads(c.env.DB, origin(c, campaignId), leads),
    )
    const { createdIds, skippedPhones } = await granted(c, outcome, campaignId)
    const [created, skipped] = [createdIds.length, skippedPhones.length]
    Object.assign(c.var.record, { leadsCreated: created, leadsSkipped: skipped })
    return c.json(success({ created, skipped, createdIds, skippedPhones }))
  },
)

leads.get('/', limitKey(hourlyPerKey), validateQuery(listQuery), async (c) => {
  const { campaignId, status } = c.req.valid('query')
  const outcome = await timed(c.var.record, 'databaseMs', listLeads(c.env.DB, access(c, campaignId), status))
  const page = await granted(c, outcome, campaignId)
  return c.body(page.next === null ? listText(page) : listStream(page), 200, {
    'Content-Type': 'application/json',
  })
})

leads.all('/', limitKey(hourlyPerKey), () => {
  throw new ApiError({ kind: 'method_not_allowed', allow: ['GET', 'HEAD', 'POST'] })
})
leads.all('/bulk', limitKey(hourlyPerKey), () => {
  throw new ApiError({ kind: 'method_not_allowed', allow: ['POST'] })
})

function access(c: Context<App>, campaignId: string) {
  return { keyId: c.var.apiKey.id, campaignId, nowMs: Date.now() }
}

function origin(c: Context<App>, campaignId: string) {
  return { ...access(c, campaignId), token: randomBase62(leadTokenChars) }
}

/** The outcome without its refusals, which are thrown. Only a campaign that was granted is logged. */
async function granted<Outcome extends { kind: string }>(
  c: Context<App>,
  outcome: Outcome | Refusal,
  campaignId: string,
): Promise<Exclude<Outcome, Refusal>> {
  if (outcome.kind === 'key_refused') {
    forgetKey(c.var.apiKey)
    throw await refuseKey(c)
  }
  if (outcome.kind === 'campaign_denied') throw new ApiError({ kind: 'campaign_denied' })
  c.var.record.campaignId = campaignId
  return outcome as Exclude<Outcome, Refusal>
}

const listStart = `${successText.before}{"leads":[`
const listEnd = (count: number) => `],"count":${count}}${successText.after}`

function listText({ leads }: LeadPage): string {
  return listStart + leads.join() + listEnd(leads.length)
}

/** Writes page after page as the client reads, so that a campaign of any size fits in memory (D20). */
function listStream(first: LeadPage): ReadableStream<Uint8Array> {
  const parts = listParts(first)
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const part = await parts.next()
      if (part.done) controller.close()
      else controller.enqueue(encoder.encode(part.value))
    },
  })
}

async function* listParts(first: LeadPage): AsyncGenerator<string> {
  yield listStart + first.leads.join()
  let count = first.leads.length
  for (let next = first.next; next !== null; ) {
    const page = await next()
    // The answer has begun, so all that is left is to break it off: a client sees that it is not whole.
    if (page.kind !== 'page') throw new Error('access was withdrawn while the list was being read')
    if (page.leads.length > 0) yield `,${page.leads.join()}`
    count += page.leads.length
    next = page.next
  }
  yield listEnd(count)
}
