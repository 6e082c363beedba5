// Campaigns over HTTP: created, archived, listed page by page. What is invalid is in the catalogue.
import { beforeEach, expect, it } from 'vitest'
import { type Queue, type Settings, seedAgent } from '../../support/calling/agent.ts'
import { stopClockAtNoon } from '../../support/calling/noon.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { entriesOf } from '../../support/ledger/log.ts'
import { newPhone, seedCampaign, seedKey, seedWorld } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

const path = '/api/v1/campaigns'
type Campaign = Settings & { archived: boolean; queue: Queue }
type Page = { campaigns: Campaign[]; nextCursor?: string | null }

async function seedManaged() {
  const world = await seedWorld()
  const { companyId } = world
  const manage = await seedKey({ companyId, scope: 'manage' })
  const ask = (method: string, at: string, body?: object, key = manage.key) =>
    api(key).request(method, at, body)
  return {
    ...world,
    manage,
    ask,
    list: async (query = '', key = manage.key) =>
      dataOf(await ask('GET', path + query, undefined, key), 200) as Page,
    logged: async (type: string) =>
      (await entriesOf(companyId))
        .filter((entry) => entry.type === type)
        .map(({ actor, campaignNumber, data }) => ({ actor, campaignNumber, data })),
  }
}

const idsOf = ({ campaigns }: Page) => campaigns.map(({ id }) => id)

it('A campaign that is created is answered as GET shows it, with its settings and the defaults of all others', async () => {
  const { ask, list, campaignId } = await seedManaged()
  const sent = { id: 'spring.2027', name: 'Spring', timeZone: 'Europe/Berlin', maxAttempts: 5 }
  const answer = await ask('POST', path, sent)
  const created = dataOf(answer, 201) as Campaign
  expect(created).toMatchObject({ ...sent, archived: false, leaseSeconds: 600, queue: { queued: 0 } })
  expect(answer.headers.get('location')).toBe(`${path}/spring.2027`)
  expect(dataOf(await ask('GET', `${path}/spring.2027`), 200)).toEqual(created)
  expect(idsOf(await list())).toEqual([campaignId, 'spring.2027'])
})

it('A campaign that is created takes leads and gives calls', async () => {
  const { ask } = await seedManaged()
  const day = [['00:00', '24:00']]
  const callingHours = Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((name) => [name, day]),
  )
  dataOf(await ask('POST', path, { id: 'new', name: 'New', timeZone: 'UTC', callingHours }), 201)
  dataOf(await ask('POST', '/api/v1/leads', { campaignId: 'new', phoneNumber: newPhone() }), 201)
  const { calls } = dataOf(await ask('POST', '/api/v1/calls/claim', { campaignId: 'new' }), 200) as {
    calls: unknown[]
  }
  expect(calls).toHaveLength(1)
})

it('A campaign that is created is logged with the key that created it', async () => {
  const { ask, manage, logged } = await seedManaged()
  dataOf(await ask('POST', path, { id: 'new', name: 'New' }), 201)
  expect(await logged('campaign.created')).toEqual([
    { actor: manage.id, campaignNumber: expect.any(Number), data: {} },
  ])
})

it('A campaign that is created does not replace another with its id, whose settings stay; another company may have the id', async () => {
  const { ask, campaignId, logged } = await seedManaged()
  const before = (await ask('GET', `${path}/${campaignId}`)).body
  expectFailure(
    await ask('POST', path, { id: campaignId, name: 'New', maxAttempts: 9 }),
    409,
    'Campaign already exists',
    'campaign_exists',
  )
  expect((await ask('GET', `${path}/${campaignId}`)).body).toEqual(before)
  expect(await logged('campaign.created')).toEqual([])
  const other = await seedManaged()
  dataOf(await other.ask('POST', path, { id: campaignId, name: 'New' }), 201)
})

it('A campaign that is created exists once after many requests at once', async () => {
  const { ask, list, logged } = await seedManaged()
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) => ask('POST', path, { id: 'new', name: 'New', maxAttempts: i + 1 })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)])
  const stored = (await list()).campaigns.find(({ id }) => id === 'new')
  expect(stored?.maxAttempts).toBe(answers.findIndex(({ status }) => status === 201) + 1)
  expect(await logged('campaign.created')).toHaveLength(1)
})

it("A campaign that is created is refused to a campaign's key", async () => {
  const { ask, companyId, campaign } = await seedManaged()
  const { key } = await seedKey({ companyId, campaign, scope: 'manage' })
  expectFailure(
    await ask('POST', path, { id: 'new', name: 'New' }, key),
    403,
    'Insufficient permissions',
    'company_key_required',
  )
})

it('An archived campaign leases nothing, and says that it is paused: to a claim, in its queue, about a lead, in a call', async () => {
  const agent = await seedAgent()
  const { callId } = await agent.call()
  const lead = await agent.add()
  await agent.change({ archived: true })
  expect(await agent.claim()).toMatchObject({ calls: [], reason: 'paused' })
  expect(await agent.settings()).toMatchObject({
    archived: true,
    paused: false,
    queue: { reason: 'paused' },
  })
  const { blockers } = dataOf(await agent.ask('GET', `/api/v1/leads/${lead.leadId}/calling`), 200) as {
    blockers: { code: string }[]
  }
  expect(blockers.map(({ code }) => code)).toContain('paused')
  const extended = dataOf(await agent.ask('POST', '/api/v1/calls/extend', { callIds: [callId] }), 200)
  expect(extended).toMatchObject({ calls: [{ stop: 'paused' }] })
})

it('An archived campaign is paused also when it never had settings', async () => {
  const agent = await seedAgent({ archived: true })
  expect(await agent.claim()).toMatchObject({ calls: [], reason: 'paused' })
})

it('An archived campaign does not repeat the calls of a claim', async () => {
  const agent = await seedAgent()
  await agent.add()
  const headers = { 'idempotency-key': 'claim-1' }
  expect((await agent.claim({}, headers)).calls).toHaveLength(1)
  await agent.change({ archived: true })
  expect((await agent.claim({}, headers)).calls).toEqual([])
})

it('An archived campaign refuses create and bulk, a dry run too, as a campaign that is denied, and its leads stay readable', async () => {
  const agent = await seedAgent()
  const { leadId } = await agent.add()
  await agent.change({ archived: true })
  const { campaignId, writeKey } = agent
  const lead = { phoneNumber: newPhone() }
  for (const [at, body] of [
    ['/api/v1/leads', { campaignId, ...lead }],
    ['/api/v1/leads/bulk', { campaignId, leads: [lead] }],
    ['/api/v1/leads/bulk?dryRun=true', { campaignId, leads: [lead] }],
  ] as const)
    expectFailure(
      await agent.ask('POST', at, body, { key: writeKey }),
      403,
      'Campaign not found or access denied',
      'campaign_denied',
    )
  const listed = dataOf(await api(writeKey).listLeads({ campaignId }), 200) as unknown as { count: number }
  expect(listed.count).toBe(1)
  dataOf(await agent.ask('GET', `/api/v1/leads/${leadId}`), 200)
})

it('An archived campaign keeps its id, is listed among the archived alone, and works again when it is restored', async () => {
  const agent = await seedAgent()
  await agent.add()
  const list = async (query: string) =>
    idsOf(dataOf(await agent.ask('GET', path + query), 200) as unknown as Page)
  await agent.change({ archived: true })
  expect([await list(''), await list('?archived=true'), await list('?limit=5&archived=true')]).toEqual([
    [],
    [agent.campaignId],
    [agent.campaignId],
  ])
  expectFailure(
    await agent.ask('POST', path, { id: agent.campaignId, name: 'New' }, { key: agent.manageKey }),
    409,
    'Campaign already exists',
  )
  await agent.change({ archived: false })
  expect([await list(''), await list('?archived=true')]).toEqual([[agent.campaignId], []])
  expect((await agent.claim()).calls).toHaveLength(1)
})

it('An archived campaign is logged once, with the key that archived it, and when it is archived no more', async () => {
  const { ask, campaign, campaignId, manage, logged } = await seedManaged()
  for (const archived of [true, true, false, null])
    dataOf(await ask('PATCH', `${path}/${campaignId}`, { archived }), 200)
  const by = { actor: manage.id, campaignNumber: campaign.number }
  expect(await logged('campaign.archived')).toEqual([
    { ...by, data: { archived: true } },
    { ...by, data: { archived: false } },
  ])
  expect(await logged('campaign.changed')).toEqual([])
})

it('Pages of campaigns have each campaign once, oldest first, and say where the next begins', async () => {
  const { companyId, campaignId, list } = await seedManaged()
  const ids = [campaignId]
  for (let i = 0; i < 6; i++) ids.push((await seedCampaign(companyId)).id)
  const found: string[][] = []
  for (let cursor: string | null | undefined = ''; typeof cursor === 'string'; ) {
    const page = await list(`?limit=3${cursor && `&cursor=${cursor}`}`)
    found.push(idsOf(page))
    cursor = page.nextCursor
  }
  expect(found).toEqual([ids.slice(0, 3), ids.slice(3, 6), ids.slice(6)])
  const whole = await list()
  expect([idsOf(whole), whole.nextCursor]).toEqual([ids, null])
})

it("Pages of campaigns have only a campaign's own for its key", async () => {
  const { companyId, list } = await seedManaged()
  const campaign = await seedCampaign(companyId)
  await seedCampaign(companyId)
  const { key } = await seedKey({ companyId, campaign, scope: 'read' })
  expect(await list('?limit=1', key)).toMatchObject({ campaigns: [{ id: campaign.id }], nextCursor: null })
  expect(idsOf(await list('', key))).toEqual([campaign.id])
})
