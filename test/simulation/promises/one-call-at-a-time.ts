// 3a. A phone has one call at a time in a company, and never more in a day or a week, or sooner after the last, than
// its campaign allows; somebody who rings is not rung meanwhile, and counts for the gap alone. After a restore the
// settings are those of before.
import { settingsAt } from '../model/known.ts'
import type { Call } from '../observed.ts'
import type { Promised } from './promise.ts'

const hourMs = 3_600_000

export const oneCallAtATime: Promised = {
  name: 'one call at a time',

  onCall(call, known) {
    const { company, campaign, phone, claimedAtMs, claimedAt, isAppointment, direction } = call
    const others = known.calls.filter((one) => one !== call && one.company === company)
    const ofPhone = others.filter((one) => one.phone === phone)
    const isLeased = (one: Call) => (one.leaseExpiresAtMs ?? 0) > claimedAtMs + known.jumpedMs
    const isOpen = (one: Call) => one.outcome === null && isLeased(one)
    // The call of a lead that is erased goes on.
    const isCut = (one: Call) =>
      one.outcome === 'unknown' && (one.endedAtMs ?? 0) < (one.leaseExpiresAtMs ?? 0) && isLeased(one)
    if (ofPhone.some((one) => isOpen(one) || isCut(one))) return `phone ${phone} is called twice at once`
    if (direction === 'inbound') return null
    if (known.restored.has(company)) return null

    const { numberLimits } = settingsAt(known, company, campaign, claimedAt)
    const { minGapMinutes, per24Hours, per7Days } = numberLimits
    const slackMs = known.jumpedMs
    const isSince = (ms: number) => (one: Call) =>
      (one.outcome !== 'released' || one.direction === 'inbound') &&
      one.claimedAtMs > claimedAtMs - ms + slackMs
    const dialled = ofPhone.filter((one) => one.direction === 'outbound')
    const since = (ms: number) => dialled.filter(isSince(ms)).length
    if (per24Hours !== null && since(24 * hourMs) >= per24Hours)
      return `phone ${phone} is called more than ${per24Hours} times in a day`
    if (per7Days !== null && since(7 * 24 * hourMs) >= per7Days)
      return `phone ${phone} is called more than ${per7Days} times in a week`
    if (minGapMinutes !== null && !isAppointment && ofPhone.some(isSince(minGapMinutes * 60_000)))
      return `phone ${phone} is called again within ${minGapMinutes} minutes`
    return null
  },

  onLook(_, company, known) {
    for (const { callId, at, atMs } of known.rung) {
      const rung = known.calls.find((one) => one.callId === callId && one.company === company)
      const isOnThePhone = ({ company: of, phone, direction, claimedAt, endedAt, leaseExpiresAtMs }: Call) =>
        of === company &&
        phone === rung?.phone &&
        direction === 'inbound' &&
        claimedAt < at &&
        (endedAt ?? Number.POSITIVE_INFINITY) > at &&
        (leaseExpiresAtMs ?? 0) > atMs + known.jumpedMs
      if (rung !== undefined && known.calls.some(isOnThePhone))
        return `phone ${rung.phone} is rung while it is on the phone`
    }
    return null
  },
}
