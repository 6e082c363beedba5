// Claiming on a real D1: order, hours, limits of a number, reasons; repeated claims. What it costs is in cost.test.ts.
import { describe, expect, it } from 'vitest'
import { randomBase62 } from '../../../src/base62.ts'
import { type ClaimedCall, claimCalls } from '../../../src/calling/store/claim.ts'
import { erasePerson } from '../../../src/erasure/store/erase.ts'
import { isTimeZone } from '../../../src/time-zone.ts'
import { hashesIn, noHashes } from '../../support/actor.ts'
import {
  alwaysOpen,
  dayMs,
  fillQueue,
  hourMs,
  leadRow,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
} from '../../support/calling.ts'
import { databaseLosingAnswers, watchedDatabase } from '../../support/database.ts'
import { companyDb } from '../../support/store.ts'
import { newPhone, seedKey, seedWorld } from '../../support/world.ts'

const phonesOf = (calls: readonly ClaimedCall[]) => calls.map((call) => JSON.parse(call.lead).phoneNumber)
const idOf = (calls: readonly ClaimedCall[], index = 0) => calls[index]?.callId as string

/** Lists numbers whose leads stay in the queue, as if they were stored since. */
async function suppressUnseen(companyId: string, phones: readonly string[]): Promise<void> {
  await companyDb
    .prepare(
      `insert into suppressions (company_id, phone_number, campaign_number, created_at_ms, token, leads_removed)
     select ?1, item.value, 0, 0, 't', 0 from json_each(?2) as item`,
    )
    .bind(companyId, JSON.stringify(phones))
    .run()
}

describe('The queue (D43)', () => {
  it('gives appointments first, then priority from high to low, then who has been due longest', async () => {
    const world = await seedCallingWorld()
    const at = (ms: number) => new Date(ms).toISOString()
    const low = await world.add({ priority: 1 }, noonMs - 3 * hourMs)
    const high = await world.add({ priority: 9 }, noonMs - 2 * hourMs)
    const later = await world.add({ priority: 9 }, noonMs - hourMs)
    const past = await world.add({ priority: 0, scheduledFor: at(noonMs - 9 * hourMs) }, noonMs - hourMs)
    const appointment = await world.add({ scheduledFor: at(noonMs - minuteMs) }, noonMs - hourMs)
    await world.add({ priority: 100, scheduledFor: at(noonMs + minuteMs) }, noonMs - hourMs)
    const { calls } = await world.claim(noonMs, { maxCalls: 10 })
    expect(phonesOf(calls)).toEqual([appointment, high, later, low, past].map((lead) => lead.phoneNumber))
  })

  it('gives no lead whose number was listed while it waited there, and lets go of it', async () => {
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

  it('merges the lanes of time zones', async () => {
    const world = await seedCallingWorld()
    const zones = ['', 'Asia/Tokyo', 'Europe/Berlin', 'America/New_York']
    const phones: string[] = []
    for (let i = 0; i < 12; i++) {
      const lead = await world.add({ timeZone: zones[i % 4] ?? '' }, noonMs - hourMs + i)
      phones.push(lead.phoneNumber)
    }
    const first = await world.claim(noonMs, { maxCalls: 7 })
    const second = await world.claim(noonMs, { maxCalls: 7 })
    expect([...phonesOf(first.calls), ...phonesOf(second.calls)]).toEqual(phones)
    expect(first.calls[1]).toMatchObject({ timeZone: 'Asia/Tokyo' })
    expect(JSON.parse(first.calls[1]?.lead ?? '')).toMatchObject({ timeZone: 'Asia/Tokyo' })
    expect(first.calls[0]).toMatchObject({ timeZone: 'UTC', attempt: 1, isLastAttempt: false })
  })

  it('merges lanes that are longer than what a claim looks at', async () => {
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

  it('passes over any number of leads of the future', async () => {
    const world = await seedCallingWorld()
    await fillQueue(world.campaign, 500, { rank: '100 - i % 100', due: `${noonMs + 1}` })
    const due = await world.add({ priority: 0 })
    expect(phonesOf((await world.claim(noonMs, { maxCalls: 5 })).calls)).toEqual([due.phoneNumber])
  })
})

describe('A claim in a company with erased people', () => {
  it('is one trip', async () => {
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
})

describe('Hours (D44, D45)', () => {
  const office = {
    mon: [],
    tue: [],
    wed: [['09:00', '12:00']],
    thu: [['09:00', '12:00']],
    fri: [],
    sat: [],
    sun: [],
  } as const

  it('of a campaign without a time zone never come', async () => {
    const world = await seedCallingWorld({})
    await world.add()
    expect(await world.claim(noonMs)).toMatchObject({ calls: [], reason: 'not_configured' })
    const unknown = await seedCallingWorld({ timeZone: null, maxAttempts: 2 })
    expect(await unknown.claim(noonMs)).toMatchObject({ calls: [], reason: 'not_configured' })
  })

  it("are those of the lead's own zone, else the campaign's", async () => {
    const world = await seedCallingWorld({ ...openSettings, callingHours: office })
    const here = await world.add({}, noonMs - hourMs)
    const tokyo = await world.add({ timeZone: 'Asia/Tokyo' }, noonMs - hourMs)
    // In UTC it closes at noon; in Tokyo it is open from 9:00, which is midnight of the next day.
    expect(phonesOf((await world.claim(noonMs - 1, { maxCalls: 5 })).calls)).toEqual([here.phoneNumber])
    expect(await world.claim(noonMs, { maxCalls: 5 })).toMatchObject({
      calls: [],
      reason: 'outside_hours',
      retryAfterSeconds: 30,
    })
    const midnight = noonMs + 12 * hourMs
    expect(await world.claim(midnight - 20_000)).toMatchObject({ calls: [], retryAfterSeconds: 20 })
    const { calls } = await world.claim(midnight, { maxCalls: 5 })
    expect(phonesOf(calls)).toEqual([tokyo.phoneNumber])
  })

  it('of more zones than one claim can compute are left to the next claim, which is soon', async () => {
    const world = await seedCallingWorld()
    const zones = Intl.supportedValuesOf('timeZone').filter(isTimeZone).sort()
    const scheduledFor = new Date(noonMs + dayMs).toISOString()
    const waiting = zones.slice(0, 100).map((timeZone) => world.add({ timeZone, scheduledFor }))
    await Promise.all(waiting)
    const due = await world.add({ timeZone: zones[100] as string }, noonMs - hourMs)
    expect(await world.claim(noonMs)).toMatchObject({ calls: [], reason: 'waiting', retryAfterSeconds: 1 })
    expect(phonesOf((await world.claim(noonMs + 1_000)).calls)).toEqual([due.phoneNumber])
  })

  it('are there for a claim with a slightly earlier time than the one that writes them', async () => {
    const world = await seedCallingWorld()
    await world.add({}, noonMs - hourMs)
    await world.add({}, noonMs - hourMs)
    expect((await world.claim(noonMs)).calls).toHaveLength(1)
    expect((await world.claim(noonMs - minuteMs)).calls).toHaveLength(1)
  })

  it('of appointments are their own, and an appointment outside of them waits for them', async () => {
    const world = await seedCallingWorld({
      ...openSettings,
      callingHours: office,
      appointmentHours: {
        ...office,
        wed: [['14:00', '15:00']],
      },
    })
    const scheduledFor = new Date(noonMs - hourMs).toISOString()
    const appointment = await world.add({ scheduledFor }, noonMs - 2 * hourMs)
    const other = await world.add({}, noonMs - 2 * hourMs)
    expect(phonesOf((await world.claim(noonMs - 1, { maxCalls: 5 })).calls)).toEqual([other.phoneNumber])
    expect((await world.claim(noonMs + hourMs)).reason).toBe('outside_hours')
    const { calls } = await world.claim(noonMs + 2 * hourMs, { maxCalls: 5 })
    expect(phonesOf(calls)).toEqual([appointment.phoneNumber])
  })

  it('close on closed dates, in the calendar of the zone', async () => {
    const world = await seedCallingWorld({ ...openSettings, closedDates: ['2026-11-18'] })
    const tokyo = await world.add({ timeZone: 'Asia/Tokyo' })
    await world.add()
    const { calls } = await world.claim(noonMs + 4 * hourMs, { maxCalls: 5 })
    expect(phonesOf(calls)).toEqual([tokyo.phoneNumber])
  })

  it('end the time for dialling, when that is before the end of the lease', async () => {
    const world = await seedCallingWorld({ ...openSettings, callingHours: office, leaseSeconds: 600 })
    await world.add({}, noonMs - hourMs)
    await world.add({}, noonMs - hourMs)
    const [early] = (await world.claim(noonMs - hourMs)).calls
    const [late] = (await world.claim(noonMs - minuteMs)).calls
    expect(early?.dialBeforeMs).toBe(noonMs - hourMs + 600_000)
    expect(late).toMatchObject({ dialBeforeMs: noonMs, leaseExpiresAtMs: noonMs + 9 * minuteMs })
  })

  it('are known again after a campaign lay idle for longer than they were computed for', async () => {
    const world = await seedCallingWorld()
    await world.add()
    await world.add()
    expect((await world.claim(noonMs)).calls).toHaveLength(1)
    expect((await world.claim(noonMs + 40 * dayMs)).calls).toHaveLength(1)
  })

  it('follow a change of settings at once', async () => {
    const world = await seedCallingWorld()
    await world.add()
    await world.add()
    expect((await world.claim(noonMs)).calls).toHaveLength(1)
    await world.change({ callingHours: office })
    expect((await world.claim(noonMs)).reason).toBe('outside_hours')
    await world.change({ callingHours: alwaysOpen, paused: true })
    expect(await world.claim(noonMs)).toMatchObject({ reason: 'paused', retryAfterSeconds: 30 })
    await world.change({ paused: null })
    expect((await world.claim(noonMs)).calls).toHaveLength(1)
  })
})

describe('Limits of a number (D46)', () => {
  it('hold over all campaigns of the company: one live call, then a gap, then so many a day', async () => {
    const one = await seedCallingWorld()
    const two = await one.another()
    const phoneNumber = newPhone()
    await one.add({ phoneNumber })
    await two.add({ phoneNumber })
    const first = await one.claim(noonMs)
    expect(await two.claim(noonMs)).toMatchObject({ calls: [], reason: 'waiting', retryAfterSeconds: 1 })
    // Moved to the end of the gap, which is later than that of the lease.
    expect((await leadRow(two.campaign, phoneNumber)).due_at_ms).toBe(noonMs + 15 * minuteMs)
    await one.report(noonMs + minuteMs, [{ callId: idOf(first.calls), outcome: 'busy' }])
    expect((await two.claim(noonMs + 15 * minuteMs - 1)).calls).toEqual([])
    const second = await two.claim(noonMs + 15 * minuteMs)
    expect(second.calls).toHaveLength(1)
    await two.report(noonMs + 16 * minuteMs, [{ callId: idOf(second.calls), outcome: 'busy' }])
    const third = await one.claim(noonMs + 2 * hourMs)
    await one.report(noonMs + 2 * hourMs, [{ callId: idOf(third.calls), outcome: 'busy' }])
    // Three in 24 hours: the next when the first is a day ago.
    expect((await two.claim(noonMs + 4 * hourMs)).calls).toEqual([])
    expect((await leadRow(two.campaign, phoneNumber)).due_at_ms).toBe(noonMs + dayMs)
  })

  it('do not hold an appointment back by the gap, but by the day', async () => {
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

  it('can be switched off', async () => {
    const numberLimits = { minGapMinutes: null, per24Hours: null, per7Days: null }
    const world = await seedCallingWorld({
      ...openSettings,
      numberLimits,
      maxAttempts: 50,
      outcomes: { busy: { minutes: 0 } },
    })
    await world.add()
    for (let i = 0; i < 9; i++) {
      const { calls } = await world.claim(noonMs + i)
      await world.report(noonMs + i, [{ callId: idOf(calls), outcome: 'busy' }])
    }
    expect((await world.claim(noonMs + 9)).calls[0]?.attempt).toBe(10)
  })

  it('do not count a call that was released', async () => {
    const world = await seedCallingWorld({ ...openSettings, numberLimits: { per24Hours: 1 } })
    await world.add()
    const first = await world.claim(noonMs)
    await world.release(noonMs, [{ callId: idOf(first.calls), delaySeconds: 0 }])
    expect((await world.claim(noonMs)).calls).toHaveLength(1)
  })

  it('block a number for others only until a lease that ran out would be settled', async () => {
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
})

describe('A maximum of attempts', () => {
  it('that was lowered exhausts at the next claim (D40)', async () => {
    const world = await seedCallingWorld()
    const { phoneNumber } = await world.add()
    const { calls } = await world.claim(noonMs)
    await world.report(noonMs, [{ callId: idOf(calls), outcome: 'busy' }])
    await world.change({ maxAttempts: 1 })
    expect(await world.claim(noonMs + hourMs)).toMatchObject({ calls: [], reason: 'waiting' })
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ status: 'exhausted', due_at_ms: null })
    expect(await world.claim(noonMs + hourMs)).toMatchObject({ reason: 'empty', retryAfterSeconds: 30 })
  })
})

describe('A claim that comes again', () => {
  const key = () => ({ requestKey: randomBase62(20), requestToken: randomBase62(11) })

  it('gives the same calls, as long as they are open and may be made', async () => {
    const world = await seedCallingWorld()
    const phones = [await world.add(), await world.add(), await world.add()].map((lead) => lead.phoneNumber)
    await world.add()
    const request = key()
    const first = await world.tryClaim(noonMs, { maxCalls: 3 }, companyDb, request)
    const again = await world.tryClaim(noonMs + 1000, { maxCalls: 3 }, companyDb, request)
    expect(again).toEqual({ ...first, isReplay: true })
    if (first.kind !== 'claimed') throw new Error(first.kind)
    await world.report(noonMs + 2000, [{ callId: idOf(first.calls), outcome: 'busy' }])
    await world.suppress([phones[1] as string], noonMs + 2000)
    const rest = await world.tryClaim(noonMs + 3000, { maxCalls: 3 }, companyDb, request)
    expect(rest.kind === 'claimed' && phonesOf(rest.calls)).toEqual([phones[2]])
    // Hours later nothing more is leased for it.
    const late = await world.tryClaim(noonMs + 5 * hourMs, { maxCalls: 3 }, companyDb, request)
    expect(late).toMatchObject({ kind: 'claimed', calls: [], reason: 'waiting' })
    const { calls } = await world.claim(noonMs + 5 * hourMs, { maxCalls: 9 })
    expect(calls.map((call) => call.attempt).sort()).toEqual([1, 2, 2])
  })

  it('claims again when it leased nothing the first time, also with another body', async () => {
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

  it('moves nothing out of the way', async () => {
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

  it('is refused when its Idempotency-Key came with another body', async () => {
    const world = await seedCallingWorld()
    await world.add()
    await world.add()
    const request = key()
    await world.tryClaim(noonMs, {}, companyDb, request)
    const other = await world.tryClaim(noonMs, { maxCalls: 2 }, companyDb, {
      ...request,
      requestToken: randomBase62(11),
    })
    expect(other).toEqual({ kind: 'reused' })
  })

  it.each([1, 2])('after %i lost answers gives what the first try has leased, once', async (times) => {
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
  })
})

describe('A key', () => {
  it('claims only with the right to, and only in its campaign', async () => {
    const world = await seedCallingWorld()
    await world.add()
    const stranger = await seedWorld()
    const origin = (keyId: string) => ({
      ...world.access(keyId, noonMs),
      requestKey: null,
      hashes: noHashes,
      requestToken: randomBase62(11),
    })
    const claimAs = async (keyId: string) => {
      return (await claimCalls(companyDb, origin(keyId), { maxCalls: 1, leaseSeconds: null, agent: null }))
        .kind
    }
    const elsewhere = (await world.another()).campaign
    const held = await seedKey({ companyId: world.companyId, campaign: elsewhere, scope: 'agent' })
    const foreign = await seedKey({ companyId: stranger.companyId, scope: 'agent' })
    const revoked = await seedKey({ companyId: world.companyId, scope: 'agent', revokedAtMs: 1 })
    expect(await claimAs(world.readKeyId)).toBe('key_refused')
    expect(await claimAs(world.writeKeyId)).toBe('key_refused')
    expect(await claimAs(revoked.id)).toBe('key_refused')
    expect(await claimAs(held.id)).toBe('campaign_denied')
    expect(await claimAs(foreign.id)).toBe('campaign_denied')
    expect(await claimAs(world.manageKeyId)).toBe('claimed')
  })
})

describe('Twenty claims at once', () => {
  it('never hold the same lead, and give the best first', async () => {
    const world = await seedCallingWorld()
    await fillQueue(world.campaign, 150, { rank: 'i % 7' })
    await fillQueue(world.campaign, 100, { rank: '101' })
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => world.claim(noonMs, { maxCalls: 10 })),
    )
    const phones = outcomes.flatMap(({ calls }) => phonesOf(calls))
    expect(phones).toHaveLength(200)
    expect(new Set(phones).size).toBe(200)
    const left = await companyDb
      .prepare(
        'select max(queue_rank) as top from leads where campaign_number = ?1 and due_at_ms is not null',
      )
      .bind(world.campaign.number)
      .first<{ top: number }>()
    expect(left?.top).toBeLessThan(4)
  })

  it('in two campaigns never hold the same number', async () => {
    const one = await seedCallingWorld()
    const two = await one.another()
    for (const { campaign } of [one, two]) await fillQueue(campaign, 60)
    const claims = Array.from({ length: 20 }, (_, i) => (i % 2 ? one : two).claim(noonMs, { maxCalls: 5 }))
    const phones = (await Promise.all(claims)).flatMap(({ calls }) => phonesOf(calls))
    expect(new Set(phones).size).toBe(phones.length)
    expect(phones.length).toBe(60)
  })
})
