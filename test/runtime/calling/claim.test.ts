// Claiming on a real D1: order, hours, limits of a number, reasons; repeated claims. What it costs is in cost.test.ts.
import { describe, expect, it } from 'vitest'
import { randomBase62 } from '../../../src/base/base62.ts'
import { isTimeZone } from '../../../src/base/time-zone.ts'
import type { ClaimedCall } from '../../../src/queue/calling/store/claim.ts'
import { erasePerson } from '../../../src/queue/erasure/store/erase.ts'
import { hashesIn } from '../../support/access/actor.ts'
import {
  dayMs,
  fillQueue,
  hourMs,
  leadRow,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
  suppressUnseen,
} from '../../support/calling/calling.ts'
import { databaseLosingAnswers, watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { newPhone } from '../../support/world.ts'

const phonesOf = (calls: readonly ClaimedCall[]) => calls.map((call) => JSON.parse(call.lead).phoneNumber)
const idOf = (calls: readonly ClaimedCall[], index = 0) => calls[index]?.callId as string

it('The queue gives no lead whose number was listed while it waited there, and lets go of it', async () => {
  const world = await seedCallingWorld()
  const listed = await world.add({ priority: 9 })
  const free = await world.add()
  await suppressUnseen(world.companyId, [listed.phoneNumber])
  expect((await leadRow(world.campaign, listed.phoneNumber)).due_at_ms).not.toBeNull()
  expect(phonesOf((await world.claim(noonMs, { maxCalls: 2 })).calls)).toEqual([free.phoneNumber])
  expect(await leadRow(world.campaign, listed.phoneNumber)).toMatchObject({
    status: 'raw',
    attempts: 0,
    due_at_ms: null,
    lease_expires_at_ms: null,
  })
})

it('The queue merges lanes that are longer than what a claim looks at', async () => {
  const world = await seedCallingWorld()
  const lane = "case i % 3 when 0 then '' when 1 then 'Asia/Tokyo' else 'Asia/Dubai' end"
  await fillQueue(world.campaign, 600, {
    lane,
    rank: '10 * (i % 3) + i % 2',
    due: `${noonMs - hourMs} + i`,
  })
  const { calls } = await world.claim(noonMs, { maxCalls: 100 })
  expect(new Set(calls.map((call) => `${call.timeZone} ${JSON.parse(call.lead).priority}`))).toEqual(
    new Set(['Asia/Dubai 21']),
  )
  await world.claim(noonMs, { maxCalls: 100 })
  const third = await world.claim(noonMs, { maxCalls: 100 })
  expect(new Set(third.calls.map((call) => `${call.timeZone} ${JSON.parse(call.lead).priority}`))).toEqual(
    new Set(['Asia/Tokyo 11']),
  )
})

it('The queue passes over any number of leads of the future', async () => {
  const world = await seedCallingWorld()
  await fillQueue(world.campaign, 500, { rank: '100 - i % 100', due: `${noonMs + 1}` })
  const due = await world.add({ priority: 0 })
  expect(phonesOf((await world.claim(noonMs, { maxCalls: 5 })).calls)).toEqual([due.phoneNumber])
})

it('A claim in a company with erased people is one trip', async () => {
  const world = await seedCallingWorld()
  const person = { phoneNumber: newPhone(), suppress: true }
  const erased = await erasePerson(companyDb, world.asManager(noonMs), person, hashesIn(world.companyId))
  expect(erased.kind).toBe('erased')
  await world.add()
  await world.claim(noonMs)
  await world.add()
  const { DB, trips } = watchedDatabase()
  expect((await world.claim(noonMs, {}, DB)).calls).toHaveLength(1)
  expect(trips).toHaveLength(1)
})

it('Hours of more zones than one claim can compute are left to the next claim, which is soon', async () => {
  const world = await seedCallingWorld()
  const zones = Intl.supportedValuesOf('timeZone').filter(isTimeZone).sort()
  const scheduledFor = new Date(noonMs + dayMs).toISOString()
  const waiting = zones.slice(0, 100).map((timeZone) => world.add({ timeZone, scheduledFor }))
  await Promise.all(waiting)
  const due = await world.add({ timeZone: zones[100] as string }, noonMs - hourMs)
  expect(await world.claim(noonMs)).toMatchObject({ calls: [], reason: 'waiting', retryAfterSeconds: 1 })
  expect(phonesOf((await world.claim(noonMs + 1_000)).calls)).toEqual([due.phoneNumber])
})

it('Hours are there for a claim with a slightly earlier time than the one that writes them', async () => {
  const world = await seedCallingWorld()
  await world.add({}, noonMs - hourMs)
  await world.add({}, noonMs - hourMs)
  expect((await world.claim(noonMs)).calls).toHaveLength(1)
  expect((await world.claim(noonMs - minuteMs)).calls).toHaveLength(1)
})

it('Hours are known again after a campaign lay idle for longer than they were computed for', async () => {
  const world = await seedCallingWorld()
  await world.add()
  await world.add()
  expect((await world.claim(noonMs)).calls).toHaveLength(1)
  expect((await world.claim(noonMs + 40 * dayMs)).calls).toHaveLength(1)
})

it('Limits of a number do not hold an appointment back by the gap, but by the day', async () => {
  const world = await seedCallingWorld({ ...openSettings, numberLimits: { per24Hours: 2 } })
  const { phoneNumber } = await world.add()
  const first = await world.claim(noonMs)
  const callbackAtMs = noonMs + 5 * minuteMs
  await world.report(noonMs + minuteMs, [
    { callId: idOf(first.calls), outcome: 'callback_requested', callbackAtMs },
  ])
  expect((await world.claim(callbackAtMs - 1)).reason).toBe('waiting')
  const second = await world.claim(callbackAtMs)
  expect(second.calls).toHaveLength(1)
  await world.report(callbackAtMs, [
    { callId: idOf(second.calls), outcome: 'callback_requested', callbackAtMs: callbackAtMs + minuteMs },
  ])
  expect((await world.claim(callbackAtMs + minuteMs)).calls).toEqual([])
  expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({
    queue_rank: 101,
    due_at_ms: noonMs + dayMs,
  })
})

it('Limits of a number do not count a call that was released', async () => {
  const world = await seedCallingWorld({ ...openSettings, numberLimits: { per24Hours: 1 } })
  await world.add()
  const first = await world.claim(noonMs)
  await world.release(noonMs, [{ callId: idOf(first.calls), delaySeconds: 0 }])
  expect((await world.claim(noonMs)).calls).toHaveLength(1)
})

it('Limits of a number block a number for others only until a lease that ran out would be settled', async () => {
  const one = await seedCallingWorld({
    ...openSettings,
    numberLimits: { minGapMinutes: null },
    leaseSeconds: 60,
  })
  const two = await one.another()
  const phoneNumber = newPhone()
  await one.add({ phoneNumber })
  await two.add({ phoneNumber })
  await one.claim(noonMs)
  expect((await two.claim(noonMs + minuteMs)).calls).toEqual([])
  expect((await leadRow(two.campaign, phoneNumber)).due_at_ms).toBe(noonMs + minuteMs + 2000)
  expect((await two.claim(noonMs + minuteMs + 2000)).calls).toHaveLength(1)
})

describe('A claim that comes again', () => {
  const key = () => ({ requestKey: randomBase62(20), requestToken: randomBase62(11) })

  it('A repeated claim leases again when it leased nothing the first time, also with another body', async () => {
    const world = await seedCallingWorld()
    const blocked = [await world.add(), await world.add()]
    await suppressUnseen(
      world.companyId,
      blocked.map((lead) => lead.phoneNumber),
    )
    const request = key()
    const first = await world.tryClaim(noonMs, {}, companyDb, request)
    expect(first).toMatchObject({ calls: [], reason: 'waiting', isReplay: false })
    const { phoneNumber } = await world.add()
    const other = { ...request, requestToken: randomBase62(11) }
    const second = await world.tryClaim(noonMs + 1000, { maxCalls: 2 }, companyDb, other)
    expect(second).toMatchObject({ kind: 'claimed', isReplay: false })
    expect(second.kind === 'claimed' && phonesOf(second.calls)).toEqual([phoneNumber])
    // Now the key is that request's.
    expect(await world.tryClaim(noonMs + 2000, {}, companyDb, request)).toEqual({ kind: 'reused' })
    expect(await world.tryClaim(noonMs + 2000, { maxCalls: 2 }, companyDb, other)).toEqual({
      ...second,
      isReplay: true,
    })
  })

  it('A claim that comes again moves nothing out of the way', async () => {
    const world = await seedCallingWorld()
    await world.add()
    const request = key()
    await world.tryClaim(noonMs, {}, companyDb, request)
    const blocked = await world.add()
    await suppressUnseen(world.companyId, [blocked.phoneNumber])
    expect(await world.tryClaim(noonMs, {}, companyDb, request)).toMatchObject({
      isReplay: true,
      calls: [{}],
    })
    expect((await leadRow(world.campaign, blocked.phoneNumber)).due_at_ms).not.toBeNull()
  })

  it.each([1, 2])(
    'A claim that comes again after %i lost answers gives what the first try has leased, once',
    async (times) => {
      const world = await seedCallingWorld()
      await fillQueue(world.campaign, 40)
      const { DB } = databaseLosingAnswers(times)
      await world.add()
      // Openings are written by the first claim: not the trip that is to be lost.
      await world.claim(noonMs)
      const { calls, isReplay } = await world.claim(noonMs + 1, { maxCalls: 10 }, DB)
      expect([calls.length, isReplay]).toEqual([10, false])
      const stored = await companyDb
        .prepare(
          'select count(*) as n, count(distinct seq) as leads from calls where company_id = ?1 and claimed_at_ms = ?2',
        )
        .bind(world.companyId, noonMs + 1)
        .first()
      expect(stored).toEqual({ n: 10, leads: 10 })
    },
  )
})

it('Twenty claims at once never hold the same lead, and give the best first', async () => {
  const world = await seedCallingWorld()
  await fillQueue(world.campaign, 150, { rank: 'i % 7' })
  await fillQueue(world.campaign, 100, { rank: '101' })
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => world.claim(noonMs, { maxCalls: 10 })))
  const phones = outcomes.flatMap(({ calls }) => phonesOf(calls))
  expect(phones).toHaveLength(200)
  expect(new Set(phones).size).toBe(200)
  const left = await companyDb
    .prepare('select max(queue_rank) as top from leads where campaign_number = ?1 and due_at_ms is not null')
    .bind(world.campaign.number)
    .first<{ top: number }>()
  expect(left?.top).toBeLessThan(4)
})

it('Twenty claims at once in two campaigns never hold the same number', async () => {
  const one = await seedCallingWorld()
  const two = await one.another()
  for (const { campaign } of [one, two]) await fillQueue(campaign, 60)
  const claims = Array.from({ length: 20 }, (_, i) => (i % 2 ? one : two).claim(noonMs, { maxCalls: 5 }))
  const phones = (await Promise.all(claims)).flatMap(({ calls }) => phonesOf(calls))
  expect(new Set(phones).size).toBe(phones.length)
  expect(phones.length).toBe(60)
})
