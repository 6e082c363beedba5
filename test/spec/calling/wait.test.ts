// A claim that waits: held until a lead may have become callable, and never a lease for a client that may be gone.
import { describe, expect, it } from 'vitest'
import { seedAgent } from '../../support/agent.ts'

describe('A waiting claim', () => {
  it('is answered with ready as soon as a lead is created, and the next claim leases it', async () => {
    const agent = await seedAgent()
    const waiting = agent.claim({ waitSeconds: 25 })
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const t0 = Date.now()
    const lead = await agent.add()
    const t1 = Date.now()
    expect(await waiting).toEqual({ calls: [], reason: 'ready', retryAfterSeconds: 0 })
    console.log('LATENCY', t1 - t0, Date.now() - t1)
    const { calls } = await agent.claim({ waitSeconds: 25 })
    expect(calls.map(({ lead: { _id } }) => _id)).toEqual([lead.leadId])
  })
  it('over', async () => {
    const agent = await seedAgent()
    const t0 = Date.now()
    expect(await agent.claim({ waitSeconds: 2 })).toEqual({
      calls: [],
      reason: 'empty',
      retryAfterSeconds: 0,
    })
    console.log('TOOK', Date.now() - t0)
  })
})
