// Listing a campaign's leads, whole or page by page, as JSON or CSV, in bounded memory (D20).
import { accepts } from 'hono/accepts'
import type * as z from 'zod/mini'
import { accessTo, granted, type KeyedExchange } from '../access/authenticate.ts'
import { DatabaseUnavailable } from '../database/database.ts'
import { type Answer, successParts } from '../http/envelope.ts'
import { ApiError } from '../http/errors.ts'
import { readQueryOf } from '../http/validate.ts'
import { limits } from '../limits.ts'
import { leadCsv, leadCsvHeader } from './csv.ts'
import { cursorOf, parseCursor } from './lead.ts'
import { listQuery } from './query-input.ts'
import { type LeadForms, type LeadPage, readPage } from './store/read.ts'
import type { LeadRow } from './store/row.ts'

const readListQuery = readQueryOf(listQuery)

export async function listLeads(x: KeyedExchange): Promise<Answer> {
  const supports = ['application/json', 'text/csv']
  const type = accepts(x.c, { header: 'Accept', supports, default: 'application/json' })
  const query = await readListQuery(x)
  return type === 'text/csv' ? answerList(x, query, 'row', csv) : answerList(x, query, 'json', json)
}

const invalidCursor = { kind: 'invalid_field', message: 'cursor is not valid' } as const

/** Of a list that is streamed: few enough to be on their way at once. */
const firstLeads = 100

async function answerList<Form extends keyof LeadForms>(
  x: KeyedExchange,
  query: z.output<typeof listQuery>,
  form: Form,
  format: Format<LeadForms[Form]>,
): Promise<Answer> {
  const { campaignId, limit, cursor, createdAfter, createdBefore, ...named } = query
  const filter = { ...named, createdAfterMs: createdAfter, createdBeforeMs: createdBefore }
  const isPaged = limit !== null || cursor !== null
  const maxLeads = limit ?? limits.leadsPerPage
  const afterSeq = cursor === null ? 0 : parseCursor(cursor)
  if (afterSeq === null) throw new ApiError(invalidCursor)
  const range = {
    maxLeads,
    // What is named by phone number or id is short, and need not be measured first.
    firstLeads: isPaged || named.phoneNumber !== null || named.externalId !== null ? maxLeads : firstLeads,
    afterSeq,
    untilSeq: Number.MAX_SAFE_INTEGER,
  }
  const page = await granted(x, readPage(x.db, accessTo(x, campaignId), form, filter, range))
  if (page.kind === 'other_campaign') throw new ApiError(invalidCursor)
  x.record.campaignId = campaignId
  const headers = { Vary: 'Accept', 'Content-Type': format.contentType }
  if (!isPaged && page.endSeq !== null) {
    const body = stream(page, format, (error) => logBreak(x.requestId, error))
    return { status: 200, headers, body }
  }
  const nextCursor = page.endSeq === null ? null : cursorOf(page.endSeq)
  const link = nextCursor !== null && { Link: `<${nextUrl(x.c.req.url, nextCursor)}>; rel="next"` }
  const end = format.end(page.leads.length, isPaged ? { nextCursor } : {})
  const body = format.start + format.page(page.leads) + end
  return { status: 200, headers: { ...headers, ...link }, body }
}

/** The request's own record has been written by then, with status 200. */
function logBreak(requestId: string, error: unknown): void {
  const reason = error instanceof DatabaseUnavailable ? error.reason : (error as Error).name
  console.error({ event: 'list_broken', requestId, reason })
}

/** Of the parameters only those that count: a header must not grow with whatever else a client sends. */
function nextUrl(url: string, cursor: string): string {
  const { pathname, searchParams } = new URL(url)
  const known = [...searchParams].filter(
    ([name]) => name !== 'cursor' && Object.hasOwn(listQuery.shape, name),
  )
  return `${pathname}?${new URLSearchParams([...known, ['cursor', cursor]])}`
}

/** How a list is written: its start, each page, what stands between two pages, and its end. */
type Format<Lead> = {
  readonly contentType: string
  readonly start: string
  readonly page: (leads: readonly Lead[]) => string
  readonly between: string
  /** `count` follows the leads: it is known when they have been written. `more` are members after it. */
  readonly end: (count: number, more: object) => string
}

const csv: Format<LeadRow> = {
  contentType: 'text/csv; charset=utf-8; header=present',
  start: leadCsvHeader,
  page: (leads) => leads.map(leadCsv).join(''),
  between: '',
  end: () => '',
}

const json: Format<{ json: string }> = {
  contentType: 'application/json',
  start: `${successParts.before}{"leads":[`,
  page: (leads) => leads.map((lead) => lead.json).join(),
  between: ',',
  end: (count, more) => `],${JSON.stringify({ count, ...more }).slice(1)}${successParts.after}`,
}

/** Writes page after page as the client reads, so that a campaign of any size fits in memory. */
function stream<Lead>(
  first: LeadPage<Lead>,
  format: Format<Lead>,
  onBreak: (error: unknown) => void,
): ReadableStream<Uint8Array> {
  const parts = writeParts(first, format)
  const encoder = new TextEncoder()
  const source: UnderlyingSource<Uint8Array> = {
    async pull(controller) {
      try {
        const part = await parts.next()
        if (part.done) controller.close()
        else controller.enqueue(encoder.encode(part.value))
      } catch (error) {
        // The answer has begun, so all that is left is to break it off: a client sees that it is not whole.
        onBreak(error)
        controller.error(error)
      }
    },
  }
  // No page is read before the one in front of it is on its way.
  return new ReadableStream(source, { highWaterMark: 0 })
}

/** The key was revoked, or lost its campaign, while the list was being written. */
class AccessWithdrawn extends Error {
  override readonly name = 'AccessWithdrawn'
}

async function* writeParts<Lead>(first: LeadPage<Lead>, format: Format<Lead>): AsyncGenerator<string> {
  yield format.start + format.page(first.leads)
  let count = first.leads.length
  for (let last = first; last.endSeq !== null; ) {
    const page = await last.next()
    if (page.kind !== 'page') throw new AccessWithdrawn()
    if (page.leads.length > 0) yield format.between + format.page(page.leads)
    count += page.leads.length
    last = page
  }
  yield format.end(count, {})
}
