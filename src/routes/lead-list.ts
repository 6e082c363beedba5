// Listing a campaign's leads, whole or page by page, as JSON or CSV, in bounded memory (D20).
import { Hono } from 'hono'
import { accepts } from 'hono/accepts'
import { successParts } from '../envelope.ts'
import { limits } from '../limits.ts'
import { listQuery } from '../list-input.ts'
import { accessTo, granted, type KeyVariables } from '../middleware/authenticate.ts'
import { hourlyPerKey, limitKey } from '../middleware/rate-limit.ts'
import { validateQuery } from '../middleware/validate.ts'
import type { RecordVariables } from '../request-log.ts'
import { type LeadPage, listLeads } from '../store/lead-queries.ts'
import { cursorOf, type LeadRow, leadCsv, leadCsvHeader, leadJson, parseCursor } from '../store/lead-row.ts'

export const leadList = new Hono<{ Bindings: Env; Variables: RecordVariables & KeyVariables }>()

leadList.get('/', limitKey(hourlyPerKey), validateQuery(listQuery), async (c) => {
  const { campaignId, limit, cursor, createdAfter, createdBefore, ...filter } = c.req.valid('query')
  const range = {
    maxLeads: limit ?? limits.leadsPerPage,
    afterSeq: cursor === null ? 0 : (parseCursor(cursor) ?? 0),
  }
  const access = accessTo(c, campaignId)
  const times = { createdAfterMs: createdAfter, createdBeforeMs: createdBefore }
  const page = await granted(c, listLeads(c.env.DB, access, { ...filter, ...times }, range))
  c.var.record.campaignId = campaignId

  const isPaged = limit !== null || cursor !== null
  const nextCursor = page.endSeq === null ? null : cursorOf(page.endSeq)
  if (isPaged && nextCursor !== null) c.header('Link', `<${nextUrl(c.req.url, nextCursor)}>; rel="next"`)
  c.header('Vary', 'Accept')
  const type = accepts(c, {
    header: 'Accept',
    supports: ['application/json', 'text/csv'],
    default: 'application/json',
  })
  const format = type === 'text/csv' ? csv : json(isPaged ? { nextCursor } : {})
  const isWhole = isPaged || page.endSeq === null
  return c.body(
    isWhole ? format.start + format.page(page.leads) + format.end(page.leads.length) : stream(page, format),
    200,
    {
      'Content-Type': type === 'text/csv' ? 'text/csv; charset=utf-8; header=present' : type,
    },
  )
})

function nextUrl(url: string, cursor: string): string {
  const next = new URL(url)
  next.searchParams.set('cursor', cursor)
  return next.pathname + next.search
}

/** How a list is written: its start, each page, what stands between two pages, and its end. */
type Format = {
  readonly start: string
  readonly page: (leads: readonly LeadRow[]) => string
  readonly between: string
  readonly end: (count: number) => string
}

const csv: Format = {
  start: leadCsvHeader,
  page: (leads) => leads.map(leadCsv).join(''),
  between: '',
  end: () => '',
}

/** `count` follows the leads: it is known when they have been written. `more` are members after it. */
function json(more: object): Format {
  const members = Object.entries(more).map(
    ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
  )
  return {
    start: `${successParts.before}{"leads":[`,
    page: (leads) => leads.map(leadJson).join(),
    between: ',',
    end: (count) => `],"count":${count}${members.join('')}}${successParts.after}`,
  }
}

/** Writes page after page as the client reads, so that a campaign of any size fits in memory. */
function stream(first: LeadPage, format: Format): ReadableStream<Uint8Array> {
  const parts = writeParts(first, format)
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const part = await parts.next()
      if (part.done) controller.close()
      else controller.enqueue(encoder.encode(part.value))
    },
  })
}

async function* writeParts(first: LeadPage, format: Format): AsyncGenerator<string> {
  yield format.start + format.page(first.leads)
  let count = first.leads.length
  for (let last = first; last.endSeq !== null; ) {
    const page = await last.next()
    // The answer has begun, so all that is left is to break it off: a client sees that it is not whole.
    if (page.kind !== 'page') throw new Error('The key lost its access while the list was being written')
    if (page.leads.length > 0) yield format.between + format.page(page.leads)
    count += page.leads.length
    last = page
  }
  yield format.end(count)
}
