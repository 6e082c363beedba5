// Handlers that find leads in all campaigns of the key, and requeue a selection of them.
import { granted, type KeyedExchange, keyAccessOf } from '../../base/access/granted.ts'
import { type Answer, success, successOfPage } from '../../base/http/envelope.ts'
import { invalidField } from '../../base/http/errors.ts'
import { invalidCursor } from '../../base/http/schemas.ts'
import { parseBody, readQueryOf, readSmallBody } from '../../base/http/validate.ts'
import { hashesOf } from '../../base/ledger/suppression/number-hash.ts'
import { limits } from '../../base/limits.ts'
import { requeueSelection } from '../calling/store/requeue.ts'
import { cursorOf, jsonWithCalling, jsonWithOrigin, parseCursor } from '../leads/lead.ts'
import { filterOf } from '../leads/origin/origin.ts'
import { hasInclude } from '../leads/query-input.ts'
import { readSelection, searchQuery } from './input.ts'
import { findLeads, type SearchPlace, searchBegin } from './store/find.ts'

const readSearchQuery = readQueryOf(searchQuery)

export async function searchLeads(x: KeyedExchange): Promise<Answer> {
  const { cursor, limit, origin, include, ...rest } = await readSearchQuery(x)
  const withOrigin = hasInclude(include, 'origin')
  const search = { ...rest, origin: origin === null ? null : filterOf(origin), withOrigin }
  const place = cursor === null ? searchBegin : placeOf(cursor)
  if (place === null) throw invalidField(invalidCursor)
  const maxLeads = limit ?? limits.leadsPerSearch / 2
  const { leads, end } = await granted(x, findLeads(x.db, keyAccessOf(x), search, place, maxLeads))
  const found = leads.map((lead) => {
    const json = jsonWithCalling(lead)
    return withOrigin ? jsonWithOrigin(json, lead.origin) : json
  })
  return successOfPage('leads', found, end && cursorAt(end))
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
