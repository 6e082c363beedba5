// 6. The log has no gap for whoever polls it, and what a receiver takes is signed. After an erasure nothing of the lead is in a
// table of its company.
import type { Promised } from './promise.ts'

export const toldOnceInOrder: Promised = {
  name: 'told once, in order',

  onAnswer(exchange, known) {
    const { operation, who, company, answer } = exchange
    if (operation !== 'listEvents' || who !== 'integrator' || answer?.status !== 200) return null
    const pages = known.polled[company ?? 0] ?? []
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

  onLook({ leads, canaries }, company, known) {
    const unsigned = known.delivered.find(({ isSigned }) => !isSigned)
    if (unsigned !== undefined) return `event ${unsigned.eventId} was sent without a valid signature`
    for (const lead of known.leads) {
      if (lead.company !== company || lead.erasedBy?.answer?.status !== 200) continue
      // One that came meanwhile may have stayed.
      if (lead.exchange.answeredAt === null || lead.exchange.answeredAt > lead.erasedBy.sentAt) continue
      const isThere = leads.some((row) => row.externalId === lead.externalId)
      if (isThere || canaries.some((text) => text.includes(`"${lead.externalId}"`)))
        return `lead ${lead.externalId} was erased, and is still in a table`
    }
    return null
  },
}
