// 6a. The log has no gap, nor has it for a poller; what a receiver takes is signed, and of a lead in order.
import type { Known } from '../model/known.ts'
import { isEarly } from '../model/receivers.ts'
import type { Promised } from './promise.ts'

export const toldOnceInOrder: Promised = {
  name: 'told once, in order',

  onAnswer(exchange, known) {
    const { operation, who, company, answer } = exchange
    if (known.restored.has(company) || operation !== 'listEvents' || answer?.status !== 200) return null
    const pages = known.polled[company ?? 0] ?? []
    if (who === 'inspector') return judgePolled(pages, answer.body.data.events)
    if (who !== 'integrator') return null
    const after = new URL(exchange.path, 'https://sim.example').searchParams.get('after')
    const { events } = answer.body.data
    for (const { id } of events)
      if (after !== null && id <= after) return `event ${id} is told after ${after}`
    // The same place of the log holds the same events, whenever it is read.
    const before = pages.find((page) => page.events !== events && page.events[0]?.id === events[0]?.id)
    const isSame =
      before?.events.every(({ id }, at) => events[at] === undefined || events[at].id === id) ?? true
    return isSame ? null : `two pages of the log from event ${events[0]?.id} differ`
  },

  onLook({ events }, company, known) {
    if (known.restored.has(company)) return null
    const unsigned = known.delivered.find(({ isSigned }) => !isSigned)
    if (unsigned !== undefined) return `event ${unsigned.eventId} was sent without a valid signature`
    const numbers = known.cast.phones.flatMap(({ spellings }) => spellings.map((each) => each.slice(-7)))
    const telling = known.messages.find((text) => ['canary', ...numbers].some((each) => text.includes(each)))
    if (telling !== undefined) return `a chat is told of a person: ${telling}`
    const gap = events.find((number, at) => at > 0 && number !== (events[at - 1] ?? 0) + 1)
    if (gap !== undefined) return `the log has a gap before ${gap}`
    const polled = (known.polled[company] ?? []).flatMap((page) => page.events.map(({ id }) => numberOf(id)))
    const missed = events.find(
      (number) => number > Math.min(...polled) && number < Math.max(...polled) && !polled.includes(number),
    )
    if (missed !== undefined) return `who polls the log has not seen its entry ${missed}`
    const early = known.delivered.find((event) => isEarly(event, known))
    return early === undefined
      ? null
      : `event ${early.eventId} of lead ${early.leadId} comes after a later one`
  },
}

type Events = Known['polled'][number][number]['events']

/** Of all events, those that a poller has passed. */
function judgePolled(pages: Known['polled'][number], events: Events): string | null {
  const polled = pages.flatMap((page) => page.events.map(({ id }) => id)).sort()
  const missed = events.find(
    ({ id }) => id > (polled[0] ?? id) && id < (polled.at(-1) ?? id) && !polled.includes(id),
  )
  return missed === undefined ? null : `who polls the log has not seen event ${missed.id}`
}

const numberOf = (eventId: string) => Number.parseInt(eventId.slice(-11, -1), 16)
