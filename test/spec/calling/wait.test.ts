// Claims that wait (waitSeconds): answered as soon as a lead may be callable, and never with a lease for a client that
// may be gone.
import { scheduler } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { type AgentWorld, openAtAllHours, seedAgent } from '../../support/calling/agent.ts'
import { bellOf, untilWaiting } from '../../support/calling/bell.ts'
import { consentsOf, purpose } from '../../support/calling/consents.ts'
import { type Answer, api } from '../../support/http/api.ts'
import { newPhone, seedKey, seedKeys } from '../../support/world.ts'

const heldNumber = newPhone()
const ready = { calls: [], reason: 'ready', retryAfterSeconds: 0 }
/** By one Worker. */
const mostHeld = 200
const closed = { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] }

it.each<
  [
    what: string,
    prepare: (agent: AgentWorld) => Promise<unknown>,
    then: (agent: AgentWorld) => Promise<unknown>,
  ]
>([
  ['a lead is created', async () => {}, (agent) => agent.add()],
  [
    'a lead is created before the only other one, which is scheduled',
    (agent) => agent.add({ scheduledFor: new Date(Date.now() + 3_600_000).toISOString() }),
    (agent) => agent.add(),
  ],
  [
    'the campaign is resumed',
    async (agent) => {
      await agent.add()
      await agent.change({ paused: true })
    },
    (agent) => agent.change({ paused: false }),
  ],
  [
    'a consent arrives that its lead was held for',
    async (agent) => {
      await agent.change({ requireConsent: { purpose } })
      await agent.add({ phoneNumber: heldNumber })
      await agent.claim()
    },
    (agent) => consentsOf(agent).store(heldNumber, { givenAt: new Date().toISOString() }),
  ],
  [
    'its hours are opened',
    async (agent) => {
      await agent.add()
      await agent.change({ callingHours: closed })
    },
    (agent) => agent.change(openAtAllHours),
  ],
])('A waiting claim is ready when %s, and the next claim leases the lead', async (_, prepare, then) => {
  const agent = await seedAgent()
  await prepare(agent)
  const waiting = agent.claim({ waitSeconds: 25 })
  await untilWaiting(agent.campaign, 1)
  await then(agent)
  expect(await waiting).toEqual(ready)
  expect((await agent.claim({ waitSeconds: 25 })).calls).toHaveLength(1)
})

// These wait more than they work, each for a campaign of its own: so they wait at the same time.

it.concurrent('A waiting claim is ready when a scheduled lead becomes due, which no request announces', async () => {
  const agent = await seedAgent()
  await agent.add({ scheduledFor: new Date(Date.now() + 2_000).toISOString() })
  expect(await agent.claim({ waitSeconds: 25 })).toEqual(ready)
  expect((await agent.claim()).calls).toHaveLength(1)
})

it.concurrent.each<[reason: string, settings: object]>([
  ['empty', {}],
  ['paused', { paused: true }],
])(
  'A waiting claim has the usual reason when its time is over, and may be repeated at once: %s',
  async (reason, settings) => {
    const agent = await seedAgent()
    await agent.change(settings)
    expect(await agent.claim({ waitSeconds: 1 })).toEqual({ calls: [], reason, retryAfterSeconds: 0 })
    await untilWaiting(agent.campaign, 0)
  },
)

it.concurrent.each<[end: string, isRung: boolean, waitSeconds: number]>([
  ['is rung', true, 25],
  ['is over', false, 2],
])(
  'A waiting claim is refused when its key was revoked meanwhile, as soon as the wait %s',
  async (_, isRung, waitSeconds) => {
    const agent = await seedAgent()
    const { key, id } = await seedKey({ companyId: agent.companyId, scope: 'agent' })
    const body = { campaignId: agent.campaignId, waitSeconds }
    const waiting = agent.ask('POST', '/api/v1/calls/claim', body, { key })
    await untilWaiting(agent.campaign, 1)
    expect(
      (await agent.ask('DELETE', `/api/v1/keys/${id}`, undefined, { key: agent.manageKey })).status,
    ).toBe(200)
    if (isRung) await agent.add()
    expect((await waiting).status).toBe(401)
  },
)

it('A waiting claim leases at once when there are leads', async () => {
  const agent = await seedAgent()
  await agent.add()
  expect((await agent.claim({ waitSeconds: 25 })).calls).toHaveLength(1)
})

it('A waiting claim is answered at once when the campaign has no time zone', async () => {
  const agent = await seedAgent({ timeZone: null })
  const answer = { calls: [], reason: 'not_configured', retryAfterSeconds: 30 }
  expect(await agent.claim({ waitSeconds: 25 })).toEqual(answer)
})

it('A waiting claim is counted in the campaign while it waits', async () => {
  const agent = await seedAgent()
  expect((await agent.settings()).queue.agentsWaiting).toBe(0)
  const waiting = [agent.claim({ waitSeconds: 25 }), agent.claim({ waitSeconds: 25 })]
  await untilWaiting(agent.campaign, 2)
  expect((await agent.settings()).queue.agentsWaiting).toBe(2)
  await agent.add()
  expect(await Promise.all(waiting)).toEqual([ready, ready])
  expect((await agent.settings()).queue.agentsWaiting).toBe(0)
})

it('A waiting claim uses up its Idempotency-Key only when it leases something, and a repetition never waits', async () => {
  const agent = await seedAgent()
  const headers = { 'idempotency-key': 'turn-1' }
  const body = { waitSeconds: 25 }
  const waiting = agent.claim(body, headers)
  await untilWaiting(agent.campaign, 1)
  await agent.add()
  expect(await waiting).toEqual(ready)
  const { calls } = await agent.claim(body, headers)
  expect(calls).toHaveLength(1)
  expect((await agent.claim(body, headers)).calls).toEqual(calls)
  await agent.report([{ callId: calls[0]?.callId, outcome: 'answered' }])
  const again = await agent.claim(body, headers)
  expect([again.calls, again.reason]).toEqual([[], 'empty'])
  expect(again.retryAfterSeconds).toBeGreaterThan(0)
})

it('A waiting claim costs one request of the key’s hour, whose headers are those of its arrival', async () => {
  const agent = await seedAgent()
  const path = '/api/v1/calls/claim'
  const ask = () =>
    api(agent.agentKey).request('POST', path, { campaignId: agent.campaignId, waitSeconds: 25 })
  const waiting = ask()
  await untilWaiting(agent.campaign, 1)
  await agent.add()
  const [first, second] = [await waiting, await ask()]
  const left = [first, second].map(({ headers }) => Number(headers.get('x-ratelimit-remaining')))
  expect(left).toEqual([999, 998])
})

it('A waiting claim is refused when the Worker holds as many as it can; one that finds a lead is not', async () => {
  const agent = await seedAgent()
  const keys = await seedKeys(
    Array.from({ length: 4 }, () => ({ companyId: agent.companyId, scope: 'agent' as const })),
  )
  const body = { campaignId: agent.campaignId, waitSeconds: 25 }
  const answers: Answer<unknown>[] = []
  const asked: Promise<unknown>[] = []
  const refusal = () => answers.find(({ status }) => status === 503)
  const waiting = () => bellOf(agent.campaign).countWaiting()
  // Those of other tests count as well, and one whose bell answers late is not held.
  while (refusal() === undefined) {
    for (let one = 0; one < 20; one++) {
      const key = keys[asked.length % keys.length]?.key as string
      const asking = agent.ask('POST', '/api/v1/calls/claim', body, { key })
      asked.push(asking.then((answer) => answers.push(answer)))
    }
    while ((await waiting()) + answers.length < asked.length) await scheduler.wait(20)
  }
  expect(await waiting()).toBeLessThanOrEqual(mostHeld)
  expect(refusal()?.headers.get('retry-after')).toBe('30')
  await agent.add()
  expect((await agent.claim({ waitSeconds: 25 })).calls).toHaveLength(1)
  await bellOf(agent.campaign).ring(mostHeld, null)
  await Promise.all(asked)
  expect(await agent.claim({ waitSeconds: 1 })).toMatchObject({ calls: [] })
})
