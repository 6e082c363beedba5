// 6d. From the first reading of a company's log on, leads that are created, erased or called again, ends of calls and
// noes have their events. A restore takes its log back.
import { endedAt, type Known } from '../model/known.ts'
import type { Call, Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

type Event = {
  readonly type: string
  readonly timestamp: string
  // biome-ignore lint/suspicious/noExplicitAny: of each type its own
  readonly data: any
}

type Times = { readonly since: number; readonly until: number }

export const whatHappensIsTold: Promised = {
  name: 'what happens is told',

  onAnswer({ who, operation, company, answer, sentAt }, known) {
    if (who !== 'inspector' || operation !== 'listEvents' || answer?.status !== 200) return null
    // The last page is empty: then the log was read to its end.
    if (known.restored.has(company) || answer.body.data.events.length > 0) return null
    const ofCompany = known.exchanges.filter((one) => one.company === company && endedAt(one) <= sentAt)
    const events: Event[] = ofCompany
      .filter((one) => one.who === 'inspector' && one.operation === 'listEvents')
      .flatMap((one) => one.answer?.body?.data?.events ?? [])
    const reads = ofCompany.filter((one) => /^(?:listEvents|createWebhook)$/.test(one.operation))
    const since = Math.min(...reads.filter((one) => (one.answer?.status ?? 500) < 300).map(endedAt))
    const untold = untoldOf(ofCompany, { since, until: sentAt }, events, known)
    return untold === null ? null : `the log does not tell ${untold}`
  },
}

function untoldOf(
  exchanges: readonly Exchange[],
  { since, until }: Times,
  events: readonly Event[],
  known: Known,
) {
  const company = exchanges[0]?.company
  const has = (type: string, is: (data: Event['data'], event: Event) => boolean) =>
    events.some((event) => event.type === type && is(event.data, event))
  // Whatever was sent again: the first of them may have done it.
  const isSince = ({ action }: Exchange) =>
    exchanges.every((one) => one.action !== action || one.sentAt > since)
  const isErased = ({ phone }: Call) =>
    known.erased.some((one) => one.company === company && one.phone === phone)

  for (const { leadId, exchange, erasedBy, ...lead } of known.leads) {
    if (lead.company !== company || !isSince(exchange)) continue
    if (erasedBy === null && !has('leads.created', ({ leadIds }) => leadIds.includes(leadId)))
      return `that lead ${leadId} was created`
  }
  for (const call of known.calls) {
    if (
      call.company !== company ||
      !((call.endedAt ?? 0) > since && (call.endedAt ?? 0) < until) ||
      isErased(call)
    )
      continue
    const ends = events.filter(({ type, data }) => endTypes.has(type) && data.callId === call.callId)
    if (ends.at(-1)?.data.outcome !== call.outcome)
      return `how call ${call.callId} has ended: ${call.outcome}`
  }
  for (const exchange of exchanges.filter((one) => isSince(one) && one.answer?.status === 200)) {
    const { operation, path, answer, sentMs, answeredMs, body } = exchange
    const isMeanwhile = (_: unknown, { timestamp }: Event) =>
      known.jumpedMs > 0 || (Date.parse(timestamp) >= sentMs && Date.parse(timestamp) <= (answeredMs ?? 0))
    const { added, lifted } = answer?.body.data ?? {}
    const ofScope = (data: Event['data'], event: Event) =>
      data.campaignId === (body?.campaignId ?? null) && isMeanwhile(data, event)
    if (operation === 'suppressNumbers' && added > 0 && !has('suppression.added', ofScope)) return 'a no'
    // What gates have said is lifted without a body.
    if (operation === 'liftSuppressions' && body != null && lifted > 0 && !has('suppression.lifted', ofScope))
      return 'that a no was lifted'
    if (operation === 'eraseLead' && !has('lead.erased', ({ leadId }) => path.endsWith(leadId)))
      return `that a lead was erased: ${path}`
  }
  return null
}

const endTypes = new Set(['call.reported', 'call.expired', 'call.released'])
