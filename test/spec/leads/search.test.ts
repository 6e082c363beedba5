// Finding leads: by any form of a number and its last digits, by external id, by words of metadata; what is found for
// whom, in which order and pages; and requeueing a selection. What a search reads is in ../../runtime/search.test.ts.
import { describe, expect, it } from 'vitest'
import { type AgentWorld, seedAgent } from '../../support/calling/agent.ts'
import { type Answer, api, type Lead } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhone, newPhones, seedCampaign, seedKey, seedWorld } from '../../support/world.ts'

type Found = {
  leads: (Lead & { lastOutcome: string | null; dueAt: string | null; suppressed?: true })[]
  nextCursor: string | null
}

const search = (key: string, query: Record<string, string>) =>
  api(key).request('GET', `/api/v1/leads/search?${new URLSearchParams(query)}`) as Promise<Answer<Found>>

async function idsFound(key: string, query: Record<string, string>): Promise<string[]> {
  return dataOf(await search(key, query), 200).leads.map(({ _id }) => _id)
}

/** A lead of the campaign. */
async function addLead(
  { writeKey, campaignId }: { writeKey: string; campaignId: string },
  fields: object = {},
): Promise<string> {
  const { leadId } = dataOf(
    await api(writeKey).createLead({ campaignId, phoneNumber: newPhone(), ...fields }),
    201,
  )
  return leadId
}

it.each([
  ['as it is', '+4917612345678'],
  ['with separators', '+49 (176) 123-456/78'],
  ['with 00', '0049 176 12345678'],
  ['national, with its 0', '0176 / 1234 5678'],
  ['with (0)', '+49 (0)176 12345678'],
  ['without country and 0', '17612345678'],
  ['by its last four digits', '5678'],
  ['in full width', '５６７８'],
])('A search for a number finds it: %s', async (_, q) => {
  const world = await seedWorld()
  const leadId = await addLead(world, { phoneNumber: '+4917612345678' })
  await addLead(world, { phoneNumber: '+4917612345679' })
  expect(await idsFound(world.readKey, { q })).toEqual([leadId])
})

it.each([
  ['its last digits, the first of them a zero', '0123', '+14155550123', '+14155551123'],
  ['its last digits, the first two of them zeros', '0012', '+14155550012', '+14155551012'],
  ['more zeros in front than it has', '000123', '+14155550123', '+14155551123'],
  ['nothing but zeros', '0000', '+14155550000', '+14155551000'],
  ['a zero before four digits, which need not be in it', '04567', '+14155554567', '+14155554568'],
])('A search for a number finds it by %s: %s', async (_, q, phoneNumber, another) => {
  const [world, other] = [await seedWorld(), await seedWorld()]
  const leadId = await addLead(world, { phoneNumber })
  await addLead(world, { phoneNumber: another })
  await addLead(other, { phoneNumber })
  expect(await idsFound(world.readKey, { q })).toEqual([leadId])
})

it.each(['678', '1234', '+4917612345678901', '00', '12345678 x'])(
  'A search for a number finds no other: %s',
  async (q) => {
    const world = await seedWorld()
    await addLead(world, { phoneNumber: '+4917612345678' })
    expect(await idsFound(world.readKey, { q })).toEqual([])
  },
)

it('A search for a number finds a lead at once, by number and by external id', async () => {
  const { campaignId, writeKey, readKey } = await seedWorld()
  const lead = { campaignId, phoneNumber: '+4917612345678', externalId: 'CRM-1', metadata: { name: 'Ada' } }
  const { leadId } = dataOf(await api(writeKey).createLead(lead), 201)
  for (const q of ['5678', 'CRM-1', 'crm-1', ' crm-1 '])
    expect(await idsFound(readKey, { q })).toEqual([leadId])
  expect(await idsFound(readKey, { q: 'CRM-' })).toEqual([])
})

it.each(['köln-7', 'KÖLN-7', 'Ko\u0308ln-7', 'koln-7', ' köln-7 '])(
  'A search finds an external id in any case, with or without diacritics, of the company alone: %j',
  async (q) => {
    const [own, other] = [await seedWorld(), await seedWorld()]
    for (const externalId of ['KÖLN-7', 'KÖLN-71', 'KÖLN'])
      for (const world of [own, other]) await addLead(world, { externalId })
    const { leads } = dataOf(await search(own.readKey, { q }), 200)
    expect(leads.map(({ externalId, campaignId }) => [externalId, campaignId])).toEqual([
      ['KÖLN-7', own.campaignId],
    ])
  },
)

describe('A search for words', () => {
  const metadata = {
    name: 'Zoë Müller-Weiß',
    contact: { email: 'Zoe.Mueller@Example.com', deep: { city: 'Hidden' } },
    tags: ['Gold', 7],
    age: 'forty two',
  }

  it.each([
    'zoe',
    'ZOË',
    'mul',
    'müller',
    'WEISS',
    'weiß zo',
    'zoe.mueller@example.com',
    'zoe.mue',
    'zoe.mueller@',
    'zoe.mueller@exam',
    'gold',
    'mueller@',
  ])(
    'A search for words finds words by their start, in any case, with or without diacritics: %s',
    async (q) => {
      const world = await seedWorld()
      const leadId = await addLead(world, { metadata })
      await addLead(world, { metadata: { name: 'Grace' } })
      const isFound = q !== 'mueller@'
      expect(await idsFound(world.readKey, { q })).toEqual(isFound ? [leadId] : [])
    },
  )

  it('A search for words finds those of one or two letters whole, and by their start beside a longer one', async () => {
    const world = await seedWorld()
    const [whole, start] = [
      await addLead(world, { metadata: { name: 'Li Wei' } }),
      await addLead(world, { metadata: { name: 'Lina Weiss' } }),
    ]
    expect(await idsFound(world.readKey, { q: 'li' })).toEqual([whole])
    expect(await idsFound(world.readKey, { q: 'li wei' })).toEqual([whole, start])
    expect(await idsFound(world.readKey, { q: 'l' })).toEqual([])
  })

  it('A search for words lists leads with the whole words first, and then the others, page by page', async () => {
    const [world, stranger] = [await seedWorld(), await seedWorld()]
    const names = ['Anna', 'Annabel', 'Anna', 'Annalena', 'Anna', 'Anton']
    const ids: string[] = []
    for (const name of names) {
      ids.push(await addLead(world, { metadata: { name } }))
      await addLead(stranger, { metadata: { name } })
    }
    const wanted = [4, 2, 0, 3, 1].map((place) => ids[place])
    expect(await idsFound(world.readKey, { q: 'anna' })).toEqual(wanted)
    for (const limit of ['1', '2', '3']) {
      const found: string[] = []
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page: Found = dataOf(
          await search(world.readKey, { q: 'anna', limit, ...(cursor && { cursor }) }),
          200,
        )
        expect(page.leads.length).toBeLessThanOrEqual(Number(limit))
        found.push(...page.leads.map(({ _id }) => _id))
        cursor = page.nextCursor
      }
      expect([limit, found]).toEqual([limit, wanted])
    }
  })

  it.each(['uller', 'hidden', 'name', 'zoe grace', '%', '*', '"', 'zoe OR grace x'])(
    'A search for words finds nothing else, and knows no operators: %s',
    async (q) => {
      const world = await seedWorld()
      await addLead(world, { metadata })
      expect(await idsFound(world.readKey, { q })).toEqual([])
    },
  )

  it('A search for words finds a new lead at once', async () => {
    const { campaignId, writeKey, readKey } = await seedWorld()
    await api(writeKey).createLead({ campaignId, phoneNumber: newPhone(), metadata: { name: 'Ada' } })
    const leads = newPhones(3).map((phoneNumber) => ({ phoneNumber, metadata: { name: 'Ada' } }))
    await api(writeKey).importLeads({ campaignId, leads })
    expect(await idsFound(readKey, { q: 'ada' })).toHaveLength(4)
  })

  it('A search for words finds the words of changed metadata at once, and no former ones', async () => {
    const world = await seedWorld()
    const leadId = await addLead(world, { metadata: { name: 'Ada', city: 'Paris' } })
    const change = (body: object) => api(world.writeKey).request('PATCH', `/api/v1/leads/${leadId}`, body)
    await change({ metadata: { name: 'Grace', city: 'Paris' }, externalId: 'crm-2' })
    for (const q of ['grace', 'paris', 'crm-2'])
      expect(await idsFound(world.readKey, { q })).toEqual([leadId])
    expect(await idsFound(world.readKey, { q: 'ada' })).toEqual([])
    await change({ metadata: null, externalId: null })
    for (const q of ['grace', 'crm-2']) expect(await idsFound(world.readKey, { q })).toEqual([])
  })
})

it('What is found is never of another company, and of a campaign’s key its campaign alone', async () => {
  const agent = await seedAgent()
  const other = await agent.another()
  const stranger = await seedWorld()
  const lead = { metadata: { name: 'Ada' }, externalId: 'crm-1' }
  const one = await addLead(agent, lead)
  const two = await addLead({ ...agent, campaignId: other.campaignId }, lead)
  await addLead(stranger, lead)
  const { key } = await seedKey({ companyId: agent.companyId, campaign: agent.campaign, scope: 'read' })
  for (const q of ['ada', 'crm-1']) {
    expect(new Set(await idsFound(agent.writeKey, { q }))).toEqual(new Set([one, two]))
    expect(await idsFound(agent.writeKey, { q, campaignId: other.campaignId })).toEqual([two])
    expect(await idsFound(key, { q })).toEqual([one])
  }
  expectFailure(
    await search(key, { q: 'ada', campaignId: other.campaignId }),
    403,
    'Campaign not found or access denied',
  )
  expectFailure(await search(agent.agentKey, { q: 'ada' }), 403, 'Insufficient permissions')
})

it('What is found is the lead as it is read, with its last outcome and when it is due', async () => {
  const agent = await seedAgent()
  await addLead(agent, { metadata: { name: 'Ada', n: '1' } })
  const { callId } = await agent.call()
  await agent.report([{ callId, outcome: 'busy' }])
  const [found] = dataOf(await search(agent.writeKey, { q: 'ada' }), 200).leads
  const { lead } = dataOf(await agent.ask('GET', `/api/v1/leads/${found?._id}`), 200) as { lead: Lead }
  expect(found).toEqual({ ...lead, lastOutcome: 'busy', dueAt: expect.stringMatching(/^20.*Z$/) })
})

it('What is found is the same in a list of the campaign on request, in each order, page and status', async () => {
  const agent = await seedAgent()
  const busy = await addLead(agent, { metadata: { name: 'Ada', n: '1' } })
  const { callId } = await agent.call()
  await agent.report([{ callId, outcome: 'busy' }])
  await addLead(agent, { metadata: { name: 'Ada' } })
  const found = dataOf(await search(agent.writeKey, { q: 'ada' }), 200).leads
  const { campaignId } = agent
  // Without the lead of a call before.
  const list = async (query: object) => {
    const page = dataOf(
      (await api(agent.writeKey).request(
        'GET',
        `/api/v1/leads?${new URLSearchParams({ campaignId, include: 'calling', ...query })}`,
      )) as Answer<Found>,
      200,
    )
    return { ...page, leads: page.leads.filter(({ metadata }) => metadata !== undefined) }
  }
  expect((await list({})).leads).toEqual(found.toReversed())
  expect((await list({ status: 'attempting' })).leads).toEqual(found.filter(({ _id }) => _id === busy))
  const { leads, nextCursor } = await list({ order: 'newest', limit: '1' })
  const next = await list({ order: 'newest', cursor: nextCursor })
  expect([...leads, ...next.leads]).toEqual(found)
  expect((await list({ include: '' })).leads[0]).not.toHaveProperty('lastOutcome')
})

it.each(['this campaign', 'the company'])(
  'What is found says which numbers must not be called in %s',
  async (where) => {
    const agent = await seedAgent()
    const other = await seedCampaign(agent.companyId)
    const lead = { metadata: { name: 'Ada' }, phoneNumber: newPhone() }
    const [listed, elsewhere] = [
      await addLead(agent, lead),
      await addLead({ ...agent, campaignId: other.id }, lead),
    ]
    const free = await addLead(agent, { metadata: { name: 'Ada' } })
    const isOfCompany = where === 'the company'
    await agent.suppress([lead.phoneNumber], isOfCompany ? {} : { campaignId: agent.campaignId })
    const found = dataOf(await search(agent.writeKey, { q: 'ada' }), 200).leads
    const query = new URLSearchParams({ campaignId: agent.campaignId, include: 'calling' })
    const answer = await api(agent.writeKey).request('GET', `/api/v1/leads?${query}`)
    const page = dataOf(answer as Answer<Found>, 200)
    const said = (leads: Found['leads']) => leads.filter((one) => one.suppressed).map(({ _id }) => _id)
    expect(said(page.leads)).toEqual([listed])
    expect(new Set(said(found))).toEqual(new Set(isOfCompany ? [listed, elsewhere] : [listed]))
    expect(found.find(({ _id }) => _id === free)).not.toHaveProperty('suppressed')
  },
)

it('What is found has the status and the last outcome that are asked for', async () => {
  const agent = await seedAgent()
  const done = await addLead(agent, { metadata: { name: 'Ada' } })
  const { callId } = await agent.call()
  await agent.report([{ callId, outcome: 'answered' }])
  const raw = await addLead(agent, { metadata: { name: 'Ada' } })
  const found = (filter: Record<string, string>) => idsFound(agent.writeKey, { q: 'ada', ...filter })
  expect(await found({ status: 'concluded' })).toEqual([done])
  expect(await found({ outcome: 'answered' })).toEqual([done])
  expect(await found({ status: 'raw' })).toEqual([raw])
  expect(await found({ status: 'raw', outcome: 'answered' })).toEqual([])
  expect(await found({})).toEqual([raw, done])
})

it.each([
  ['few', 7, (i: number) => `Ada ${i}`],
  ['as many as a page looks at', 200, (i: number) => `Ada${i}`],
  ['more with the same word', 220, (i: number) => `Ada ${i}`],
  ['more with different words', 260, (i: number) => `Ada${i}`],
])('What is found comes in pages, newest first, each lead once: %s', async (_, count, nameOf) => {
  const { campaignId, writeKey, readKey } = await seedWorld()
  const leads = newPhones(count).map((phoneNumber, i) => ({ phoneNumber, metadata: { name: nameOf(i) } }))
  const { createdIds } = dataOf(await api(writeKey).importLeads({ campaignId, leads }), 200)
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Found = dataOf(await search(readKey, { q: 'ada', limit: '3', cursor }), 200)
    expect(page.leads.length).toBeLessThanOrEqual(3)
    found.push(...page.leads.map(({ _id }) => _id))
    cursor = page.nextCursor
    expect(cursor ?? '').toMatch(/^(s?[0-9a-f]{14})?$/)
  }
  expect(found).toEqual(createdIds.toReversed())
})

it.each(['lead', 'person'])('An erased lead is not found by anything: %s', async (what) => {
  const agent = await seedAgent()
  const phoneNumber = newPhone()
  const leadId = await addLead(agent, { phoneNumber, externalId: 'crm-1', metadata: { name: 'Ada' } })
  const queries = [phoneNumber, 'crm-1', 'ada']
  for (const q of queries) expect(await idsFound(agent.writeKey, { q })).toEqual([leadId])
  const manage = api(agent.manageKey)
  if (what === 'lead') dataOf(await manage.request('DELETE', `/api/v1/leads/${leadId}`), 200)
  else dataOf(await manage.request('POST', '/api/v1/erasures', { phoneNumber }), 200)
  for (const q of queries) expect(await idsFound(agent.writeKey, { q })).toEqual([])
})

describe('A selection to requeue', () => {
  type Requeued = { requeued: number; skipped: number; results: { leadId: string; result: string }[] }
  const requeue = async (agent: AgentWorld, leadIds: unknown[], key = agent.writeKey) =>
    dataOf(await api(key).request('POST', '/api/v1/leads/requeue', { leadIds }), 200) as Requeued

  it('A selection to requeue is requeued, each lead with its result, in the order of the request', async () => {
    const agent = await seedAgent()
    const [done, open] = [await agent.call(), await agent.call()]
    await agent.report([{ callId: done.callId, outcome: 'answered' }])
    const suppressed = await agent.add()
    await agent.suppress([suppressed.phoneNumber])
    const queued = await agent.add()
    const stranger = await seedWorld()
    const foreign = await addLead(stranger)
    const ids = [done.lead._id, open.lead._id, suppressed.leadId, queued.leadId, foreign, 'none']
    const answer = await requeue(agent, ids)
    expect(answer).toEqual({
      requeued: 2,
      skipped: 4,
      results: [
        'requeued',
        'lead_leased',
        'number_suppressed',
        'requeued',
        'lead_not_found',
        'lead_not_found',
      ].map((result, index) => ({ leadId: ids[index], result })),
    })
    const { lead } = dataOf(await agent.ask('GET', `/api/v1/leads/${done.lead._id}`), 200) as { lead: Lead }
    expect(lead).toMatchObject({ status: 'attempting', attempts: 1 })
    expect(await requeue(agent, ids)).toEqual(answer)
  })

  it('A selection to requeue is not requeued by a key that may not', async () => {
    const agent = await seedAgent()
    const { lead } = await agent.call()
    const other = await agent.another()
    const { key } = await seedKey({ companyId: agent.companyId, campaign: other.campaign, scope: 'write' })
    const { results } = await requeue(agent, [lead._id], key)
    expect(results).toEqual([{ leadId: lead._id, result: 'lead_not_found' }])
  })
})
