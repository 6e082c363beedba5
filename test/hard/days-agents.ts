// The agents of simulated days: each claims, calls as the fates of its leads say, reports, and claims again.
import { randomBase62 } from '../../src/base/base62.ts'
import { beginClaim, type ClaimedCall, type ClaimResult } from '../../src/queue/calling/store/claim.ts'
import { reportAndClaim } from '../../src/queue/calling/store/report.ts'
import type { CallReport } from '../../src/queue/calling/store/sql/report-steps.ts'
import { type ReportedOutcome, settleGraceMs } from '../../src/queue/campaigns/outcomes.ts'
import { defaultSettings } from '../../src/queue/campaigns/settings.ts'
import { noHashes } from '../support/access/actor.ts'
import { createBells } from './days-bells.ts'
import { createCalls, reportOf } from './days-calls.ts'
import { capacityChecker } from './days-checks.ts'
import type { Simulation } from './days-state.ts'
import { access, beginsAtMs, campaignZones, fateOf, hash, hourMs, longestMs, minuteMs } from './days-world.ts'

const callsPerClaim = 20
const leaseMs = defaultSettings.leaseSeconds * 1000

type Origin = Parameters<typeof beginClaim>[1]
type Request = Parameters<typeof beginClaim>[2]

/** `work`: one round of an agent, and all that follow from it. */
export function createAgents(sim: Simulation) {
  const { db, plain, campaigns, consents, agenda, findings, counts } = sim
  const bells = createBells(sim, (agent, atMs) => work(agent, atMs, []))
  const calls = createCalls(sim)
  const checkCapacity = capacityChecker(plain, findings)
  return { work, bells }

  /** One round of an agent: reports what it has called, and claims more. */
  async function work(agent: number, nowMs: number, done: readonly CallReport[]): Promise<void> {
    const campaign = agent % campaignZones.length
    const origin = {
      ...access(nowMs, campaign),
      requestKey: null,
      requestToken: randomBase62(11),
      hashes: noHashes,
    }
    const request = { maxCalls: callsPerClaim, leaseSeconds: null, agent: `agent ${agent}` }
    let claim: ClaimResult
    let nextMs: number | null = null
    if (done.length === 0) ({ claim, nextMs } = await claimOrWait(origin, request, campaign, nowMs))
    else {
      const outcome = await reportAndClaim(db, done, origin, request)
      if (outcome.kind !== 'reported') throw new Error(outcome.kind)
      counts.reports += done.length
      for (const { result, callId } of outcome.results)
        if (result !== 'recorded') findings.add('report not recorded', `${result} ${callId}`)
      claim = outcome.claim
    }
    if (claim.kind !== 'claimed') throw new Error(claim.kind)
    counts.claims++
    counts.calls += claim.calls.length
    await checkCapacity(campaign, nowMs, claim.calls.length)
    await consents.check(claim.calls, campaign, nowMs)
    if (claim.calls.length === 0) {
      counts.empty++
      if (claim.reason === 'at_capacity') counts.atCapacity++
      // A report's claim does not wait.
      if (done.length > 0) agenda.add(nowMs + 1_000, (atMs) => work(agent, atMs, []))
      else bells.wait(agent, campaign, nextMs, nowMs)
      return
    }
    sim.lastCallMs = nowMs
    callAll(agent, campaign, claim.calls, nowMs)
  }

  /** Most rounds end within the lease; some go on for longer, and extend it. */
  function callAll(agent: number, campaign: number, claimed: readonly ClaimedCall[], nowMs: number): void {
    const own = claimed.map((call) => ({ call, lead: calls.check(call, campaign, nowMs) }))
    const takesMs = (hash(`${agent} ${nowMs}`) % 10 === 0 ? 14 : 2 + (nowMs % 6)) * minuteMs
    const kept: ClaimedCall[] = []
    const reports: (readonly [string, ReportedOutcome])[] = []
    for (const { call, lead } of own) {
      const fate = fateOf(lead, call.attempt)
      if (!lead.wasReleased && hash(`${call.attempt} ${lead.phone} release`) % 50 === 0) {
        lead.wasReleased = true
        agenda.add(nowMs + minuteMs, (atMs) => calls.giveBack(call.callId, atMs))
        continue
      }
      lead.isAppointment = fate.does !== 'crash' && fate.outcome === 'callback_requested'
      if (fate.does === 'report') {
        kept.push(call)
        reports.push([call.callId, fate.outcome])
      } else if (fate.does === 'crash') counts.crashed++
      else {
        // Settled as unknown by then; stalled reports still come before the next attempt.
        const afterMs =
          fate.does === 'stall' ? leaseMs + settleGraceMs + (hash(call.callId) % 50) * minuteMs : 30 * hourMs
        agenda.add(nowMs + afterMs, (atMs) =>
          calls.reportLate(call.callId, fate.outcome, fate.does === 'stall', atMs),
        )
      }
    }
    if (takesMs > leaseMs) {
      agenda.add(nowMs + leaseMs / 4, (atMs) => consents.withdrawDuring(kept, atMs))
      agenda.add(nowMs + leaseMs / 2, (atMs) => calls.extend(kept, atMs))
    }
    agenda.add(nowMs + takesMs, (atMs) =>
      work(
        agent,
        atMs,
        reports.map(([id, outcome]) => reportOf(id, outcome, atMs)),
      ),
    )
  }

  /** Claims twice, as a request does that may wait (waiting-claim.ts). */
  async function claimOrWait(
    origin: Origin,
    request: Request,
    campaign: number,
    nowMs: number,
  ): Promise<{ claim: ClaimResult; nextMs: number | null }> {
    const first = await beginClaim(db, origin, request, { mayWait: true })
    if (first.result.kind !== 'claimed' || first.result.calls.length > 0)
      return { claim: first.result, nextMs: null }
    bells.deliver(nowMs)
    // A wait that goes on for days is one of 25 s again and again: what they note stays noted.
    await plain
      .prepare('update calling_settings set waited_for_until_ms = ?2 where campaign_number = ?1')
      .bind(campaigns[campaign]?.number, beginsAtMs + 2 * longestMs)
      .run()
    const { result, nextMs } = await first.tryAgain(nowMs)
    return { claim: result, nextMs }
  }
}
