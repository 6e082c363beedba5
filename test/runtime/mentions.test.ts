// Numbers in the metadata of other leads on a real D1: leads of before, a lead that changes meanwhile, many leads, and
// an index that is not there. What an erasure and a record say of them is in ../spec/leads/mentions.test.ts.
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { nextWorkMs } from '../../src/control/companies/store/next-work.ts'
import { indexOf } from '../../src/queue/leads/search-words.ts'
import { fillWordsByTheMinute } from '../../src/queue/leads/store/mentions/fill-words.ts'
import { databaseThat, type WatchedDatabase } from '../support/database/database.ts'
import { companyDb } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { checkIndex } from '../support/leads/search-index.ts'
import { newPhone, seedKey, seedWorld } from '../support/world.ts'

type Erased = { leadsErased: number; alsoIn: string[]; isPartial: boolean }

async function seed() {
  const world = await seedWorld()
  const { key } = await seedKey({ companyId: world.companyId, scope: 'manage' })
  const asked = (path: string, body: object, { DB = companyDb }: Partial<WatchedDatabase> = {}) =>
    api(key, { bindings: { DB } }).request('POST', path, body)
  return {
    ...world,
    erase: async (phoneNumber: string, database?: WatchedDatabase) =>
      dataOf(await asked('/api/v1/erasures', { phoneNumber }, database), 200) as unknown as Erased,
    record: async (phoneNumber: string, database?: WatchedDatabase) =>
      dataOf(await asked('/api/v1/numbers/record', { phoneNumber }, database), 200) as unknown as {
        entries: { type: string; leadId: string }[]
        isPartial: boolean
      },
    add: async (metadata: object) => {
      const lead = { campaignId: world.campaignId, phoneNumber: newPhone(), metadata }
      return dataOf(await api(world.writeKey).createLead(lead), 201).leadId as string
    },
    change: (leadId: string, metadata: object) =>
      api(world.writeKey).request('PATCH', `/api/v1/leads/${leadId}`, { metadata }),
    metadata: async (leadId: string) =>
      (
        dataOf(await api(world.readKey).request('GET', `/api/v1/leads/${leadId}`), 200) as {
          lead: { metadata: object | null }
        }
      ).lead.metadata,
  }
}

/** As a version before has stored it. */
const withoutNumberWords = (companyId: string) =>
  companyDb
    .prepare(
      `update leads set words = null where campaign_number in (select number from campaigns where company_id = ?1)`,
    )
    .bind(companyId)
    .run()
const wordsPlace = (value: number) =>
  companyDb.prepare('update search_place set words_place = ?1').bind(value).run()

// Other tests put leads into the tables by hand. From here on the index must stay as the leads are.
beforeAll(() => companyDb.prepare("insert into lead_search (lead_search) values ('rebuild')").run())
afterEach(() => wordsPlace(Number.MAX_SAFE_INTEGER))

const wordsOf = async (companyId: string) =>
  (
    await companyDb
      .prepare(
        'select words, version from leads where campaign_number in (select number from campaigns where ' +
          'company_id = ?1) order by seq',
      )
      .bind(companyId)
      .all<{ words: string | null; version: number }>()
  ).results

it('Older leads get the words of numbers by the work of the minute, for which a store wakes; until then answers are partial', async () => {
  const [world, other] = [await seed(), await seed()]
  const partner = newPhone()
  const inMetadata = await world.add({ partner, name: 'Ada' })
  await world.add({ name: 'Bob' })
  const escaped = await world.add({ partner })
  await companyDb
    .prepare(`update leads set metadata = replace(metadata, '+', '\\u002b') where seq = (select max(seq) from leads
      where campaign_number = (select number from campaigns where id = ?1))`)
    .bind(world.campaignId)
    .run()
  const elsewhere = await other.add({ partner })
  for (const { companyId } of [world, other]) await withoutNumberWords(companyId)
  await wordsPlace(0)
  const nowMs = Date.now()
  expect(await nextWorkMs(companyDb, nowMs)).toBe(nowMs + 60_000)
  expect(await world.record(partner)).toMatchObject({ entries: [], isPartial: true })
  expect(await world.erase(partner)).toMatchObject({ alsoIn: [], isPartial: true })
  for (let minute = 0; minute < 100 && (await world.record(partner)).isPartial; minute++)
    await fillWordsByTheMinute(companyDb)
  const words = await wordsOf(world.companyId)
  expect(words.map(({ version }) => version)).toEqual([1, 1, 1])
  expect(
    words.map((row) => row.words?.includes(`#${partner.slice(1).split('').reverse().join('')}`)),
  ).toEqual([true, undefined, true])
  await checkIndex(companyDb)
  expect(await world.erase(partner)).toMatchObject({ alsoIn: [escaped, inMetadata], isPartial: false })
  expect((await other.record(partner)).entries.map(({ leadId }) => leadId)).toEqual([elsewhere])
})

describe('While leads change', () => {
  it('A lead that is changed while its number is being erased keeps the change, and loses the number', async () => {
    const world = await seed()
    const partner = newPhone()
    const first = await world.add({ partner, name: 'Ada' })
    const second = await world.add({ partner, name: 'Bob' })
    let isChanged = false
    const changing = databaseThat(async (run, { statements }) => {
      if (!isChanged && statements.some(({ sql }) => sql.startsWith('update leads set metadata ='))) {
        isChanged = true
        dataOf(await world.change(first, { partner, name: 'Eve' }), 200)
      }
      return run()
    })
    expect((await world.erase(partner, changing)).alsoIn.toSorted()).toEqual([first, second].toSorted())
    expect(isChanged).toBe(true)
    expect(await world.metadata(first)).toEqual({ name: 'Eve' })
    expect(await world.metadata(second)).toEqual({ name: 'Bob' })
    await checkIndex(companyDb)
  })

  it('An erasure whose answers are lost names the leads all the same', async () => {
    const world = await seed()
    const partner = newPhone()
    const leadId = await world.add({ partner })
    let lost = 0
    const losing = databaseThat(async (run, { statements }) => {
      const answer = await run()
      const isChange = statements.some(({ sql }) => sql.startsWith('update leads set metadata ='))
      if (isChange && lost++ === 0) throw new Error('D1_ERROR: Network connection lost.')
      return answer
    })
    expect(await world.erase(partner, losing)).toMatchObject({ alsoIn: [leadId], isPartial: false })
    expect(lost).toBeGreaterThan(0)
  })
})

it('An erasure passes by a lead of which the index says more than its metadata holds, and ends', async () => {
  const world = await seed()
  const partner = newPhone()
  const older = await world.add({ partner, name: 'Ada' })
  const stale = await world.add({ partner, name: 'Bob' })
  const newer = await world.add({ partner, name: 'Eve' })
  await companyDb
    .prepare(`update leads set metadata = '{"name":"Bob"}' where seq = (select max(seq) - 1 from leads
      where campaign_number = (select number from campaigns where id = ?1))`)
    .bind(world.campaignId)
    .run()
  expect(await world.erase(partner)).toMatchObject({ alsoIn: [newer, older], isPartial: false })
  expect(await world.metadata(stale)).toEqual({ name: 'Bob' })
})

it('One erasure removes a number from the newest 1,000 leads, says that there are more, and the next removes those', async () => {
  const world = await seed()
  const partner = newPhone()
  const { words } = indexOf(world.companyId)({ metadata: JSON.stringify({ partner }) })
  const seeded = await companyDb
    .prepare(
      `insert into leads (seq, campaign_number, phone_number, created_at_ms, token, metadata, words)
        select (?1 << 32) + item.value, ?1, '+4930' || (?1 * 10000 + item.value), 0, 'seededlead0', ?2, ?3
        from (with recursive n(value) as (select 1 union all select value + 1 from n where value < 1030)
          select * from n) as item`,
    )
    .bind(world.campaign.number, JSON.stringify({ partner, name: 'Ada' }), words)
    .run()
  expect(seeded.success).toBe(true)
  expect(await world.record(partner)).toMatchObject({ isPartial: true })
  const first = await world.erase(partner)
  expect([first.alsoIn.length, new Set(first.alsoIn).size, first.isPartial]).toEqual([1_000, 1_000, true])
  expect(await world.record(partner)).toMatchObject({ isPartial: false })
  const second = await world.erase(partner)
  expect([second.alsoIn.length, second.isPartial]).toEqual([30, false])
  const { results } = await companyDb
    .prepare('select distinct metadata from leads where campaign_number = ?1')
    .bind(world.campaign.number)
    .all()
  expect(results).toEqual([{ metadata: '{"name":"Ada"}' }])
  await checkIndex(companyDb)
})

it('While the search is off, people are erased and records are read, and both say that there may be more', async () => {
  const world = await seed()
  const phoneNumber = newPhone()
  const leadId = dataOf(
    await api(world.writeKey).createLead({ campaignId: world.campaignId, phoneNumber }),
    201,
  ).leadId
  const off = databaseThat((run, { statements }) =>
    statements.some(({ sql }) => sql.includes('lead_search'))
      ? Promise.reject(new Error('D1_ERROR: no such table: lead_search: SQLITE_ERROR'))
      : run(),
  )
  expect(await world.record(phoneNumber, off)).toMatchObject({
    entries: [{ type: 'lead', leadId }],
    isPartial: true,
  })
  expect(await world.erase(phoneNumber, off)).toMatchObject({ leadsErased: 1, alsoIn: [], isPartial: true })
})
