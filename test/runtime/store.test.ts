// The store on a real D1: races, all-or-nothing over several statements, retries after a lost answer, and the rows
// that a lead costs. Over HTTP where a client would see it, at the table for the rest.
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { api } from '../support/api.ts'
import { stopClock } from '../support/clock.ts'
import {
  databaseFailingTimes,
  databaseLosingAnswers,
  databaseThat,
  watchedDatabase,
} from '../support/database.ts'
import { dataOf, expectFailure } from '../support/expectations.ts'
import { newPhone, newPhones, seedCampaign, seedKey, seedWorld, storedPhones } from '../support/world.ts'

const toLeads = (phones: readonly string[]) => phones.map((phoneNumber) => ({ phoneNumber }))

describe('Races', () => {
  beforeEach(stopClock)
  afterEach(() => void vi.useRealTimers())

  it('creates each of 20 numbers once when 200 requests race for them', async () => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const phones = newPhones(20)
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        api(writeKey).createLead({ campaignId, phoneNumber: phones[i % 20] as string }),
      ),
    )
    const created = answers.filter((answer) => answer.status === 201)
    expect(created).toHaveLength(20)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(180)
    const stored = dataOf(await api(writeKey).listLeads({ campaignId }), 200).leads
    expect(stored.map((lead) => lead.phoneNumber).toSorted()).toEqual(phones.toSorted())
    expect(stored.map((lead) => lead._id).toSorted()).toEqual(
      created.map((answer) => answer.body?.data?.leadId).toSorted(),
    )
    expect(await storedPhones(campaign)).toHaveLength(20)
  })

  it('creates each number of overlapping bulks once, and tells each bulk what it created', async () => {
    const { companyId, campaign, campaignId } = await seedWorld()
    const phones = newPhones(100)
    const keys = await Promise.all([1, 2].map(() => seedKey({ companyId })))
    const bulks = Array.from({ length: 20 }, (_, i) => [...phones.slice(i * 3), ...phones.slice(0, i * 3)])
    const results = await Promise.all(
      bulks.map(async (bulk, i) =>
        dataOf(await api(keys[i % 2]?.key as string).importLeads({ campaignId, leads: toLeads(bulk) }), 200),
      ),
    )
    const { leads } = dataOf(await api(keys[0]?.key as string).listLeads({ campaignId }), 200)
    expect(await storedPhones(campaign)).toHaveLength(100)
    expect(results.flatMap((result) => result.createdIds).toSorted()).toEqual(
      leads.map((lead) => lead._id).toSorted(),
    )
    for (const { created, skipped } of results) expect(created + skipped).toBe(100)
  })

  it('creates a number once when creates race with bulks', async () => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const phones = newPhones(10)
    const bulk = () => api(writeKey).importLeads({ campaignId, leads: toLeads(phones) })
    const creates = phones.map((phoneNumber) => api(writeKey).createLead({ campaignId, phoneNumber }))
    const [first, ...answers] = await Promise.all([bulk(), ...creates, bulk()])
    const created = [first, ...answers].flatMap((answer) => {
      const data = answer?.body?.data as { leadId?: string; createdIds?: string[] } | null
      return data?.createdIds ?? (data?.leadId === undefined ? [] : [data.leadId])
    })
    expect(created).toHaveLength(10)
    expect((await storedPhones(campaign)).toSorted()).toEqual(phones.toSorted())
  })

  it('keeps the leads of campaigns apart that are filled at the same time', async () => {
    const { companyId, campaign, writeKey } = await seedWorld()
    const campaigns = [campaign, await seedCampaign(companyId), await seedCampaign(companyId)]
    const phones = newPhones(30)
    await Promise.all(
      campaigns.flatMap(({ id }) =>
        phones.map((phoneNumber) => api(writeKey).createLead({ campaignId: id, phoneNumber })),
      ),
    )
    for (const each of campaigns) expect((await storedPhones(each)).toSorted()).toEqual(phones.toSorted())
  })
})

/** More than 4 MB: too much for one statement. */
const largeLeads = (phones: readonly string[]) =>
  phones.map((phoneNumber, i) => ({ phoneNumber, metadata: { i, note: `${i % 10}`.repeat(15_000) } }))

describe('A bulk too large for one statement', () => {
  it('is one round trip of several inserts, none with more than 2 MB, in input order', async () => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const { DB, trips } = watchedDatabase()
    const phones = newPhones(300).toReversed()
    const leads = [...largeLeads(phones), { phoneNumber: phones[0] }]
    const result = dataOf(await api(writeKey, { bindings: { DB } }).importLeads({ campaignId, leads }), 200)
    expect(result).toMatchObject({ created: 300, skipped: 1, skippedPhones: [phones[0]] })
    expect(await storedPhones(campaign)).toEqual(phones)

    const inserts = trips.at(-1)?.statements.filter(({ sql }) => /^\s*insert/i.test(sql)) ?? []
    expect(inserts.length).toBeGreaterThan(2)
    const sizes = inserts.flatMap(({ params }) => params.map((param) => Buffer.byteLength(String(param))))
    expect(Math.max(...sizes)).toBeLessThan(2_000_000)
  })

  it('stores nothing when its last insert fails', async () => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const DB = databaseThat((run) => run()).DB
    const failing = {
      prepare: DB.prepare,
      batch: (statements: D1PreparedStatement[]) =>
        // A statement that breaks a check, after all the others.
        DB.batch([
          ...statements,
          DB.prepare('update leads set priority = 101 where campaign_number = ?1').bind(campaign.number),
        ]),
    }
    dataOf(await api(writeKey).listLeads({ campaignId }), 200)
    const client = api(writeKey, { bindings: { DB: failing } })
    const answer = await client.importLeads({ campaignId, leads: largeLeads(newPhones(300)) })
    expectFailure(answer, 503, 'Service temporarily unavailable')
    expect(await storedPhones(campaign)).toEqual([])
  })
})

describe('Retries', () => {
  const transient = [
    'D1_ERROR: Network connection lost.',
    'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
    'D1_ERROR: D1 DB reset because its code was updated.',
    'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
  ]

  it.each(transient)('are made for a create, which succeeds: %s', async (message) => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    dataOf(await api(writeKey).listLeads({ campaignId }), 200)
    const { DB, trips } = databaseFailingTimes(2, message)
    const phoneNumber = newPhone()
    dataOf(await api(writeKey, { bindings: { DB } }).createLead({ campaignId, phoneNumber }), 201)
    expect(trips).toHaveLength(3)
    expect(await storedPhones(campaign)).toEqual([phoneNumber])
  })

  it('end after three tries', async () => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    dataOf(await api(writeKey).listLeads({ campaignId }), 200)
    const { DB, trips } = databaseFailingTimes(99, transient[0] as string)
    const answer = await api(writeKey, { bindings: { DB } }).createLead({
      campaignId,
      phoneNumber: newPhone(),
    })
    expectFailure(answer, 503, 'Service temporarily unavailable')
    expect(trips).toHaveLength(3)
    expect(await storedPhones(campaign)).toEqual([])
  })

  it.each([
    'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
    'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
    "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
    'D1_ERROR: something new',
  ])('are not made when they would do harm: %s', async (message) => {
    const { campaignId, writeKey } = await seedWorld()
    dataOf(await api(writeKey).listLeads({ campaignId }), 200)
    const { DB, trips } = databaseFailingTimes(1, message)
    const answer = await api(writeKey, { bindings: { DB } }).createLead({
      campaignId,
      phoneNumber: newPhone(),
    })
    expectFailure(answer, 503, 'Service temporarily unavailable')
    expect(trips).toHaveLength(1)
  })

  it.each([1, 2])(
    'answer a create that was committed %d times unheard with the one stored lead',
    async (lost) => {
      const { campaignId, writeKey } = await seedWorld()
      const { DB } = databaseLosingAnswers(lost)
      const client = api(writeKey, { bindings: { DB } })
      const { leadId } = dataOf(await client.createLead({ campaignId, phoneNumber: newPhone() }), 201)
      const { leads } = dataOf(await api(writeKey).listLeads({ campaignId }), 200)
      expect(leads.map((lead) => lead._id)).toEqual([leadId])
    },
  )

  it('still call a duplicate one when the answer to it was lost', async () => {
    const { campaignId, writeKey } = await seedWorld()
    const lead = { campaignId, phoneNumber: newPhone() }
    dataOf(await api(writeKey).createLead(lead), 201)
    const { DB } = databaseLosingAnswers(1)
    expectFailure(await api(writeKey, { bindings: { DB } }).createLead(lead), 409, 'Lead already exists')
  })

  it.each([1, 2])(
    'answer a bulk that was committed %d times unheard with exactly what is stored',
    async (lost) => {
      const { campaignId, writeKey } = await seedWorld()
      const [a, b, c, d] = newPhones(4) as [string, string, string, string]
      dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: b }), 201)
      const { DB } = databaseLosingAnswers(lost)
      const leads = toLeads([d, b, a, d, c])
      const result = dataOf(await api(writeKey, { bindings: { DB } }).importLeads({ campaignId, leads }), 200)
      const stored = dataOf(await api(writeKey).listLeads({ campaignId }), 200).leads
      expect(stored.map((lead) => lead.phoneNumber)).toEqual([b, d, a, c])
      expect(result).toEqual({
        created: 3,
        skipped: 2,
        createdIds: stored.slice(1).map((lead) => lead._id),
        skippedPhones: [b, d],
      })
    },
  )
})

describe('Rows written', () => {
  it('are two for a created lead: its own and one of the unique index', async () => {
    const { campaignId, writeKey } = await seedWorld()
    const { DB, trips } = watchedDatabase()
    const client = api(writeKey, { bindings: { DB } })
    const lead = { campaignId, phoneNumber: newPhone(), externalId: 'x', metadata: {}, priority: 1 }
    dataOf(await client.createLead(lead), 201)
    expect(rowsWritten(trips)).toBe(2)
  })

  it('are two for each lead of a bulk, and none for what is skipped', async () => {
    const { campaignId, writeKey } = await seedWorld()
    const { DB, trips } = watchedDatabase()
    const client = api(writeKey, { bindings: { DB } })
    const leads = toLeads(newPhones(100))
    dataOf(await client.importLeads({ campaignId, leads }), 200)
    expect(rowsWritten(trips)).toBe(200)
    dataOf(await client.importLeads({ campaignId, leads }), 200)
    expect(rowsWritten(trips)).toBe(200)
  })

  const rowsWritten = (trips: { results: D1Result[] }[]) =>
    trips.flatMap((trip) => trip.results).reduce((sum, result) => sum + result.meta.rows_written, 0)
})

describe('The tables', () => {
  it.each([
    ['a status that is none', "status = 'called'"],
    ['a priority below 0', 'priority = -1'],
    ['a priority above 100', 'priority = 101'],
    ['fewer than no attempts', 'attempts = -1'],
    ['a campaign that is not there', 'campaign_number = 2097151'],
    ['a place in another campaign', 'seq = 1'],
  ])('hold no lead with %s', async (_, change) => {
    const { campaignId, writeKey } = await seedWorld()
    const phoneNumber = newPhone()
    dataOf(await api(writeKey).createLead({ campaignId, phoneNumber }), 201)
    const update = env.DB.prepare(`update leads set ${change} where phone_number = ?1`).bind(phoneNumber)
    await expect(update.run()).rejects.toThrow(/constraint failed/i)
  })

  it('hold no key with a scope that is none, or for a campaign of another company', async () => {
    const { companyId } = await seedWorld()
    const stranger = (await seedWorld()).campaign
    const scope = 'admin' as 'write'
    await expect(seedKey({ companyId, scope })).rejects.toThrow(/constraint failed/i)
    await expect(seedKey({ companyId, campaign: stranger })).rejects.toThrow(/constraint failed/i)
  })
})
