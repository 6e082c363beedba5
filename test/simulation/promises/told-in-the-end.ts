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
  const events: readonly Event[] = answer?.body.data.events
  for (const { name, isChanged, exchange: made, company: of } of known.webhooks) {
    if (of !== company || made.body.format !== undefined || isChanged) continue
    if (known.goneReceivers.has(name)) continue
    const { types, campaignId } = made.body
    const isOfCampaign = ({ data }: Event) => campaignId === undefined || data.campaignId === campaignId
    const isWanted = (event: Event) =>
      (types?.includes(event.type) ?? true) && isOfCampaign(firstOf(event, events))
    const tried = known.tried.filter((one) => one.name === name)
    const unwanted = events.find((event) => !isWanted(event) && tried.some((one) => one.eventId === event.id))
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

/** Of the same entry: a report of a campaign may put a number on the list of the company. */
const firstOf = (event: Event, events: readonly Event[]): Event =>
  events.find(({ id }) => id === `${event.id.slice(0, -1)}0`) ?? event
