// 6c. In the end each event of the log has reached each receiver that wants its type and campaign at least once, unless
// one of its events still waits, and no other receiver.
import type { Known } from '../model/known.ts'
import type { Exchange } from '../observed.ts'
import type { Promised } from './promise.ts'

export const toldInTheEnd: Promised = {
  name: 'told in the end',

  onAnswer(exchange, known) {
    if (exchange.who !== 'inspector' || exchange.answer?.status !== 200) return null
    return exchange.operation === 'listEvents' ? judgeDeliveries(exchange, known) : null
  },
}

type Event = {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: { readonly campaignId?: string | null }
}

function judgeDeliveries({ company, answer }: Exchange, known: Known): string | null {
  if (known.restored.has(company)) return null
  for (const { name, isChanged, exchange: made, company: of } of known.webhooks) {
    if (of !== company || made.body.format !== undefined || isChanged) continue
    if (known.goneReceivers.has(name)) continue
    const events: readonly Event[] = answer?.body.data.events
    const { types, campaignId } = made.body
    const isWanted = ({ type, data }: Event) =>
      (types?.includes(type) ?? true) && (campaignId === undefined || data.campaignId === campaignId)
    const tried = known.tried.filter((one) => one.name === name)
    // That a report of the campaign has put numbers on the list of the company, its webhooks are told.
    const unwanted = events.find(
      (event) =>
        !isWanted({ ...event, ...(event.type === 'suppression.added' && { data: { campaignId } }) }) &&
        tried.some((one) => one.eventId === event.id),
    )
    if (unwanted !== undefined) return `event ${unwanted.id} was sent to webhook ${name}, which wants others`
    const taken = new Set(tried.filter(({ isTaken }) => isTaken).map(({ eventId }) => eventId))
    // Others wait behind it.
    if (tried.some(({ eventId }) => !taken.has(eventId))) continue
    const missed = events.find(
      (event) =>
        isWanted(event) && Date.parse(event.timestamp) > made.sentMs + 60_000 && !taken.has(event.id),
    )
    if (missed !== undefined) return `event ${missed.id} was never sent to webhook ${name}`
  }
  return null
}
