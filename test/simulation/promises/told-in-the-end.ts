// 6c. In the end each event of the log has reached each receiver that wants its type at least once, unless one of its
// events still waits.
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

type Event = { readonly id: string; readonly type: string; readonly timestamp: string }

function judgeDeliveries({ company, answer }: Exchange, known: Known): string | null {
  if (known.restored.has(company)) return null
  for (const { name, isChanged, exchange: made, company: of } of known.webhooks) {
    if (of !== company || made.body.format !== undefined || isChanged) continue
    if (known.goneReceivers.has(name)) continue
    const tried = known.tried.filter((one) => one.name === name)
    const taken = new Set(tried.filter(({ isTaken }) => isTaken).map(({ eventId }) => eventId))
    // Others wait behind it.
    if (tried.some(({ eventId }) => !taken.has(eventId))) continue
    const events: readonly Event[] = answer?.body.data.events
    const missed = events.find(
      ({ id, type, timestamp }) =>
        (made.body.types?.includes(type) ?? true) &&
        Date.parse(timestamp) > made.sentMs + 60_000 &&
        !taken.has(id),
    )
    if (missed !== undefined) return `event ${missed.id} was never sent to webhook ${name}`
  }
  return null
}
