import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LeadOrder } from '../../src/queue/leads/lead.ts'
import { readPage } from '../../src/queue/leads/store/list/pages.ts'
import type { LeadFilter } from '../../src/queue/leads/store/list/ways.ts'
import { asKey } from '../support/access/actor.ts'
import { watchedDatabase } from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { type Campaign, newPhones, seedLeads, seedWorld } from '../support/world.ts'

const seqOf = ({ number }: Campaign, place: number) => number * 2 ** 32 + place

/** As erasing does it: `where` is SQL by the place `i`, from 1. */
async function erase(campaign: Campaign, where: string): Promise<void> {
  await companyDb
    .prepare(
      `update leads set phone_number = 'erased:' || seq, erased_at_ms = 1, status = 'raw', metadata = null,
        queue_rank = 0,
       due_at_ms = null
     where campaign_number = ?1 and erased_at_ms is null and (select ${where}
       from (select leads.seq & 4294967295 as i))`,
    )
    .bind(campaign.number)
    .run()
}

async function readRuns(campaign: Campaign): Promise<readonly (readonly [first: number, last: number])[]> {
  const { results } = await companyDb
    .prepare(
      'select first_seq as first, last_seq as last from erased_runs where first_seq >> 32 = ?1 order by first_seq',
    )
    .bind(campaign.number)
    .all<{ first: number; last: number }>()
  return results.map(({ first, last }) => [first - seqOf(campaign, 0), last - seqOf(campaign, 0)])
}

async function seedCampaign(size: number) {
  const world = await seedWorld()
  await seedLeads(
    world.campaign,
    newPhones(size).map((phoneNumber) => ({ phoneNumber })),
  )
  await companyDb
    .prepare('update leads set created_at_ms = 1000 * (seq & 4294967295) where campaign_number = ?1')
    .bind(world.campaign.number)
    .run()
  const listed = async (query: Record<string, string>) => {
    const { DB, trips } = watchedDatabase()
    const asked = { campaignId: world.campaignId, ...query }
    const { leads, nextCursor } = dataOf(
      await api(world.writeKey, { bindings: { DB } }).listLeads(asked),
      200,
    ) as { leads: { _creationTime: number }[]; nextCursor?: string | null }
    const results = trips.flatMap((trip) => trip.results)
    return {
      places: leads.map(({ _creationTime }) => _creationTime / 1000),
      nextCursor,
      rowsRead: results.reduce((sum, { meta }) => sum + meta.rows_read, 0),
    }
  }
  // The first request looks the key up.
  await listed({ limit: '1' })
  return { ...world, listed }
}

it.each([
  ['the first 9,000 of 9,010', 'i <= 9000', { order: 'oldest' }],
  ['the last 9,000 of 9,010', 'i > 10', { order: 'newest' }],
  ['all between the first and the last', 'i between 2 and 9009', { order: 'oldest' }],
  ['all between the last and the first', 'i between 2 and 9009', { order: 'newest' }],
  ['the first 9,000, in a range of time', 'i <= 9000', { createdAfter: '5000000' }],
])('Rows read by a list are few where %s are erased', async (_, where, query) => {
  const { campaign, listed } = await seedCampaign(9_010)
  await erase(campaign, where)
  const { places, rowsRead } = await listed({ ...query, limit: '2' })
  expect(places).toHaveLength(2)
  expect(rowsRead).toBeLessThan('createdAfter' in query ? 400 : 40)
})

it('Rows read by a list are a few for each lead it shows where every second one is erased', async () => {
  const { campaign, listed } = await seedCampaign(1_000)
  await erase(campaign, 'i % 2 = 0')
  const { places, rowsRead } = await listed({ limit: '100' })
  expect(places).toEqual(Array.from({ length: 100 }, (_, i) => 2 * i + 1))
  expect(rowsRead).toBeLessThan(6 * 100)
})

it('Runs of erased leads are one where they touch', async () => {
  const { campaign } = await seedCampaign(9)
  for (const where of ['i = 5', 'i = 3', 'i = 4', 'i = 8', 'i = 1']) await erase(campaign, where)
  expect(await readRuns(campaign)).toEqual([
    [0, 1],
    [3, 5],
    [8, 8],
  ])
})

describe('A list among erased leads', () => {
  const plain = { form: 'json', withCalling: false, withOrigin: false } as const
  const size = 12
  const place = fc.integer({ min: 1, max: size })

  it('A list among erased leads has every other lead of its range once, in its order, whatever was erased when', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(place, { maxLength: size }),
        fc.constantFrom<LeadOrder>('oldest', 'newest'),
        fc.integer({ min: 1, max: 5 }),
        fc.option(fc.integer({ min: 0, max: size + 1 })),
        fc.option(fc.integer({ min: 0, max: size + 1 })),
        async (erased, order, maxLeads, from, until) => {
          const { campaign, campaignId, writeKeyId } = await seedCampaign(size)
          for (const i of erased) await erase(campaign, `i = ${i}`)
          const filter: LeadFilter = {
            status: null,
            phoneNumber: null,
            externalId: null,
            createdAfterMs: from && from * 1000,
            createdBeforeMs: until && until * 1000,
            origin: null,
          }
          const range = { order, maxLeads, firstLeads: maxLeads, cursorSeq: 0, endSeq: null }
          const access = { ...asKey(writeKeyId, Date.now()), campaignId }
          const found: number[] = []
          let page = await readPage(companyDb, access, plain, filter, range)
          for (;;) {
            if (page.kind !== 'page') throw new Error(page.kind)
            found.push(...page.leads.map(({ seq }) => seq - seqOf(campaign, 0)))
            if (page.endSeq === null) break
            page = await page.next()
          }
          const left = Array.from({ length: size }, (_, i) => i + 1).filter(
            (i) => !erased.includes(i) && i > (from ?? 0) && i < (until ?? size + 1),
          )
          expect(found).toEqual(order === 'oldest' ? left : left.toReversed())
          const isolated = new Set([0, ...erased])
          for (const [first, last] of await readRuns(campaign)) {
            expect([isolated.has(first - 1), isolated.has(last + 1)]).toEqual([false, false])
            for (let i = first; i <= last; i++) expect(isolated.delete(i)).toBe(true)
          }
          expect([...isolated]).toEqual(erased.length === 0 ? [0] : [])
        },
      ),
      { numRuns: 40 },
    )
  })
})
