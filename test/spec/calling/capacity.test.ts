// Calling, capacity: how many calls of a campaign may be live, and how many may begin in a minute, as agents and
// operators see it. Races and the arithmetic of the pace are tested below HTTP.
import { beforeEach, expect, it } from 'vitest'
import { openAtAllHours, seedAgent } from '../../support/calling/agent.ts'
import { minuteMs } from '../../support/calling/calling.ts'
import { clockAt, iso, stopClockAtNoon } from '../../support/calling/noon.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { newPhones } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

async function seedCapacity(capacity: object, leads = 20) {
  const agent = await seedAgent({ ...openAtAllHours, ...capacity })
  await api(agent.writeKey).importLeads({
    campaignId: agent.campaignId,
    leads: newPhones(leads).map((phoneNumber) => ({ phoneNumber })),
  })
  return agent
}

it('Cap and pace of a campaign are settings like any other, none by default, and none again with null', async () => {
  const agent = await seedAgent()
  expect(await agent.settings()).toMatchObject({ maxLiveCalls: null, callsPerMinute: null })
  const capacity = { maxLiveCalls: 10_000, callsPerMinute: 60_000 }
  expect(await agent.change(capacity)).toMatchObject(capacity)
  expect(await agent.change({ maxAttempts: 4 })).toMatchObject(capacity)
  expect(await agent.settings()).toMatchObject(capacity)
  expect(await agent.change({ maxLiveCalls: null })).toMatchObject({ ...capacity, maxLiveCalls: null })
  const list = dataOf(await agent.ask('GET', '/api/v1/campaigns'), 200)
  expect(list).toMatchObject({ campaigns: [{ maxLiveCalls: null, callsPerMinute: 60_000 }] })
})

it('Cap and pace of a campaign are named in the log when they change', async () => {
  const agent = await seedAgent()
  await agent.change({ maxLiveCalls: 5, callsPerMinute: 60, maxAttempts: 3 })
  const path = '/api/v1/events?types=campaign.changed'
  const { events } = dataOf(await agent.ask('GET', path, undefined, { key: agent.manageKey }), 200) as {
    events: { data: object }[]
  }
  expect(events.at(-1)?.data).toEqual({
    campaignId: agent.campaignId,
    changed: ['maxLiveCalls', 'callsPerMinute'],
  })
})

it('A claim of a campaign at capacity gets as many as may be live, and one more for each that is reported or released', async () => {
  const agent = await seedCapacity({ maxLiveCalls: 3 })
  const { calls, reason } = await agent.claim({ limit: 10 })
  expect([calls.length, reason]).toEqual([3, null])
  const none = { calls: [], reason: 'at_capacity', retryAfterSeconds: 30 }
  expect(await agent.claim()).toEqual(none)
  expect((await agent.settings()).queue).toMatchObject({ leased: 3, reason: 'at_capacity' })
  const report = [{ callId: calls[0]?.callId, outcome: 'busy' }]
  expect((await agent.report(report, { limit: 10 })).claim?.calls).toHaveLength(1)
  await agent.release([{ callId: calls[1]?.callId }])
  expect((await agent.claim({ limit: 10 })).calls).toHaveLength(1)
  expect(await agent.claim()).toEqual(none)
})

it('A claim of a campaign at capacity gets as many as may begin now, and the seconds until the next one may', async () => {
  const agent = await seedCapacity({ callsPerMinute: 2 })
  expect((await agent.claim({ limit: 10 })).calls).toHaveLength(1)
  clockAt(10_000)
  const held = { calls: [], reason: 'at_capacity', retryAfterSeconds: 20 }
  expect(await agent.claim()).toEqual(held)
  clockAt(30_000)
  expect((await agent.claim({ limit: 10 })).calls).toHaveLength(1)
  await agent.change({ callsPerMinute: 600 })
  expect((await agent.claim({ limit: 100 })).calls).toHaveLength(10)
})

it('A claim of a campaign at capacity gets the same calls again with its Idempotency-Key, which uses neither cap nor pace', async () => {
  const agent = await seedCapacity({ maxLiveCalls: 4, callsPerMinute: 120 })
  const headers = { 'idempotency-key': 'one-of-many' }
  const first = await agent.claim({ limit: 5 }, headers)
  expect(first.calls).toHaveLength(2)
  clockAt(1_000)
  expect(await agent.claim({ limit: 5 }, headers)).toEqual(first)
  expect((await agent.claim({ limit: 5 })).calls).toHaveLength(2)
  expect((await agent.claim({ limit: 5 }, { 'idempotency-key': 'another' })).reason).toBe('at_capacity')
})

it('A claim of a campaign at capacity is a blocker of each lead, until a place is free at the latest', async () => {
  const agent = await seedCapacity({ maxLiveCalls: 1 }, 1)
  await agent.claim()
  const { leadId } = await agent.add()
  const path = `/api/v1/leads/${leadId}/calling`
  const until = iso(10 * minuteMs + 2_000)
  expect(dataOf(await agent.ask('GET', path), 200)).toEqual({
    callable: false,
    blockers: [{ code: 'at_capacity', until }],
    nextCallAt: until,
  })
})
