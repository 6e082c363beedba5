// The search index on a real D1: what it has of a lead, that SQLite cuts no word, that an erased lead is in none of its
// tables, and what happens while the operator has taken it away. What is found is in ../../spec/leads/search.test.ts.
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { nextWorkMs } from '../../../src/control/companies/store/next-work.ts'
import { indexOf, readSearch } from '../../../src/queue/leads/search-words.ts'
import { indexByTheMinute } from '../../../src/queue/leads/store/search-index.ts'
import { watchedDatabase } from '../../support/database/database.ts'
import { insertCampaigns } from '../../support/database/seed.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { checkIndex, readIndex } from '../../support/leads/search-index.ts'
import { newPhone, seedKey, seedWorld } from '../../support/world.ts'

type World = Awaited<ReturnType<typeof seedWorld>>

const wordsIn = async ({ companyId }: World) =>
  (await readIndex(companyDb, companyId)).map((row) => row.split(' ')[1])

const addLead = async ({ campaignId, writeKey }: World, fields: object) =>
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone(), ...fields }), 201).leadId

const ada = { phoneNumber: '+491761234567', externalId: 'CRM-1', metadata: { name: 'Ada' } }

it('The index has a lead’s number reversed, its external id in lower case, and its words, at once', async () => {
  const world = await seedWorld()
  await addLead(world, ada)
  expect(await wordsIn(world)).toEqual(['#765432167194', '=crm_1', 'ada'])
})

it('The index has 24 words of 32 characters of a lead at most, the short values first', async () => {
  const world = await seedWorld()
  const metadata = {
    notes: `${'x'.repeat(40)} a b c d e f g h i j k l m n o p q r s t u v w y z`,
    name: 'Zoe',
  }
  await addLead(world, { metadata })
  const words = (await wordsIn(world)).filter((word) => !word?.startsWith('#'))
  expect(words).toHaveLength(24)
  expect(words).toContain('zoe')
  expect(words).toContain('x'.repeat(32))
})

it('The index has exactly one token of each word, whatever characters it has', async () => {
  const world = await seedWorld()
  const { companyId, campaign } = world
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({
      unit: fc.constantFrom('é', '\u0301', 'ﬁ', '李', 'ا', 'ß', '_', '@', '#', '=', '"', '*', '-', ' '),
      maxLength: 12,
    }),
    fc.constantFrom('ada+tag@x.com', "O'Brien", 'ﷺ', '\u{1f600}', '\u{10400}', '²', 'Ⅷ', '٤٢'),
  )
  const index = indexOf(companyId)
  const leads = fc
    .sample(
      fc.record({
        externalId: text,
        metadata: fc.record({ name: text, mail: text.map((name) => `${name}@x.io`) }),
      }),
      1_500,
    )
    .map(({ externalId, metadata }, place) => {
      const seq = campaign.number * 2 ** 32 + place + 1
      return { seq, ...index({ phoneNumber: `+1${seq}`, externalId, metadata: JSON.stringify(metadata) }) }
    })
  await companyDb
    .prepare(
      `insert into leads (seq, campaign_number, phone_number, created_at_ms, token, number_word, external_word, words)
         select value ->> 0, ?1, value ->> 0, 0, 'seededlead0', value ->> 1, value ->> 2, value ->> 3
         from json_each(?2)`,
    )
    .bind(
      campaign.number,
      JSON.stringify(
        leads.map(({ seq, numberWord, externalWord, words }) => [seq, numberWord, externalWord, words]),
      ),
    )
    .run()
  const wanted = leads.flatMap(({ seq, numberWord, externalWord, words }) =>
    [numberWord, externalWord, ...(words?.split(' ') ?? [])].map((word) => `${seq} ${word?.slice(9)}`),
  )
  expect(await readIndex(companyDb, companyId)).toEqual([...new Set(wanted)].sort())
  await checkIndex(companyDb)
})

it('The index answers whatever is looked for', async () => {
  const { companyId } = await seedWorld()
  const looked = fc.sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), 1_000)
  const ask = companyDb.prepare('select rowid from lead_search where lead_search match ?1 limit 1')
  const matches = looked.flatMap((q) => {
    const { whole, starts } = readSearch(companyId, q)
    return [whole.match, ...(starts === null ? [] : [starts.match])]
  })
  expect(matches.length).toBeGreaterThan(looked.length)
  const results = await companyDb.batch(matches.map((match) => ask.bind(match)))
  expect(results.flatMap((result) => result.results)).toEqual([])
})

it('The index has nothing of an erased lead in any of its tables', async () => {
  const world = await seedWorld()
  const { key } = await seedKey({ companyId: world.companyId, scope: 'manage' })
  const secret = {
    externalId: 'Ophelia',
    metadata: { name: 'Winterbottom', mail: 'o@winterbottom.example' },
  }
  const kept = await addLead(world, { externalId: 'kept', metadata: { name: 'Winter' } })
  const leadId = await addLead(world, secret)
  await addLead(world, { metadata: { name: 'Winterberg' } })
  dataOf(await api(key).request('DELETE', `/api/v1/leads/${leadId}`), 200)
  const { results } = await companyDb
    .prepare(`select group_concat(cast(block as text)) as blocks from lead_search_data`)
    .all<{ blocks: string }>()
  const { results: terms } = await companyDb.prepare('select * from lead_search_idx').all()
  const stored = `${results[0]?.blocks}${JSON.stringify(terms)}`
  expect(stored).not.toMatch(/ophelia|winterbott|winterbo/i)
  expect(await wordsIn(world)).not.toContain('winterbottom')
  expect(await wordsIn(world)).toContain('winter')
  expect(kept).not.toBe(leadId)
  await checkIndex(companyDb)
})

it('The erasure of a person with 250 leads takes 100 of them out of the index at a time, and erases all', async () => {
  const world = await seedWorld()
  const { companyId, campaign } = world
  const { key } = await seedKey({ companyId, scope: 'manage' })
  const phoneNumber = newPhone()
  const others = Array.from({ length: 249 }, (_, place) => `${campaign.id}-${place}`)
  await insertCampaigns(companyDb, companyId, others).run()
  const { numberWord, words } = indexOf(companyId)({ phoneNumber, metadata: '{"name":"Ada"}' })
  await companyDb
    .prepare(
      `insert into leads (seq, campaign_number, phone_number, created_at_ms, token, number_word, words)
         select (number << 32) + 1, number, ?2, 0, 'seededlead0', ?3, ?4 from campaigns where company_id = ?1`,
    )
    .bind(companyId, phoneNumber, numberWord, words)
    .run()
  expect((await wordsIn(world)).length).toBe(500)
  const { DB, trips } = watchedDatabase()
  const answer = await api(key, { bindings: { DB } }).request('POST', '/api/v1/erasures', { phoneNumber })
  expect(dataOf(answer, 200)).toMatchObject({ leadsErased: 250 })
  const out = trips.flatMap(({ statements, results }) =>
    statements.flatMap(({ sql }, place) =>
      /^update leads set number_word = null/.test(sql) ? [results[place]?.results.length] : [],
    ),
  )
  expect(out).toEqual([100, 50, 0])
  expect(await wordsIn(world)).toEqual([])
  await checkIndex(companyDb)
})

describe('While the index is not whole', () => {
  const place = (value: number) =>
    companyDb.prepare('update search_place set place = ?1 where id = 1').bind(value).run()
  afterEach(() => place(Number.MAX_SAFE_INTEGER))

  it('While the index is not whole a search is 503, and leads are created, changed and erased all the same', async () => {
    const world = await seedWorld()
    const { key } = await seedKey({ companyId: world.companyId, scope: 'manage' })
    await place(-1)
    const leadId = await addLead(world, ada)
    const search = await api(world.readKey).request('GET', '/api/v1/leads/search?q=ada')
    expectFailure(search, 503, 'Service temporarily unavailable')
    expect(search.headers.get('retry-after')).not.toBeNull()
    dataOf(await api(world.writeKey).request('PATCH', `/api/v1/leads/${leadId}`, { externalId: 'x' }), 200)
    dataOf(await api(key).request('DELETE', `/api/v1/leads/${leadId}`), 200)
    expect(await wordsIn(world)).toEqual([])
  })

  it('While the index is not whole the work by the minute puts in what is missing, and a store wakes for it', async () => {
    const [world, other] = [await seedWorld(), await seedWorld()]
    await addLead(other, ada)
    await place(-1)
    await addLead(world, ada)
    const nowMs = Date.now()
    expect(await nextWorkMs(companyDb, nowMs)).toBe(nowMs + 60_000)
    await companyDb.prepare("insert into lead_search (lead_search) values ('delete-all')").run()
    // A minute does a part; the leads of other tests come first.
    const isWhole = async () =>
      (await api(world.readKey).request('GET', '/api/v1/leads/search?q=ada')).status === 200
    for (let minute = 0; minute < 100 && !(await isWhole()); minute++) await indexByTheMinute(companyDb)
    for (const { readKey } of [world, other]) {
      const search = await api(readKey).request('GET', '/api/v1/leads/search?q=ada')
      expect((dataOf(search, 200) as unknown as { leads: unknown[] }).leads).toHaveLength(1)
    }
    await checkIndex(companyDb)
  })
})
