// GET /api/v1/leads/search: leads by number, external id or words, in all campaigns of the key.
import { granted, type KeyedExchange, keyAccessOf } from '../access/authenticate.ts'
import { type Answer, successOf } from '../http/envelope.ts'
import { ApiError } from '../http/errors.ts'
import { readQueryOf } from '../http/validate.ts'
import { cursorOf, parseCursor } from '../leads/lead.ts'
import { readSearch } from '../leads/search-words.ts'
import { formatTimestamp } from '../timestamp.ts'
import { searchQuery } from './search-input.ts'
import { type FoundLead, findLeads } from './store/search.ts'

const readSearchQuery = readQueryOf(searchQuery)

const leadsPerPage = 50

export async function searchLeads(x: KeyedExchange): Promise<Answer> {
  const { q, cursor, limit, ...filter } = await readSearchQuery(x)
  const beforeSeq = cursor === null ? Number.MAX_SAFE_INTEGER : parseCursor(cursor)
  if (beforeSeq === null) throw new ApiError({ kind: 'invalid_field', message: 'cursor is not valid' })
  const range = { beforeSeq, maxLeads: limit ?? leadsPerPage }
  const { leads, endSeq } = await granted(x, findLeads(x.db, keyAccessOf(x), readSearch(q), filter, range))
  const nextCursor = endSeq === null ? null : cursorOf(endSeq)
  return successOf(`{"leads":[${leads.map(foundJson).join()}],"nextCursor":${JSON.stringify(nextCursor)}}`)
}

/** A lead is JSON text, with the metadata as it was sent. */
function foundJson({ json, lastOutcome, dueAtMs }: FoundLead): string {
  const members = { lastOutcome, dueAt: formatTimestamp(dueAtMs) }
  return `${json.slice(0, -1)},${JSON.stringify(members).slice(1)}`
}
