// Agents that claim leads and never report them: they are blocked before they use up the attempts of every lead.
import { afterAll, describe, expect, it } from 'vitest'
import { randomBase62 } from '../../../src/base/base62.ts'
import { readCampaign } from '../../../src/queue/calling/store/campaign-overview.ts'
import { reportAndClaim } from '../../../src/queue/calling/store/report.ts'
import { hashesIn } from '../../support/access/actor.ts'
import {
  type CallingWorld,
  dayMs,
  fillQueue,
  hourMs,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
  settleEverything,
} from '../../support/calling/calling.ts'
import { databaseThat, watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'

const leaseMs = 60_000
const blockMs = 10 * minuteMs
const graceMs = 2_000
const settings = {
  ...openSettings,
  leaseSeconds: leaseMs / 1000,
  maxAttempts: 50,
  numberLimits: { minGapMinutes: null, per24Hours: null, per7Days: null },
}

async function seedQueue(leads = 200) {
  const world = await seedCallingWorld(settings)
  await fillQueue(world.campaign, leads)
  return world
}

/** So many claims of an agent, a second apart; the calls of each. */
async function claimTimes(
  world: CallingWorld,
  times: number,
  maxCalls: number,
  agent: string | null = 'seat 7',
) {
  const calls: string[][] = []
  for (let i = 0; i < times; i++) {
    const claimed = await world.claim(noonMs + 1000 * i, { maxCalls, agent })
    calls.push(claimed.calls.map(({ callId }) => callId))
  }
  return calls
}

/** Leaves no leases behind for those who settle after this. */
afterAll(() => settleEverything(noonMs + dayMs))

/** When all of these have ended and can be settled. */
const endedMs = noonMs + 10_000 + leaseMs + graceMs

const claimedBy = async (
  world: CallingWorld,
  nowMs: number,
  agent: string | null = 'seat 7',
  maxCalls = 10,
) => {
  const { calls, reason, retryAfterSeconds } = await world.claim(nowMs, { maxCalls, agent })
  return [calls.length, reason, retryAfterSeconds]
}

const rowsOf = async ({ campaign }: CallingWorld) =>
  (
    await companyDb
      .prepare(
        `select name, unknown_in_a_row as unknown, claims_in_a_row as claims, blocked_until_ms as untilMs from agents
       where campaign_number = ?1 order by name`,
      )
      .bind(campaign.number)
      .all()
  ).results

const failuresLogged = async ({ companyId }: CallingWorld) =>
  (
    await companyDb
      .prepare(
        `select actor, campaign_number, data from events where company_id = ?1 and type = 'agent.failing'
          order by number`,
      )
      .bind(companyId)
      .all()
  ).results

/** Blocked at `endedMs`. */
async function seedBlocked() {
  const world = await seedQueue()
  const calls = await claimTimes(world, 5, 4)
  await settleEverything(endedMs)
  return { world, calls }
}

it.each([
  [4, 30],
  [5, 3],
  [19, 1],
])(
  'An agent whose leases end without a report is not blocked after %i claims of %i',
  async (times, maxCalls) => {
    const world = await seedQueue()
    for (let i = 0; i < times; i++) await world.claim(noonMs + i, { maxCalls, agent: 'seat 7' })
    await settleEverything(endedMs)
    expect(await claimedBy(world, endedMs)).toEqual([10, null, null])
    expect(await failuresLogged(world)).toEqual([])
  },
)

it('An agent whose leases end without a report is counted over many settlings, each claim once', async () => {
  const world = await seedQueue(600)
  await claimTimes(world, 4, 100)
  // Each of these settles 200.
  await world.claim(endedMs, { agent: 'other' })
  expect(await rowsOf(world)).toMatchObject([{ unknown: 200, claims: 2 }])
  await world.claim(endedMs, { agent: 'other' })
  expect(await rowsOf(world)).toMatchObject([{ unknown: 400, claims: 4, untilMs: null }])
  await world.claim(endedMs, { agent: 'seat 7' })
  await settleEverything(endedMs + leaseMs + graceMs)
  expect(await rowsOf(world)).toMatchObject([
    { name: 'other', unknown: 2, claims: 2, untilMs: null },
    { name: 'seat 7', unknown: 401, claims: 5, untilMs: endedMs + leaseMs + graceMs + blockMs },
  ])
})

it('An agent whose leases end without a report is not the same in another campaign', async () => {
  const { world } = await seedBlocked()
  const other = await world.another()
  await fillQueue(other.campaign, 20, { phone: "'+1' || (3000000000 + i)" })
  expect((await other.claim(endedMs, { maxCalls: 7, agent: 'seat 7' })).calls).toHaveLength(7)
})

it('An agent whose leases end without a report goes by its key when it gives no name', async () => {
  const world = await seedQueue()
  await claimTimes(world, 5, 4, null)
  expect(await claimedBy(world, endedMs, null)).toEqual([0, 'agent_failing', 600])
  expect(await rowsOf(world)).toMatchObject([{ name: `key:${world.agentKeyId}` }])
  expect(await claimedBy(world, endedMs, 'seat 7')).toEqual([10, null, null])
})

it('An agent whose leases end without a report is not counted when a Worker that stored no key has claimed', async () => {
  const world = await seedQueue()
  await claimTimes(world, 5, 4, null)
  await companyDb.prepare('update calls set key_id = null where company_id = ?1').bind(world.companyId).run()
  await settleEverything(endedMs)
  expect(await rowsOf(world)).toEqual([])
})

it('An agent whose leases end without a report gets the reason paused, which concerns everybody, before its block', async () => {
  const { world } = await seedBlocked()
  await world.change({ paused: true })
  expect(await claimedBy(world, endedMs)).toEqual([0, 'paused', 30])
})

it('An agent whose leases end without a report still gets the calls of a claim that it sends again', async () => {
  const world = await seedQueue()
  const key = { requestKey: randomBase62(20), requestToken: randomBase62(11) }
  await world.tryClaim(noonMs, { maxCalls: 2, agent: 'seat 7', leaseSeconds: 600 }, companyDb, key)
  await claimTimes(world, 5, 4)
  await settleEverything(endedMs)
  expect(await world.tryClaim(endedMs, { maxCalls: 2, agent: 'seat 7' }, companyDb, key)).toMatchObject({
    isReplay: true,
    calls: [{}, {}],
  })
})

it('An agent whose leases end without a report does not use up the leads of a campaign, however long it continues', async () => {
  const world = await seedCallingWorld({
    ...settings,
    maxAttempts: 3,
    outcomes: { unknown: { minutes: 1 } },
  })
  await fillQueue(world.campaign, 300)
  for (let atMs = noonMs; atMs < noonMs + 5 * hourMs; atMs += 2 * minuteMs)
    await world.claim(atMs, { maxCalls: 30, agent: 'seat 7' })
  const row = await companyDb
    .prepare(
      `select sum(attempts) as attempts, sum(status = 'exhausted') as exhausted from leads where campaign_number = ?1`,
    )
    .bind(world.campaign.number)
    .first<{ attempts: number; exhausted: number }>()
  expect(row?.attempts).toBeLessThan(5 * 30 + 60 + 30)
  expect(row?.exhausted).toBe(0)
})

it.each<[string, (world: CallingWorld, callId: string, nowMs: number) => Promise<unknown>]>([
  ['a report', (world, callId, nowMs) => world.report(nowMs, [{ callId, outcome: 'busy' }])],
  ['a release', (world, callId, nowMs) => world.release(nowMs, [{ callId, delaySeconds: 0 }])],
  ['an extension', (world, callId, nowMs) => world.extend(nowMs, [callId])],
])('What an agent does with one of its calls clears it: %s, late or in time', async (_, act) => {
  const late = await seedBlocked()
  await act(late.world, late.calls[0]?.[0] as string, endedMs)
  expect(await rowsOf(late.world)).toEqual([])
  expect(await claimedBy(late.world, endedMs)).toEqual([10, null, null])

  const world = await seedQueue()
  await claimTimes(world, 4, 4)
  await settleEverything(endedMs)
  expect(await rowsOf(world)).toMatchObject([{ unknown: 16, claims: 4 }])
  const { calls } = await world.claim(endedMs, { maxCalls: 5, agent: 'seat 7' })
  await act(world, calls[0]?.callId as string, endedMs + 1)
  await settleEverything(endedMs + 2 * leaseMs)
  expect(await rowsOf(world)).toMatchObject([{ claims: 1, untilMs: null }])
})

it('An agent that reports, releases or extends a call clears its own count alone, and none when it is refused', async () => {
  const { world } = await seedBlocked()
  const { calls } = await world.claim(endedMs, { agent: 'seat 8' })
  await world.report(endedMs, [{ callId: calls[0]?.callId as string, outcome: 'busy' }])
  const stranger = await seedQueue()
  await stranger.extend(endedMs, [calls[0]?.callId as string])
  expect(await rowsOf(world)).toHaveLength(1)
})

it('What an agent does with one of its calls in a report with a claim also clears what that claim settles', async () => {
  const world = await seedQueue()
  const calls = await claimTimes(world, 6, 4)
  const report = {
    callId: calls[0]?.[0] as string,
    outcome: 'busy' as const,
    callbackAtMs: null,
    doNotCall: false,
    durationSeconds: null,
    providerCallId: null,
    details: null,
  }
  const origin = {
    ...world.access(world.agentKeyId, endedMs),
    requestKey: null,
    requestToken: randomBase62(11),
    hashes: hashesIn(world.companyId),
  }
  const claim = { maxCalls: 3, leaseSeconds: null, agent: 'seat 7' }
  expect(await reportAndClaim(companyDb, [report], origin, claim)).toMatchObject({
    results: [{ result: 'recorded' }],
    claim: { calls: [{}, {}, {}] },
  })
  expect(await rowsOf(world)).toEqual([])
})

it('What an agent does with one of its calls costs a seek while nothing is counted against anybody', async () => {
  const world = await seedQueue()
  const { calls } = await world.claim(noonMs, { maxCalls: 100 })
  const { DB, trips } = watchedDatabase()
  await world.report(
    noonMs,
    calls.map(({ callId }) => ({ callId, outcome: 'busy' as const })),
    DB,
  )
  const place = trips[0]?.statements.findIndex(({ sql }) => sql.startsWith('delete from agents')) ?? -1
  expect(trips[0]?.results[place]?.meta.rows_read).toBeLessThan(5)
})

describe('After its ten minutes a blocked agent', () => {
  const probedMs = endedMs + blockMs

  it('After its ten minutes a blocked agent gets one lead, and no second one while that is being called', async () => {
    const { world } = await seedBlocked()
    expect(await claimedBy(world, probedMs)).toEqual([1, null, null])
    expect(await claimedBy(world, probedMs)).toEqual([0, 'agent_failing', 30])
    expect(await claimedBy(world, probedMs + leaseMs - 8_000)).toEqual([0, 'agent_failing', 10])
  })

  it('After its ten minutes a blocked agent gets one lead when twenty of its processes claim at once', async () => {
    const { world } = await seedBlocked()
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimedBy(world, probedMs)))
    expect(claims.filter(([calls]) => calls !== 0)).toEqual([[1, null, null]])
  })

  it('After its ten minutes a blocked agent is blocked for ten minutes more when that lease ends without a report', async () => {
    const { world } = await seedBlocked()
    await world.claim(probedMs, { agent: 'seat 7' })
    const againMs = probedMs + leaseMs + graceMs
    expect(await claimedBy(world, againMs)).toEqual([0, 'agent_failing', 600])
    expect(await claimedBy(world, againMs + blockMs)).toEqual([1, null, null])
    expect(await failuresLogged(world)).toHaveLength(2)
  })

  it('After its ten minutes a blocked agent is not blocked longer by leases of before that end while it is blocked', async () => {
    const world = await seedQueue()
    await claimTimes(world, 5, 4)
    await world.claim(noonMs + 9_000, { agent: 'seat 7', leaseSeconds: 120 })
    await settleEverything(endedMs)
    await settleEverything(endedMs + 2 * minuteMs)
    expect(await rowsOf(world)).toMatchObject([{ unknown: 21, untilMs: endedMs + blockMs }])
  })

  it('After its ten minutes a blocked agent gets its one lead once after a lost answer', async () => {
    const { world } = await seedBlocked()
    let lost = 0
    const { DB } = databaseThat(async (run) => {
      const answer = await run()
      if (lost++ === 0) throw new Error('D1_ERROR: Network connection lost.')
      return answer
    })
    expect((await world.claim(probedMs, { maxCalls: 10, agent: 'seat 7' }, DB)).calls).toHaveLength(1)
    expect(await claimedBy(world, probedMs + 1)).toEqual([0, 'agent_failing', 30])
  })
})

it('A failing agent is logged once, with the system as its actor, also after a lost answer', async () => {
  const world = await seedQueue()
  await claimTimes(world, 5, 4)
  let lost = 0
  const { DB } = databaseThat(async (run) => {
    const answer = await run()
    if (lost++ === 0) throw new Error('D1_ERROR: Network connection lost.')
    return answer
  })
  await settleEverything(endedMs, DB)
  await settleEverything(endedMs + 1)
  expect(await failuresLogged(world)).toEqual([
    { actor: 'system', campaign_number: world.campaign.number, data: '{"agent":"seat 7"}' },
  ])
  expect(await rowsOf(world)).toMatchObject([{ unknown: 20, claims: 5 }])
})

it('A failing agent is shown among ten at most, at the cost of these', async () => {
  const world = await seedQueue()
  await companyDb
    .prepare(
      `with recursive counted(i) as (select 1 union all select i + 1 from counted where i < 5000)
       insert into agents (company_id, campaign_number, name, unknown_in_a_row, claims_in_a_row, claim_tokens,
         blocked_until_ms, last_unknown_at_ms)
       select ?1, ?2, 'seat ' || i, 20, 5, '[]', iif(i % 2, null, ?3 + i), ?3 from counted`,
    )
    .bind(world.companyId, world.campaign.number, noonMs)
    .run()
  const { DB, trips } = watchedDatabase()
  const campaign = await readCampaign(DB, world.access(world.agentKeyId, noonMs))
  expect(campaign.kind === 'found' && campaign.queue.failingAgents).toHaveLength(10)
  const read = trips[0]?.results.reduce((sum, { meta }) => sum + meta.rows_read, 0)
  expect(read).toBeLessThan(1_000)
})

it('A failing agent is forgotten a month after its last lease has ended so', async () => {
  const { world } = await seedBlocked()
  await settleEverything(endedMs + 30 * dayMs)
  expect(await rowsOf(world)).toHaveLength(1)
  await settleEverything(endedMs + 30 * dayMs + 1)
  expect(await rowsOf(world)).toEqual([])
})
