// The model: any sequence of what agents, CRMs, operators and the clock do, done to the database and to a naive
// scheduler (naive-scheduler.ts), a third of it with its answer lost on the way, and a
// fifth with its rings dropped. Agents wait beside all of it. After every step both must agree on
// every lead and call, and what must hold is asked of the tables in SQL. VITE_MODEL_RUNS sets how many sequences.

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { randomBase62 } from '../../../src/base/base62.ts'
import { collectNotices } from '../../../src/base/database/notices.ts'
import { readOutlook } from '../../../src/queue/calling/bell/store/outlook.ts'
import { beginClaim, type ClaimResult } from '../../../src/queue/calling/store/claim.ts'
import { hashesIn } from '../../support/access/actor.ts'
import { databaseThat } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { type Action, action } from './model-actions.ts'
import { acts, lease } from './model-acts.ts'
import { expectCounted, expectInvariants, expectSame } from './model-checks.ts'
import { campaignAt, pick, seedRun } from './model-run.ts'
import * as model from './naive-scheduler.ts'
import { createWaitingAgents, type Delivery } from './waiting-agents.ts'

const { VITE_MODEL_RUNS } = (import.meta as unknown as { env: Record<string, string> }).env
const runs = Number(VITE_MODEL_RUNS ?? 8)

/** Loses the answer of the first trip that follows, once it is committed. */
const losing = () => {
  let isLost = false
  return databaseThat(async (run) => {
    const answer = await run()
    if (isLost) return answer
    isLost = true
    throw new Error('D1_ERROR: Network connection lost.')
  }).DB
}

/** Does things to both, and lets time pass with the agents that wait. */
async function createRun() {
  const run = await seedRun()

  /** What the batches of an action ring for. */
  function collecting(db: D1Database) {
    const waiting = new Set<string>()
    const ringsOf = () => {
      const rings = [...waiting].map((text) => {
        const [, number, atMs = null] = JSON.parse(text) as [string, number, number | null]
        return { campaign: run.campaigns.findIndex(({ campaign }) => campaign.number === number), atMs }
      })
      waiting.clear()
      // The cron acts on other companies too.
      return rings.filter(({ campaign }) => campaign >= 0)
    }
    return { db: collectNotices(db, { waiting }), ringsOf }
  }

  /** As a request does that may wait (waiting-claim.ts): two tries, and what the first one rings for in between. */
  async function claimOrWait(campaign: number, maxCalls: number, delivery: Delivery, lossy: D1Database) {
    const { db, ringsOf } = collecting(lossy)
    const { campaignId, hashes } = {
      campaignId: campaignAt(run, campaign).campaign.id,
      hashes: hashesIn(run.first.companyId),
    }
    const keys = { requestKey: null, requestToken: randomBase62(11) }
    const origin = { ...run.first.asAgent(run.nowMs), campaignId, ...keys, hashes }
    const request = { maxCalls, leaseSeconds: null, agent: randomBase62(10) }
    const beginning = await beginClaim(db, origin, request, { mayWait: true })
    const expect1 = (result: ClaimResult, isPrepared: boolean) => {
      if (result.kind !== 'claimed') throw new Error(result.kind)
      if (!isPrepared) model.settle(run.state, campaign, run.nowMs)
      const expected = isPrepared ? model.claim(run.state, campaign, maxCalls, run.nowMs) : { leads: [] }
      const said = result.calls.map((call) => JSON.parse(call.lead).phoneNumber)
      expect(said).toEqual(expected.leads.map((lead) => lead.phone))
      lease(run, campaign, null, expected.leads, result.calls)
      return result
    }
    const one = expect1(beginning.result, !beginning.mustTryAgain)
    await agents.deliver(ringsOf(), delivery, run.nowMs)
    if (one.calls.length > 0 || one.reason === 'not_configured') return null
    const again = await beginning.tryAgain(run.nowMs)
    const two = expect1(again.result, true)
    await agents.deliver(ringsOf(), delivery, run.nowMs)
    return two.calls.length > 0 ? null : { nextMs: again.nextMs }
  }

  const agents = createWaitingAgents({
    claimOrWait: (campaign, maxCalls) => claimOrWait(campaign, maxCalls, 'rung', companyDb),
    claimAfter: (campaign, maxCalls) =>
      actAndRing({ do: 'claim', campaign, maxCalls, leaseSeconds: null, isKeyed: false }, companyDb, 'rung'),
    look: (campaign) => {
      const { companyId, number } = campaignAt(run, campaign).campaign
      return readOutlook(companyDb, { companyId, number }, run.nowMs)
    },
    canLease: (campaign) => model.claim(structuredClone(run.state), campaign, 1, run.nowMs).leads.length > 0,
  })

  /** Does what happens by itself until then. */
  async function passTo(thenMs: number): Promise<void> {
    for (let event = agents.nextEvent(thenMs); event !== null; event = agents.nextEvent(thenMs)) {
      run.nowMs = Math.max(run.nowMs, event.atMs)
      await event.run()
      expectNobodyLeft()
    }
    run.nowMs = thenMs
  }

  /** No lead that could be called is left while an agent waits. */
  const expectNobodyLeft = () => expect(agents.left(run.nowMs)).toEqual([])

  async function actAndRing(action: Action, lossy: D1Database, delivery: Delivery): Promise<void> {
    const { db, ringsOf } = collecting(lossy)
    await act(action, db)
    await agents.deliver(ringsOf(), delivery, run.nowMs)
  }

  async function act(action: Action, db: D1Database): Promise<void> {
    switch (action.do) {
      case 'await':
        return agents.begin(action.campaign, action.maxCalls, run.nowMs)
      case 'wait':
        return passTo(run.nowMs + action.ms)
      case 'waitFor': {
        const momentOf = {
          due: (lead: model.ModelLead) => lead.dueAtMs,
          lease: (lead: model.ModelLead) => lead.leaseExpiresAtMs,
          opening: (lead: model.ModelLead) => model.nextOpeningMs(run.state, lead, run.nowMs),
        }[action.what]
        const moments = run.state.leads.flatMap((lead) => momentOf(lead) ?? [])
        return passTo(Math.max(run.nowMs, (pick(moments, action.which) ?? 0) + action.plusMs))
      }
      default:
        return acts[action.do](run, action as never, db)
    }
  }

  return { run, actAndRing, expectNobodyLeft }
}

it(
  'Whatever is done, and whichever answers are lost, the database is as a naive scheduler has it, and breaks no invariant',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 20, maxLength: 60, size: 'max' }), async (actions) => {
        const { run, actAndRing, expectNobodyLeft } = await createRun()
        for (const each of actions) {
          await actAndRing(each, each.isLost ? losing() : companyDb, each.delivery)
          expectNobodyLeft()
          await expectSame(run)
          await expectCounted(run)
          await expectInvariants(run)
        }
      }),
      { numRuns: runs, interruptAfterTimeLimit: runs * 5_000 },
    )
  },
  runs * 20_000,
)
