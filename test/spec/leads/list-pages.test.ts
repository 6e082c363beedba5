// How much is read of a list at once: leads, and bytes of their metadata (D20, again). What a Worker's memory has to
// say to that is in test/hard/heap.ts.
import { expect, it } from 'vitest'
import { watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { api, type Listed } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { newPhones, seedLeads, seedWorld } from '../../support/world.ts'

type Page = Listed & { nextCursor: string | null }

const pageBytes = 2 * 1024 * 1024

/** Leads with so many bytes of metadata each. */
async function seedList(bytesOf: readonly number[]) {
  const { campaign, campaignId, readKey } = await seedWorld()
  const phones = newPhones(bytesOf.length)
  await seedLeads(
    campaign,
    phones.map((phoneNumber) => ({ phoneNumber })),
  )
  await companyDb
    .prepare(
      `update leads set metadata = '{"a":"' || printf('%.*c', (?2 ->> ((seq & 4294967295) - 1)) - 8, 'x') || '"}'
     where campaign_number = ?1 and ?2 ->> ((seq & 4294967295) - 1) > 8`,
    )
    .bind(campaign.number, JSON.stringify(bytesOf))
    .run()
  const list = async (query: Record<string, string> = {}): Promise<Page> =>
    dataOf(await api(readKey).listLeads({ campaignId, ...query }), 200) as Page
  return { campaignId, readKey, phones, list }
}

const phonesOf = ({ leads }: Listed) => leads.map((lead) => lead.phoneNumber)
const bytesIn = ({ leads }: Listed) =>
  leads.reduce((sum, { metadata }) => sum + (metadata === undefined ? 0 : JSON.stringify(metadata).length), 0)

const large = 16_384
const mixed = Array.from({ length: 700 }, (_, i) => [0, 100, large, 5_000, large][i % 5] as number)

it.each([
  ['all large', Array.from({ length: 300 }, () => large)],
  ['all of 3 KiB', Array.from({ length: 1500 }, () => 3_072)],
  [
    'small, then large',
    [...Array.from({ length: 500 }, () => 50), ...Array.from({ length: 300 }, () => large)],
  ],
  ['mixed', mixed],
])('A page of a list ends at 2 MiB of metadata, and no lead before that: %s', async (_, bytesOf) => {
  const { phones, list } = await seedList(bytesOf)
  const walked: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await list({ limit: '1000', cursor })
    expect(bytesIn(page)).toBeLessThanOrEqual(pageBytes)
    walked.push(...phonesOf(page))
    const next = bytesOf[walked.length]
    if (page.count < 1000 && next !== undefined) expect(bytesIn(page) + next).toBeGreaterThan(pageBytes)
    cursor = page.nextCursor
  }
  expect(walked).toEqual(phones)
})

it('A page of a list is as long as was asked for when its metadata are no more than 2 MiB', async () => {
  const { phones, list } = await seedList(Array.from({ length: 1001 }, () => 2_000))
  const page = await list({ limit: '1000' })
  expect(phonesOf(page)).toEqual(phones.slice(0, 1000))
  expect(page.nextCursor).not.toBeNull()
})

it.each([
  ['all large', Array.from({ length: 300 }, () => large)],
  ['mixed', mixed],
  [
    'small, then large',
    [...Array.from({ length: 990 }, () => 50), ...Array.from({ length: 300 }, () => large)],
  ],
])(
  'A list without paging parameters has every lead in order, and is read by 2 MiB of metadata at a time: %s',
  async (_, bytesOf) => {
    const { campaignId, readKey, phones } = await seedList(bytesOf)
    const { DB, trips } = watchedDatabase()
    const listed = dataOf(await api(readKey, { bindings: { DB } }).listLeads({ campaignId }), 200)
    expect(phonesOf(listed)).toEqual(phones)
    expect(listed.count).toBe(phones.length)
    for (const { results } of trips) {
      const bytes = JSON.stringify(results.map((result) => result.results)).length
      // The rest of each lead is no more than 400 bytes here.
      expect(bytes).toBeLessThan(pageBytes + 1000 * 400)
    }
  },
)
