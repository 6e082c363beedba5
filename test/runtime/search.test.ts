// The search index on a real D1: what the cron fills in, what Workers that know no index leave, that an erased lead has
// no row, and what a search and a create cost in rows. What is found is in ../spec/leads/search.test.ts.
import { describe, expect, it } from 'vitest'
import { indexByTheMinute } from '../../src/leads/index-leads.ts'
import { api } from '../support/api.ts'
import { watchedDatabase } from '../support/database.ts'
import { dataOf } from '../support/expectations.ts'
import { indexLeads } from '../support/index-leads.ts'
import { companyDb } from '../support/store.ts'
import { newPhone, newPhones, seedWorld } from '../support/world.ts'

type World = Awaited<ReturnType<typeof seedWorld>>

const wordsOf = async ({ companyId }: World) => {
  const { results } = await companyDb
    .prepare('select word from lead_words where company_id = ?1 order by word')
    .bind(companyId)
    .all<{ word: string }>()
  return results.map(({ word }) => word)
}

const run = (text: string, { campaign }: World) => companyDb.prepare(text).bind(campaign.number).run()

async function seedLead(world: World) {
  const lead = { phoneNumber: '+491761234567', externalId: 'CRM-1', metadata: { name: 'Ada' } }
  dataOf(await api(world.writeKey).createLead({ campaignId: world.campaignId, ...lead }), 201)
  await indexLeads(world.campaign.number)
}
const whole = ['#765432167194', '=crm-1', 'ada']

describe('The index', () => {
  it('has a lead’s number reversed, its external id in lower case, and its words', async () => {
    const world = await seedWorld()
    await seedLead(world)
    expect(await wordsOf(world)).toEqual(whole)
  })

  it('is filled in for leads that were there before', async () => {
    const world = await seedWorld()
    await seedLead(world)
    await run('update leads set words = null where campaign_number = ?1', world)
    await run('delete from lead_words where campaign_number = ?1', world)
    await run('delete from indexed_places where campaign_number = ?1', world)
    expect(await wordsOf(world)).toEqual([])
    await indexLeads(world.campaign.number)
    expect(await wordsOf(world)).toEqual(whole)
  })

  it('is filled in by the cron, which looks at all campaigns in turn', async () => {
    const world = await seedWorld()
    await seedLead(world)
    await run('update leads set words = null where campaign_number = ?1', world)
    await run('delete from lead_words where campaign_number = ?1', world)
    await run('delete from indexed_places where campaign_number = ?1', world)
    // Its chunks of a minute go round among the campaigns of the tests before.
    for (let minute = 0; (await wordsOf(world)).length === 0; minute++)
      await indexByTheMinute(companyDb, minute * 60_000)
    expect(await wordsOf(world)).toEqual(whole)
  })

  it('follows a Worker that changes metadata and knows no words', async () => {
    const world = await seedWorld()
    await seedLead(world)
    const set = (metadata: string) =>
      run(`update leads set metadata = ${metadata}, version = version + 1 where campaign_number = ?1`, world)
    await set(`'{"name":"Grace"}'`)
    expect(await wordsOf(world)).toEqual(whole.slice(0, 2))
    await indexLeads(world.campaign.number)
    expect(await wordsOf(world)).toEqual([...whole.slice(0, 2), 'grace'])
    await set('null')
    await indexLeads(world.campaign.number)
    await set(`'{"name":"Lin"}'`)
    await indexLeads(world.campaign.number)
    expect(await wordsOf(world)).toEqual([...whole.slice(0, 2), 'lin'])
  })

  it('has no row of a lead that any Worker has erased', async () => {
    const world = await seedWorld()
    await seedLead(world)
    await run(
      `update leads set phone_number = 'erased:' || seq, external_id = null, metadata = null, erased_at_ms = 1
       where campaign_number = ?1`,
      world,
    )
    await indexLeads(world.campaign.number)
    expect(await wordsOf(world)).toEqual([])
    const left = await run('select words from leads where campaign_number = ?1', world)
    expect(left.results).toEqual([{ words: null }])
  })

  it('has 12 words of 32 characters of a lead at most, the short values first', async () => {
    const world = await seedWorld()
    const metadata = { notes: `${'x'.repeat(40)} a b c d e f g h i j k l m n`, name: 'Zoe' }
    const { campaignId, writeKey } = world
    dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone(), metadata }), 201)
    await indexLeads(world.campaign.number)
    const words = (await wordsOf(world)).filter((word) => !word.startsWith('#'))
    expect(words).toHaveLength(12)
    expect(words).toContain('zoe')
    expect(words).toContain('x'.repeat(32))
  })
})

describe('The rows of the index', () => {
  it.each([
    ['one', {}, 1],
    ['two with an external id, beside that of the table of leads', { externalId: 'crm-1' }, 3],
  ])('that a create writes are %s', async (_, fields, more) => {
    const world = await seedWorld()
    const { DB, trips } = watchedDatabase()
    const { campaignId, writeKey } = world
    const lead = { campaignId, phoneNumber: newPhone(), ...fields }
    dataOf(await api(writeKey, { bindings: { DB } }).createLead(lead), 201)
    const results = trips.flatMap((trip) => trip.results)
    // The lead, its number and its place in the queue, and the hour's count.
    expect(results.reduce((sum, { meta }) => sum + meta.rows_written, 0)).toBe(4 + more)
  })

  it('that a search reads are 1,000 at most, whatever is looked for, and no table is scanned', async () => {
    const world = await seedWorld()
    const { campaignId, writeKey, readKey } = world
    const leads = newPhones(1000).map((phoneNumber, i) => ({
      phoneNumber,
      metadata: { name: `Ada${i} Offer` },
    }))
    dataOf(await api(writeKey).importLeads({ campaignId, leads }), 200)
    await indexLeads(world.campaign.number)
    for (const query of [
      'q=ada',
      'q=offer',
      'q=o',
      'q=ada7',
      'q=4900',
      'q=offer&outcome=busy',
      'q=offer&limit=100',
    ]) {
      const { DB, trips } = watchedDatabase()
      dataOf(await api(readKey, { bindings: { DB } }).request('GET', `/api/v1/leads/search?${query}`), 200)
      const rowsRead = trips
        .flatMap((trip) => trip.results)
        .reduce((sum, { meta }) => sum + meta.rows_read, 0)
      expect([query, rowsRead]).toEqual([query, expect.toSatisfy((rows: number) => rows <= 1000)])
      const search = trips.flatMap((trip) => trip.statements).find(({ sql }) => sql.includes('lead_words'))
      const { results } = await companyDb
        .prepare(`explain query plan ${search?.sql}`)
        .bind(...(search?.params ?? []))
        .all<{ detail: string }>()
      const scans = results
        .map(({ detail }) => detail)
        .filter((line) => /^SCAN (w|l|c|k|leads|calls|campaigns|lead_words)\b/.test(line))
      expect(scans).toEqual([])
    }
  })
})
