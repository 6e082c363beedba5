// A test call is a call: the phone that it rings is rung by nobody else of the company, in whatever spelling, and it
// ends when its number is suppressed.
import { evictDurableObject } from 'cloudflare:test'
import { beforeEach, expect, it, vi } from 'vitest'
import { companyDb } from '../../support/database/store.ts'
import { lasting, seedDialer, templateAt } from '../../support/dialers/dialer-world.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'

beforeEach(useFutureClock)

const ended = { state: 'ended', reason: 'answered', talked: true, analysis: { outcome: 'answered' } }

/** A company whose dialer is off, and which can test with it. */
async function seedTester() {
  const state = { isOver: false }
  const world = await seedDialer(
    (sent) => (state.isOver && sent.method === 'GET' ? Response.json(ended) : lasting(sent)),
    { enabled: false },
  )
  const test = (phoneNumber: string) => world.ask('POST', { phoneNumber }, '/test')
  return {
    ...world,
    state,
    test,
    begin: async (phoneNumber: string) => (dataOf(await test(phoneNumber), 202) as { testId: string }).testId,
    read: async (testId: string) =>
      dataOf(await world.ask('GET', undefined, `/test/${testId}`), 200) as { state: string },
    async kept() {
      const rows = companyDb.prepare('select count(*) as n from test_calls where company_id = ?1')
      return (await rows.bind(world.companyId).first<{ n: number }>())?.n
    },
  }
}

let last = 0
/** A mobile number of Mexico, as it is written today and as until 2019, and with a zero that was left in of Germany. */
const twins = () => {
  const digits = String(++last).padStart(4, '0')
  return [
    [`+52551234${digits}`, `+521551234${digits}`],
    [`+49301234${digits}`, `+490301234${digits}`],
    [`+49151234${digits}`, `+49151234${digits}`],
  ] as const
}

const leasedBy = async ({ claim }: Pick<Awaited<ReturnType<typeof seedTester>>, 'claim'>) =>
  (await claim({ limit: 10 })).calls.map(({ lead }) => lead.phoneNumber)

it('A number that is rung for a test is leased by no campaign of the company, in any spelling, until the test has ended', async () => {
  for (const [tested, written] of twins()) {
    const [world, stranger] = [await seedTester(), await seedTester()]
    const other = await world.another()
    const testId = await world.begin(tested)
    const { leadId } = await other.add({ phoneNumber: written })
    const { phoneNumber: neighbour } = await other.add()
    await stranger.add({ phoneNumber: written })
    expect(await leasedBy(other)).toEqual([neighbour])
    expect(await leasedBy(stranger)).toEqual([written])
    await world.run()
    await world.run(15)
    expect(await leasedBy(other)).toEqual([])
    const explained = dataOf(await other.ask('GET', `/api/v1/leads/${leadId}/calling`), 200)
    expect(JSON.stringify(explained)).toContain('number_live')
    world.state.isOver = true
    await world.run(15)
    expect(await world.read(testId)).toMatchObject({ state: 'ended' })
    expect(await leasedBy(other)).toEqual([written])
    expect(await world.kept()).toBe(0)
  }
})

it('A test call keeps its number for as long as it lasts', async () => {
  const world = await seedTester()
  const other = await world.another()
  const [[phoneNumber]] = twins()
  await world.begin(phoneNumber)
  await world.run()
  await other.add({ phoneNumber })
  for (let i = 0; i < 60; i++) {
    // Right before it is asked for again, too.
    expect(await leasedBy(other)).toEqual([])
    await world.run(15, 1)
  }
})

it('A number in a call, or rung for another test of the company, is not rung for a test, in any spelling', async () => {
  for (const [index, [tested, written]] of twins().entries()) {
    const [world, stranger] = [await seedTester(), await seedTester()]
    const other = await world.another()
    const path = `${other.campaignPath}/dialer`
    const template = {
      preset: 'custom',
      template: templateAt(world.url),
      secrets: { apiKey: 'of-the-other-1' },
    }
    dataOf(await world.manager.request('PUT', path, { ...template, enabled: false }), 200)
    const testOther = (phoneNumber: string) => world.manager.request('POST', `${path}/test`, { phoneNumber })
    const refused = async (phoneNumber: string) => {
      const { status, headers } = await testOther(phoneNumber)
      return [status, headers.get('x-error-code')]
    }
    await world.begin(tested)
    expect(await refused(written)).toEqual([409, 'number_in_call'])
    await stranger.begin(written)
    const [beside, besideWritten] = twins()[index] as readonly [string, string]
    await world.call({ phoneNumber: besideWritten })
    expect(await refused(beside)).toEqual([409, 'number_in_call'])
    world.state.isOver = true
    await world.run()
    await world.run(15)
    dataOf(await testOther(written), 202)
  }
})

it('A test call to a number that is in a call at another company is made, and tells nothing of that', async () => {
  const [world, stranger] = [await seedTester(), await seedTester()]
  const { phoneNumber } = (await stranger.call()).lead
  const answer = await world.test(phoneNumber)
  expect(answer.status).toBe(202)
  const { testId } = dataOf(answer, 202) as { testId: string }
  await world.run()
  const none = { outcome: null, reason: null, seconds: null, saidOutcome: null, callbackAt: null }
  expect(await world.read(testId)).toEqual({ state: 'ringing_or_live', ...none })
})

it('A live test call is hung up when its number is suppressed, and that of another company goes on', async () => {
  for (const [tested, written] of twins()) {
    const [world, stranger] = [await seedTester(), await seedTester()]
    for (const { begin, run } of [world, stranger]) {
      await begin(tested)
      await run()
      await run(15)
    }
    await world.suppress([written])
    for (const { run } of [world, stranger]) await run(15)
    expect([world.hungUp().length, stranger.hungUp().length]).toEqual([1, 0])
  }
})

it('The number of a test call that was lost with its object is free after some minutes, and forgotten', async () => {
  const [world, stranger] = [await seedTester(), await seedTester()]
  const other = await world.another()
  const [[phoneNumber], [kept]] = twins()
  await world.begin(phoneNumber)
  await evictDurableObject(world.object)
  await other.add({ phoneNumber })
  expect(await leasedBy(other)).toEqual([])
  vi.setSystemTime(Date.now() + 200_000)
  await stranger.begin(kept)
  vi.setSystemTime(Date.now() + 101_000)
  expect(await leasedBy(other)).toEqual([phoneNumber])
  await runCron()
  expect([await world.kept(), await stranger.kept()]).toEqual([0, expect.any(Number)])
  expect(await stranger.kept()).toBeGreaterThan(0)
})
