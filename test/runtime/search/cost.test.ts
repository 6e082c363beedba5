// What the search index costs: rows that a create and a bulk write, rows that a search reads, whatever is looked for
// and found, and its plan. A million leads are measured in test/hard.
import { beforeAll, describe, expect, it } from 'vitest'
import { type RoundTrip, watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { type Answer, api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { newPhone, newPhones, seedWorld } from '../../support/world.ts'

type World = Awaited<ReturnType<typeof seedWorld>>
type Found = { leads: { _id: string }[]; nextCursor: string | null }

const sum = (trips: readonly RoundTrip[], what: 'rows_read' | 'rows_written') =>
  trips.flatMap((trip) => trip.results).reduce((total, { meta }) => total + meta[what], 0)

const metadata = (i: number) => ({
  name: `First${i % 20} Last${i}`,
  email: `user${i}@example.com`,
  city: 'Berlin',
  note: 'Asked for an offer',
  letters: 'a b c d e f g h i j k l',
})

const leadsOf = (count: number, from = 0) =>
  newPhones(count).map((phoneNumber, i) => ({
    phoneNumber,
    externalId: `crm-${from + i}`,
    metadata: metadata(from + i),
  }))

it.each([
  ['four', {}, 5],
  ['five with an external id and metadata', { externalId: 'crm-1', metadata: metadata(1) }, 6],
])('The rows written by a create are %s, and one for the hour', async (_, fields, most) => {
  const { campaignId, writeKey } = await seedWorld()
  const { DB, trips } = watchedDatabase()
  const lead = { campaignId, phoneNumber: newPhone(), ...fields }
  dataOf(await api(writeKey, { bindings: { DB } }).createLead(lead), 201)
  expect(sum(trips, 'rows_written')).toBe(most)
})

it('The rows written by a bulk of 1000 with external ids and metadata are 6,100 at most, also among others', async () => {
  const { campaignId, writeKey } = await seedWorld()
  for (const from of [0, 1_000]) {
    const { DB, trips } = watchedDatabase()
    const client = api(writeKey, { bindings: { DB } })
    dataOf(await client.importLeads({ campaignId, leads: leadsOf(1_000, from) }), 200)
    expect(sum(trips, 'rows_written')).toBeLessThanOrEqual(6_100)
  }
})

it('A change that leaves the words as they are writes no row of the index', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const [lead] = leadsOf(1)
  const { leadId } = dataOf(await api(writeKey).createLead({ campaignId, ...lead }), 201)
  const { DB, trips } = watchedDatabase()
  const client = api(writeKey, { bindings: { DB } })
  dataOf(await client.request('PATCH', `/api/v1/leads/${leadId}`, { priority: 9 }), 200)
  // The lead, and its place in the queue, which is two.
  expect(sum(trips, 'rows_written')).toBe(3)
})

describe('A search among 3,000 leads', () => {
  let world: World
  let stranger: World
  let farCursor: string

  beforeAll(async () => {
    world = await seedWorld()
    stranger = await seedWorld()
    const { campaignId, writeKey, companyId, campaign } = world
    for (const from of [0, 1_000, 2_000])
      dataOf(await api(writeKey).importLeads({ campaignId, leads: leadsOf(1_000, from) }), 200)
    const { writeKey: key, campaignId: foreign } = stranger
    dataOf(await api(key).importLeads({ campaignId: foreign, leads: leadsOf(1_000) }), 200)
    await companyDb
      .prepare(
        `insert into calls (company_id, phone_number, claimed_at_ms, seq, token, attempt, outcome)
         select ?1, phone_number, value, seq, 'seededcall0', value, 'busy' from leads, json_each('[1, 2, 3]')
         where campaign_number = ?2`,
      )
      .bind(companyId, campaign.number)
      .run()
    farCursor = (campaign.number * 2 ** 32 + 500).toString(16).padStart(14, '0')
  })

  const odd = [
    ...[
      'b',
      'a',
      '"',
      '*',
      'NEAR(a b)',
      '-',
      '^',
      '=crm-123',
      '#4711',
      '@',
      'ada+tag@x.com',
      "O'Brien",
      '\u{1f600}',
    ],
    ...[
      '\u0301\u0323',
      'مرحبا',
      '李雷',
      'a b c d e f g h i j k l',
      'lead_search:a',
      '{words}: a',
      'a OR b NOT c',
      '()',
    ],
  ]
  const forms = [
    ...[
      'crm-77',
      'user77@example.com',
      'user',
      'use',
      'first1 last1',
      'offer',
      'berlin offer',
      'last',
      'last7',
      '4900',
    ],
    // Of a length that the index lists no starts of: all that it finds are looked at, and none matches.
    ...['offez', 'berlix asked', 'berlin zzzzz', 'berli', 'berlinx'],
  ]
  const filters: Record<string, string>[] = [
    {},
    { limit: '100' },
    { status: 'concluded' },
    { outcome: 'busy', limit: '100' },
    { outcome: 'voicemail' },
    { status: 'raw', outcome: 'answered' },
  ]

  it.each([...odd, ...forms])(
    'A search among 3,000 leads reads 1,100 rows at most, and answers with leads of its own: %s',
    async (q) => {
      const own = `-${world.campaign.number}`
      expect(own).not.toBe(`-${stranger.campaign.number}`)
      for (const filter of filters)
        for (const more of [{}, { cursor: farCursor }, { campaignId: world.campaignId }]) {
          const { DB, trips } = watchedDatabase()
          const query = new URLSearchParams({ q, ...filter, ...more } as Record<string, string>)
          const answer = (await api(world.readKey, { bindings: { DB } }).request(
            'GET',
            `/api/v1/leads/search?${query}`,
          )) as Answer<Found>
          const { leads } = dataOf(answer, 200)
          const of = new Set(
            (leads as unknown as { campaignId: string }[]).map(({ campaignId }) => campaignId),
          )
          expect([`${query}`, [...of].filter((id) => id !== world.campaignId)]).toEqual([`${query}`, []])
          const read = sum(trips, 'rows_read')
          expect([`${query}`, read <= 1_100 ? 'few' : read]).toEqual([`${query}`, 'few'])
        }
    },
  )

  it('A search among 3,000 leads reads the index between two places, newest first, and its leads by their place', async () => {
    const { DB, trips } = watchedDatabase()
    dataOf(await api(world.readKey, { bindings: { DB } }).request('GET', '/api/v1/leads/search?q=offer'), 200)
    const search = trips.flatMap((trip) => trip.statements).find(({ sql }) => sql.includes('lead_search'))
    const { results } = await companyDb
      .prepare(`explain query plan ${search?.sql}`)
      .bind(...(search?.params ?? []))
      .all<{ detail: string }>()
    const plan = results.map(({ detail }) => detail)
    // By the match and both places; by place, and descending.
    const read = plan.filter((line) => line.startsWith('SCAN lead_search'))
    expect(read).toEqual(Array(2).fill('SCAN lead_search VIRTUAL TABLE INDEX 192:M3><'))
    expect(plan.filter((line) => /^SCAN (l|c|k|leads|calls|campaigns)\b/.test(line))).toEqual([])
    expect(plan).toContain('SEARCH leads USING INTEGER PRIMARY KEY (rowid=?)')
    expect(plan.filter((line) => line.includes('TEMP B-TREE'))).toEqual([])
  })
})
