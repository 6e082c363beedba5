// What a list costs in rows read, which D1 charges for: as many as it shows, however large the campaign. That no
// statement scans a table is in query-plans.test.ts.
import { expect, it } from 'vitest'
import { watchedDatabase } from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { newPhones, seedLeads, seedWorld } from '../support/world.ts'

/** The key and its campaign, in each of two statements, the last lead, and a look for runs of erased leads. */
const besidesLeads = 12

/** A campaign, and how many rows a list of it reads. */
async function seedCampaign(size: number, statusOf: (index: number) => string = () => 'raw') {
  const { campaign, campaignId, writeKey } = await seedWorld()
  await seedLeads(
    campaign,
    newPhones(size).map((phoneNumber, index) => ({ phoneNumber, status: statusOf(index) })),
  )
  await api(writeKey).listLeads({ campaignId, limit: '1' })
  const rowsReadBy = async (query: Record<string, string>) => {
    const { DB, trips } = watchedDatabase()
    const { count } = dataOf(
      await api(writeKey, { bindings: { DB } }).listLeads({ campaignId, ...query }),
      200,
    )
    const results = trips.flatMap((trip) => trip.results)
    return { count, rowsRead: results.reduce((sum, result) => sum + result.meta.rows_read, 0) }
  }
  return { campaign, rowsReadBy }
}

it('Rows read by a list are those it shows, of a page short enough to be of any size', async () => {
  const { rowsReadBy } = await seedCampaign(3000)
  for (const limit of [1, 50, 128]) {
    const { count, rowsRead } = await rowsReadBy({ limit: String(limit) })
    expect(count).toBe(limit)
    expect(rowsRead).toBeLessThanOrEqual(limit + besidesLeads)
  }
})

it('Rows read by a list are twice those it shows where it has to be measured first', async () => {
  const { rowsReadBy } = await seedCampaign(1000)
  for (const query of [{ limit: '1000' }, {}]) {
    const { count, rowsRead } = await rowsReadBy(query)
    expect(count).toBe(1000)
    expect(rowsRead).toBeLessThanOrEqual(2 * 1000 + besidesLeads)
  }
})

it.each([{}, { createdAfter: '500' }])(
  'Rows read by a list are a few where no lead has the status among 5000: %j',
  async (inTime) => {
    const { rowsReadBy } = await seedCampaign(5000)
    const { count, rowsRead } = await rowsReadBy({ status: 'concluded', limit: '1', ...inTime })
    expect(count).toBe(0)
    // Two times 32 steps of halving find the place of a time, once for each statement.
    expect(rowsRead).toBeLessThanOrEqual('createdAfter' in inTime ? 300 : besidesLeads)
  },
)

it('Rows read by a list are those of the status, wherever its leads are', async () => {
  const { rowsReadBy } = await seedCampaign(5000, (index) => (index % 500 === 499 ? 'concluded' : 'raw'))
  const { count, rowsRead } = await rowsReadBy({ status: 'concluded', limit: '100' })
  expect(count).toBe(10)
  expect(rowsRead).toBeLessThanOrEqual(2 * 10 + besidesLeads)
})

it('Rows read by a list are few for a time, however large the campaign', async () => {
  const { campaign, rowsReadBy } = await seedCampaign(5000)
  await companyDb
    .prepare('update leads set created_at_ms = seq & 4294967295 where campaign_number = ?1')
    .bind(campaign.number)
    .run()
  const { count, rowsRead } = await rowsReadBy({ createdAfter: '4000', createdBefore: '4003', limit: '10' })
  expect(count).toBe(2)
  expect(rowsRead).toBeLessThan(300)
})
