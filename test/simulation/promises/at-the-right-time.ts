// 3b. Nobody is called outside the hours of the campaign, while it is paused, or before the time for which the lead is
// scheduled. After a restore the settings are those of before.
import { type Known, settingsAt } from '../model/known.ts'
import { isOpen } from '../model/zones.ts'
import type { Call } from '../observed.ts'
import type { Promised } from './promise.ts'

export const atTheRightTime: Promised = {
  name: 'at the right time',

  onCall(call, known) {
    const { company, campaign, phone, claimedAtMs, claimedAt, isAppointment, lane, direction } = call
    const { scheduledAtMs } = call
    if (direction === 'inbound') return null
    if (known.restored.has(company)) return null
    const settings = settingsAt(known, company, campaign, claimedAt)
    if (settings.paused) return `phone ${phone} is called while campaign ${campaign} is paused`
    if (!isOpen(settings, lane, isAppointment, claimedAtMs))
      return `phone ${phone} is called outside of hours`
    if (scheduledAtMs !== null && scheduledAtMs > claimedAtMs && !hasAgreed(call, known))
      return `phone ${phone} is called before its time`
    return judgeCallback(call, known)
  },
}

/** Whoever is on the phone before the time for which the lead is scheduled may agree to an earlier one. */
const hasAgreed = ({ company, seq, claimedAtMs }: Call, { calls, exchanges }: Known): boolean => {
  const own = calls.filter((one) => one.company === company && one.seq === seq)
  type Sent = { readonly callId: string; readonly callbackAt?: string }
  return exchanges.some(
    ({ operation, body }) =>
      operation === 'reportCalls' &&
      body.calls.some(
        ({ callId, callbackAt }: Sent) =>
          Date.parse(callbackAt ?? '') <= claimedAtMs && own.some((one) => one.callId === callId),
      ),
  )
}

/** Of the last call of the lead, unless somebody has given it another time since. */
function judgeCallback({ company, seq, phone, claimedAtMs, claimedAt, callId }: Call, known: Known) {
  const last = known.calls.findLast(
    (one) => one.company === company && one.seq === seq && one.callId !== callId,
  )
  const report = known.reports.find((one) => one.callId === last?.callId && one.result === 'recorded')
  if (report === undefined || (report.exchange.answeredAt ?? claimedAt) >= claimedAt) return null
  const { callbackAt } = report.exchange.body.calls.find(
    (one: { callId: string }) => one.callId === last?.callId,
  )
  const moves = ['changeLead', 'requeueLead', 'requeueSelection', 'requeueLeads']
  const isMoved = known.exchanges.some((one) => one.company === company && moves.includes(one.operation))
  // Who has said no has agreed to nothing any more: a lead that was never called comes back as it came in.
  const isLifted = known.lifts.some((one) => one.company === company && one.phone === phone)
  return !isMoved && !isLifted && Date.parse(callbackAt ?? 0) > claimedAtMs
    ? `phone ${phone} is called before ${callbackAt}, as was agreed in its call`
    : null
}
