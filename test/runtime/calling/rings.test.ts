// Each commit that can make a lead callable sooner rings, and rings in the campaigns that are waited for alone.
import {
  createExecutionContext,
  createScheduledController,
  runInDurableObject,
  waitOnExecutionContext,
} from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import worker from '../../../src/index.ts'
import type { CampaignBell } from '../../../src/queue/calling/bell/campaign-bell.ts'
import { type AgentWorld, seedAgent } from '../../support/calling/agent.ts'
import { bellOf, nameOf, setWaitedFor, watchedBells } from '../../support/calling/bell.ts'
import { purpose } from '../../support/calling/consents.ts'
import { databaseLosingAnswers, watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { type Campaign, newPhone, newPhones } from '../../support/world.ts'

type Bindings = { CAMPAIGN_BELLS: unknown; DB?: unknown }
type Prepared = {
  /** The request whose rings count. */
  readonly ask: (bindings: Bindings) => Promise<{ readonly status: number }>
  /** Where it rings; the agent's own campaign unless given. */
  readonly rings?: readonly Campaign[]
}

const asAgent = (agent: AgentWorld, path: string, body: object) => (bindings: Bindings) =>
  api(agent.agentKey, { bindings }).request('POST', path, body)
const asWriter = (agent: AgentWorld, method: string, path: string, body?: object) => (bindings: Bindings) =>
  api(agent.writeKey, { bindings }).request(method, path, body)
const asManager = (agent: AgentWorld, method: string, path: string, body?: object) => (bindings: Bindings) =>
  api(agent.manageKey, { bindings }).request(method, path, body)

/** As if the lease of the call had ended an hour ago. */
async function expireLease({ campaign }: AgentWorld): Promise<void> {
  await companyDb
    .prepare(
      'update leads set lease_expires_at_ms = ?2 where campaign_number = ?1 and lease_expires_at_ms is not null',
    )
    .bind(campaign.number, Date.now() - 3_600_000)
    .run()
}

/** The number of one campaign's live call stands in another campaign's queue, put off by a claim there. */
async function sharedNumber(agent: AgentWorld) {
  const other = await agent.another()
  await agent.change({ numberLimits: { minGapMinutes: null } })
  await other.change({ numberLimits: { minGapMinutes: null } })
  const call = await agent.call()
  const { phoneNumber } = call.lead
  await api(agent.writeKey).createLead({ campaignId: other.campaignId, phoneNumber })
  await other.claim()
  return { other, callId: call.callId, phoneNumber }
}

const operations: Readonly<Record<string, (agent: AgentWorld) => Promise<Prepared>>> = {
  'a lead is created': async (agent) => ({
    ask: asWriter(agent, 'POST', '/api/v1/leads', { campaignId: agent.campaignId, phoneNumber: newPhone() }),
  }),
  'leads are imported': async (agent) => ({
    ask: asWriter(agent, 'POST', '/api/v1/leads/bulk', {
      campaignId: agent.campaignId,
      leads: newPhones(3).map((phoneNumber) => ({ phoneNumber })),
    }),
  }),
  'a lead is changed': async (agent) => {
    const { leadId } = await agent.add({ scheduledFor: '2099-01-01T00:00:00Z' })
    return { ask: asWriter(agent, 'PATCH', `/api/v1/leads/${leadId}`, { scheduledFor: null }) }
  },
  'a lead is requeued': async (agent) => {
    const { callId, lead } = await agent.call()
    await agent.report([{ callId, outcome: 'answered' }])
    return { ask: asWriter(agent, 'POST', `/api/v1/leads/${lead._id}/requeue`) }
  },
  'many leads are requeued': async (agent) => {
    const { callId } = await agent.call()
    await agent.report([{ callId, outcome: 'answered' }])
    const body = { status: 'concluded', since: '2020-01-01T00:00:00Z' }
    return { ask: asWriter(agent, 'POST', `${agent.campaignPath}/requeue`, body) }
  },
  'a call is released': async (agent) => {
    const { callId } = await agent.call()
    return { ask: asAgent(agent, '/api/v1/calls/release', { calls: [{ callId, delaySeconds: 0 }] }) }
  },
  'a call is reported': async (agent) => {
    const { callId } = await agent.call()
    return { ask: asAgent(agent, '/api/v1/calls/report', { calls: [{ callId, outcome: 'busy' }] }) }
  },
  'a report frees the number for another campaign': async (agent) => {
    const { other, callId } = await sharedNumber(agent)
    const body = { calls: [{ callId, outcome: 'busy' }] }
    return { ask: asAgent(agent, '/api/v1/calls/report', body), rings: [agent.campaign, other.campaign] }
  },
  'a release frees the number for another campaign': async (agent) => {
    const { other, callId } = await sharedNumber(agent)
    const body = { calls: [{ callId }] }
    return { ask: asAgent(agent, '/api/v1/calls/release', body), rings: [agent.campaign, other.campaign] }
  },
  'a suppression is removed in a campaign': async (agent) => {
    const { phoneNumber } = await agent.add()
    const body = { phoneNumbers: [phoneNumber], campaignId: agent.campaignId }
    await agent.suppress([phoneNumber], { campaignId: agent.campaignId })
    return { ask: asManager(agent, 'DELETE', '/api/v1/suppressions', body) }
  },
  'a suppression is removed in the company': async (agent) => {
    const other = await agent.another()
    const { phoneNumber } = await agent.add()
    await agent.suppress([phoneNumber])
    const ask = asManager(agent, 'DELETE', '/api/v1/suppressions', { phoneNumbers: [phoneNumber] })
    return { ask, rings: [agent.campaign, other.campaign] }
  },
  'a lead is erased': async (agent) => {
    const { other } = await sharedNumber(agent)
    const [call] = (await agent.openCalls()).calls
    const ask = asManager(agent, 'DELETE', `/api/v1/leads/${call?.lead._id}`)
    return { ask, rings: [agent.campaign, other.campaign] }
  },
  'a person is erased': async (agent) => {
    const { other, phoneNumber } = await sharedNumber(agent)
    const ask = asManager(agent, 'POST', '/api/v1/erasures', { phoneNumber })
    return { ask, rings: [agent.campaign, other.campaign] }
  },
  'settings are changed': async (agent) => ({
    ask: asManager(agent, 'PATCH', agent.campaignPath, { maxAttempts: 7 }),
  }),
  'a campaign is resumed': async (agent) => {
    await agent.change({ paused: true })
    return { ask: asManager(agent, 'PATCH', agent.campaignPath, { paused: false }) }
  },
  'a claim settles a lease': async (agent) => {
    await agent.call()
    await expireLease(agent)
    return { ask: asAgent(agent, '/api/v1/calls/claim', { campaignId: agent.campaignId }) }
  },
  'a claim is stopped by its limit': async (agent) => {
    await agent.add()
    await agent.add()
    await agent.add()
    // Writes the openings.
    await agent.claim()
    return { ask: asAgent(agent, '/api/v1/calls/claim', { campaignId: agent.campaignId }) }
  },
  'the claim of a report writes openings, for another campaign': async (agent) => {
    const other = await agent.another()
    const { callId } = await agent.call()
    await other.add()
    const claim = { campaignId: other.campaignId }
    const ask = asAgent(agent, '/api/v1/calls/report', { calls: [{ callId, outcome: 'busy' }], claim })
    return { ask, rings: [other.campaign] }
  },
  'the cron settles a lease': async (agent) => {
    await agent.call()
    await expireLease(agent)
    return {
      ask: async (bindings) => {
        const context = createExecutionContext()
        await worker.scheduled(
          createScheduledController(),
          { ...env, DB: companyDb, ...bindings } as Env,
          context,
        )
        await waitOnExecutionContext(context)
        return { status: 200 }
      },
    }
  },
}

/** The campaigns that rang, each once; of these alone. */
async function ringsOf({ ask }: Prepared, campaigns: readonly Campaign[], more: object = {}) {
  const { CAMPAIGN_BELLS, rings } = watchedBells()
  const { status } = await ask({ CAMPAIGN_BELLS, ...more })
  expect(status).toBeLessThan(300)
  // The rings begin before the answer is sent.
  const names = new Set(rings.map(({ name }) => name))
  return campaigns.map(nameOf).filter((name) => names.has(name))
}

it.each(Object.entries(operations))('It rings when %s', async (_, prepare) => {
  const agent = await seedAgent()
  const prepared = await prepare(agent)
  const campaigns = prepared.rings ?? [agent.campaign]
  for (const campaign of campaigns) await setWaitedFor(campaign)
  expect(await ringsOf(prepared, campaigns)).toEqual(campaigns.map(nameOf))
})

it('A claim that is stopped by the pace rings when the next call may begin, and not before', async () => {
  const agent = await seedAgent()
  // Writes the openings.
  await agent.call()
  await agent.change({ callsPerMinute: 60 })
  await agent.add()
  await agent.add()
  await setWaitedFor(agent.campaign)
  const rangAtMs: number[] = []
  const { CAMPAIGN_BELLS } = watchedBells(async () => {
    rangAtMs.push(Date.now())
    return { rung: 0, left: 0 }
  })
  const claimed = await asAgent(agent, '/api/v1/calls/claim', {
    campaignId: agent.campaignId,
    limit: 5,
  })({ CAMPAIGN_BELLS })
  expect(claimed.body).toMatchObject({ data: { calls: [{}] } })
  await vi.waitFor(() => expect(rangAtMs).toHaveLength(1), { timeout: 60_000 })
  const row = await companyDb
    .prepare('select paced_until_us / 1000 as pacedUntilMs from calling_settings where campaign_number = ?1')
    .bind(agent.campaign.number)
    .first<{ pacedUntilMs: number }>()
  // Timers may end a little early.
  expect(rangAtMs[0]).toBeGreaterThan((row?.pacedUntilMs ?? Number.NaN) - 100)
})

it.each(Object.entries(operations))('Nothing rings when nobody waits, and %s', async (_, prepare) => {
  const agent = await seedAgent()
  const prepared = await prepare(agent)
  expect(await ringsOf(prepared, prepared.rings ?? [agent.campaign])).toEqual([])
})

it('Nothing rings when a claim leases all that there is, or nothing', async () => {
  const agent = await seedAgent()
  await agent.add()
  await agent.call().catch(() => null)
  await agent.add()
  await setWaitedFor(agent.campaign)
  const ask = asAgent(agent, '/api/v1/calls/claim', { campaignId: agent.campaignId, limit: 5 })
  expect(await ringsOf({ ask }, [agent.campaign])).toEqual([])
  expect(await ringsOf({ ask }, [agent.campaign])).toEqual([])
})

it('Nothing rings when an import is a dry run, or a campaign is read', async () => {
  const agent = await seedAgent()
  await setWaitedFor(agent.campaign)
  const body = { campaignId: agent.campaignId, leads: [{ phoneNumber: newPhone() }] }
  for (const ask of [
    asWriter(agent, 'POST', '/api/v1/leads/bulk?dryRun=true', body),
    asWriter(agent, 'GET', agent.campaignPath),
  ])
    expect(await ringsOf({ ask }, [agent.campaign])).toEqual([])
})

it('A lead that exists, and is refused, rings where the consent that it brings frees it, and not without', async () => {
  const [phoneNumber, agents] = [newPhone(), [await seedAgent(), await seedAgent()] as const]
  for (const each of agents) {
    await each.change({ requireConsent: { purpose } })
    await each.add({ phoneNumber })
    await each.claim()
    await setWaitedFor(each.campaign)
  }
  const [agent] = agents
  const campaigns = agents.map(({ campaign }) => campaign)
  const sentAgain = (more: object) => async (bindings: Bindings) => {
    const body = { campaignId: agent.campaignId, phoneNumber, ...more }
    const { status } = await asWriter(agent, 'POST', '/api/v1/leads', body)(bindings)
    expect(status).toBe(409)
    return { status: 200 }
  }
  expect(await ringsOf({ ask: sentAgain({}) }, campaigns)).toEqual([])
  const consent = { purpose, givenAt: new Date().toISOString() }
  expect(await ringsOf({ ask: sentAgain({ consent }) }, campaigns)).toEqual([nameOf(agent.campaign)])
})

it.each([
  'a lead is created',
  'leads are imported',
  'a lead is changed',
  'a call is reported',
  'a call is released',
])('A retry after a lost answer rings although it changes nothing: %s', async (name) => {
  const agent = await seedAgent()
  const prepared = await (operations[name] as (agent: AgentWorld) => Promise<Prepared>)(agent)
  await setWaitedFor(agent.campaign)
  const { DB } = databaseLosingAnswers(1)
  expect(await ringsOf(prepared, [agent.campaign], { DB })).toEqual([nameOf(agent.campaign)])
})

it('A create calls no bell, makes no other trip, and reads one more row at most when nobody waits', async () => {
  const agent = await seedAgent()
  const create = async (key = agent.writeKey) => {
    const { CAMPAIGN_BELLS, rings, registered } = watchedBells()
    const { DB, trips } = watchedDatabase()
    const { campaignId } = agent
    await api(key, { bindings: { CAMPAIGN_BELLS, DB } }).createLead({ campaignId, phoneNumber: newPhone() })
    const read = trips.at(-1)?.results.reduce((sum, { meta }) => sum + meta.rows_read, 0) ?? Number.NaN
    return { trips: trips.length, bells: rings.length + registered.length, read }
  }
  await create()
  const before = await create()
  expect(before).toMatchObject({ trips: 1, bells: 0 })
  // Without its row of settings the look at them reads nothing: the difference is what it costs.
  await companyDb
    .prepare('delete from calling_settings where campaign_number = ?1')
    .bind(agent.campaign.number)
    .run()
  expect(before.read - (await create()).read).toBeLessThanOrEqual(1)
})

it('A ring reads what three of 300 waiting claims are, wakes the two that wait longest, and counts no other', async () => {
  const { campaign } = await seedAgent()
  const bell = bellOf(campaign)
  const nowMs = Date.now()
  const closed: number[] = []
  for (let i = 0; i < 300; i++) {
    const query = `sinceMs=${nowMs - 20_000 + 50 * ((i * 7) % 300)}&untilMs=${nowMs + 60_000}`
    const { webSocket } = await bell.fetch(`https://bell/?${query}`, { headers: { Upgrade: 'websocket' } })
    webSocket?.addEventListener('close', () => closed.push((i * 7) % 300))
    webSocket?.accept()
  }
  const read = vi.spyOn(WebSocket.prototype, 'deserializeAttachment')
  const ring = (count: number, momentMs: number | null) =>
    runInDurableObject(bell, (instance: CampaignBell) => instance.ring(count, momentMs))
  expect(await ring(2, 5)).toEqual({ rung: 2, left: 1 })
  expect(read).toHaveBeenCalledTimes(3)
  await vi.waitFor(() => expect(closed.map((place) => Math.floor(place / 5))).toEqual([0, 0]))
  // The same moment again rings for nobody.
  read.mockClear()
  expect(await ring(2, 5)).toEqual({ rung: 0, left: 1 })
  expect(read).toHaveBeenCalledTimes(1)
  read.mockRestore()
  expect(await bell.countWaiting()).toBe(298)
  expect(await ring(300, null)).toEqual({ rung: 298, left: 0 })
})
