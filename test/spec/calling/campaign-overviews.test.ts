// Campaigns listed with their overviews: what GET shows of the queue of each, and the activity of its day. Limits of
// the query are in the catalogue, what a page costs in test/runtime/campaign-pages.test.ts.
import type { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import {
  type AgentWorld,
  openAtAllHours,
  type Queue,
  type Settings,
  seedAgent,
} from '../../support/calling/agent.ts'
import { bellOf, setWaitedFor, untilWaiting } from '../../support/calling/bell.ts'
import { fillQueue, noonMs } from '../../support/calling/calling.ts'
import { stopClockAtNoon } from '../../support/calling/noon.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { seedCampaign, seedKey } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

type Today = { created: number; claimed: number; called: number; answered: number }
type Listed = Settings & { queue: Queue; dialer: object | null; today: Today }
type Page = { campaigns: Listed[]; nextCursor: string | null }

const list = async (key: string, query = '', bindings = {}) =>
  dataOf(
    await api(key, { bindings }).request('GET', `/api/v1/campaigns?include=overview${query}`),
    200,
  ) as Page

const todayOf = async (agent: Pick<AgentWorld, 'manageKey' | 'campaignId'>) =>
  (await list(agent.manageKey)).campaigns.find(({ id }) => id === agent.campaignId)?.today

const hour = 3_600_000

it('An overview shows settings and queue as the campaign’s own request does, in every state', async () => {
  const agent = await seedAgent()
  const states: readonly (readonly [settings: object, leads: number, claimed: number])[] = [
    [{}, 0, 0],
    [{}, 3, 0],
    [{}, 3, 1],
    [{}, 1, 1],
    [{ paused: true }, 2, 0],
    [{ timeZone: null }, 2, 0],
    [{ callingHours: { mon: [['00:00', '01:00']], fri: [] } }, 2, 0],
    [
      {
        closedDates: ['2026-01-01'],
        callingHours: Object.fromEntries(
          ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['03:00', '04:00']]]),
        ),
      },
      2,
      0,
    ],
    [{ maxLiveCalls: 1 }, 3, 1],
    [{ callsPerMinute: 1 }, 3, 1],
  ]
  for (const [settings, leads, claimed] of states) {
    const other = await agent.another()
    for (let i = 0; i < leads; i++) await other.add()
    if (claimed > 0) await other.claim({ limit: claimed })
    await other.change(settings)
  }
  const { campaigns } = await list(agent.manageKey)
  const own = await Promise.all(
    campaigns.map(async ({ id }) => {
      const answer = await api(agent.manageKey).request('GET', `/api/v1/campaigns/${encodeURIComponent(id)}`)
      return dataOf(answer, 200)
    }),
  )
  expect(campaigns.map(({ today: _, dialer: __, ...campaign }) => campaign)).toEqual(own)
  const reasons = new Set(campaigns.map(({ queue }) => queue.reason))
  expect(reasons).toEqual(
    new Set([null, 'empty', 'waiting', 'paused', 'not_configured', 'outside_hours', 'at_capacity']),
  )
})

it('A list of campaigns with their overviews counts at most 1,000 leads of each, and says so', async () => {
  const agent = await seedAgent()
  await fillQueue(agent.campaign, 1_001)
  const { campaigns } = await list(agent.manageKey)
  expect(campaigns[0]?.queue).toMatchObject({ queued: 1_000, isCapped: true })
  await fillQueue((await agent.another()).campaign, 1_000)
  const { campaigns: again } = await list(agent.manageKey)
  expect(again[1]?.queue).toMatchObject({ queued: 1_000, isCapped: false })
})

it('A list of campaigns with their overviews counts the activity since midnight in the zone of each campaign', async () => {
  const agent = await seedAgent({ ...openAtAllHours, timeZone: 'Asia/Tokyo' })
  // In Tokyo the day begins at 15:00 UTC.
  vi.setSystemTime(noonMs + 2 * hour)
  const { callId } = await agent.call()
  await agent.report([{ callId, outcome: 'answered' }])
  await agent.add()
  expect(await todayOf(agent)).toEqual({ created: 2, claimed: 1, called: 1, answered: 1 })
  await agent.change({ timeZone: 'UTC' })
  vi.setSystemTime(noonMs + 4 * hour)
  expect(await todayOf(agent)).toEqual({ created: 2, claimed: 1, called: 1, answered: 1 })
  await agent.change({ timeZone: 'Asia/Tokyo' })
  expect(await todayOf(agent)).toEqual({ created: 0, claimed: 0, called: 0, answered: 0 })
  await agent.add()
  expect(await todayOf(agent)).toEqual({ created: 1, claimed: 0, called: 0, answered: 0 })
})

it('A list of campaigns with their overviews is always in pages, of 25 unless a limit is given, of one kind of campaign', async () => {
  const agent = await seedAgent()
  for (let i = 0; i < 26; i++) await seedCampaign(agent.companyId)
  await agent.change({ archived: true })
  const first = await list(agent.manageKey)
  const second = await list(agent.manageKey, `&cursor=${first.nextCursor}`)
  expect([first.campaigns.length, second.campaigns.length, second.nextCursor]).toEqual([25, 1, null])
  const three = await list(
    agent.manageKey,
    `&limit=3&cursor=${first.campaigns.length.toString(16).padStart(6, '0')}`,
  )
  expect(three.campaigns).toHaveLength(3)
  const archived = await list(agent.manageKey, '&archived=true')
  expect(archived).toMatchObject({
    campaigns: [{ id: agent.campaignId, archived: true, queue: { reason: 'paused' } }],
    nextCursor: null,
  })
})

it("A list of campaigns with their overviews has only its own for a campaign's key", async () => {
  const agent = await seedAgent()
  await agent.another()
  const { companyId, campaign } = agent
  const { key } = await seedKey({ companyId, campaign, scope: 'agent' })
  expect((await list(key, '&limit=1')).campaigns.map(({ id }) => id)).toEqual([campaign.id])
  expect((await list(key, '&limit=1')).nextCursor).toBeNull()
})

it('An overview counts the agents that wait, and has null where the bell does not answer', async () => {
  vi.useRealTimers()
  const agent = await seedAgent()
  const other = await agent.another()
  const waiting = agent.claim({ waitSeconds: 25 })
  await untilWaiting(agent.campaign, 1)
  await setWaitedFor(other.campaign)
  const countsOf = async (bindings = {}) =>
    (await list(agent.manageKey, '', bindings)).campaigns.map(({ queue }) => queue.agentsWaiting)
  expect(await countsOf()).toEqual([1, 0])
  const broken = `${agent.companyId}/${other.campaign.number}`
  const getByName = (name: string) => ({
    async countWaiting() {
      if (name === broken) throw new Error('no bell')
      return bellOf(agent.campaign).countWaiting()
    },
  })
  const CAMPAIGN_BELLS = { getByName } as unknown as typeof env.CAMPAIGN_BELLS
  expect(await countsOf({ CAMPAIGN_BELLS })).toEqual([1, null])
  await agent.add()
  await waiting
})
