// The store on a real D1: a bulk of several statements is all or nothing, what a lead costs in rows, and what the
// tables refuse on their own. Races and retries are in files of their own.
import { describe, expect, it } from 'vitest'
import { databaseThat, watchedDatabase } from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { newPhone, newPhones, seedKey, seedWorld, storedPhones } from '../support/world.ts'

const toLeads = (phones: readonly string[]) => phones.map((phoneNumber) => ({ phoneNumber }))

/** More than 4 MB: too much for one statement. */
const largeLeads = (phones: readonly string[]) =>
  phones.map((phoneNumber, i) => ({ phoneNumber, metadata: { i, note: `${i % 10}`.repeat(15_000) } }))

it('A bulk too large for one statement is one round trip of several inserts, none with more than 2 MB, in input order', async () => {
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

it('A bulk too large for one statement stores nothing when its last insert fails', async () => {
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

it('SQLite writes text as JSON just as JSON.stringify does, which lists rely on', async () => {
  const units = Array.from({ length: 0x2100 }, (_, index) => String.fromCharCode(index + 1))
  const text = `${units.join('')}\u{1F600}\uE000\uFFFF`
  const row = await companyDb.prepare('select json_quote(?1) as json').bind(text).first<{ json: string }>()
  expect(row?.json).toBe(JSON.stringify(text))
})

describe('Rows written', () => {
  it.each([
    ['four for a created lead: its own, and those of the unique index, the queue and the search', {}, {}, 4],
    ['five with an external id, for its own index', { externalId: 'x' }, {}, 5],
    ['six with an external id and an Idempotency-Key', { externalId: 'x' }, { 'Idempotency-Key': 'k' }, 6],
  ])('A request writes %s rows, and one for the hour', async (_, fields, headers, expected) => {
    const { campaignId, writeKey } = await seedWorld()
    const { DB, trips } = watchedDatabase()
    const client = api(writeKey, { bindings: { DB }, headers })
    const lead = { campaignId, phoneNumber: newPhone(), metadata: {}, priority: 1, ...fields }
    dataOf(await client.createLead(lead), 201)
    expect(rowsWritten(trips)).toBe(expected + 1)
  })

  it('The rows written are four for each lead of a bulk and none for what is skipped, and one for the hour', async () => {
    const { campaignId, writeKey } = await seedWorld()
    const { DB, trips } = watchedDatabase()
    const client = api(writeKey, { bindings: { DB } })
    const leads = toLeads(newPhones(100))
    dataOf(await client.importLeads({ campaignId, leads }), 200)
    expect(rowsWritten(trips)).toBe(400 + 1)
    dataOf(await client.importLeads({ campaignId, leads }), 200)
    expect(rowsWritten(trips)).toBe(400 + 2)
  })

  const rowsWritten = (trips: { results: D1Result[] }[]) =>
    trips.flatMap((trip) => trip.results).reduce((sum, result) => sum + result.meta.rows_written, 0)
})

it.each([
  ['a status that is none', "status = 'called'"],
  ['a priority below 0', 'priority = -1'],
  ['a priority above 100', 'priority = 101'],
  ['fewer than no attempts', 'attempts = -1'],
  ['a campaign that is not there', 'campaign_number = 2097151'],
  ['a place in another campaign', 'seq = 1'],
])('The tables hold no lead with %s', async (_, change) => {
  const { campaignId, writeKey } = await seedWorld()
  const phoneNumber = newPhone()
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber }), 201)
  const update = companyDb.prepare(`update leads set ${change} where phone_number = ?1`).bind(phoneNumber)
  await expect(update.run()).rejects.toThrow(/constraint failed/i)
})

it('The tables hold no key with a scope that is none, or for a campaign of another company', async () => {
  const { companyId } = await seedWorld()
  const stranger = (await seedWorld()).campaign
  const scope = 'admin' as 'write'
  await expect(seedKey({ companyId, scope })).rejects.toThrow(/constraint failed/i)
  await expect(seedKey({ companyId, campaign: stranger })).rejects.toThrow(/constraint failed/i)
})
