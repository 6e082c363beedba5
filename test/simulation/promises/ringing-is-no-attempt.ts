// 8b. A call that the person makes counts as an attempt only where the agent says so, and is never one of which nobody
// knows how it ended.
import { phoneOf } from '../cast.ts'
import type { Promised } from './promise.ts'

export const ringingIsNoAttempt: Promised = {
  name: 'ringing is no attempt',

  onCall({ company, direction, countsAsAttempt, phone }, known) {
    // By any request: what several have written may be durable at once.
    const isAsked = known.exchanges.some(
      (one) =>
        one.operation === 'findCaller' &&
        one.company === company &&
        phoneOf(known.cast, one.body.from) === phone &&
        one.body.countsAsAttempt,
    )
    return direction === 'inbound' && countsAsAttempt && !isAsked
      ? `phone ${phone} rings, and that counts as an attempt`
      : null
  },

  onLook(_, company, known) {
    const lost = known.calls.find(
      (call) =>
        call.company === company &&
        call.direction === 'inbound' &&
        call.outcome === 'unknown' &&
        !known.erased.some((one) => one.company === company && one.phone === call.phone),
    )
    return lost === undefined ? null : `phone ${lost.phone} has rung, and its call is unknown`
  },
}
