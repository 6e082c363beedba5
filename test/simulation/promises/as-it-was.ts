// 4b. A call is what was reported of it, and nothing else; a lead has as many attempts as it was called, and leads are
// counted by their status. A restore takes back what it counts.
import type { Known } from '../model/known.ts'
import type { Call } from '../observed.ts'
import type { Promised } from './promise.ts'

export const asItWas: Promised = {
  name: 'as it was',

  onLook({ leads, counts }, company, known) {
    const ofCompany = known.calls.filter((call) => call.company === company)
    const cut = ofCompany.find(({ leaseLostMs }) => leaseLostMs > known.jumpedMs)
    if (cut !== undefined) return `call ${cut.callId} has lost ${cut.leaseLostMs} ms of its lease`
    for (const { callId, outcome, result } of known.reports) {
      const call = ofCompany.find((one) => one.callId === callId)
      const isRecorded = result === 'recorded' || result === 'recorded_late'
      if (isRecorded && call !== undefined && call.outcome !== outcome && !isTakenBack(call, known))
        return `call ${callId} was reported as ${outcome}, and is ${call.outcome}`
    }
    const ended = ofCompany.find((call) => isMadeUp(call, known))
    if (ended !== undefined) return `call ${ended.callId} is ${ended.outcome}, which nobody has reported`
    if (known.restored.has(company)) return null
    for (const { seq, attempts, erasedAtMs } of leads) {
      const made = ofCompany.filter(
        (call) => call.seq === seq && call.outcome !== 'released' && call.countsAsAttempt,
      ).length
      if (erasedAtMs === null && made !== attempts)
        return `a lead was called ${made} times, and has ${attempts} attempts`
    }
    for (const { campaign, ...ofStatus } of counts)
      for (const [status, count] of Object.entries(ofStatus)) {
        const there = leads.filter((lead) => lead.campaign === campaign && lead.status === status)
        const isLeft = there.filter(({ erasedAtMs }) => erasedAtMs === null).length
        if (isLeft !== count) return `${isLeft} leads of ${campaign} are ${status}, and ${count} are counted`
      }
    return null
  },
}

/** A restore keeps the outcomes of calls, but for those of a person who was erased. */
const isTakenBack = ({ company, phone }: Call, { restored, erased }: Known): boolean =>
  restored.has(company) && erased.some((one) => one.company === company && one.phone === phone)

/** An agent has called, and nobody has sent this outcome. */
function isMadeUp({ callId, outcome, exchange }: Call, known: Known): boolean {
  if (exchange === null || outcome === null || outcome === 'unknown' || outcome === 'released') return false
  const isIt = (one: { readonly callId: string; readonly outcome: string }) =>
    one.callId === callId && one.outcome === outcome
  return !known.exchanges.some(({ operation, body }) => operation === 'reportCalls' && body.calls.some(isIt))
}
