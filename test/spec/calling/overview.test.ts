// A campaign's overview: what GET shows of its parts, in one request, each for the keys that may read it.
import type { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { seedAlerts } from '../../support/alerts/alerts.ts'
import { type AgentWorld, openAtAllHours, seedAgent } from '../../support/calling/agent.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { seedCampaign, seedKey } from '../../support/world.ts'

type Overview = {
  campaign: object
  queue: object
  dialer: { status: string | null; reason: string | null } | null
  stats: object
  liveCalls: { callId: string; leadId: string; agent: string | null; startedAt: string }[] | null
  webhooks: { webhookId: string; state: string; waiting: number }[] | null
  alerts: { kind: string; campaignId: string | null; subject: string | null; since: string }[] | null
  asOf: string
}

const get = async <Data = Overview>(key: string, path: string) =>
  dataOf(await api(key).request('GET', path), 200) as Data

const overviewOf = (agent: Pick<AgentWorld, 'campaignPath'>, key: string) =>
  get(key, `${agent.campaignPath}/overview`)

it('The overview of a campaign has the settings, the queue and the statistics that their own requests have', async () => {
  const agent = await seedAgent()
  const { callId } = await agent.call()
  await agent.report([{ callId, outcome: 'busy' }])
  const { queue, ...campaign } = await agent.settings()
  const query = '?bucket=day'
  const { queue: _, ...stats } = await get<{ queue: object }>(
    agent.agentKey,
    `${agent.campaignPath}/stats${query}`,
  )
  const overview = await get(agent.agentKey, `${agent.campaignPath}/overview${query}`)
  expect(overview).toMatchObject({ campaign, queue, stats })
  expect(Object.keys(overview.stats)).not.toContain('queue')
  const members = ['campaign', 'queue', 'dialer', 'stats', 'liveCalls', 'webhooks', 'alerts', 'asOf']
  expect(Object.keys(overview)).toEqual(members)
  expect(Date.parse(overview.asOf)).toBeGreaterThan(Date.now() - 60_000)
})

it('The overview of a campaign has the live calls of this campaign, at most 50', async () => {
  const agent = await seedAgent()
  const other = await agent.another()
  await other.call()
  for (let i = 0; i < 51; i++) await agent.add()
  const first = (await agent.claim({ limit: 1, leaseSeconds: 60, agent: 'seat-7' })).calls
  const { liveCalls } = await overviewOf(agent, agent.agentKey)
  expect(liveCalls).toEqual([
    {
      callId: first[0]?.callId,
      leadId: first[0]?.lead._id,
      agent: 'seat-7',
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      dialledAt: null,
    },
  ])
  await agent.claim({ limit: 50, leaseSeconds: 600 })
  const { liveCalls: many } = await overviewOf(agent, agent.agentKey)
  expect(many?.length).toBe(50)
  expect(many?.[0]?.callId).toBe(first[0]?.callId)
  await agent.report([{ callId: first[0]?.callId ?? '', outcome: 'busy' }])
  const { liveCalls: rest } = await overviewOf(agent, agent.agentKey)
  expect(rest?.map(({ callId }) => callId)).not.toContain(first[0]?.callId)
})

it('The overview of a campaign has the lead of each live call and the time of the newest lead with include=leads', async () => {
  const agent = await seedAgent()
  const { lead } = await agent.call()
  const { leadId } = await agent.add()
  const overview = await get<Overview & { lastLeadAt: string }>(
    agent.agentKey,
    `${agent.campaignPath}/overview?include=leads`,
  )
  expect(overview.liveCalls).toMatchObject([{ leadId: lead._id, lead }])
  const path = `/api/v1/leads/${leadId}`
  const newest = await get<{ lead: { _creationTime: number } }>(agent.agentKey, path)
  expect(Date.parse(overview.lastLeadAt)).toBe(newest.lead._creationTime)
  const { body } = await api(agent.agentKey).request('GET', `${agent.campaignPath}/overview?include=x`)
  expect(body?.error).toBe('include must be one of leads')
})

it('The overview of a campaign has the state of each webhook, and the alerts of campaign and company', async () => {
  const agent = await seedAgent()
  const { delivering, failing, disabled } = await seedAlerts(agent)
  const { webhooks, alerts } = await overviewOf(agent, agent.manageKey)
  const states = new Map(webhooks?.map((webhook) => [webhook.webhookId, webhook.state]))
  expect(states).toEqual(
    new Map([
      [delivering, 'delivering'],
      [failing, 'failing'],
      [disabled, 'disabled'],
    ]),
  )
  // The change of the settings is an entry.
  expect(webhooks?.map(({ waiting }) => waiting)).toEqual([1, 1, 1])
  expect(alerts).toEqual([
    { kind: 'webhook_failing', campaignId: null, subject: failing, since: '1970-01-01T00:00:01.000Z' },
    { kind: 'no_agent', campaignId: agent.campaignId, subject: null, since: '1970-01-01T00:00:03.000Z' },
  ])
})

it('The overview of a campaign has null for what the key may not read', async () => {
  const agent = await seedAgent()
  await agent.call()
  await seedAlerts(agent)
  const partsFor = async (key: string) => {
    const { liveCalls, webhooks, alerts } = await overviewOf(agent, key)
    return [liveCalls?.length ?? null, webhooks?.length ?? null, alerts?.length ?? null]
  }
  expect(await partsFor(agent.readKey)).toEqual([null, null, null])
  expect(await partsFor(agent.writeKey)).toEqual([null, null, null])
  expect(await partsFor(agent.agentKey)).toEqual([1, null, null])
  expect(await partsFor(agent.manageKey)).toEqual([1, 3, 2])
})

it('The overview of a campaign has nothing of the company, nor of another campaign, for the key of a campaign', async () => {
  const agent = await seedAgent()
  const { companyId, campaign } = agent
  const { delivering } = await seedAlerts(agent)
  const other = await seedCampaign(companyId)
  await seedAlerts({ companyId, campaign: other })
  const { key } = await seedKey({ companyId, campaign, scope: 'manage' })
  const { webhooks, alerts } = await overviewOf(agent, key)
  expect(webhooks?.map(({ webhookId }) => webhookId)).toEqual([delivering])
  expect(alerts?.map(({ kind, campaignId }) => [kind, campaignId])).toEqual([['no_agent', agent.campaignId]])
  const { status } = await api(key).request('GET', `/api/v1/campaigns/${other.id}/overview`)
  expect(status).toBe(403)
})

it('The overview of a campaign has nothing of another company', async () => {
  const [agent, stranger] = await Promise.all([seedAgent(), seedAgent(openAtAllHours)])
  await seedAlerts(stranger)
  const { webhooks, alerts } = await overviewOf(agent, agent.manageKey)
  expect([webhooks, alerts]).toEqual([[], []])
})

it('The overview of a campaign, and the list, say how its dialer is, to every key that sees the queue', async () => {
  const agent = await seedAgent()
  const other = await agent.another()
  const setDialer = async (enabled: boolean) =>
    dataOf(
      await agent.ask(
        'PUT',
        `${agent.campaignPath}/dialer`,
        { preset: 'pretend', enabled },
        { key: agent.manageKey },
      ),
      200,
    )
  const dialersOf = async (bindings = {}) => {
    const path = `${agent.campaignPath}/overview`
    const { dialer } = dataOf(await api(agent.readKey, { bindings }).request('GET', path), 200) as Overview
    const page = dataOf(
      await api(agent.readKey, { bindings }).request('GET', '/api/v1/campaigns?include=overview'),
      200,
    ) as { campaigns: { dialer: Overview['dialer'] }[] }
    expect(page.campaigns.map((campaign) => campaign.dialer)).toEqual([dialer, null])
    return dialer
  }
  await other.change({ paused: true })
  expect(await dialersOf()).toBeNull()
  await agent.change({ paused: true })
  await setDialer(true)
  await expect.poll(() => dialersOf()).toEqual({ status: 'waiting', reason: 'paused' })
  const DIALERS = {
    getByName: () => ({
      async readState() {
        throw new Error('no dialer')
      },
    }),
  } as unknown as typeof env.DIALERS
  expect(await dialersOf({ DIALERS })).toEqual({ status: null, reason: null })
  await setDialer(false)
  expect(await dialersOf()).toBeNull()
})
