// The limiter is evicted, or reset as a deploy does it, in the middle of many requests: its windows stay exact, as clients
// see them. Between any two calls: test/runtime/rate-limiter.test.ts; refusing and hanging ones: faults.test.ts there.
import { abortAllDurableObjects, evictAllDurableObjects } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../support/http/api.ts'
import { rateLimitOf } from '../support/http/expectations.ts'
import { withRealLimiters } from '../support/rate-limits/quick-limiters.ts'
import { stopClock } from '../support/run/clock.ts'
import { seedWorld } from '../support/world.ts'

withRealLimiters()

beforeEach(stopClock)

describe.each([
  ['evicted', evictAllDurableObjects],
  ['reset by a deploy', abortAllDurableObjects],
])('A limiter that is %s', (_, restart) => {
  it('A restart in the middle of requests loses no admission', async () => {
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
