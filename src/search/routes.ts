// Handlers that find leads in all campaigns of the key, and requeue a selection of them.
import { granted, type KeyedExchange, keyAccessOf } from '../access/authenticate.ts'
import { requeueSelection } from '../calling/store/requeue.ts'
import { type Answer, success, successOfPage } from '../http/envelope.ts'
import { invalidField } from '../http/errors.ts'
import { invalidCursor } from '../http/schemas.ts'
import { parseBody, readQueryOf, readSmallBody } from '../http/validate.ts'
import { cursorOf, jsonWithCalling, parseCursor } from '../leads/lead.ts'
import { hashesOf } from '../ledger/suppression/number-hash.ts'
import { limits } from '../limits.ts'
import { readSelection, searchQuery } from './input.ts'
import { findLeads, type SearchPlace, searchBegin } from './store/find.ts'

const readSearchQuery = readQueryOf(searchQuery)

export async function searchLeads(x: KeyedExchange): Promise<Answer> {
  const { cursor, limit, ...search } = await readSearchQuery(x)
  const place = cursor === null ? searchBegin : placeOf(cursor)
  if (place === null) throw invalidField(invalidCursor)
  const maxLeads = limit ?? limits.leadsPerSearch / 2
  const { leads, end } = await granted(x, findLeads(x.db, keyAccessOf(x), search, place, maxLeads))
  return successOfPage('leads', leads.map(jsonWithCalling), end && cursorAt(end))
}

const cursorAt = ({ beforeSeq, isOfStarts }: SearchPlace) => `${isOfStarts ? 's' : ''}${cursorOf(beforeSeq)}`

function placeOf(cursor: string): SearchPlace | null {
  const isOfStarts = cursor.startsWith('s')
  const beforeSeq = parseCursor(isOfStarts ? cursor.slice(1) : cursor)
  return beforeSeq === null ? null : { beforeSeq, isOfStarts }
}

export async function postRequeueOfSelection(x: KeyedExchange): Promise<Answer> {
  const leadIds = parseBody(await readSmallBody(x), readSelection)
  const { leads } = await granted(x, requeueSelection(x.db, keyAccessOf(x), leadIds, hashesOf(x)))
  const results = leads.map(({ result }) => result)
  const requeued = results.filter((result) => result === 'requeued').length
  return success({
    requeued,
    skipped: results.length - requeued,
    results: results.map((result, index) => ({ leadId: leadIds[index], result })),
  })
}
