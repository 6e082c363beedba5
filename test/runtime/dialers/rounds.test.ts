// The rounds of a dialer: what it starts, what it makes of each answer, how it follows calls and ends them.
import { expect, it } from 'vitest'
import {
  alwaysOpen,
  minuteMs,
  noonMs,
  openSettings,
  settleEverything,
} from '../../support/calling/calling.ts'
import { watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { seedDialling, withFate } from '../../support/dialers/dialling.ts'
import type { Fate, StartFate } from '../../support/dialers/fake-provider.ts'

const always = (fate: Partial<Fate>) => ({ fateOf: () => withFate(fate) })

it('A lead is called, followed, and reported with what the provider says', async () => {
  const world = await seedDialling()
  const { phoneNumber } = await world.lead()
  await world.pass(1)
  expect(world.provider.rung.map((call) => call.phoneNumber)).toEqual([phoneNumber])
  expect(await world.callsOf(phoneNumber)).toMatchObject([
    { outcome: null, providerCallId: 'p1', dialledAtMs: noonMs },
  ])
  await world.pass(90)
  expect(await world.callsOf(phoneNumber)).toMatchObject([
    { outcome: 'answered', seconds: 60, providerCallId: 'p1' },
  ])
  await world.pass(300)
  expect(world.simulated.memory.calls).toEqual([])
  await world.pass(3600)
  expect(world.provider.rung).toHaveLength(1)
})

it('No more calls are live than the dialer may have, and each that ends makes room', async () => {
  const world = await seedDialling({ dialer: { maxLive: 3 } })
  for (let i = 0; i < 8; i++) await world.lead()
  await world.pass(5)
  expect(world.provider.rung).toHaveLength(3)
  await world.pass(75)
  expect(world.provider.rung).toHaveLength(6)
  await world.pass(75)
  expect(world.provider.rung).toHaveLength(8)
})

it('A campaign without a pace gets 60 starts a minute', async () => {
  const world = await seedDialling({ dialer: { maxLive: 100 } })
  for (let i = 0; i < 70; i++) await world.lead()
  await world.pass(59)
  expect(world.provider.rung).toHaveLength(60)
  await world.pass(2)
  expect(world.provider.rung).toHaveLength(70)
})

it('The pace of the campaign holds', async () => {
  const world = await seedDialling({ dialer: { maxLive: 100 } })
  await world.change({ callsPerMinute: 6 })
  for (let i = 0; i < 10; i++) await world.lead()
  await world.pass(31)
  expect(world.provider.rung.length).toBeLessThanOrEqual(4)
  await world.pass(90)
  expect(world.provider.rung).toHaveLength(10)
})

it('Nothing is started while the dialer is off or the campaign paused, and all once it may', async () => {
  const world = await seedDialling({ dialer: { isEnabled: false } })
  await world.lead()
  await world.pass(60)
  await world.set({ isEnabled: true })
  await world.change({ paused: true })
  world.wake()
  await world.pass(60)
  expect(world.provider.requests).toEqual([])
  await world.change({ paused: false })
  world.wake()
  await world.pass(1)
  expect(world.provider.rung).toHaveLength(1)
})

it('A lead that is due later is called then, without anyone waking the dialer', async () => {
  const world = await seedDialling()
  const atMs = noonMs + 37 * minuteMs
  await world.lead({ scheduledFor: new Date(atMs).toISOString() })
  await world.pass(3600)
  expect(world.provider.rung.map(({ startedAtMs }) => startedAtMs)).toEqual([atMs])
})

it.each<[start: StartFate, outcomes: (string | null)[], afterSeconds: number]>([
  ['busy', ['released'], 5],
  ['refused', ['released'], 5],
  ['no_credit', ['released'], 5],
  ['fails_before_ringing', [null], 5],
  ['fails_after_ringing', [null], 5],
  ['no_id', [null], 5],
  ['late', [null], 5],
  ['no_id', ['unknown'], 900],
])('A start that is answered with %s leaves its call as %j after %i s', async (start, outcomes, seconds) => {
  const world = await seedDialling(always({ start }))
  const { phoneNumber } = await world.lead()
  await world.pass(seconds)
  await settleEverything(world.clock.ms)
  expect(await world.outcomesOf(phoneNumber)).toEqual(outcomes)
  expect(world.provider.requests.filter(({ method }) => method === 'POST').length).toBe(1)
})

it('A lead that the provider refuses is tried once more after 15 minutes, and then reported as failed', async () => {
  let refusals = 0
  const bad = '+4930999000013'
  const world = await seedDialling({
    fateOf: (phoneNumber) => {
      if (phoneNumber !== bad) return withFate({})
      refusals++
      return withFate({ start: 'refused' })
    },
  })
  await world.lead({ phoneNumber: bad })
  await world.pass(890)
  expect(refusals).toBe(1)
  await world.pass(30)
  expect(refusals).toBe(2)
  expect(await world.outcomesOf(bad)).toEqual(['released', 'failed'])
})

it('A number that is wrong is reported as invalid the second time', async () => {
  const world = await seedDialling(always({ reason: 'number-wrong' }))
  const { phoneNumber } = await world.lead()
  await world.pass(1200)
  expect(await world.outcomesOf(phoneNumber)).toEqual(['released', 'invalid_number'])
})

it('A busy provider gets nothing before its Retry-After, else for 30 s', async () => {
  const fates: StartFate[] = ['busy', 'busy_without_time']
  const world = await seedDialling({ fateOf: () => withFate({ start: fates.shift() ?? 'fine' }) })
  await world.lead()
  await world.pass(300)
  const starts = world.provider.requests.filter(({ method }) => method === 'POST').map(({ atMs }) => atMs)
  expect(starts).toHaveLength(3)
  const [first = 0, second = 0, third = 0] = starts
  expect(second - first).toBeGreaterThanOrEqual(20_000)
  expect(third - second).toBeGreaterThanOrEqual(30_000)
})

it('Without an id nothing is asked, and the seat is free after 120 s', async () => {
  const world = await seedDialling({ ...always({ start: 'no_id' }), dialer: { maxLive: 1 } })
  await world.lead()
  await world.lead()
  await world.pass(119)
  expect(world.provider.rung).toHaveLength(1)
  await world.pass(10)
  expect(world.provider.rung).toHaveLength(2)
  expect(world.provider.requests.filter(({ method }) => method === 'GET')).toEqual([])
})

it('A call that lasts keeps its lease, and is asked for every 15 s', async () => {
  const world = await seedDialling(always({ lengthMs: 40 * minuteMs }))
  const { phoneNumber } = await world.lead()
  await world.pass(41 * 60)
  expect(await world.callsOf(phoneNumber)).toMatchObject([{ outcome: 'answered', isLate: 0 }])
  expect(world.provider.requests.filter(({ method }) => method === 'GET').length).toBeGreaterThan(155)
})

it('Faults of the status are waited for, and no end is lost', async () => {
  for (const status of ['errors', 'missing', 'garbage', 'unfinished'] as const) {
    const world = await seedDialling(always({ status, reason: 'busy' }))
    const { phoneNumber } = await world.lead()
    await world.pass(400)
    expect(await world.outcomesOf(phoneNumber), status).toEqual(['busy'])
  }
})

it('An end without its analysis is reported after 180 s, and a do-not-call within the hour is added', async () => {
  const world = await seedDialling(
    always({ status: 'no_analysis', reason: 'answered', outcome: 'do_not_call' }),
  )
  const { phoneNumber } = await world.lead()
  await world.pass(200)
  expect(await world.outcomesOf(phoneNumber)).toEqual([null])
  await world.pass(70)
  expect(await world.callsOf(phoneNumber)).toMatchObject([{ outcome: 'answered', doNotCall: 0 }])
  await world.pass(900)
  expect(await world.callsOf(phoneNumber)).toMatchObject([{ doNotCall: 1 }])
  expect(world.simulated.memory.calls).toEqual([])
})

it('A status that cannot be read is the last problem, as a start that failed is', async () => {
  const world = await seedDialling(always({ status: 'errors' }))
  await world.lead()
  await world.pass(20)
  expect(world.simulated.memory.state.problem).toMatchObject({ status: 503, atMs: noonMs + 15_000 })
})

it('A call that was over and is live again is reported as it was seen, and hung up when it lasts too long', async () => {
  const world = await seedDialling({
    ...always({ status: 'never_ends', lengthMs: 60 * minuteMs }),
    dialer: { maxLive: 5, variables: { maxCallSeconds: '600' } },
  })
  const { phoneNumber } = await world.lead()
  await world.pass(20)
  const [call] = world.provider.rung
  if (call === undefined) throw new Error('nothing rang')
  Object.assign(call, { status: 'no_analysis', endedAtMs: world.clock.ms })
  await world.pass(20)
  Object.assign(call, { status: 'never_ends', endedAtMs: Number.POSITIVE_INFINITY })
  await world.pass(1300)
  await settleEverything(world.clock.ms)
  expect([call.hungUpAtMs === null, await world.outcomesOf(phoneNumber)]).toEqual([false, ['answered']])
})

it('A dialer whose key is revoked sleeps between its rounds, and forgets its live calls when they have ended', async () => {
  const world = await seedDialling(always({ lengthMs: 30 * minuteMs }))
  await world.lead()
  await world.pass(20)
  await companyDb
    .prepare(
      'update api_keys set revoked_at_ms = 1 where id = (select key_id from dialers where campaign_number = ?1)',
    )
    .bind(world.campaign.number)
    .run()
  // At most four askings a minute, and as many rounds more.
  const before = world.simulated.counts.rounds
  await world.pass(20 * 60)
  expect(world.simulated.counts.rounds - before).toBeLessThan(20 * 8)
  await world.pass(60 * 60)
  expect(world.simulated.memory.calls).toEqual([])
})

it('A call whose lease was lost, and that cannot be asked for any more, is forgotten', async () => {
  const world = await seedDialling(always({ status: 'never_ends' }))
  const { phoneNumber } = await world.lead()
  await world.pass(20)
  await companyDb
    .prepare('update leads set lease_expires_at_ms = ?2 where campaign_number = ?1 and phone_number = ?3')
    .bind(world.campaign.number, world.clock.ms, phoneNumber)
    .run()
  await settleEverything(world.clock.ms + minuteMs)
  await world.set({ isEnabled: false })
  await world.pass(2 * 60 * 60)
  expect(world.simulated.memory.calls).toEqual([])
})

it('A live call whose turn has come is asked for in the round that starts another one', async () => {
  const world = await seedDialling(always({ lengthMs: 20 * minuteMs }))
  await world.lead()
  await world.pass(14)
  world.clock.ms += 60_000
  await world.lead()
  await world.pass(1)
  expect(world.provider.requests.map(({ method }) => method)).toEqual(['POST', 'POST', 'GET'])
})

it('A claim of a dialer is not blocked by another agent of its name that fails', async () => {
  const world = await seedDialling()
  const blocked = companyDb.prepare(
    `insert into agents (company_id, campaign_number, name, unknown_in_a_row, claims_in_a_row, claim_tokens,
      blocked_until_ms,
       last_unknown_at_ms)
     values (?1, ?2, 'dialer', 20, 5, '[]', 9000000000000000, 1)`,
  )
  await blocked.bind(world.companyId, world.campaign.number).run()
  const { phoneNumber } = await world.lead()
  await world.pass(120)
  expect(await world.outcomesOf(phoneNumber)).toEqual(['answered'])
})

it('A call that the memory does not have was never started, and is released', async () => {
  const world = await seedDialling()
  const { phoneNumber } = await world.lead()
  await world.claimAsDialer()
  expect(await world.outcomesOf(phoneNumber)).toEqual([null])
  await world.pass(5)
  expect(await world.outcomesOf(phoneNumber)).toEqual(['released', null])
  expect(world.provider.rung).toHaveLength(1)
})

/** A database whose claims take long: `meanwhile` follows each that leases something. */
function slowClaims(meanwhile: () => Promise<void>): D1Database {
  const batch = async (statements: D1PreparedStatement[]) => {
    const results = await companyDb.batch<Record<string, unknown>>(statements)
    if (results.some((result) => result.results.some((row) => 'dialBeforeMs' in row))) await meanwhile()
    return results
  }
  return { prepare: (text: string) => companyDb.prepare(text), batch } as unknown as D1Database
}

it('A lead that is suppressed while its claim takes long is not called, and released', async () => {
  let meanwhile = async () => {}
  const world = await seedDialling({ db: slowClaims(() => meanwhile()) })
  const { phoneNumber } = await world.lead()
  meanwhile = async () => {
    world.clock.ms += 3_000
    await world.suppress([phoneNumber], world.clock.ms)
  }
  await world.pass(60)
  expect(world.provider.rung).toEqual([])
  expect(await world.outcomesOf(phoneNumber)).toEqual(['released'])
})

it('A call that may no longer be dialled when its claim arrives is not started, and released', async () => {
  let meanwhile = async () => {}
  const world = await seedDialling({
    db: slowClaims(() => meanwhile()),
    settings: { ...openSettings, callingHours: { ...alwaysOpen, wed: [['00:00', '12:01']] } },
  })
  const { phoneNumber } = await world.lead()
  meanwhile = async () => {
    world.clock.ms += 61_000
  }
  await world.pass(120)
  expect(world.provider.rung).toEqual([])
  expect(await world.outcomesOf(phoneNumber)).toEqual(['released'])
})

it('A call of a dialer reads and writes few rows from its claim to its report, however many statements follow it', async () => {
  const { DB, trips } = watchedDatabase()
  // Tests of moves leave companies frozen, whose keys a count of uses reads. While nothing moves it reads none.
  await companyDb.prepare('update companies set frozen_at_ms = null where frozen_at_ms is not null').run()
  const world = await seedDialling({ db: DB })
  await world.pass(60)
  trips.length = 0
  const { phoneNumber } = await world.lead()
  await world.pass(120)
  expect(await world.outcomesOf(phoneNumber)).toEqual(['answered'])
  const metas = trips.flatMap(({ results }) => results).map(({ meta }) => meta)
  const written = metas.reduce((sum, meta) => sum + meta.rows_written, 0)
  const read = metas.reduce((sum, meta) => sum + meta.rows_read, 0)
  expect(written).toBeLessThanOrEqual(20)
  expect(read).toBeLessThanOrEqual(600)
})
