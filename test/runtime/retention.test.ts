// Retention on a real D1: the minute's cron erases what its campaign keeps no longer, in chunks, and nothing else. What
// any erasure takes off the list of a company stays on those of others.
import { expect, it, vi } from 'vitest'
import { retainChunk } from '../../src/queue/erasure/store/retain.ts'
import { parseLeadId } from '../../src/queue/leads/lead.ts'
import { hashesIn } from '../support/access/actor.ts'
import {
  type CallingWorld,
  dayMs,
  noonMs,
  openSettings,
  seedCallingWorld,
} from '../support/calling/calling.ts'
import { call, countRows, erase, erasePhone, retain } from '../support/calling/number-memory.ts'
import { companyDb } from '../support/database/store.ts'
import { runCron } from '../support/run/cron.ts'
import { newPhone, newPhones, seedLeads } from '../support/world.ts'

const seqOf = (leadId: string) => parseLeadId(leadId)?.seq

async function stored(leadIds: readonly string[]): Promise<boolean[]> {
  const { results } = await companyDb
    .prepare(
      'select seq, erased_at_ms is null as kept from leads where seq in (select value from json_each(?1))',
    )
    .bind(JSON.stringify(leadIds.map(seqOf)))
    .all<{ seq: number; kept: number }>()
  const kept = new Map(results.map((row) => [row.seq, row.kept === 1]))
  return leadIds.map((leadId) => kept.get(seqOf(leadId) as number) ?? false)
}

/** Adds a lead, calls it, and reports what became of it. */
async function finish(world: CallingWorld, outcome: 'answered' | 'wrong_number' | 'no_answer', atMs: number) {
  const lead = await world.add({ metadata: '{"a":1}', priority: outcome === 'no_answer' ? 0 : 1 }, atMs)
  const { calls } = await world.claim(atMs, { maxCalls: 1 })
  const callId = calls[0]?.callId as string
  await world.report(atMs, [{ callId, outcome, providerCallId: 'CA1', details: '{"b":2}' }])
  return lead.leadId
}

it('Retention erases what has been final for so long, and nothing else', async () => {
  const world = await seedCallingWorld({ ...openSettings, retentionDays: 30 })
  const keeping = await world.another()
  await keeping.change({ retentionDays: null })
  const concluded = await finish(world, 'answered', noonMs)
  const exhausted = await finish(world, 'wrong_number', noonMs)
  const retried = await finish(world, 'no_answer', noonMs)
  const requeued = await finish(world, 'answered', noonMs)
  const raw = (await world.add({ scheduledFor: '2099-01-01T00:00:00Z' }, noonMs)).leadId
  const elsewhere = await finish(keeping as CallingWorld, 'answered', noonMs)
  const later = await finish(world, 'answered', noonMs + dayMs)
  await world.requeue(requeued, noonMs + dayMs)
  const all = [concluded, exhausted, retried, requeued, raw, elsewhere, later]
  const keptAt = async (atMs: number) => {
    vi.setSystemTime(atMs)
    await runCron()
    return stored(all)
  }
  try {
    expect(await keptAt(noonMs + 30 * dayMs - 1)).toEqual(Array(7).fill(true))
    expect(await keptAt(noonMs + 30 * dayMs)).toEqual([false, false, true, true, true, true, true])
    // At its end the cursor begins again.
    await runCron()
    expect(await keptAt(noonMs + 31 * dayMs)).toEqual([false, false, true, true, true, true, false])
  } finally {
    vi.useRealTimers()
  }
  const { results } = await companyDb
    .prepare(
      `select k.phone_number, k.provider_call_id, d.details from calls as k
       left join call_details as d on d.seq = k.seq where k.seq in (?1, ?2)`,
    )
    .bind(seqOf(concluded), seqOf(exhausted))
    .all()
  expect(results).toEqual(
    [concluded, exhausted].map((leadId) => ({
      phone_number: `erased:${seqOf(leadId)}`,
      provider_call_id: null,
      details: null,
    })),
  )
})

it('Retention erases a hundred leads at a time, from the end of their days on', async () => {
  const world = await seedCallingWorld({ ...openSettings, retentionDays: 1 })
  const phones = newPhones(1_500)
  await seedLeads(
    world.campaign,
    phones.map((phoneNumber, i) => ({ phoneNumber, status: i % 2 ? 'concluded' : 'exhausted' })),
  )
  const { number } = world.campaign
  const finish = companyDb.prepare('update leads set finished_at_ms = ?2 where campaign_number = ?1')
  await finish.bind(number, noonMs).run()
  const left = async () =>
    companyDb
      .prepare('select count(*) as n from leads where campaign_number = ?1 and erased_at_ms is null')
      .bind(number)
      .first('n')
  const chunk = async (nowMs: number) => (await retainChunk(companyDb, number, nowMs, hashesIn)).hasErased
  expect([await chunk(noonMs), await chunk(noonMs), await chunk(noonMs)]).toEqual([false, false, false])
  expect(await left()).toBe(1_500)
  const laterMs = noonMs + dayMs
  // One that erases none is the end of a round.
  for (let kept = 1_400; kept >= 0; kept -= 100) {
    while (!(await chunk(laterMs)));
    expect(await left()).toBe(kept)
  }
  expect([await chunk(laterMs), await chunk(laterMs)]).toEqual([false, false])
})

it.each<[how: string, act: (world: CallingWorld, leadId: string, phoneNumber: string) => Promise<unknown>]>([
  ['a lead is erased', (world, leadId) => erase(world, leadId, noonMs + 31 * dayMs)],
  ['a person is erased', (world, _, phoneNumber) => erasePhone(world, phoneNumber, noonMs + 31 * dayMs)],
  ['retention erases a lead', (world) => retain(world, noonMs + 31 * dayMs)],
])('When %s, another company still lists the same number', async (_, act) => {
  const phoneNumber = newPhone()
  const settings = { ...openSettings, retentionDays: 30 }
  const [world, other] = [await seedCallingWorld(settings), await seedCallingWorld(settings)]
  const leadIds: string[] = []
  for (const one of [world, other]) {
    leadIds.push((await one.add({ phoneNumber }, noonMs)).leadId)
    await call(one, noonMs, 'answered')
    // As an erasure lists it for the leads that are left.
    await companyDb
      .prepare(
        `insert into suppressions (company_id, phone_number, campaign_number, reason, token, created_at_ms,
          leads_removed)
         values (?1, ?2, 0, 'erasure', 'erasure', ?3, 0)`,
      )
      .bind(one.companyId, phoneNumber, noonMs)
      .run()
  }
  await act(world, leadIds[0] as string, phoneNumber)
  const listed = (one: CallingWorld) => countRows('suppressions', one.companyId)
  expect([await listed(world), await listed(other)]).toEqual([0, 1])
})
