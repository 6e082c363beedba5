// The calls of simulated days after their claim: given back, extended, reported late; and that no claim gives one
// outside of hours.
import type { ClaimedCall } from '../../src/queue/calling/store/claim.ts'
import { extendCalls } from '../../src/queue/calling/store/extend.ts'
import { releaseCalls } from '../../src/queue/calling/store/release.ts'
import { reportCalls } from '../../src/queue/calling/store/report.ts'
import type { CallReport } from '../../src/queue/calling/store/sql/report-steps.ts'
import type { ReportedOutcome } from '../../src/queue/campaigns/outcomes.ts'
import { type CallingSettings, defaultSettings } from '../../src/queue/campaigns/settings.ts'
import { asKey } from '../support/access/actor.ts'
import { isOpenByTheClock } from '../unit/campaigns/calling-hours-judge.ts'
import type { Simulation } from './clock-state.ts'
import { campaignZones, hash, minuteMs, type SimLead } from './clock-world.ts'

export const reportOf = (callId: string, outcome: ReportedOutcome, nowMs: number): CallReport => ({
  callId,
  outcome,
  callbackAtMs: outcome === 'callback_requested' ? nowMs + (hash(callId) % (72 * 60)) * minuteMs : null,
  doNotCall: false,
  durationSeconds: null,
  providerCallId: null,
  details: null,
})

export function createCalls({ db, leads, consents, findings, counts }: Simulation) {
  return { check, giveBack, reportLate, extend }

  /** What no claim may do, whatever the tallies say. */
  function check(call: ClaimedCall, campaign: number, nowMs: number): SimLead {
    const { phoneNumber } = JSON.parse(call.lead) as { phoneNumber: string }
    const lead = leads.get(`${campaign} ${phoneNumber}`) as SimLead
    const settings: CallingSettings = defaultSettings
    const hours = lead.isAppointment ? settings.appointmentHours : settings.callingHours
    const closedDates = campaign === 0 ? ['2026-10-31'] : []
    const zone = lead.zone || (campaignZones[campaign] as string)
    for (const atMs of [nowMs, call.dialBeforeMs - 1])
      if (!isOpenByTheClock(zone, hours, closedDates, atMs))
        findings.add('called outside of hours', `${phoneNumber} ${zone} ${new Date(atMs).toISOString()}`)
    return lead
  }

  async function giveBack(callId: string, nowMs: number): Promise<void> {
    const outcome = await releaseCalls(db, asKey('key', nowMs), [{ callId, delaySeconds: 60 }])
    counts.released++
    if (outcome.kind !== 'released' || outcome.results[0]?.result !== 'recorded')
      findings.add('release not recorded', callId)
  }

  async function reportLate(callId: string, outcome: ReportedOutcome, isStalled: boolean, nowMs: number) {
    const answer = await reportCalls(db, asKey('key', nowMs), [reportOf(callId, outcome, nowMs)])
    const result = answer.kind === 'reported' ? answer.results[0]?.result : answer.kind
    counts.late++
    if (result !== 'recorded' && (isStalled || result !== 'recorded_late'))
      findings.add('late report not recorded', `${result} ${callId}`)
  }

  async function extend(calls: readonly ClaimedCall[], nowMs: number): Promise<void> {
    const callIds = calls.map(({ callId }) => callId)
    const wanted = { callIds, leaseSeconds: null, dialledAtMs: nowMs }
    const outcome = await extendCalls(db, asKey('key', nowMs), wanted)
    counts.extended += callIds.length
    if (outcome.kind !== 'extended') throw new Error(outcome.kind)
    for (const { stop, callId } of outcome.calls) {
      if (stop === 'lease_lost') findings.add('lease lost', callId)
      consents.checkStop(callId, stop)
    }
  }
}
