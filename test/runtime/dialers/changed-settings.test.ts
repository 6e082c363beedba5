// Settings of a dialer that change while calls are live: each call is asked for, hung up and read by those that started
// it.
import { expect, it } from 'vitest'
import { minuteMs } from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'
import { seedDialling, withFate } from '../../support/dialers/dialling.ts'
import { type Fate, fakeTemplate, templateOn } from '../../support/dialers/fake-provider.ts'

const always = (fate: Partial<Fate>) => ({ fateOf: () => withFate(fate) })
const otherHost = 'other.example.com'
const saysNo = { outcome: 'do_not_call', lengthMs: 2 * minuteMs } as const

type Change = Parameters<Awaited<ReturnType<typeof seedDialling>>['set']>[0]

/** The account stands in each URL. */
const accountTemplate = JSON.parse(
  JSON.stringify(fakeTemplate).replaceAll(
    /(https:\/\/voice\.example\.com\/calls[^"]*)/g,
    '$1?account={{variables.account}}',
  ),
) as typeof fakeTemplate

it.each<[what: string, change: Change]>([
  ['another template', { template: templateOn(otherHost), sealedSecrets: 'other' }],
  ['another template, off', { template: templateOn(otherHost), isEnabled: false }],
  ['calls that are pretended', { preset: 'pretend', template: null }],
  ['a provider of the presets', { preset: 'vapi', template: null, variables: { assistantId: 'a' } }],
])(
  'A do-not-call of a call is recorded after the dialer was changed to %s, and nothing of others',
  async (_, change) => {
    const world = await seedDialling(always(saysNo))
    // The other provider knows the same id, of a call that nobody took.
    const other = world.openOther(otherHost, () => withFate({ reason: 'busy', lengthMs: 1_000 }))
    const { phoneNumber } = await world.lead()
    await world.pass(20)
    await world.set(change)
    await world.pass(200)
    expect(await world.callsOf(phoneNumber)).toMatchObject([{ outcome: 'do_not_call', doNotCall: 1 }])
    expect(other.requests).toEqual([])
  },
)

it('A dialer that is removed and set anew follows its calls as before, and starts new ones as it is set', async () => {
  const world = await seedDialling(always(saysNo))
  const other = world.openOther(otherHost, () => withFate({ reason: 'busy', lengthMs: 10_000 }))
  const first = await world.lead()
  await world.pass(20)
  await world.remove()
  await world.pass(20)
  await world.set({ template: templateOn(otherHost), sealedSecrets: 'other' })
  const second = await world.lead()
  await world.pass(200)
  expect([await world.outcomesOf(first.phoneNumber), await world.outcomesOf(second.phoneNumber)]).toEqual([
    ['do_not_call'],
    ['busy'],
  ])
  expect([world.provider.rung.length, other.rung.length]).toEqual([1, 1])
})

it('A variable that changes names another account for new calls alone', async () => {
  const world = await seedDialling({
    ...always({ lengthMs: minuteMs }),
    dialer: { template: accountTemplate, variables: { account: 'a' } },
  })
  await world.lead()
  await world.pass(20)
  await world.set({ variables: { account: 'b' } })
  await world.pass(20)
  await world.lead()
  await world.pass(1)
  const accounts = world.provider.requests.map(({ url }) => new URL(url).searchParams.get('account'))
  expect(accounts).toEqual(['a', 'a', 'a', 'b'])
})

it('A hang-up goes to the host of the start, with the secrets of that time', async () => {
  const world = await seedDialling({
    ...always({ lengthMs: 30 * minuteMs }),
    dialer: { sealedSecrets: 'first' },
  })
  const other = world.openOther(otherHost, () => withFate({}))
  const { phoneNumber } = await world.lead()
  await world.pass(20)
  await world.set({ template: templateOn(otherHost), sealedSecrets: 'second' })
  await world.suppress([phoneNumber], world.clock.ms)
  await world.pass(40)
  expect(world.provider.rung[0]?.hungUpAtMs).not.toBeNull()
  expect(new Set(world.provider.requests.map(({ headers }) => headers.get('authorization')))).toEqual(
    new Set(['Bearer first']),
  )
  expect(other.requests).toEqual([])
})

it('A rotated secret of the same template and variables serves live calls at once, also after a removal', async () => {
  for (const mustRemove of [false, true]) {
    const dialer = { sealedSecrets: 'first', variables: { b: '1', a: '2' } }
    const world = await seedDialling({ ...always({ lengthMs: 30 * minuteMs }), dialer })
    await world.lead()
    await world.pass(20)
    if (mustRemove) await world.remove()
    await world.set({ sealedSecrets: 'second', variables: { a: '2', b: '1' } })
    await world.pass(30)
    expect(world.provider.requests.at(-1)?.headers.get('authorization')).toBe('Bearer second')
    expect([...world.simulated.written.keys()].filter((key) => key.startsWith('settings:'))).toHaveLength(1)
  }
})

it('Calls of two settings count together, and the settings of a call are forgotten with it', async () => {
  const world = await seedDialling({ ...always({ lengthMs: 5 * minuteMs }), dialer: { maxLive: 2 } })
  const other = world.openOther(otherHost, () => withFate({ lengthMs: 20 * minuteMs }))
  const kept = () => [...world.simulated.written.keys()].filter((key) => key.startsWith('settings:')).length
  await world.lead()
  await world.pass(20)
  await world.set({ template: templateOn(otherHost) })
  for (let i = 0; i < 3; i++) await world.lead()
  await world.pass(60)
  expect([world.provider.rung.length, other.rung.length, kept()]).toEqual([1, 1, 2])
  await world.pass(300)
  expect([world.provider.rung.length, other.rung.length, kept()]).toEqual([1, 2, 2])
  // It was asked for once more.
  await world.pass(300)
  expect([world.provider.rung.length, other.rung.length, kept()]).toEqual([1, 2, 1])
  await world.set({ isEnabled: false })
  await world.pass(40 * 60)
  expect([world.simulated.memory.calls.length, kept()]).toEqual([0, 0])
})

it('A call lasts no longer than the settings allow by which it was started', async () => {
  const dialer = { variables: { maxCallSeconds: '600' } }
  const world = await seedDialling({ ...always({ status: 'never_ends' }), dialer })
  await world.lead()
  await world.pass(20)
  await world.set({ variables: { maxCallSeconds: '7200' } })
  await world.pass(640)
  expect(world.provider.rung[0]?.hungUpAtMs).not.toBeNull()
})

it('Calls that version 2.0.0 has started are followed to their end', async () => {
  const world = await seedDialling(always(saysNo))
  const { phoneNumber } = await world.lead()
  await world.pass(20)
  const old = new Map(world.simulated.written)
  for (const key of [...old.keys()]) if (key.startsWith('settings:')) old.delete(key)
  for (const [key, value] of old) {
    if (key.startsWith('call:')) {
      const { settingsId, end, isLiveAgain, mustHangUp, isErased, hangUpTriedAtMs, ...more } =
        value as Record<string, unknown>
      const { restsBefore, failedReports, errorName, ...call } = more
      old.set(key, call)
    }
    if (key === 'state') {
      const { settingsDigest, failing, refusedTidiedAtMs, ...state } = value as Record<string, unknown>
      old.set(key, { ...state, heldUntilMs: 0 })
    }
  }
  // Of a call that this version had started before a step back.
  old.set('settings:9', { preset: 'pretend', template: null, variables: {}, sealedSecrets: 'old' })
  world.simulated.liveOn(old)
  await world.set({ maxLive: 7 })
  await world.pass(20)
  expect(world.simulated.written.has('settings:9')).toBe(false)
  await world.pass(200)
  expect(await world.outcomesOf(phoneNumber)).toEqual(['do_not_call'])
})

it('What calls of former settings come to neither stops the dialer nor is said of its new template', async () => {
  for (const reason of ['no-credit', 'never heard of']) {
    const world = await seedDialling(always({ reason, lengthMs: minuteMs }))
    const other = world.openOther(otherHost, () => withFate({ lengthMs: 10 * minuteMs }))
    const former = [await world.lead(), await world.lead(), await world.lead()]
    await world.pass(20)
    await world.set({ template: templateOn(otherHost) })
    await world.pass(120)
    await world.lead()
    await world.pass(20)
    const { health, unmapped } = world.simulated.memory.state
    expect([health.stopped, unmapped, other.rung.length]).toEqual([
      null,
      null,
      reason === 'no-credit' ? 4 : 1,
    ])
    for (const { phoneNumber } of former) expect((await world.outcomesOf(phoneNumber))[0]).not.toBeNull()
  }
})

it.each<[what: string, change: Change]>([
  ['is switched off', { isEnabled: false }],
  ['may have more calls at once', { maxLive: 7 }],
  ['gets a rotated secret', { sealedSecrets: 'second' }],
])(
  'An end that the template does not know is said of a dialer that %s during the call',
  async (_, change) => {
    const ends = [
      { fate: { reason: 'never heard of' }, unmapped: 'never heard of' },
      { fate: { said: { outcome: 'not today' } }, unmapped: 'outcome_not_understood' },
    ] as const
    for (const { fate, unmapped } of ends) {
      const world = await seedDialling(always(fate))
      await world.lead()
      await world.pass(20)
      await world.set(change)
      await world.pass(120)
      expect(world.simulated.memory.state.unmapped?.reason).toBe(unmapped)
    }
  },
)

it('Calls of the present settings stop the dialer, and so do those that version 2.0.0 has started', async () => {
  for (const version of [undefined, null]) {
    const world = await seedDialling(always({ reason: 'no-credit', lengthMs: minuteMs }))
    await world.lead()
    await world.pass(20)
    const { memory } = world.simulated
    if (version === null) {
      await world.set({ maxLive: 7 })
      for (const { callId } of memory.calls) memory.changeCall(callId, { version })
    }
    await world.pass(60)
    expect(memory.state.health.stopped).toBe('account')
  }
})

type SlowWorld = Awaited<ReturnType<typeof seedDialling>>

const off = (world: SlowWorld) => world.set({ isEnabled: false })
const removed = (world: SlowWorld) => world.remove()
const given = (world: SlowWorld) => world.set({ template: templateOn(otherHost) })

it.each<[what: string, slowBatch: number, change: (world: SlowWorld) => Promise<void>]>([
  ['switched off while its claim takes long', 2, off],
  ['given another template while its claim takes long', 2, given],
  ['switched off while its settings are being read', 1, off],
  ['removed while its settings are being read', 1, removed],
  ['given another template while its settings are being read', 1, given],
])(
  'Nobody is called by a dialer that is %s, and one that is not changed calls',
  async (_, slowBatch, change) => {
    for (const isChanged of [true, false]) {
      const state = { isSlow: false, batches: 0 }
      const db = {
        prepare: (query: string) => companyDb.prepare(query),
        batch: async (statements: D1PreparedStatement[]) => {
          const results = await companyDb.batch(statements)
          // The settings are read first, then it claims.
          if (state.isSlow && ++state.batches === slowBatch) {
            world.clock.ms += 2_400
            if (isChanged) await change(world)
          }
          return results
        },
      } as unknown as D1Database
      const world: SlowWorld = await seedDialling({ db })
      const other = world.openOther(otherHost, () => withFate({}))
      await world.pass(5)
      const { phoneNumber } = await world.lead()
      state.isSlow = true
      await world.pass(20)
      expect(world.provider.rung).toHaveLength(isChanged ? 0 : 1)
      expect((await world.outcomesOf(phoneNumber))[0]).toBe(isChanged ? 'released' : null)
      expect(other.rung).toHaveLength(isChanged && change === given ? 1 : 0)
    }
  },
)
