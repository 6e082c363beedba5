// What a provider has said when something went wrong may name the person: it is kept for an hour, and for nobody who is
// erased.
import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, expect, it } from 'vitest'
import { seedDialer } from '../../support/dialers/dialer-world.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'
import { newPhone } from '../../support/world.ts'

beforeEach(useFutureClock)

const message = 'Ada Lovelace, Main Street, has no valid number'

async function seedRefusing() {
  const world = await seedDialer(({ method }) =>
    method === 'POST' ? Response.json({ message }, { status: 400 }) : Response.json({}),
  )
  /** Of what a dialer, or its test calls, are. */
  const isStored = async (key: 'state' | 'test:state') => {
    const state = await runInDurableObject(world.object, (_, { storage }) => storage.kv.get(key))
    return JSON.stringify(state)?.includes(message) ?? false
  }
  const shownMessage = async () => (await world.shown('GET')).state.lastProblem?.message ?? null
  return { ...world, isStored, shownMessage }
}

it('What a provider said of a call is shown for an hour, and then stored no longer', async () => {
  const { add, run, ask, isStored, shownMessage } = await seedRefusing()
  await add()
  await run()
  dataOf(await ask('PATCH', { enabled: false }), 200)
  await run(3500)
  expect([await shownMessage(), await isStored('state')]).toEqual([message, true])
  await run(100)
  expect([await shownMessage(), await isStored('state')]).toEqual([null, false])
})

it('What a provider said of a test call is stored for an hour, and no longer', async () => {
  const { run, ask, isStored } = await seedRefusing()
  dataOf(await ask('POST', { phoneNumber: newPhone() }, '/test'), 202)
  await run()
  expect(await isStored('test:state')).toBe(true)
  await run(3601)
  expect(await isStored('test:state')).toBe(false)
})

it('What a provider said of a lead is neither shown nor stored once the lead is erased', async () => {
  const [one, other] = [await seedRefusing(), await seedRefusing()]
  const erased = await one.add()
  await one.run()
  await other.add()
  await other.run()
  expect(await one.shownMessage()).toBe(message)
  const erase = (world: typeof one, leadId: string) =>
    world.manager.request('DELETE', `/api/v1/leads/${leadId}`)
  dataOf(await erase(one, erased.leadId), 200)
  dataOf(await erase(other, (await other.add()).leadId), 200)
  expect([await one.shownMessage(), await one.isStored('state')]).toEqual([null, false])
  expect([await other.shownMessage(), await other.isStored('state')]).toEqual([message, true])
})
