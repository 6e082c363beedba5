// Suppressing and lifting, requeueing, and why a lead is not called, on a real D1.

import { expect, it } from 'vitest'
import { readCampaign } from '../../../src/queue/calling/store/campaign-overview.ts'
import { defaultSettings } from '../../../src/queue/campaigns/settings.ts'
import { suppressNumbers } from '../../../src/queue/suppression/store/suppress.ts'
import {
  dayMs,
  fillQueue,
  hourMs,
  leadRow,
  minuteMs,
  noonMs,
  seedCallingWorld,
} from '../../support/calling/calling.ts'
import { databaseThat, rowsOf, watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { newPhones } from '../../support/world.ts'

it('A suppression stays when it was added while the answer to the removal of an older one was lost', async () => {
  const world = await seedCallingWorld()
  const { phoneNumber } = await world.add()
  await world.suppress([phoneNumber])
  let isLost = false
  const { DB } = databaseThat(async (run, { statements }) => {
    const answer = await run()
    if (isLost || !statements.some(({ sql }) => sql.startsWith('delete from suppressions'))) return answer
    isLost = true
    expect((await world.suppress([phoneNumber])).added).toBe(1)
    throw new Error('D1_ERROR: Network connection lost.')
  })
  expect(await world.lift([phoneNumber], noonMs, DB)).toEqual({ kind: 'removed', removed: 1 })
  expect(isLost).toBe(true)
  expect((await world.suppress([phoneNumber])).existing).toBe(1)
  expect((await world.claim(noonMs)).calls).toEqual([])
})

it('A suppression that is removed queues again what was never called, where it was due', async () => {
  const world = await seedCallingWorld()
  const scheduledFor = '2026-11-18T15:00+01'
  const { phoneNumber } = await world.add({ scheduledFor, priority: 4 })
  const plain = await world.add({ priority: 5 }, noonMs + 7)
  await world.suppress([phoneNumber, plain.phoneNumber])
  expect(await world.lift([phoneNumber, plain.phoneNumber])).toEqual({ kind: 'removed', removed: 2 })
  expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({
    queue_rank: 101,
    due_at_ms: noonMs + 2 * hourMs,
  })
  expect(await leadRow(world.campaign, plain.phoneNumber)).toMatchObject({
    queue_rank: 5,
    due_at_ms: noonMs + 7,
  })
})

it('A no that is said again writes one row for each spelling and no other, also when its first answer is lost', async () => {
  const world = await seedCallingWorld()
  const phones = newPhones(3)
  await world.suppress(phones)
  const log = async () => {
    const select =
      'select phone_number, at_ms, actor, reason from number_log where company_id = ?1 order by 1'
    return (await companyDb.prepare(select).bind(world.companyId).all()).results
  }
  const first = await log()
  expect(first).toHaveLength(2 * phones.length)
  const { DB, trips } = watchedDatabase()
  expect((await world.suppress(phones, noonMs + hourMs, DB)).existing).toBe(phones.length)
  expect(rowsOf(trips, 'rows_written')).toBe(2 * phones.length)
  const later = (atMs: number) => first.map((entry) => ({ ...entry, at_ms: atMs }))
  expect(await log()).toEqual(later(noonMs + hourMs))
  let isLost = false
  const losing = databaseThat(async (run) => {
    const answer = await run()
    if (isLost) return answer
    isLost = true
    throw new Error('D1_ERROR: Network connection lost.')
  })
  await world.suppress(phones, noonMs + 2 * hourMs, losing.DB)
  expect(await log()).toEqual(later(noonMs + 2 * hourMs))
  // A clock that is behind moves nothing back.
  await world.suppress(phones, noonMs)
  expect(await log()).toEqual(later(noonMs + 2 * hourMs))
})

it('Suppressing many numbers looks for each once in each campaign, and removes what it finds in all of them', async () => {
  const [world, foreign] = [await seedCallingWorld(), await seedCallingWorld()]
  const others = []
  for (let i = 0; i < 19; i++) others.push(await world.another())
  const phone = (length: number) => `'+4917' || cast(${10 ** (length - 1)} + i as integer)`
  const phones = Array.from({ length: 300 }, (_, i) => `+4917${10 ** 8 + i + 1}`)
  const zeroLeftIn = (number: string) => number.replace('+49', '+490')
  // Ten of the numbers in three campaigns, one of them with a zero left in, and all in another company.
  await fillQueue(world.campaign, 10, { phone: phone(9) })
  await fillQueue(others[3]?.campaign ?? world.campaign, 10, { phone: phone(9) })
  await fillQueue(others[7]?.campaign ?? world.campaign, 10, { phone: phone(9).replace('+49', '+490') })
  await fillQueue(foreign.campaign, 10, { phone: phone(9) })
  const bystander = await world.add()
  const { DB, trips } = watchedDatabase()
  const done = await world.suppress(phones, noonMs, DB)
  expect(done).toMatchObject({ added: 300, existing: 0, removedFromQueue: 30, liveCalls: [] })
  expect(trips).toHaveLength(1)
  // What each statement reads of a number and its other spelling, besides.
  expect(rowsOf(trips, 'rows_read')).toBeLessThan(300 * 20 + 300 * 30)
  for (const { campaign, number } of [
    { campaign: world.campaign, number: phones[0] },
    { campaign: others[7]?.campaign, number: zeroLeftIn(phones[9] as string) },
  ])
    expect(await leadRow(campaign ?? world.campaign, number as string)).toMatchObject({ due_at_ms: null })
  expect((await leadRow(foreign.campaign, phones[0] as string)).due_at_ms).not.toBeNull()
  expect((await leadRow(world.campaign, bystander.phoneNumber)).due_at_ms).not.toBeNull()
})

it('Suppressing a number again removes its leads that are still queued, in its campaigns alone, and names its live call', async () => {
  const [world, foreign] = [await seedCallingWorld(), await seedCallingWorld()]
  const other = await world.another()
  const number = newPhones(1)[0] as string
  const live = await world.add({ phoneNumber: number })
  await foreign.add({ phoneNumber: number })
  const [call] = (await world.claim()).calls
  const [theirs] = (await foreign.claim()).calls
  await world.suppress([number])
  // As a report leaves the leads of a number that has more of them than it may look at.
  await other.add({ phoneNumber: number })
  await foreign.add()
  const queueAll = companyDb.prepare(
    'update leads set due_at_ms = 5 where campaign_number = ?1 and due_at_ms is null',
  )
  await queueAll.bind(other.campaign.number).run()
  const again = await world.suppress([number])
  expect(again).toMatchObject({ added: 0, existing: 1, liveCalls: [call?.callId] })
  expect(theirs).toBeDefined()
  expect((await leadRow(other.campaign, number)).due_at_ms).toBeNull()
  await world.report(noonMs, [{ callId: call?.callId as string, outcome: 'busy' }])
  expect((await world.suppress([number])).liveCalls).toEqual([])
  expect((await leadRow(world.campaign, live.phoneNumber)).due_at_ms).toBeNull()
})

it('Suppressing numbers in one campaign names the live calls of that campaign, and removes its leads alone', async () => {
  const world = await seedCallingWorld()
  const other = await world.another()
  const phones = newPhones(4) as [string, string, string, string]
  await world.add({ phoneNumber: phones[0], priority: 9 })
  await other.add({ phoneNumber: phones[1], priority: 9 })
  const calls = [(await world.claim()).calls[0], (await other.claim()).calls[0]]
  for (const each of [world, other]) await each.add({ phoneNumber: phones[2] })
  const scope = { phoneNumbers: phones, campaignId: other.campaign.id, reason: null }
  const done = await suppressNumbers(companyDb, world.asWriter(noonMs), scope)
  expect(done).toMatchObject({ added: 4, removedFromQueue: 1, liveCalls: [calls[1]?.callId] })
  expect((await leadRow(other.campaign, phones[2])).due_at_ms).toBeNull()
  expect((await leadRow(world.campaign, phones[2])).due_at_ms).not.toBeNull()
})

it('A requeue makes what is reported of calls before it late, so that it does not undo the requeue', async () => {
  const world = await seedCallingWorld()
  const { leadId, phoneNumber } = await world.add()
  const { calls } = await world.claim(noonMs)
  const callId = calls[0]?.callId as string
  await world.requeue(leadId, noonMs + hourMs)
  const requeued = await leadRow(world.campaign, phoneNumber)
  expect(await world.report(noonMs + hourMs, [{ callId, outcome: 'answered' }])).toMatchObject([
    { result: 'recorded_late', status: 'attempting' },
  ])
  expect(await world.release(noonMs + hourMs, [{ callId, delaySeconds: 0 }])).toMatchObject([
    { result: 'conflict' },
  ])
  expect(await leadRow(world.campaign, phoneNumber)).toEqual(requeued)
})

it('A requeue leaves the time of a lead that is queued as it is', async () => {
  const world = await seedCallingWorld()
  const { leadId, phoneNumber } = await world.add({ scheduledFor: '2026-11-19T12:00:00Z' })
  await world.requeue(leadId, noonMs)
  expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({
    status: 'raw',
    queue_rank: 101,
    due_at_ms: noonMs + dayMs,
  })
})

it('Why a lead is not called lists every blocker at once, and those of another moment', async () => {
  const world = await seedCallingWorld()
  const { leadId, phoneNumber } = await world.add()
  const { calls } = await world.claim(noonMs)
  expect(await world.explain(leadId, noonMs + 20 * minuteMs, noonMs)).toMatchObject({
    blockers: [{ code: 'spaced', untilMs: noonMs + 70 * minuteMs }],
  })
  await world.report(noonMs, [{ callId: calls[0]?.callId as string, outcome: 'no_answer' }])
  await world.change({ paused: true, callingHours: defaultSettings.callingHours })
  await world.suppress([phoneNumber])
  expect(await world.explain(leadId, noonMs + 10 * hourMs)).toMatchObject({
    blockers: [
      { code: 'paused', untilMs: null },
      { code: 'final', untilMs: null },
      { code: 'suppressed', untilMs: null },
      { code: 'outside_hours', untilMs: noonMs + 21 * hourMs },
    ],
    nextCallAtMs: null,
  })
})

it('A campaign counts 10,000 queued leads, and says that there are more', async () => {
  const world = await seedCallingWorld()
  await fillQueue(world.campaign, 10_050)
  await world.claim(noonMs, { maxCalls: 5 })
  expect(await world.readQueued()).toMatchObject({ queued: 10_000, leased: 5, isCapped: true })
})

it('A campaign takes two changes at once, one after the other', async () => {
  const world = await seedCallingWorld()
  await Promise.all([
    world.change({ maxAttempts: 9 }),
    world.change({ leaseSeconds: 99 }),
    world.change({ paused: true }),
  ])
  expect(await readCampaign(companyDb, world.access(world.agentKeyId, noonMs))).toMatchObject({
    campaign: { maxAttempts: 9, leaseSeconds: 99, paused: true },
  })
})
