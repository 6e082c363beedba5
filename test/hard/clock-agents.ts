// The agents of simulated days over HTTP: they claim whenever the clock runs, and what becomes of their calls is on the
// agenda.
import { parseCallId } from '../../src/queue/calling/call.ts'
import type { ClaimedCall } from '../../src/queue/calling/store/claim.ts'
import { type ReportedOutcome, settleGraceMs } from '../../src/queue/campaigns/outcomes.ts'
import { defaultSettings } from '../../src/queue/campaigns/settings.ts'
import { sendJson } from './client.ts'
import { createCalls, reportOf } from './clock-calls.ts'
import { capacityChecker } from './clock-checks.ts'
import type { Simulation } from './clock-state.ts'
import { campaignZones, fateOf, hash, hourMs, minuteMs } from './clock-world.ts'

const leaseMs = defaultSettings.leaseSeconds * 1000
const agentsOfCampaign = 12
const callsPerClaim = 20

type ApiCall = {
  readonly callId: string
  readonly attempt: number
  readonly dialBefore: string
  readonly lead: object
}
type Result = { readonly callId: string; readonly result: string }

export function createClockAgents(sim: Simulation, port: number, key: string) {
  const { db, consents, agenda, findings, counts } = sim
  const calls = createCalls(sim)
  const checkCapacity = capacityChecker(db, findings)
  const claiming = new Map<number, Promise<void>>()
  const claimedAtMs = campaignZones.map(() => 0)
  let turns = 0

  async function post<Data>(path: string, body: object): Promise<Data> {
    const { status, text } = await sendJson(port, key, 'POST', `/api/v1/calls/${path}`, body)
    if (status !== 200) throw new Error(`${path} answered ${status} ${text}`)
    return JSON.parse(text).data
  }

  return {
    /** One agent of each campaign claims, at most once a minute. */
    claim(nowMs: number): void {
      for (const campaign of campaignZones.keys()) {
        if (claiming.has(campaign) || nowMs < (claimedAtMs[campaign] ?? 0) + minuteMs) continue
        claimedAtMs[campaign] = nowMs
        const agent = campaign + campaignZones.length * (turns++ % agentsOfCampaign)
        claiming.set(
          campaign,
          work(agent, campaign).finally(() => claiming.delete(campaign)),
        )
      }
    },
    /** Until all have what they claim. */
    idle: () => Promise.all(claiming.values()),
  }

  async function work(agent: number, campaign: number): Promise<void> {
    const wanted = { campaignId: `campaign-${campaign}`, limit: callsPerClaim, agent: `agent ${agent}` }
    const { calls: found } = await post<{ calls: readonly ApiCall[] }>('claim', wanted)
    counts.claims++
    counts.calls += found.length
    const [first] = found
    if (first === undefined) return
    const nowMs = parseCallId(first.callId)?.claimedAtMs as number
    const claimed = found.map((call) => ({
      ...call,
      lead: JSON.stringify(call.lead),
      dialBeforeMs: Date.parse(call.dialBefore),
    })) as unknown as readonly ClaimedCall[]
    sim.lastCallMs = nowMs
    await checkCapacity(campaign, nowMs, claimed.length)
    await consents.check(claimed, campaign, nowMs)
    callAll(agent, campaign, claimed, nowMs)
  }

  function callAll(agent: number, campaign: number, claimed: readonly ClaimedCall[], nowMs: number): void {
    const takesMs = (hash(`${agent} ${nowMs}`) % 10 === 0 ? 14 : 2 + (nowMs % 6)) * minuteMs
    const kept: ClaimedCall[] = []
    const reports: (readonly [string, ReportedOutcome])[] = []
    for (const call of claimed) {
      const lead = calls.check(call, campaign, nowMs)
      const fate = fateOf(lead, call.attempt)
      if (!lead.wasReleased && hash(`${call.attempt} ${lead.phone} release`) % 50 === 0) {
        lead.wasReleased = true
        agenda.add(nowMs + minuteMs, () => giveBack(call.callId))
        continue
      }
      lead.isAppointment = fate.does !== 'crash' && fate.outcome === 'callback_requested'
      if (fate.does === 'report') {
        kept.push(call)
        reports.push([call.callId, fate.outcome])
      } else if (fate.does === 'crash') counts.crashed++
      else {
        const isStalled = fate.does === 'stall'
        const afterMs = isStalled
          ? leaseMs + settleGraceMs + (hash(call.callId) % 50) * minuteMs
          : 30 * hourMs
        const late = [[call.callId, fate.outcome]] as const
        agenda.add(nowMs + afterMs, (atMs) => report(late, atMs, isStalled ? 'recorded' : 'recorded_late'))
      }
    }
    if (takesMs > leaseMs) {
      agenda.add(nowMs + leaseMs / 4, (atMs) => consents.withdrawDuring(kept, atMs))
      agenda.add(nowMs + leaseMs / 2, () => extend(kept))
    }
    agenda.add(nowMs + takesMs, (atMs) => report(reports, atMs, null))
  }

  /** `late`: what becomes of calls whose lease has ended; null: they are reported in time. */
  async function report(
    done: readonly (readonly [string, ReportedOutcome])[],
    nowMs: number,
    late: 'recorded' | 'recorded_late' | null,
  ): Promise<void> {
    if (done.length === 0) return
    const sent = done.map(([callId, outcome]) => {
      const { callbackAtMs } = reportOf(callId, outcome, nowMs)
      return { callId, outcome, ...(callbackAtMs && { callbackAt: new Date(callbackAtMs).toISOString() }) }
    })
    const { results } = await post<{ results: readonly Result[] }>('report', { calls: sent })
    counts[late === null ? 'reports' : 'late'] += done.length
    for (const { result, callId } of results)
      if (result !== 'recorded' && result !== late) findings.add('report not recorded', `${result} ${callId}`)
  }

  async function giveBack(callId: string): Promise<void> {
    const { results } = await post<{ results: readonly Result[] }>('release', {
      calls: [{ callId, delaySeconds: 60 }],
    })
    counts.released++
    if (results[0]?.result !== 'recorded') findings.add('release not recorded', callId)
  }

  async function extend(kept: readonly ClaimedCall[]): Promise<void> {
    if (kept.length === 0) return
    const callIds = kept.map(({ callId }) => callId)
    const extended = await post<{ calls: readonly { callId: string; stop: string | null }[] }>('extend', {
      callIds,
    })
    counts.extended += callIds.length
    for (const { stop, callId } of extended.calls) {
      if (stop === 'lease_lost') findings.add('lease lost', callId)
      consents.checkStop(callId, stop)
    }
  }
}
