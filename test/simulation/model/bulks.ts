// Rows of a bulk, and single leads, each as what it was answered.
import type { Exchange } from '../observed.ts'
import type { Known, KnownLead } from './known.ts'

export type Result = { readonly status: string; readonly leadId?: string | null }
export type Item = { readonly phoneNumber: string; readonly externalId: string; readonly metadata?: object }

/** The external ids of the rows that are refused, or of those that may be stored. */
export function rowsOf({ answer, body, path }: Exchange, isRefused: boolean): readonly string[] {
  const items: readonly Item[] = body.leads ?? [body]
  const results: readonly Result[] = path.includes('?') ? (answer?.body?.data?.results ?? []) : []
  const isOut = answer !== null && answer.status >= 400 && answer.status < 500
  return items
    .filter((_, at) => (isOut || results[at]?.status === 'invalid') === isRefused)
    .map(({ externalId }) => externalId)
}

/** What is wrong with the result of a row. Only one that says no has metadata here. */
export function judgeRow(
  item: Item,
  { status, leadId }: Result,
  bulk: Exchange,
  known: Known,
): string | null {
  if ((item.metadata !== undefined) !== (status === 'invalid')) return `row ${item.externalId} is ${status}`
  if (known.restored.has(bulk.company)) return null
  const before = known.leads.find((lead) => isOf(lead, item, bulk, known))
  if (status === 'created') return before ? `lead ${before.externalId} is created again by a bulk` : null
  return status === 'skipped' && before !== undefined && before.leadId !== leadId
    ? `row ${item.externalId} is skipped for lead ${leadId}, and ${before.leadId} was there`
    : null
}

/** It was there before, for sure, and is. */
const isOf = (lead: KnownLead, { phoneNumber }: Item, { company, body, sentAt }: Exchange, { cast }: Known) =>
  lead.company === company &&
  cast.companies[company ?? 0]?.campaigns[lead.campaign]?.id === body.campaignId &&
  lead.phoneNumber === phoneNumber &&
  lead.erasedBy === null &&
  (lead.exchange.answeredAt ?? Number.POSITIVE_INFINITY) < sentAt
