// Waits against everything that can happen to them: requests at every await, rings that are lost, doubled or delayed,
// bells that are evicted or reset, and clients that have gone.
import { abortAllDurableObjects, evictDurableObject } from 'cloudflare:test'
import { scheduler } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { seedAgent } from '../../support/calling/agent.ts'
import { bellOf, untilWaiting, watchedBells } from '../../support/calling/bell.ts'
import { fillQueue } from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { newPhone, seedKeys } from '../../support/world.ts'

type World = Awaited<ReturnType<typeof seedAgent>>
type Data = { calls: object[]; reason: string | null }

const claimOf = async (
  { campaignId }: World,
  key: string,
  bindings: { DB?: unknown; CAMPAIGN_BELLS?: unknown } | undefined,
  waitSeconds = 25,
  limit = 1,
) => {
  const body = { campaignId, waitSeconds, limit }
  const { body: answer } = await api(key, { ...(bindings && { bindings }) }).request(
    'POST',
    '/api/v1/calls/claim',
    body,
  )
  return answer?.data as Data
}

const createIn = ({ campaignId, writeKey }: World, bindings?: object) =>
  api(writeKey, { ...(bindings && { bindings }) }).createLead({ campaignId, phoneNumber: newPhone() })

/** Ten keys, as fifty waiting processes use. */
const keysOf = async ({ companyId }: World) =>
  (await seedKeys(Array.from({ length: 10 }, () => ({ companyId, scope: 'agent' as const })))).map(
    ({ key }) => key,
  )

/**
 * An agent that claims until it has a call, and how often it has claimed: at first, and for a ring. Not for a wait that
 * is over, as on a busy machine.
 */
async function workOnce(world: World, key: string, counted: { claims: number }): Promise<void> {
  counted.claims++
  for (;;) {
    const { calls, reason } = await claimOf(world, key, undefined)
    if (calls.length > 0) return
    if (reason === 'ready') counted.claims++
  }
}

// These wait more than they work, and each for a campaign of its own: so they wait at the same time.

it.concurrent('An agent that its own claim blocks, by settling its leases, takes no ring from others', async () => {
  const world = await seedAgent()
  await fillQueue(world.campaign, 40)
  for (let claim = 0; claim < 5; claim++) await world.claim({ limit: 4 })
  await companyDb
    .prepare(
      `update leads set lease_expires_at_ms = 1 where campaign_number = ?1 and lease_expires_at_ms is not null`,
    )
    .bind(world.campaign.number)
    .run()
  let isOver = false
  const claiming = claimOf(world, world.agentKey, undefined, 2).finally(() => {
    isOver = true
  })
  while (!isOver) {
    await bellOf(world.campaign).ring(1, null)
    await scheduler.wait(50)
  }
  expect(await claiming).toMatchObject({ calls: [], reason: 'agent_failing' })
})

it.concurrent('Waiting claims of a process that is gone do not swallow the lead of a live one', async () => {
  const world = await seedAgent()
  const bell = bellOf(world.campaign)
  // Their sockets stay open, and nobody claims after a ring.
  const nowMs = Date.now()
  const gone = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const url = `https://bell/?sinceMs=${nowMs - 60_000}&untilMs=${nowMs + 600_000}`
      const { webSocket } = await bell.fetch(url, { headers: { Upgrade: 'websocket' } })
      webSocket?.accept()
      return webSocket
    }),
  )
  const counted = { claims: 0 }
  const live = workOnce(world, world.agentKey, counted)
  await untilWaiting(world.campaign, 7)
  const bells = watchedBells()
  await createIn(world, { CAMPAIGN_BELLS: bells.CAMPAIGN_BELLS })
  await live
  expect(counted.claims).toBe(2)
  // A second lies between two rings.
  expect(bells.rings.map(({ count }) => count)).toEqual([2, 4, 8])
  for (const socket of gone) socket?.close()
})

it.concurrent('A bell that was evicted still has its waits, in their order', async () => {
  const world = await seedAgent()
  const first = claimOf(world, world.agentKey, undefined)
  await untilWaiting(world.campaign, 1)
  const others = [claimOf(world, world.agentKey, undefined, 4), claimOf(world, world.agentKey, undefined, 4)]
  await untilWaiting(world.campaign, 3)
  await evictDurableObject(bellOf(world.campaign))
  await untilWaiting(world.campaign, 3)
  await createIn(world)
  expect((await first).reason).toBe('ready')
  const reasons = (await Promise.all(others)).map(({ reason }) => reason)
  expect(reasons).toContain('ready')
})

it.concurrent('A bell that is reset twice ends the wait like its deadline', async () => {
  const world = await seedAgent()
  const waiting = claimOf(world, world.agentKey, undefined)
  for (let times = 0; times < 2; times++) {
    await untilWaiting(world.campaign, 1)
    await evictDurableObject(bellOf(world.campaign), { webSockets: 'close' })
  }
  expect(await waiting).toEqual({ calls: [], reason: 'empty', retryAfterSeconds: 0 })
})

it.concurrent('A bell that does not answer leaves a claim as if it did not wait', async () => {
  const world = await seedAgent()
  const getByName = () => ({ fetch: () => new Promise(() => {}), ring: () => new Promise(() => {}) })
  const answer = await claimOf(world, world.agentKey, { CAMPAIGN_BELLS: { getByName } })
  expect(answer).toEqual({ calls: [], reason: 'empty', retryAfterSeconds: 30 })
})

// These keep the machine busy, or end the objects of all.

it('Fifty waiting claims send two claims at most for one lead', async () => {
  const world = await seedAgent()
  const keys = await keysOf(world)
  const counted = { claims: 0 }
  const agents = Array.from({ length: 50 }, (_, i) => workOnce(world, keys[i % 10] as string, counted))
  await untilWaiting(world.campaign, 50)
  expect(counted.claims).toBe(50)
  await createIn(world)
  await Promise.race(agents)
  // The other one finds nothing and waits again.
  await untilWaiting(world.campaign, 49)
  expect(counted.claims - 50).toBeLessThanOrEqual(2)
  for (let i = 0; i < 49; i++) await createIn(world)
  await Promise.all(agents)
})

it('Fifty waiting claims are all busy when 10,000 leads become due at one moment', async () => {
  const world = await seedAgent()
  const keys = await keysOf(world)
  const dueAtMs = Date.now() + 2_000
  await fillQueue(world.campaign, 10_000, { due: `${dueAtMs}` })
  const counted = { claims: 0 }
  const agents = Array.from({ length: 50 }, (_, i) => workOnce(world, keys[i % 10] as string, counted))
  await Promise.all(agents)
  // Each began to wait, and claimed once more; on a slow machine some find a lead at once.
  expect(counted.claims).toBeGreaterThanOrEqual(50)
  expect(counted.claims).toBeLessThanOrEqual(3 * 50)
})

it('A bell that is reset is registered with again, and a lead that came meanwhile is found', async () => {
  const world = await seedAgent()
  const waiting = claimOf(world, world.agentKey, undefined)
  await untilWaiting(world.campaign, 1)
  // Nobody is rung for it.
  const silent = watchedBells(async () => ({ rung: 0, left: 0 }))
  await createIn(world, { CAMPAIGN_BELLS: silent.CAMPAIGN_BELLS })
  await abortAllDurableObjects()
  expect((await waiting).reason).toBe('ready')
})
