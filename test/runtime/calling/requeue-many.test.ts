// Requeueing many leads of a campaign at once: which, how many in each request, and that none is passed over. On a real
// D1.
import { expect, it } from 'vitest'
import { type RequeueMany, requeueLeads } from '../../../src/queue/calling/store/requeue-many.ts'
import { erasePerson } from '../../../src/queue/erasure/store/erase.ts'
import { hashesIn, noHashes } from '../../support/access/actor.ts'
import {
  type CallingWorld,
  dayMs,
  hourMs,
  leadRow,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
  suppressUnseen,
} from '../../support/calling/calling.ts'
import {
  databaseLosingAnswers,
  type WatchedDatabase,
  watchedDatabase,
} from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { countBoth } from '../../support/ledger/hours.ts'
import { newPhone } from '../../support/world.ts'

const noLimits = { minGapMinutes: null, per24Hours: null, per7Days: null }
const seedFree = () => seedCallingWorld({ ...openSettings, numberLimits: noLimits })

const since = (sinceMs: number, status: RequeueMany['status'] = 'exhausted') => ({ status, sinceMs })

const requeue = (
  world: CallingWorld,
  which: RequeueMany,
  atMs = noonMs + hourMs,
  db: D1Database = companyDb,
) => requeueLeads(db, world.access(world.writeKeyId, atMs), which, hashesIn(world.companyId))

/** A lead that ended with this outcome at this moment. */
async function finished(world: CallingWorld, outcome: 'answered' | 'wrong_number', atMs: number) {
  const lead = await world.add({ priority: 100 }, atMs)
  const { calls } = await world.claim(atMs)
  await world.report(atMs, [{ callId: calls[0]?.callId as string, outcome }])
  return lead.phoneNumber
}

/** Leads that became exhausted at one moment, straight into the table. */
async function fillExhausted({ campaign }: CallingWorld, count: number, finishedAtMs: number) {
  await companyDb
    .prepare(
      `with recursive counted(i) as (select 1 union all select i + 1 from counted where i < ?2),
     place(last) as (select coalesce(max(seq), ?1 << 32) from leads where campaign_number = ?1)
     insert into leads (seq, campaign_number, phone_number, created_at_ms, token, status, attempts, queue_rank,
       due_at_ms, finished_at_ms)
     select last + i, ?1, '+1' || (3000000000 + (last & 4294967295) + i), 0, 'seed0000000', 'exhausted', 3, 0, null, ?3
     from counted cross join place`,
    )
    .bind(campaign.number, count, finishedAtMs)
    .run()
}

const phonesOf = async ({ campaign }: CallingWorld, limit: number) => {
  const { results } = await companyDb
    .prepare('select phone_number as phone from leads where campaign_number = ?1 order by seq limit ?2')
    .bind(campaign.number, limit)
    .all<{ phone: string }>()
  return results.map(({ phone }) => phone)
}

const rowsRead = ({ trips }: WatchedDatabase) =>
  trips.flatMap(({ results }) => results).reduce((sum, { meta }) => sum + meta.rows_read, 0)

it('Requeueing many queues those that became so at or after the moment, and grants new attempts', async () => {
  const world = await seedFree()
  const before = await finished(world, 'wrong_number', noonMs - 1)
  const at = await finished(world, 'wrong_number', noonMs)
  const after = await finished(world, 'wrong_number', noonMs + minuteMs)
  const concluded = await finished(world, 'answered', noonMs + minuteMs)
  expect(await requeue(world, since(noonMs))).toEqual({
    kind: 'requeued',
    requeued: 2,
    skipped: 0,
    more: false,
  })
  const stateOf = async (phoneNumber: string) => (await leadRow(world.campaign, phoneNumber)).status
  expect(await Promise.all([before, at, after, concluded].map(stateOf))).toEqual([
    'exhausted',
    'attempting',
    'attempting',
    'concluded',
  ])
  expect(await leadRow(world.campaign, at)).toMatchObject({
    attempts: 1,
    queue_rank: 100,
    due_at_ms: noonMs + hourMs,
  })
  expect(await requeue(world, since(noonMs, 'concluded'))).toMatchObject({ requeued: 1 })
  const { calls } = await world.claim(noonMs + hourMs, { maxCalls: 9 })
  expect(calls.map(({ isLastAttempt }) => isLastAttempt)).toEqual([false, false, false])
  const [byHours, byTables] = await countBoth(world.campaign.number)
  expect(byHours).toEqual(byTables)
})

it('Requeueing many leaves those whose numbers are suppressed, in plain or by hash, and counts them', async () => {
  const world = await seedFree()
  const other = await world.another()
  const plain = await finished(world, 'wrong_number', noonMs)
  const ofCampaign = await finished(world, 'wrong_number', noonMs)
  const free = await finished(world, 'wrong_number', noonMs)
  await world.suppress([plain, newPhone()])
  await companyDb
    .prepare(
      `insert into retained_hashes (company_id, campaign_number, number_hash, reason, created_at_ms)
       values (?1, ?2, ?3, 'not_interested', 0)`,
    )
    .bind(world.companyId, world.campaign.number, hashesIn(world.companyId).of(ofCampaign))
    .run()
  // The company has hashes from now on.
  const person = { phoneNumber: newPhone(), suppress: true }
  await erasePerson(companyDb, world.asManager(noonMs), person, hashesIn(world.companyId))
  await other.add({ phoneNumber: free })
  expect(await requeue(world, since(noonMs))).toEqual({
    kind: 'requeued',
    requeued: 1,
    skipped: 2,
    more: false,
  })
  const access = world.access(world.writeKeyId, noonMs)
  expect(await requeueLeads(companyDb, access, since(noonMs), noHashes)).toEqual({ kind: 'pepper_lost' })
})

it('Requeueing many takes a thousand leads in a request, and the next one continues behind them, past those that stay', async () => {
  const world = await seedFree()
  await fillExhausted(world, 3_400, noonMs)
  const phones = await phonesOf(world, 1_100)
  await suppressUnseen(world.companyId, phones)
  const done = []
  for (let more = true; more && done.length < 9; ) {
    const outcome = await requeue(world, since(noonMs))
    if (outcome.kind !== 'requeued') throw new Error(outcome.kind)
    done.push([outcome.requeued, outcome.skipped])
    more = outcome.more
  }
  expect(done).toEqual([
    [0, 1_000],
    [900, 100],
    [1_000, 0],
    [400, 0],
  ])
  // From the beginning again.
  expect(await requeue(world, since(noonMs))).toMatchObject({ requeued: 0, skipped: 1_000, more: true })
})

it('Requeueing many starts from the beginning after a break, since leads before its place may have become final meanwhile', async () => {
  const world = await seedFree()
  const first = await finished(world, 'wrong_number', noonMs)
  await fillExhausted(world, 1_500, noonMs)
  expect(await requeue(world, since(noonMs), noonMs)).toMatchObject({ requeued: 1_000, more: true })
  const [call] = (await world.claim(noonMs)).calls
  expect(call?.lead).toContain(first)
  await world.report(noonMs, [{ callId: call?.callId as string, outcome: 'wrong_number' }])
  expect(await requeue(world, since(noonMs), noonMs + 10 * minuteMs)).toMatchObject({ requeued: 502 })
  expect(await leadRow(world.campaign, first)).toMatchObject({ status: 'attempting' })
})

it('Requeueing many says the same when its answer was lost, and does it once', async () => {
  const world = await seedFree()
  await fillExhausted(world, 20, noonMs)
  await world.suppress((await phonesOf(world, 5)) as string[])
  const { DB } = databaseLosingAnswers(1)
  expect(await requeue(world, since(noonMs), noonMs + hourMs, DB)).toMatchObject({
    requeued: 15,
    skipped: 5,
  })
  expect((await world.readQueued(noonMs + hourMs)).queued).toBe(15)
})

it('Requeueing many writes an event for each lead where somebody listens, and none elsewhere', async () => {
  const [listening, silent] = [await seedFree(), await seedFree()]
  await companyDb
    .prepare('update companies set listens_since_ms = 0 where id = ?1')
    .bind(listening.companyId)
    .run()
  const eventsOf = async (world: CallingWorld) => {
    await fillExhausted(world, 3, noonMs)
    const { DB } = databaseLosingAnswers(1)
    await requeue(world, since(noonMs), noonMs + hourMs, DB)
    return companyDb
      .prepare(
        `select count(*) as n, count(distinct lead_seq) as leads from events
         where company_id = ?1 and type = 'lead.requeued'`,
      )
      .bind(world.companyId)
      .first()
  }
  expect(await eventsOf(listening)).toEqual({ n: 3, leads: 3 })
  expect(await eventsOf(silent)).toEqual({ n: 0, leads: 0 })
})

it('Requeueing many looks at 20,000 final leads in a request, and continues behind them in the next', async () => {
  const world = await seedFree()
  await fillExhausted(world, 45_000, noonMs - dayMs)
  await fillExhausted(world, 10, noonMs)
  const outcomes = []
  for (let i = 0; i < 3; i++) {
    const watched = watchedDatabase()
    outcomes.push(await requeue(world, since(noonMs), noonMs + hourMs, watched.DB))
    expect(rowsRead(watched)).toBeLessThan(4 * 20_000 + 1_000)
  }
  expect(outcomes).toMatchObject([
    { requeued: 0, more: true },
    { requeued: 0, more: true },
    { requeued: 10, more: false },
  ])
})
