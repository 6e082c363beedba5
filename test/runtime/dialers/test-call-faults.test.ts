// Test calls when something goes wrong: a provider that is lost, a key that is rotated, a start that comes late, an
// alarm that is dropped, and requests of the trace that have one time.
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { waits } from '../../../src/base/limits.ts'
import { minuteMs } from '../../support/calling/calling.ts'
import { databaseThat } from '../../support/database/database.ts'
import { seedDialer } from '../../support/dialers/dialer-world.ts'
import { seedDialling, withFate } from '../../support/dialers/dialling.ts'
import type { Fate } from '../../support/dialers/fake-provider.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'
import { newPhone } from '../../support/world.ts'

const testId = 'test-1'

async function seedTest(fate: Partial<Fate>, more: Parameters<typeof seedDialling>[0] = {}) {
  const world = await seedDialling({
    ...more,
    fateOf: () => withFate(fate),
    faultMs: 9 * 60 * minuteMs,
    dialer: { variables: { maxCallSeconds: '7200' } },
  })
  const { simulated, clock, wake } = world
  simulated.tests.begin({ testId, phoneNumber: newPhone(), metadata: null }, clock.ms)
  wake()
  return { ...world, stateNow: () => simulated.tests.find(testId)?.state }
}

it('A test call that cannot be asked for an hour is hung up and unknown, and the dialer sleeps meanwhile', async () => {
  const { pass, provider, simulated, stateNow } = await seedTest({
    status: 'errors',
    lengthMs: 9 * 60 * minuteMs,
  })
  await pass(3500)
  expect([stateNow(), provider.rung[0]?.hungUpAtMs]).toEqual(['ringing_or_live', null])
  const { rounds } = simulated.counts
  await pass(300)
  expect(simulated.counts.rounds - rounds).toBeLessThan(30)
  expect([stateNow(), simulated.tests.running]).toEqual(['unknown', []])
  expect(provider.rung[0]?.hungUpAtMs).not.toBeNull()
  const steps = simulated.memory.trace.list().map(({ step, verdict }) => `${step} ${verdict}`)
  expect(steps).toEqual(['hangUp taken', 'status unreadable', 'test started'])
  expect(simulated.counts.mostInRound).toBeLessThanOrEqual(40)
})

it('A key that is rotated follows a test call that is live, and another template does not', async () => {
  const { pass, set, provider, stateNow } = await seedTest({ lengthMs: 2 * minuteMs })
  await pass(20)
  await set({ sealedSecrets: 'rotated' })
  await pass(20)
  expect(provider.requests.at(-1)?.headers.get('authorization')).toBe('Bearer rotated')
  await set({ sealedSecrets: 'of another', variables: { maxCallSeconds: '900' } })
  await pass(20)
  expect(provider.requests.at(-1)?.headers.get('authorization')).toBe('Bearer rotated')
  await pass(120)
  expect(stateNow()).toBe('ended')
})

it('A test call that could not be started within two minutes, or of a dialer that was removed, rings nobody', async () => {
  const late = await seedTest({})
  late.clock.ms += 2 * minuteMs
  await late.pass(1)
  expect([late.stateNow(), late.provider.rung]).toEqual(['unknown', []])
  const removed = await seedTest({})
  await removed.remove()
  await removed.pass(1)
  expect(removed.provider.rung).toEqual([])
})

it('A test call rings nobody when the database cannot say whether it may', async () => {
  const { DB: db } = databaseThat(async (run, { statements }) => {
    if (statements.some(({ sql }) => sql.includes('"isInCall"'))) throw new Error('D1_ERROR: overloaded')
    return run()
  })
  const { pass, provider, simulated, stateNow } = await seedTest({}, { db })
  await pass(10)
  expect([stateNow(), simulated.tests.find(testId)?.reason]).toEqual(['refused', 'service_unavailable'])
  expect(provider.rung).toEqual([])
})

it('The look whether a number may be called takes no time from the start of its test call', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { DB: db } = databaseThat(async (run, { statements }) => {
    if (statements.some(({ sql }) => sql.includes('"isInCall"'))) await vi.advanceTimersByTimeAsync(2_000)
    return run()
  })
  const { pass, wake, clock, simulated } = await seedDialling({
    db,
    sendWith:
      () =>
      async (_, { method }) => {
        if (method === 'POST') await vi.advanceTimersByTimeAsync(29_500)
        return Response.json({ id: 'p1', state: 'talking' })
      },
  })
  await pass(1)
  simulated.tests.begin({ testId, phoneNumber: newPhone(), metadata: null }, clock.ms)
  wake()
  await pass(1)
  expect(simulated.tests.find(testId)?.state).toBe('ringing_or_live')
  expect(simulated.tests.memory.calls).toMatchObject([{ state: 'following', providerId: 'p1' }])
})

const begin = async ({ ask }: Awaited<ReturnType<typeof seedDialer>>) =>
  (dataOf(await ask('POST', { phoneNumber: newPhone() }, '/test'), 202) as { testId: string }).testId

it('A test call whose alarm was dropped is started and followed once somebody reads it', async () => {
  useFutureClock()
  const world = await seedDialer()
  const { object, ask, run, starts } = world
  await run()
  const id = await begin(world)
  await runInDurableObject(object, (_, { storage }) => storage.deleteAlarm())
  await run(1)
  expect(starts()).toHaveLength(0)
  dataOf(await ask('GET', undefined, `/test/${id}`), 200)
  await run(20)
  expect(starts()).toHaveLength(1)
  await runInDurableObject(object, (_, { storage }) => storage.deleteAlarm())
  expect((await ask('POST', { phoneNumber: newPhone() }, '/test')).status).toBe(409)
  await run(20)
  expect(dataOf(await ask('GET', undefined, '/trace'), 200)).toMatchObject({
    exchanges: [{ step: 'status', verdict: 'live' }, { step: 'test' }],
  })
})

it('What came of a test call is known for an hour, whether or not the dialer is woken', async () => {
  useFutureClock()
  const world = await seedDialer(({ method }) => Response.json({}, { status: method === 'POST' ? 402 : 200 }))
  const id = await begin(world)
  await world.run()
  const read = () => world.ask('GET', undefined, `/test/${id}`)
  expect(dataOf(await read(), 200)).toMatchObject({ state: 'refused', reason: 'account' })
  vi.setSystemTime(Date.now() + 3_600_001)
  expect((await read()).status).toBe(404)
})

it('A company has 20 test calls an hour in all its campaigns, and another company has its own', async () => {
  useFutureClock()
  const world = await seedDialer(({ method }) => Response.json({}, { status: method === 'POST' ? 402 : 200 }))
  const { shown, companyId } = world
  const { template } = await shown('GET').then((dialer) => dialer as unknown as { template: object })
  const settings = { preset: 'custom', template, secrets: { apiKey: 'sk-0123456789' }, enabled: false }
  let [status, last] = [0, 0]
  for (let campaign = 0; campaign < 5; campaign++) {
    const { campaign: own, manageKey } = await world.another()
    const path = `/api/v1/campaigns/${own.id}/dialer`
    const object = env.DIALERS.getByName(`${companyId}/${own.number}`)
    dataOf(await api(manageKey).request('PUT', path, settings), 200)
    for (let count = 0; count < 5 && last !== 429; count++) {
      const answer = await api(manageKey).request('POST', `${path}/test`, { phoneNumber: newPhone() })
      last = answer.status
      if (last === 202) status++
      else expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      for (let round = 0; round < 2; round++) await runDurableObjectAlarm(object)
    }
  }
  expect([status, last]).toEqual([20, 429])
  expect(world.starts()).toHaveLength(20)
  await begin(await seedDialer())
})

it('A dialer that is removed and set again has no more test calls in its hour', async () => {
  useFutureClock()
  const world = await seedDialer(() => Response.json({}, { status: 402 }))
  const { template } = (await world.shown('GET')) as unknown as { template: object }
  for (let count = 0; count < 5; count++) {
    await begin(world)
    await world.run()
    dataOf(await world.ask('DELETE'), 200)
    await world.run()
    await world.shown('PUT', { preset: 'custom', template, secrets: { apiKey: 'sk-0123456789' } })
  }
  expect((await world.ask('POST', { phoneNumber: newPhone() }, '/test')).status).toBe(429)
})

it('A nudge for the whole campaign asks for a test call, too', async () => {
  useFutureClock()
  const world = await seedDialer()
  const { run, asks, shown } = world
  await begin(world)
  await run()
  vi.setSystemTime(Date.now() + 6_000)
  const { endUrl } = await shown('GET')
  await api(null).request('POST', new URL(endUrl).pathname, {})
  await run(0, 1)
  expect(asks()).toHaveLength(1)
})

it('Requests of one moment keep their order in the trace when the object dies, and none overwrites another', async () => {
  useFutureClock()
  const { object, ask } = await seedDialer()
  const check = (from: number, to: number) =>
    runInDurableObject(object, async (dialer) => {
      for (let count = from; count < to; count++)
        await dialer.noteCheck({ httpStatus: 200, milliseconds: count, message: null }, true)
    })
  await check(0, 190)
  await evictDurableObject(object)
  await check(190, 202)
  await evictDurableObject(object)
  await check(202, 210)
  const { exchanges } = dataOf(await ask('GET', undefined, '/trace'), 200) as {
    exchanges: { milliseconds: number }[]
  }
  expect(exchanges.map(({ milliseconds }) => milliseconds)).toEqual(
    Array.from({ length: 200 }, (_, index) => 209 - index),
  )
})

it('The trace has a check that gets no answer in time', async ({ onTestFinished }) => {
  const { webhookTestMs } = waits
  Object.assign(waits, { webhookTestMs: 100 })
  onTestFinished(() => void Object.assign(waits, { webhookTestMs }))
  const { ask } = await seedDialer((sent) =>
    sent.path === '/me' ? new Promise<Response>(() => {}) : Response.json({}),
  )
  const answer = dataOf(await ask('POST', {}, '/check'), 200)
  expect(answer).toMatchObject({ ok: false, problem: { code: 'no_answer' } })
  expect(dataOf(await ask('GET', undefined, '/trace'), 200)).toMatchObject({
    exchanges: [{ step: 'check', verdict: 'refused', httpStatus: null }],
  })
})
