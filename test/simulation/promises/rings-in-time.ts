// 3e. A dialer sends no start after the end of the hours or of the lease for which its call was claimed; and none once
// its campaign is paused or closed, unless it has claimed the call a moment before.
import { type Known, settingsAt } from '../model/known.ts'
import { isOpen } from '../model/zones.ts'
import type { Call } from '../observed.ts'
import type { Promised } from './promise.ts'

/** As long is a claim fresh, after which nothing is looked at again. */
const freshMs = 2_000
const leaseMs = 600_000

export const ringsInTime: Promised = {
  name: 'rings in time',

  onLook(_, company, known) {
    if (known.restored.has(company)) return null
    for (const { callId, leftMs } of known.rung) {
      const call = known.calls.find((one) => one.callId === callId && one.company === company)
      if (call === undefined) continue
      const { phone, claimedAtMs, lane, isAppointment, campaign, claimedAt } = call
      const sentMs = leftMs - known.jumpedMs
      const settings = settingsAt(known, company, campaign, claimedAt)
      if (sentMs >= claimedAtMs && !isOpen(settings, lane, isAppointment, sentMs))
        return `phone ${phone} is rung after the end of the hours, for a call of ${new Date(claimedAtMs).toISOString()}`
      if (sentMs >= claimedAtMs + leaseMs) return `phone ${phone} is rung after the end of its lease`
      if (!mayBeRung(call, sentMs, known))
        return `phone ${phone} is rung long after its campaign was paused or closed`
    }
    return null
  },
}

/** By the settings of the last look. */
function mayBeRung({ company, campaign, lane, isAppointment }: Call, sentMs: number, known: Known): boolean {
  const fromMs = sentMs - freshMs - known.slowestMs
  const all = known.settings[company]?.[campaign] ?? []
  const inForce = all.filter(
    (one, at) => one.fromMs <= sentMs + known.jumpedMs && (all[at + 1]?.fromMs ?? sentMs) >= fromMs,
  )
  return inForce.some(
    ({ settings }) =>
      !settings.paused &&
      [fromMs, sentMs, sentMs + known.jumpedMs].some((ms) => isOpen(settings, lane, isAppointment, ms)),
  )
}
