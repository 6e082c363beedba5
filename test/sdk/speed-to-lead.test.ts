// An idle agent of the client and the Worker itself: `call` is invoked because of a ring, before the wait is over. Each
// rule is also shown without rings, where the order is the other one. The clock stands still: no wait ends by itself.
import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { scheduler } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import worker from '../../src/index.ts'
import { LeadIntake, runAgent } from '../../src/sdk/src/lead-intake.ts'
import { type AgentWorld, seedAgent } from '../support/calling/agent.ts'
import { bellOf, watchedBells } from '../support/calling/bell.ts'
import { api, randomAddress } from '../support/http/api.ts'
import { stopClock } from '../support/run/clock.ts'
import { newPhone } from '../support/world.ts'

type Bells = ReturnType<typeof watchedBells>

/** Real time passes, for what is under way. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await scheduler.wait(5)
}

/** As a connection does: the Worker itself notices nothing. */
const brokenOff = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

/** An agent that notes, in order, why its claims got nothing, and its call. */
function startAgent({ agentKey, campaignId }: AgentWorld, bindings: Bells) {
  const events: string[] = []
  const ending = new AbortController()
  const address = randomAddress()
  let inFlight = 0
  const client = new LeadIntake({
    baseUrl: 'http://lead-intake.test',
    apiKey: agentKey,
    fetch: async (url, init) => {
      const request = new Request(url, init)
      request.headers.set('cf-connecting-ip', address)
      inFlight++
      try {
        const answering = worker.fetch(request, { ...env, ...bindings } as Env, createExecutionContext())
        const answer = await Promise.race([answering, brokenOff(init.signal as AbortSignal)])
        const { data } = (await answer.clone().json()) as { data: { reason?: string | null } | null }
        if (url.endsWith('/claim') && data?.reason) events.push(data.reason)
        return answer
      } finally {
        inFlight--
      }
    },
  })
  const running = runAgent({
    client,
    campaignId,
    signal: ending.signal,
    call: async () => {
      events.push('call')
      return 'answered'
    },
  })
  // Its timers stand still with the clock, and end with the test.
  running.catch(() => {})
  return {
    events,
    isIdle: () => inFlight === 0,
    isCalling: () => events.includes('call'),
    end: () => ending.abort(),
  }
}

type Situation = {
  /** Why there is nothing to call. */
  readonly reason: string
  readonly prepare: (world: AgentWorld) => Promise<unknown>
  readonly event: (world: AgentWorld, bindings: Bells) => Promise<{ readonly status: number }>
}

const create = ({ writeKey, campaignId }: AgentWorld, bindings: Bells) =>
  api(writeKey, { bindings }).createLead({ campaignId, phoneNumber: newPhone() })
const change = (settings: object) => (world: AgentWorld, bindings: Bells) =>
  api(world.manageKey, { bindings }).request('PATCH', world.campaignPath, settings)

/** The same on each day. */
const hours = (ofDay: readonly (readonly [string, string])[]) =>
  Object.fromEntries(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, ofDay]))

const situations: Readonly<Record<string, Situation>> = {
  'whose campaign is empty, when a lead is created': {
    reason: 'empty',
    prepare: async () => {},
    event: create,
  },
  'whose only lead is an hour ahead, when another is created': {
    reason: 'waiting',
    prepare: (world) => world.add({ scheduledFor: new Date(Date.now() + 3_600_000).toISOString() }),
    event: create,
  },
  'whose campaign is paused, when it is resumed': {
    reason: 'paused',
    prepare: async (world) => {
      await world.add()
      await world.change({ paused: true })
    },
    event: change({ paused: false }),
  },
  'whose campaign is closed, when its hours are opened': {
    reason: 'outside_hours',
    prepare: async (world) => {
      await world.add()
      await world.change({ callingHours: hours([]) })
    },
    event: change({ callingHours: hours([['00:00', '24:00']]) }),
  },
}

/** The agent waits, and then it happens. */
async function happen({ prepare, event }: Situation, bells: Bells) {
  const world = await seedAgent()
  await prepare(world)
  stopClock()
  const agent = startAgent(world, bells)
  onTestFinished(() => {
    agent.end()
    vi.useRealTimers()
  })
  await until(async () => (await bellOf(world.campaign).countWaiting()) === 1)
  expect((await event(world, bells)).status).toBeLessThan(300)
  return { ...agent, world }
}

it.each(Object.entries(situations))('An idle agent %s, calls because it is rung', async (_, situation) => {
  const { events, isCalling } = await happen(situation, watchedBells())
  await until(isCalling)
  // It may be rung more than once for one lead, and no wait ends otherwise.
  expect(events.at(-1)).toBe('call')
  expect(new Set(events.slice(0, -1))).toEqual(new Set(['ready']))
})

it.each(Object.entries(situations))(
  'An idle agent %s, calls after its wait when rings are lost',
  async (_, situation) => {
    const bells = watchedBells(async () => ({ rung: 0, left: 0 }))
    const { events, isCalling, isIdle } = await happen(situation, bells)
    await until(() => bells.rings.length > 0)
    vi.advanceTimersByTime(25_000)
    await until(() => isCalling() || isIdle())
    // A paused campaign is asked again after a while.
    if (!isCalling()) vi.advanceTimersByTime(30_000)
    await until(isCalling)
    expect(events).toEqual([situation.reason, 'call'])
  },
)
