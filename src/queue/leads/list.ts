// GET /api/v1/leads: a campaign's leads, whole or page by page, as JSON or CSV. store/list/pages.ts reads the pages,
// list-stream.ts writes them.
import { accepts } from 'hono/accepts'
import type * as z from 'zod/mini'
import { accessTo, granted, type KeyedExchange } from '../../base/access/granted.ts'
import { DatabaseUnavailable } from '../../base/database/database.ts'
import type { Answer } from '../../base/http/envelope.ts'
import { ApiError } from '../../base/http/errors.ts'
import { invalidCursor } from '../../base/http/schemas.ts'
import { readQueryOf } from '../../base/http/validate.ts'
import { limits } from '../../base/limits.ts'
import { cursorOf, parseCursor } from './lead.ts'
import { csv, csvFormatWith, type Format, json, jsonFormatWith, streamList } from './list-stream.ts'
import { filterOf } from './origin/origin.ts'
import { hasInclude, listQuery } from './query-input.ts'
import { type LeadForms, readPage } from './store/list/pages.ts'

type ListQuery = z.output<typeof listQuery>

const readListQuery = readQueryOf(listQuery)

export async function listLeads(x: KeyedExchange): Promise<Answer> {
  const supports = ['application/json', 'text/csv']
  const type = accepts(x.c, { header: 'Accept', supports, default: 'application/json' })
  const query = await readListQuery(x)
  const isPlain = query.include === null
  if (type === 'text/csv')
    return isPlain
      ? answerList(x, query, 'row', csv)
      : answerList(x, query, 'rowWithMore', csvFormatWith(includedIn(query)))
  return isPlain
    ? answerList(x, query, 'json', json)
    : answerList(x, query, 'withMore', jsonFormatWith(includedIn(query)))
}

const includedIn = ({ include }: ListQuery) => ({
  withCalling: hasInclude(include, 'calling'),
  withOrigin: hasInclude(include, 'origin'),
})

const cursorProblem = { kind: 'invalid_field', message: invalidCursor } as const

/** The first page of a streamed list is small, so that the answer starts at once. */
const firstLeads = 100

async function answerList<Form extends keyof LeadForms>(
  x: KeyedExchange,
  query: ListQuery,
  form: Form,
  format: Format<LeadForms[Form]>,
): Promise<Answer> {
  const {
    campaignId,
    limit,
    cursor,
    createdAfter,
    createdBefore,
    order,
    include: _,
    origin,
    ...named
  } = query
  const filter = {
    ...named,
    origin: origin === null ? null : filterOf(origin),
    createdAfterMs: createdAfter,
    createdBeforeMs: createdBefore,
  }
  const isPaged = limit !== null || cursor !== null
  const maxLeads = limit ?? limits.leadsPerPage
  const cursorSeq = cursor === null ? 0 : parseCursor(cursor)
  if (cursorSeq === null) throw new ApiError(cursorProblem)
  const range = {
    order: order ?? 'oldest',
    maxLeads,
    firstLeads: isPaged ? maxLeads : firstLeads,
    cursorSeq,
    endSeq: null,
  }
  const page = await granted(
    x,
    readPage(x.db, accessTo(x, campaignId), { form, ...includedIn(query) }, filter, range),
  )
  if (page.kind === 'other_campaign') throw new ApiError(cursorProblem)
  x.record.campaignId = campaignId
  const headers = { Vary: 'Accept', 'Content-Type': format.contentType }
  if (!isPaged && page.endSeq !== null) {
    const body = streamList(page, format, (error) => logBreak(x.requestId, error))
    return { status: 200, headers, body }
  }
  const nextCursor = page.endSeq === null ? null : cursorOf(page.endSeq)
  const link = nextCursor !== null && { Link: `<${nextUrl(x, query, nextCursor)}>; rel="next"` }
  const end = format.end(page.leads.length, isPaged ? { nextCursor } : {})
  const body = format.start + format.page(page.leads) + end
  return { status: 200, headers: { ...headers, ...link }, body }
}

/** The request is logged with status 200 before its stream breaks, so the break gets a line of its own. */
function logBreak(requestId: string, error: unknown): void {
  const reason = error instanceof DatabaseUnavailable ? error.reason : (error as Error).name
  console.error({ event: 'list_broken', requestId, reason })
}

/** Built from the parsed query, not the one sent: the header does not grow with unknown parameters. */
function nextUrl(x: KeyedExchange, { cursor: _, ...query }: ListQuery, cursor: string): string {
  const parameters = Object.entries({ ...query, cursor }).filter(([, value]) => value !== null)
  return `${x.route}?${new URLSearchParams(parameters.map(([name, value]) => [name, String(value)]))}`
}
