// What a page of suppressed numbers costs in rows read: as many as it shows, whatever else the company suppresses.
import { expect, it } from 'vitest'
import { listNumbers } from '../../src/base/ledger/suppression/numbers.ts'
import { suppressNumbers } from '../../src/queue/suppression/store/suppress.ts'
import { noonMs, seedCallingWorld } from '../support/calling/calling.ts'
import { rowsOf, watchedDatabase } from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'
import { newPhones } from '../support/world.ts'

const ofCompany = 20_000

/** `campaignNumber` of each number is SQL, by its place `i`. */
async function seedNumbers(companyId: string, count: number, campaignNumber: string) {
  await companyDb
    .prepare(
      `with recursive counted(i) as (select 1 union all select i + 1 from counted where i < ?2)
     insert into suppressions (company_id, phone_number, campaign_number, created_at_ms, token, leads_removed)
     select ?1, '+1' || cast(2000000000 + i as integer), ${campaignNumber}, 0, 't', 0 from counted where true
     on conflict do nothing`,
    )
    .bind(companyId, count)
    .run()
}

it('A page of the numbers that one campaign suppresses reads as many rows as it shows, and later pages have the others', async () => {
  const world = await seedCallingWorld()
  const other = await world.another()
  await seedNumbers(world.companyId, ofCompany, '0')
  await seedNumbers(world.companyId, ofCompany, `${other.campaign.number}`)
  // The last thousand alone.
  await seedNumbers(world.companyId, ofCompany, `iif(i > ${ofCompany} - 1000, ${world.campaign.number}, 0)`)
  const found: string[] = []
  let after = { phoneNumber: '', campaignNumber: 0 }
  for (let pages = 0; pages < 4; pages++) {
    const { DB, trips } = watchedDatabase()
    const range = { campaignId: world.campaignId, maxNumbers: 300, after }
    const page = await listNumbers(DB, world.asWriter(noonMs), range)
    if (page.kind !== 'page') throw new Error(page.kind)
    found.push(...page.numbers.map(({ phoneNumber }) => phoneNumber))
    const read = trips.flatMap(({ results }) => results).reduce((sum, { meta }) => sum + meta.rows_read, 0)
    expect(read).toBeLessThan(4 * 301)
    if (page.end === null) break
    after = page.end
  }
  expect(new Set(found).size).toBe(1_000)
  expect(found).toEqual(found.toSorted())
  expect(found[0]).toBe(`+1${2_000_000_000 + ofCompany - 999}`)
})

it('A page of the numbers of one campaign continues after the cursor of a page of the whole company', async () => {
  const world = await seedCallingWorld()
  const other = await world.another()
  const numbers = [world, other].map(({ campaign }) => campaign.number)
  for (const number of numbers) await seedNumbers(world.companyId, 2, `${number}`)
  const campaignId = other.campaign.id
  const phoneNumber = '+12000000001'
  const listAfter = async (campaignNumber: number) => {
    const range = { campaignId, maxNumbers: 9, after: { phoneNumber, campaignNumber } }
    const page = await listNumbers(companyDb, world.asWriter(noonMs), range)
    return page.kind === 'page' && page.numbers.map((each) => each.phoneNumber)
  }
  expect(await listAfter(numbers[0] as number)).toEqual([phoneNumber, '+12000000002'])
  expect(await listAfter(numbers[1] as number)).toEqual(['+12000000002'])
})

it.each([
  ['for the whole company costs two rows written, one of them in the log of numbers', null, '+1', 2],
  ['for one campaign costs three', 'own', '+1', 3],
  ['and has another spelling costs two more for the company', null, '+49', 4],
  ['and has another spelling costs two more for one campaign', 'own', '+49', 5],
])('A number that is suppressed %s', async (_, scope, code, written) => {
  const world = await seedCallingWorld()
  const rowsWritten = async (phoneNumbers: readonly string[]) => {
    const { DB, trips } = watchedDatabase()
    const campaignId = scope && world.campaignId
    await suppressNumbers(DB, world.asWriter(noonMs), { phoneNumbers, campaignId, reason: null })
    return rowsOf(trips, 'rows_written')
  }
  // What a request writes besides is the same for ten more.
  const phones = (count: number) => newPhones(count).map((phone) => phone.replace('+49', code))
  const few = await rowsWritten(phones(1))
  const many = await rowsWritten(phones(11))
  expect(many - few).toBe(10 * written)
})
