// A test call: one's own phone rings by the dialer's settings, outside the queue; and the trace of what was asked.
import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { beforeEach, expect, it, vi } from 'vitest'
import { databaseThat } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { lasting, secret, seedDialer } from '../../support/dialers/dialer-world.ts'
import type { Sent } from '../../support/dialers/provider-host.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { entriesOf, listenTo } from '../../support/ledger/log.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'
import { newPhone } from '../../support/world.ts'

beforeEach(useFutureClock)

type Exchange = Record<string, unknown> & { step: string; verdict: string; callId: string; leadId: string }

/** `end`: what the provider says of a call, once it has said it is live so often. */
async function seedTesting(end: object = {}, reply: (sent: Sent) => Response | null = () => null, more = {}) {
  const state = { isOver: false }
  const world = await seedDialer((sent) => {
    const own = reply(sent)
    if (own !== null) return own
    if (state.isOver && sent.method === 'GET') return Response.json({ state: 'ended', ...end })
    return lasting(sent)
  }, more)
  const { ask } = world
  return {
    ...world,
    state,
    test: (phoneNumber: string, fields: object = {}) => ask('POST', { phoneNumber, ...fields }, '/test'),
    async begin(phoneNumber = newPhone(), fields: object = {}) {
      const { testId } = dataOf(await ask('POST', { phoneNumber, ...fields }, '/test'), 202) as {
        testId: string
      }
      return testId
    },
    read: async (testId: string) => dataOf(await ask('GET', undefined, `/test/${testId}`), 200),
    trace: async () =>
      (dataOf(await ask('GET', undefined, '/trace'), 200) as { exchanges: Exchange[] }).exchanges,
  }
}

const none = { outcome: null, reason: null, seconds: null, saidOutcome: null, callbackAt: null }
const talked = { reason: 'answered', talked: true, seconds: 7, analysis: { outcome: 'not_interested' } }

it('A dialer that is off can call one number as a test, and shows what it would have reported', async () => {
  const world = await seedTesting(talked, undefined, { enabled: false })
  const { begin, read, run, starts, state, add } = world
  await add()
  const phoneNumber = newPhone()
  const testId = await begin(phoneNumber, { metadata: { name: 'Ada' } })
  expect(await read(testId)).toEqual({ state: 'starting', ...none })
  await run()
  expect(starts().map(({ text }) => JSON.parse(text).to)).toEqual([phoneNumber])
  expect(starts()[0]?.headers.get('authorization')).toBe(`Bearer ${secret}`)
  expect(await read(testId)).toEqual({ state: 'ringing_or_live', ...none })
  state.isOver = true
  await run(15)
  const ended = { state: 'ended', ...none, outcome: 'not_interested', reason: 'answered', seconds: 7 }
  expect(await read(testId)).toEqual(ended)
  await run(3500)
  expect(await read(testId)).toEqual(ended)
  await run(200)
  expect((await world.ask('GET', undefined, `/test/${testId}`)).status).toBe(404)
})

it('A test call is no lead, no call and in no statistics, and its number is kept nowhere', async () => {
  const { begin, run, state, object, companyId, shown, manager, campaignPath } = await seedTesting(talked)
  await listenTo(companyId)
  const phoneNumber = newPhone()
  await begin(phoneNumber)
  await run()
  expect(await shown('GET')).toMatchObject({ state: { live: 0 } })
  const stored = await runInDurableObject(object, (_, { storage }) => JSON.stringify([...storage.kv.list()]))
  expect(stored).not.toContain(phoneNumber.slice(1))
  state.isOver = true
  await run(15)
  const rows = await companyDb
    .prepare('select count(*) as n from calls where company_id = ?1')
    .bind(companyId)
    .run()
  expect(rows.results).toEqual([{ n: 0 }])
  const stats = dataOf(await manager.request('GET', `${campaignPath}/stats`), 200)
  expect(JSON.stringify(stats)).not.toMatch(/"calls":[1-9]/)
  const entries = (await entriesOf(companyId)).filter(({ type }) => /^(dialer|call|suppression)/.test(type))
  expect(entries.map(({ type }) => type)).toEqual(['dialer.test_started'])
  expect(JSON.stringify(entries)).not.toContain(phoneNumber.slice(1))
})

it('A test call is not made to a number that is suppressed or in a call, nor beside another one', async () => {
  const { test, begin, add, run, suppress, starts, manager } = await seedTesting()
  const suppressed = newPhone()
  await suppress([suppressed])
  const refused = async (phoneNumber: string) => {
    const { status, headers } = await test(phoneNumber)
    return [status, headers.get('x-error-code')]
  }
  expect(await refused(suppressed)).toEqual([403, 'number_suppressed'])
  const erased = newPhone()
  dataOf(await manager.request('POST', '/api/v1/erasures', { phoneNumber: erased, suppress: true }), 200)
  expect(await refused(erased)).toEqual([403, 'number_suppressed'])
  const { phoneNumber } = await add()
  await run()
  expect(await refused(phoneNumber)).toEqual([409, 'number_in_call'])
  const first = starts().length
  await begin()
  expect(await refused(newPhone())).toEqual([409, 'test_running'])
  await run()
  expect(await refused(newPhone())).toEqual([409, 'test_running'])
  expect(starts()).toHaveLength(first + 1)
})

it('Of two test calls at once, one is made, and the other is neither logged nor counted', async () => {
  const [world, other] = [await seedTesting(talked), await seedTesting(talked)]
  for (const { companyId } of [world, other]) await listenTo(companyId)
  const { test, begin, run, starts, state } = world
  state.isOver = true
  const both = await Promise.all([test(newPhone()), test(newPhone())])
  expect(both.map(({ status, headers }) => [status, headers.get('x-error-code')]).toSorted()).toEqual([
    [202, null],
    [409, 'test_running'],
  ])
  await other.begin()
  await run()
  await run(30)
  const logged = async ({ companyId }: typeof world) =>
    (await entriesOf(companyId)).filter(({ type }) => type === 'dialer.test_started').length
  expect([starts().length, await logged(world), await logged(other)]).toEqual([1, 1, 1])
  for (let count = 1; count < 5; count++) {
    await begin()
    await run()
    await run(30)
  }
  // One that may not be made does not make another one wait.
  for (let count = 0; count < 2; count++) expect((await test(newPhone())).status).toBe(429)
  expect(await logged(world)).toBe(5)
})

it('A test call that cannot be logged rings nobody, and the next one is made', async () => {
  const { begin, run, starts, manageKey, campaignPath } = await seedTesting()
  const { DB } = databaseThat((work, { statements }) =>
    statements.some(({ sql }) => sql.includes('dialer.test_started'))
      ? Promise.reject(new Error('D1_ERROR: something new'))
      : work(),
  )
  const client = api(manageKey, { bindings: { DB } })
  const body = { phoneNumber: newPhone() }
  expect((await client.request('POST', `${campaignPath}/dialer/test`, body)).status).toBe(503)
  await run()
  expect(starts()).toEqual([])
  await begin()
  await run()
  expect(starts()).toHaveLength(1)
})

it('A test call that was asked for is not made to a number that is suppressed or erased before it starts', async () => {
  const [world, neighbour] = [await seedTesting(), await seedTesting()]
  const { begin, read, run, starts, suppress, manager } = world
  const refused = async (phoneNumber: string, meanwhile: () => Promise<unknown>) => {
    const testId = await begin(phoneNumber)
    await meanwhile()
    await run()
    return read(testId)
  }
  const numbers = [newPhone(), newPhone()] as const
  const erasure = { phoneNumber: numbers[1], suppress: true }
  const no = { state: 'refused', ...none, reason: 'number_suppressed' }
  expect(await refused(numbers[0], () => suppress([numbers[0]]))).toEqual(no)
  expect(await refused(numbers[1], () => manager.request('POST', '/api/v1/erasures', erasure))).toEqual(no)
  expect(starts()).toEqual([])
  // Another company may call them.
  const testId = await neighbour.begin(numbers[0])
  await neighbour.run()
  expect(await neighbour.read(testId)).toMatchObject({ state: 'ringing_or_live' })
})

it('A test call rings nobody while its company moves, and those of another company are made', async () => {
  const [world, neighbour] = [await seedTesting(), await seedTesting()]
  const testId = await world.begin()
  const freeze = companyDb.prepare('update companies set frozen_at_ms = ?2 where id = ?1')
  const thaw = companyDb.prepare('update companies set frozen_at_ms = null where id = ?1')
  await freeze.bind(world.companyId, Date.now()).run()
  await world.run()
  const other = await neighbour.begin()
  await neighbour.run()
  await thaw.bind(world.companyId).run()
  expect(world.starts()).toEqual([])
  expect(await world.read(testId)).toEqual({ state: 'refused', ...none, reason: 'service_unavailable' })
  expect(await neighbour.read(other)).toMatchObject({ state: 'ringing_or_live' })
})

it('A campaign has five test calls an hour, and another one has its own', async () => {
  const { begin, run, state, test, another } = await seedTesting(talked)
  state.isOver = true
  for (let count = 0; count < 5; count++) {
    await begin()
    await run()
    await run(30)
  }
  const sixth = await test(newPhone())
  expect([sixth.status, sixth.headers.get('x-error-code')]).toEqual([429, 'rate_limited'])
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(3000)
  const other = await another()
  const path = `/api/v1/campaigns/${other.campaign.id}/dialer`
  const manager = api(other.manageKey)
  dataOf(await manager.request('PUT', path, { preset: 'pretend', enabled: false }), 200)
  dataOf(await manager.request('POST', `${path}/test`, { phoneNumber: newPhone() }), 202)
  await run(3600)
  await begin()
})

it.each([
  [402, 'refused', 'account'],
  [429, 'refused', 'busy'],
  [400, 'refused', 'lead'],
  [500, 'unknown', null],
] as const)(
  'A test call that the provider answers with %i is %s, and stops no dialer',
  async (status, state, reason) => {
    const { begin, run, read, shown } = await seedTesting({}, ({ method }) =>
      method === 'POST' ? Response.json({ message: 'no' }, { status }) : null,
    )
    const testId = await begin()
    await run()
    expect(await read(testId)).toEqual({ state, ...none, reason })
    expect(await shown('GET')).toMatchObject({ state: { status: 'idle' } })
  },
)

it('A test call that was not dialled is refused once all is said of it, else after 180 s', async () => {
  const ended = { state: 'ended', reason: 'no-credit' }
  for (const analysis of [{}, null]) {
    const { begin, run, read, shown } = await seedTesting({}, ({ method }) =>
      method === 'GET' ? Response.json({ ...ended, analysis }) : null,
    )
    const testId = await begin()
    await run()
    await run(15)
    const refused = { state: 'refused', ...none, reason: 'account' }
    expect(await read(testId)).toEqual(analysis === null ? { state: 'ringing_or_live', ...none } : refused)
    await run(180)
    expect(await read(testId)).toEqual(refused)
    expect(await shown('GET')).toMatchObject({ state: { status: 'idle' } })
  }
})

it('A test call is hung up after the longest time of a call', async () => {
  const { begin, run, hungUp, read, state } = await seedTesting(talked, undefined, {
    variables: { maxCallSeconds: '60' },
  })
  const testId = await begin()
  await run()
  await run(45)
  expect(hungUp()).toHaveLength(0)
  await run(20)
  expect(hungUp()).toHaveLength(1)
  await run(15)
  expect(hungUp()).toHaveLength(2)
  state.isOver = true
  await run(15)
  expect(await read(testId)).toMatchObject({ state: 'ended' })
})

it('A test call whose start was not sent when the object died is unknown, and rings nobody later', async () => {
  const { begin, run, read, object, starts } = await seedTesting()
  const testId = await begin()
  await evictDurableObject(object)
  await run()
  expect([starts().length, await read(testId)]).toEqual([0, { state: 'unknown', ...none }])
})

it('A test call shows what the person said: a no, a text that is no outcome, or a time', async () => {
  const analysis = { outcome: 'maybe later', doNotCall: true }
  const { begin, run, state, read, companyId } = await seedTesting({ ...talked, analysis })
  const testId = await begin()
  await run()
  state.isOver = true
  await run(15)
  expect(await read(testId)).toMatchObject({ outcome: 'do_not_call', saidOutcome: 'maybe later' })
  const rows = await companyDb
    .prepare('select count(*) as n from suppressions where company_id = ?1')
    .bind(companyId)
    .run()
  expect(rows.results).toEqual([{ n: 0 }])
})

it('The trace has each start, hang-up, check and test, and a status when it says something else', async () => {
  const { add, run, begin, ask, trace, state, suppress } = await seedTesting(talked)
  const { leadId, phoneNumber } = await add()
  await run()
  await run(15)
  await run(15)
  await suppress([phoneNumber])
  await run(15)
  state.isOver = true
  await run(15)
  dataOf(await ask('POST', {}, '/check'), 200)
  const testId = await begin()
  await run()
  await run(15)
  const found = await trace()
  expect(found.map(({ step, verdict }) => `${step} ${verdict}`).toReversed()).toEqual([
    'start started',
    'status live',
    'hangUp taken',
    'status not_interested',
    'check taken',
    'test started',
    'status not_interested',
  ])
  expect(found.at(-1)).toEqual({
    at: expect.stringMatching(/Z$/),
    step: 'start',
    callId: expect.any(String),
    leadId,
    httpStatus: 201,
    milliseconds: expect.any(Number),
    verdict: 'started',
    message: null,
    request: null,
    answer: null,
  })
  expect(found[1]).toMatchObject({ step: 'test', callId: testId, leadId: null })
  expect(JSON.stringify(found)).not.toContain(phoneNumber.slice(1))
})

it('The trace shows a refusal in 200 characters, without secrets and digits', async () => {
  const message = `no ${secret} for +4915112345678 ${'x'.repeat(300)}`
  const { add, run, trace } = await seedTesting({}, ({ method }) =>
    method === 'POST' ? Response.json({ message }, { status: 402 }) : null,
  )
  await add()
  await run()
  const [refused] = await trace()
  expect(refused).toMatchObject({ step: 'start', httpStatus: 402, verdict: 'not_dialled:account' })
  expect(refused?.message).toMatch(/^no … for \+#+ x+$/)
  expect(String(refused?.message).length).toBeLessThanOrEqual(200)
})

it('The trace has request and answer of a test call, without secrets and digits, and of a lead its id alone', async () => {
  const echo = { id: 'call-1', key: secret, to: '+4915112345678', said: { deep: [`Bearer ${secret}`, 20] } }
  const { add, run, trace, begin } = await seedTesting({}, ({ method }) =>
    method === 'POST' ? Response.json(echo, { status: 201 }) : null,
  )
  const phoneNumber = newPhone()
  const testId = await begin(phoneNumber, { metadata: { name: `Ada ${secret}` } })
  await run()
  const [tested] = await trace()
  expect(tested).toMatchObject({ step: 'test', callId: testId, leadId: null, verdict: 'started' })
  expect(tested?.request).toMatch(/^POST https:\/\/[^ ]+\n\{/)
  expect(tested?.request).toContain('#'.repeat(phoneNumber.length - 1))
  expect(tested?.answer).toContain('"to":"+#############"')
  for (const text of [tested?.request, tested?.answer]) {
    expect(text).not.toContain(secret)
    expect(text).not.toMatch(/\d/)
  }
  const { leadId } = await add()
  await run()
  const of = (await trace()).find((one) => one.leadId === leadId)
  expect(of).toMatchObject({ step: 'start', request: null, answer: null })
})

it('The trace keeps 200 exchanges for a day, and forgets those of an erased lead', async () => {
  const { add, run, trace, ask, manager, object } = await seedTesting(talked)
  const [gone, kept] = [await add(), await add()]
  await run()
  dataOf(await manager.request('DELETE', `/api/v1/leads/${gone.leadId}`), 200)
  expect((await trace()).map(({ leadId }) => leadId)).toEqual([kept.leadId])
  const stored = await runInDurableObject(object, (_, { storage }) =>
    JSON.stringify([...storage.kv.list({ prefix: 'trace:' })]),
  )
  expect(stored).not.toContain(gone.leadId)
  await runInDurableObject(object, async (dialer) => {
    const seen = { httpStatus: 200, milliseconds: 1, message: null }
    for (let count = 0; count < 250; count++) await dialer.noteCheck(seen, true)
  })
  expect(await trace()).toHaveLength(200)
  vi.setSystemTime(Date.now() + 86_400_000)
  expect(await trace()).toEqual([])
  expect((await ask('GET', undefined, '/trace')).status).toBe(200)
})
