// 1d. Each row of a bulk that asks for results is judged by itself: one that is created is new, one that is skipped was
// there, and one that is refused is in no table. So is each lead that was refused. What comes with a no is no lead.
import { type Item, judgeRow, type Result, rowsOf } from '../model/bulks.ts'
import type { Promised } from './promise.ts'

export const eachRowByItself: Promised = {
  name: 'each row by itself',

  onAnswer(exchange, known) {
    const { operation, answer, path, body, about } = exchange
    if (answer === null || answer.status >= 300) return null
    if (saysNo(about) && operation !== 'createLeads') return `${operation} takes a lead that says no`
    if (operation !== 'createLeads' || !path.includes('?')) return null
    const { results, created } = answer.body.data as { results: readonly Result[]; created: number }
    const items: readonly Item[] = body.leads
    if (results.length !== items.length) return `a bulk of ${items.length} has ${results.length} results`
    const leadIds = results.flatMap(({ status, leadId }) => (status === 'created' ? [leadId] : []))
    if (leadIds.length !== created || new Set(leadIds).size !== created)
      return `a bulk says that it has created ${created}, and its results say otherwise`
    return items
      .map((item, at) => judgeRow(item, results[at] as Result, exchange, known))
      .reduce((one, other) => one ?? other, null)
  },

  onLook({ canaries }, company, known) {
    const sent = known.exchanges.filter(
      (one) => one.company === company && /^createLeads?$/.test(one.operation),
    )
    const [refused, taken] = [true, false].map(
      (isRefused) => new Set(sent.flatMap((one) => rowsOf(one, isRefused))),
    )
    const kept = [...(refused ?? [])].find(
      (externalId) => !taken?.has(externalId) && canaries.has(externalId),
    )
    return kept === undefined ? null : `lead ${kept} was refused, and is in a table`
  },
}

const saysNo = (about: object | null) => (about as { readonly saysNo?: boolean } | null)?.saysNo === true
