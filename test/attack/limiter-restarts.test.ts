// The limiter is evicted, or reset as a deploy does it, between any two requests and in the middle of many: its windows stay
// exact, as clients see them. The object by itself is in test/runtime, refusing and hanging ones in faults.test.ts there.
import { abortAllDurableObjects, evictAllDurableObjects } from 'cloudflare:test'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from '../support/api.ts'
import { stopClock } from '../support/clock.ts'
import { rateLimitOf } from '../support/expectations.ts'
import { newPhones, seedWorld } from '../support/world.ts'

beforeEach(stopClock)
afterEach(() => void vi.useRealTimers())

describe.each([
  ['evicted', evictAllDurableObjects],
  ['reset by a deploy', abortAllDurableObjects],
])('A limiter that is %s', (_, restart) => {
  it('between any two requests admits exactly ten bulks a minute', async () => {
    const { campaignId, writeKey } = await seedWorld()
    // With bindings of its own, all requests meet one instance of the Worker.
    const client = api(writeKey, { bindings: {} })
    for (let sent = 1; sent <= 10; sent++) {
      const leads = newPhones(1).map((phoneNumber) => ({ phoneNumber }))
      const answer = await client.importLeads({ campaignId, leads })
      expect([answer.status, rateLimitOf(answer).remaining]).toEqual([200, 10 - sent])
      await restart()
    }
    expect((await client.importLeads({ campaignId, leads: [] })).status).toBe(429)
    const { remaining } = rateLimitOf(await client.listLeads({ campaignId }))
    expect(remaining).toBe(1000 - 10 - 1)
  })

  it('in the middle of requests loses no admission', async () => {
    const { campaignId, writeKey } = await seedWorld()
    const client = api(writeKey, { bindings: {} })
    const statuses: number[] = []
    const sender = async () => {
      for (let sent = 0; sent < 10; sent++) {
        statuses.push((await client.listLeads({ campaignId, limit: '1' })).status)
      }
    }
    const sending = Promise.all([sender(), sender(), sender(), sender()])
    await restart()
    await restart()
    await sending
    expect(new Set(statuses)).toEqual(new Set([200]))
    // One more is spent by asking. A request that met the reset may have been counted twice, but none is forgotten.
    const { remaining } = rateLimitOf(await client.listLeads({ campaignId, limit: '1' }))
    expect(remaining).toBeLessThanOrEqual(1000 - 41)
    expect(remaining).toBeGreaterThanOrEqual(1000 - 41 - 8)
  })
})
