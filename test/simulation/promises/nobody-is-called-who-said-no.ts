// 2. After a no was answered, no call of its scope begins and no dialer rings, in whatever spelling, until a person
// lifts it. Where a gate is set, no call begins after its no, and with `hold` none without its fresh yes.
import { lackOf } from '../model/gates.ts'
import { covers, isLifted } from '../model/known.ts'
import type { Promised } from './promise.ts'

/**
 * A start may be on its way that was checked before: by two answers that are late, where anything may overtake
 * anything.
 */
const onItsWayMs = 30_000

export const nobodyIsCalledWhoSaidNo: Promised = {
  name: 'nobody is called who said no',

  onCall(call, known) {
    const { company, campaign, phone, claimedAt, direction } = call
    if (direction === 'inbound') return null
    const lack = lackOf(call, known)
    if (lack !== null) return lack
    const said = known.noes.find(
      (no) =>
        covers(no, company, campaign, phone) &&
        (no.exchange.answeredAt ?? Number.POSITIVE_INFINITY) < claimedAt &&
        !isLifted(known, no, claimedAt),
    )
    if (said === undefined) return null
    return `phone ${phone} is called after its no by ${said.exchange.operation} was answered`
  },

  onLook(_, of, known) {
    for (const { callId, at, atMs } of known.rung) {
      const call = known.calls.find((one) => one.callId === callId && one.company === of)
      if (call === undefined) continue
      const said = known.noes.find(
        (no) =>
          covers(no, of, call.campaign, call.phone) &&
          (no.exchange.answeredAt ?? Number.POSITIVE_INFINITY) < at &&
          (no.exchange.commits.at(-1)?.atMs ?? no.exchange.sentMs) < atMs - onItsWayMs &&
          !isLifted(known, no, at),
      )
      if (said !== undefined) return `phone ${call.phone} is rung after its no was answered`
    }
    return null
  },
}
