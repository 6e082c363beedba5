// 2. After a no was answered, no call of its scope begins and no dialer rings, in whatever spelling, until a person
// lifts it. Where a gate is set, no call begins after its no, and with `hold` none without its fresh yes.
import { lackOf } from '../model/gates.ts'
import { covers, isLifted, withdrawalOf } from '../model/known.ts'
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

  onAnswer({ operation, answer, company, sentAt }, known) {
    if (operation !== 'extendCalls' || answer?.status !== 200) return null
    for (const { callId, stop, leaseExpiresAt } of answer.body.data.calls) {
      const call = known.calls.find((one) => one.callId === callId)
      if (call === undefined || call.direction === 'inbound' || stop !== null || leaseExpiresAt === null)
        continue
      const said = known.noes.find(
        (no) =>
          covers(no, company as number, call.campaign, call.phone) &&
          (no.exchange.answeredAt ?? Number.POSITIVE_INFINITY) < sentAt &&
          !isLifted(known, no),
      )
      if (said !== undefined)
        return `the lease of phone ${call.phone} is extended after its no, and not told to stop`
      const { consent, phone } = call
      if (consent !== null && withdrawalOf(known, company as number, phone, consent.givenAtMs, sentAt))
        return `the lease of phone ${phone} is extended after its consent was withdrawn, and not told to stop`
    }
    return null
  },

  /** A no in a call of a dialer: its provider has told it. */
  atEnd({ suppressions }, company, _, known) {
    for (const { callId, saidNoAt } of known.rung) {
      const call = known.calls.find((one) => one.callId === callId && one.company === company)
      if (call === undefined || saidNoAt === null) continue
      const isOfPhone = (one: { readonly company: number; readonly phone: number }) =>
        one.company === company && one.phone === call.phone
      const isLifted = known.lifts.some(isOfPhone) || known.erased.some(isOfPhone)
      const numbers = known.cast.phones[call.phone]?.spellings ?? []
      const isListed = suppressions.some(
        ({ phoneNumber, campaign }) => campaign === null && numbers.includes(phoneNumber),
      )
      if (!isListed && !isLifted) return `phone ${call.phone} has said no to a dialer, and is not suppressed`
    }
    return null
  },
}
