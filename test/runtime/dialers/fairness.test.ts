// Following, starting and hanging up share the rounds of a dialer: none of them waits for the others to have nothing to
// do.
import { expect, it } from 'vitest'
import { minuteMs } from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'
import { seedDialling, withFate } from '../../support/dialers/dialling.ts'
import type { Fate } from '../../support/dialers/fake-provider.ts'
import { seedSaying } from '../../support/dialers/saying.ts'

type World = Awaited<ReturnType<typeof seedDialling>>

const lasting = (lengthMs: number) => ({ fateOf: () => withFate({ lengthMs }) })

async function addLeads(world: World, count: number) {
  const numbers: string[] = []
  for (let i = 0; i < count; i++) numbers.push((await world.add({}, world.clock.ms)).phoneNumber)
  world.wake()
  return numbers
}

/** As the object: the five live calls that were asked longest ago are asked sooner. */
function nudge(world: World) {
  const { memory } = world.simulated
  const heard = memory.calls.toSorted(
    (a, b) => (a.askedAtMs ?? a.startedAtMs) - (b.askedAtMs ?? b.startedAtMs),
  )
  for (const { callId } of heard.slice(0, 5)) memory.changeCall(callId, { nudgedAtMs: world.clock.ms })
}

it('Forty new leads are called within 10 s beside a hundred live calls and a nudge each second', async () => {
  const world = await seedDialling({ ...lasting(60 * minuteMs), dialer: { maxLive: 140 } })
  await world.change({ callsPerMinute: 6000 })
  await addLeads(world, 100)
  await world.pass(40)
  expect(world.provider.rung).toHaveLength(100)
  const newNumbers = await addLeads(world, 40)
  // So long takes each request of a quick provider.
  world.slowDown(200)
  const atMs = world.clock.ms
  while (world.clock.ms < atMs + 10_000) {
    nudge(world)
    world.wake()
    await world.pass(1)
  }
  const called = new Set(
    world.provider.rung
      .filter(({ startedAtMs }) => startedAtMs <= atMs + 10_000)
      .map((call) => call.phoneNumber),
  )
  expect(newNumbers.filter((number) => called.has(number))).toHaveLength(40)
}, 60_000)

it('At a provider that takes 2 s, a hundred calls are reached and held, and each is asked every 45 s at the latest', async () => {
  const world = await seedDialling({ ...lasting(60 * minuteMs), dialer: { maxLive: 100 } })
  world.slowDown(2_000)
  await world.change({ callsPerMinute: 600 })
  await addLeads(world, 120)
  await world.pass(300)
  expect(world.provider.rung).toHaveLength(100)
  const fromMs = world.clock.ms
  await world.pass(180)
  const asked = Map.groupBy(
    world.provider.requests.filter(({ method, atMs }) => method === 'GET' && atMs > fromMs - 45_000),
    ({ url }) => url,
  )
  expect(asked.size).toBe(100)
  for (const requests of asked.values()) {
    const times = [...requests.map(({ atMs }) => atMs), world.clock.ms]
    for (const [index, atMs] of times.slice(1).entries())
      expect(atMs - (times[index] ?? 0)).toBeLessThanOrEqual(45_000)
  }
  expect(world.simulated.counts.mostInRound).toBeLessThanOrEqual(40)
}, 60_000)

it('Starts that are answered after 30 s hold up no asking for longer than 45 s', async () => {
  const world = await seedDialling({ ...lasting(60 * minuteMs), dialer: { maxLive: 100 } })
  await addLeads(world, 10)
  await world.pass(20)
  world.slowDown(({ method }) => (method === 'POST' ? 30_000 : 100))
  await addLeads(world, 10)
  const fromMs = world.clock.ms
  await world.pass(120)
  const asked = world.provider.requests.filter(({ url, method }) => method === 'GET' && url.endsWith('/p1'))
  const times = [fromMs, ...asked.map(({ atMs }) => atMs).filter((atMs) => atMs > fromMs)]
  expect(times.length).toBeGreaterThan(2)
  for (const [index, atMs] of times.slice(1).entries())
    expect(atMs - (times[index] ?? 0)).toBeLessThanOrEqual(46_000)
}, 60_000)

it('Of twelve calls that are forbidden and ten whose hang-up fails, each is tried every 15 s', async () => {
  const world = await seedDialling({ ...lasting(60 * minuteMs), dialer: { maxLive: 20 } })
  const numbers = await addLeads(world, 12)
  await world.pass(20)
  world.provider.state.failingHangUps = new Set(Array.from({ length: 10 }, (_, index) => `p${index + 1}`))
  await world.suppress(numbers, world.clock.ms)
  const atMs = world.clock.ms
  await world.pass(65)
  const tries = Map.groupBy(
    world.provider.requests.filter(({ url }) => url.endsWith('/end')),
    ({ url }) => url.split('/').at(-2) ?? '',
  )
  expect(tries.size).toBe(12)
  for (const [id, requests] of tries) {
    const times = requests.map((request) => request.atMs)
    expect(times[0]).toBeLessThanOrEqual(atMs + 16_000)
    const gaps = times.slice(1).map((ms, index) => ms - (times[index] ?? 0))
    const isFailing = world.provider.state.failingHangUps.has(id)
    expect(gaps.length, id).toBe(isFailing ? 3 : 0)
    for (const gap of gaps) expect([gap >= 15_000, gap <= 20_000]).toEqual([true, true])
  }
  expect(world.simulated.counts.mostInRound).toBeLessThanOrEqual(40)
})

it('Of twelve calls that are forbidden and go on after each hang-up, each is hung up about every 15 s', async () => {
  const world = await seedSaying({ dialer: { maxLive: 20 } })
  const ids = Array.from({ length: 12 }, (_, index) => `p${index + 1}`)
  const numbers: string[] = []
  for (const _ of ids) numbers.push((await world.add({}, world.clock.ms)).phoneNumber)
  world.wake()
  await world.pass(20)
  await world.suppress(numbers, world.clock.ms)
  await world.pass(65)
  for (const id of ids) {
    const gaps = world.gapsOf(id) ?? []
    expect(gaps.length, id).toBeGreaterThanOrEqual(2)
    for (const gap of gaps) expect([gap >= 15, gap <= 30]).toEqual([true, true])
  }
  expect(world.simulated.counts.mostInRound).toBeLessThanOrEqual(40)
})

it('A provider that stays busy is tried ever more rarely, and as before when a start succeeds', async () => {
  let start: Fate['start'] = 'busy'
  const world = await seedDialling({ fateOf: () => withFate({ start }) })
  const { phoneNumber } = await world.lead()
  await world.pass(20 * 60)
  const released = (await world.outcomesOf(phoneNumber)).filter((outcome) => outcome === 'released')
  // 20, 40, 80, 160 s, then every five minutes.
  expect(released.length).toBeLessThanOrEqual(8)
  expect(released.length).toBeGreaterThanOrEqual(6)
  start = 'fine'
  await world.pass(5 * 60)
  expect(world.provider.rung).toHaveLength(1)
  start = 'busy'
  await world.lead()
  await world.pass(2)
  const { rest } = world.simulated.memory.state.health
  expect((rest?.untilMs ?? 0) - world.clock.ms).toBeLessThanOrEqual(20_000)
})

it('A dialer that holds its own pace waits for it, and says so', async () => {
  const world = await seedDialling({ fateOf: () => withFate({ lengthMs: 1_000 }), dialer: { maxLive: 100 } })
  await addLeads(world, 62)
  await world.pass(40)
  expect(world.provider.rung).toHaveLength(60)
  const { waiting } = world.simulated.memory.state
  expect([waiting?.reason, waiting?.nextMs]).toEqual([
    'pace',
    (world.provider.rung[0]?.startedAtMs ?? 0) + minuteMs,
  ])
  await world.pass(40)
  expect(world.provider.rung).toHaveLength(62)
})

it('Leads that were refused are forgotten once an hour, a week later', async () => {
  let lists = 0
  const world = await seedDialling({ fateOf: () => withFate({ start: 'refused' }) })
  const { memory } = world.simulated
  const refused = () => [...world.simulated.written.keys()].filter((key) => key.startsWith('refused:')).length
  const dayMs = 86_400_000
  world.simulated.onList = () => lists++
  for (let seq = 1; seq <= 50; seq++) memory.refuse(seq, world.clock.ms + seq)
  await null
  expect([lists, refused()]).toEqual([1, 50])
  memory.refuse(99, world.clock.ms + 8 * dayMs)
  await null
  expect([lists, refused()]).toEqual([2, 1])
})

it('Two dialers of one company share neither calls nor settings nor rests', async () => {
  const busy = await seedDialling({ fateOf: () => withFate({ start: 'busy' }) })
  const other = await seedDialling()
  await busy.lead()
  const { phoneNumber } = await other.lead()
  await busy.pass(10)
  await other.pass(120)
  expect(await other.outcomesOf(phoneNumber)).toEqual(['answered'])
  const open = companyDb.prepare(
    "select count(*) as n from calls where company_id = ?1 and outcome = 'released'",
  )
  expect(await open.bind(other.companyId).first()).toEqual({ n: 0 })
})
