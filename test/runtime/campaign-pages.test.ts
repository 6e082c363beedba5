// What pages of campaigns cost in rows read, in a company of 50,000 campaigns of which half are archived: those that
// they show, wherever the page begins.
import { beforeAll, describe, expect, it } from 'vitest'
import { fillQueue } from '../support/calling/calling.ts'
import { watchedDatabase } from '../support/database/database.ts'
import { lastSeededNumber } from '../support/database/seed.ts'
import { companyDb } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { seedCampaign, seedKey, seedWorld } from '../support/world.ts'

const campaigns = 50_000

/** The key in each of two statements. */
const besidesCampaigns = 8

type Page = { campaigns: { id: string; archived: boolean }[]; nextCursor: string | null }

describe('A page of 50,000 campaigns', () => {
  let world: Awaited<ReturnType<typeof seedWorld>>

  beforeAll(async () => {
    world = await seedWorld()
    await companyDb
      .prepare(
        `with recursive counted(i) as (select 1 union all select i + 1 from counted where i < ?2)
       insert into campaigns (number, id, company_id, name, created_at_ms, archived_at_ms)
       select ${lastSeededNumber} + i, 'many-' || cast(i as integer), ?1, 'many', 0, iif(i <= ?2 / 2, 1, null)
         from counted`,
      )
      .bind(world.companyId, campaigns)
      .run()
  })

  async function pageOf(query: string, key = world.readKey) {
    const { DB, trips } = watchedDatabase()
    const answer = await api(key, { bindings: { DB } }).request('GET', `/api/v1/campaigns?${query}`)
    const page = dataOf(answer, 200) as Page
    const read = trips.flatMap(({ results }) => results).reduce((sum, { meta }) => sum + meta.rows_read, 0)
    // Each campaign, and the one beyond the page; a row of settings where there is one; to measure it, and to read it.
    expect(read).toBeLessThanOrEqual(4 * (page.campaigns.length + 1) + besidesCampaigns)
    return page
  }

  it.each(['', '&archived=true'])(
    'A page of 50,000 campaigns reads the rows that it shows, to the last page: %s',
    async (which) => {
      const ids = new Set<string>()
      for (let cursor: string | null = '000000'; cursor !== null; ) {
        const page: Page = await pageOf(`limit=1000&cursor=${cursor}${which}`)
        for (const { id, archived } of page.campaigns) {
          expect(archived).toBe(which !== '')
          ids.add(id)
        }
        cursor = page.nextCursor
      }
      expect(ids.size).toBe(campaigns / 2 + (which === '' ? 1 : 0))
    },
  )

  it.each([1, 50])('A page of 50,000 campaigns reads no more for a small page: %i', async (limit) => {
    expect((await pageOf(`limit=${limit}`)).campaigns).toHaveLength(limit)
  })

  /** A page with overviews: what it shows, its trips and statements, and the rows that it reads. */
  async function overviewsOf(query: string, key = world.readKey) {
    const { DB, trips } = watchedDatabase()
    const answer = await api(key, { bindings: { DB } }).request(
      'GET',
      `/api/v1/campaigns?include=overview&${query}`,
    )
    const { results, statements } = trips.at(-1) ?? { results: [], statements: [] }
    const rowsRead = results.reduce((sum, { meta }) => sum + meta.rows_read, 0)
    return { page: dataOf(answer, 200) as Page, trips: trips.length, statements: statements.length, rowsRead }
  }

  it('A page with overviews reads at most 50 rows for each campaign without leads, in one trip of 27 statements', async () => {
    await pageOf('limit=1')
    for (const query of ['limit=25', 'limit=25&cursor=00c000', 'limit=25&archived=true']) {
      const { page, rowsRead, ...cost } = await overviewsOf(query)
      expect(cost).toEqual({ trips: 1, statements: 27 })
      expect(page.campaigns).toHaveLength(25)
      expect(rowsRead).toBeLessThanOrEqual(25 * 50)
    }
    expect(await overviewsOf('limit=3')).toMatchObject({ trips: 1, statements: 5 })
  })

  it('A page of 50,000 campaigns counts 2,000 of 20,000 leads and reads at most 50 rows more, with overviews', async () => {
    const campaign = await seedCampaign(world.companyId)
    const { key } = await seedKey({ companyId: world.companyId, campaign, scope: 'read' })
    const { rowsRead: without } = await overviewsOf('limit=1', key)
    await fillQueue(campaign, 20_000)
    await companyDb
      .prepare(
        'update leads set due_at_ms = null, lease_expires_at_ms = ?2 where campaign_number = ?1 and seq % 2 = 0',
      )
      .bind(campaign.number, Date.now())
      .run()
    const { rowsRead } = await overviewsOf('limit=1', key)
    expect(rowsRead - without).toBeGreaterThan(2_000)
    expect(rowsRead - without).toBeLessThanOrEqual(2_050)
  })

  it("A page of 50,000 campaigns reads one campaign for a campaign's key", async () => {
    const campaign = await seedCampaign(world.companyId)
    const { key } = await seedKey({ companyId: world.companyId, campaign, scope: 'read' })
    expect((await pageOf('limit=1000', key)).campaigns).toMatchObject([{ id: campaign.id }])
  })
})

describe('A page of campaigns with large settings', () => {
  const maxBytes = 2 * 1024 * 1024

  it('A page of campaigns with large settings ends at 2 MiB or after one campaign, and the next continues there', async () => {
    const { companyId, campaignId, readKey } = await seedWorld()
    const sizes = [...Array<number>(50).fill(60_000), maxBytes + 1, 60_000]
    const ids = [campaignId]
    for (const size of sizes) {
      const { id, number } = await seedCampaign(companyId)
      ids.push(id)
      await companyDb
        .prepare(
          `insert or replace into calling_settings (campaign_number, paused, calling_hours, appointment_hours,
            closed_dates, max_attempts,
           lease_seconds, outcomes, version) values (?1, 0, '{}', '{}', json_array(?2), 3, 600, '{}', 1)`,
        )
        .bind(number, 'x'.repeat(size - 4))
        .run()
    }
    const [found, pages]: [string[], number[]] = [[], []]
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await api(readKey).request('GET', `/api/v1/campaigns${cursor && `?cursor=${cursor}`}`)
      const page = dataOf(answer, 200) as Page
      found.push(...page.campaigns.map(({ id }) => id))
      pages.push(page.campaigns.length)
      cursor = page.nextCursor
    }
    expect(found).toEqual(ids)
    expect(pages).toEqual([35, 16, 1, 1])
  })
})
