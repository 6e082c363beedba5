// Bulks take turns in an isolate: how many are stored at once, in which order the others are, and what becomes of a
// turn whose request is late or never ends. Creates are not in line.
import { afterEach, expect, it, vi } from 'vitest'
import { limits, waits } from '../../src/base/limits.ts'
import { databaseThat } from '../support/database/database.ts'
import { api } from '../support/http/api.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { catchLogs } from '../support/run/logs.ts'
import { newPhone, seedWorld, storedPhones } from '../support/world.ts'

const serviceWaits = { ...waits }
afterEach(() => void Object.assign(waits, serviceWaits))

/** A database that holds bulks until they are let go, one after the other. */
async function seedHeld() {
  const world = await seedWorld()
  const held: (() => void)[] = []
  const { DB } = databaseThat(async (run, { statements }) => {
    if (statements.some(({ sql }) => sql.includes('json_group_array')))
      await new Promise<void>((resolve) => held.push(resolve))
    return run()
  })
  const client = api(world.writeKey, { bindings: { DB } })
  const bulk = (phoneNumber = newPhone()) =>
    client.importLeads({ campaignId: world.campaignId, leads: [{ phoneNumber }] })
  const create = () => client.createLead({ campaignId: world.campaignId, phoneNumber: newPhone() })
  const isHeld = (count: number) => vi.waitFor(() => expect(held.length).toBe(count), 5_000)
  return { ...world, bulk, create, held, isHeld }
}

it('At most two bulks are stored at once in an isolate, and the others in the order of their arrival, of all companies', async () => {
  const [one, other] = [await seedHeld(), await seedHeld()]
  const done: string[] = []
  const send = async ({ bulk }: typeof one, name: string) => {
    dataOf(await bulk(), 200)
    done.push(name)
  }
  const all = [send(one, 'a'), send(other, 'b')]
  await Promise.all([one.isHeld(1), other.isHeld(1)])
  for (const [place, world] of [one, other, one].entries()) {
    all.push(send(world, `${place}`))
    // So that they arrive one after the other.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  expect([one.held.length, other.held.length]).toEqual([1, 1])
  dataOf(await one.create(), 201)
  one.held[0]?.()
  await one.isHeld(2)
  expect(other.held.length).toBe(1)
  one.held[1]?.()
  await other.isHeld(2)
  other.held[1]?.()
  await one.isHeld(3)
  for (const release of [...one.held, ...other.held]) release()
  await Promise.all(all)
  expect(done.slice(0, 3)).toEqual(['a', '0', '1'])
})

it('A bulk begins once the one before it has ended, and earlier only beside one that takes long', async () => {
  const world = await seedHeld()
  Object.assign(waits, { bulkAloneMs: 60_000 })
  const first = world.bulk()
  await world.isHeld(1)
  const second = world.bulk()
  // Many looks later.
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(world.held.length).toBe(1)
  world.held[0]?.()
  dataOf(await first, 200)
  await world.isHeld(2)
  const third = world.bulk()
  Object.assign(waits, { bulkAloneMs: 0 })
  await world.isHeld(3)
  for (const release of world.held) release()
  for (const answer of await Promise.all([second, third])) dataOf(answer, 200)
})

it('A bulk whose turn does not come in time is 503 with a time to wait, stores nothing, and succeeds later', async () => {
  const world = await seedHeld()
  const logs = catchLogs()
  Object.assign(waits, { bulkTurnMs: 200, bulkAloneMs: 0 })
  const running = Array.from({ length: limits.bulksPerIsolate }, () => world.bulk())
  await world.isHeld(limits.bulksPerIsolate)
  const phoneNumber = newPhone()
  const late = await world.bulk(phoneNumber)
  expectFailure(late, 503, 'Service temporarily unavailable')
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await storedPhones(world.campaign)).toEqual([])
  const line = logs.records.find(({ status }) => status === 503)
  expect(line).toMatchObject({ problems: ['too many bulks'], route: '/api/v1/leads/bulk' })
  for (const release of world.held) release()
  for (const answer of await Promise.all(running)) dataOf(answer, 200)
  const again = world.bulk(phoneNumber)
  await world.isHeld(limits.bulksPerIsolate + 1)
  world.held.at(-1)?.()
  expect(dataOf(await again, 200).created).toBe(1)
  vi.restoreAllMocks()
})

it('A slot of a bulk that never ends is free after its time, for a bulk in line and for a later one', async () => {
  const world = await seedHeld()
  Object.assign(waits, { bulkSlotMs: 300 })
  const dead = Array.from({ length: limits.bulksPerIsolate }, () => world.bulk())
  await world.isHeld(limits.bulksPerIsolate)
  const inLine = world.bulk()
  await world.isHeld(limits.bulksPerIsolate + 1)
  world.held.at(-1)?.()
  dataOf(await inLine, 200)
  const later = world.bulk()
  await world.isHeld(limits.bulksPerIsolate + 2)
  for (const release of world.held) release()
  for (const answer of await Promise.all([later, ...dead])) dataOf(answer, 200)
})

it('A bulk that is refused, or fails, gives its slot back', async () => {
  const world = await seedHeld()
  const { writeKey, campaignId } = world
  const failing = databaseThat(() => Promise.reject(new Error('D1_ERROR: overloaded')))
  for (let sent = 0; sent < 2; sent++) {
    const refused = await api(writeKey).importLeads({ campaignId, leads: [{ phoneNumber: 'no number' }] })
    expect(refused.status).toBe(400)
    const failed = await api(writeKey, { bindings: { DB: failing.DB } }).importLeads({
      campaignId,
      leads: [{ phoneNumber: newPhone() }],
    })
    expect(failed.status).toBe(503)
  }
  const next = world.bulk()
  await world.isHeld(1)
  world.held[0]?.()
  dataOf(await next, 200)
})

// With bindings of a test, all of them would be one request to the runtime.
it('Bulks at once get their turns in requests of their own', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const bulk = () => api(writeKey).importLeads({ campaignId, leads: [{ phoneNumber: newPhone() }] })
  const answers = await Promise.all(Array.from({ length: 8 }, bulk))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
})
