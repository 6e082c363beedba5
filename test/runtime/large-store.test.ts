// What requests read in a store of 100,000 leads, a long log, and many campaigns and sources: a page, or a few rows,
// whatever else is there. That no statement scans a table is in test/unit/statements.test.ts; this finds one that
// searches for too much.
import { beforeAll, describe, expect, it } from 'vitest'
import { statementCount } from '../../src/base/database/database.ts'
import { casesOf } from '../support/catalogue/cases.ts'
import { endpoints } from '../support/catalogue/catalogue.ts'
import { watchedDatabase } from '../support/database/database.ts'
import { insertLeadSeries, lastSeededNumber } from '../support/database/seed.ts'
import { companyDb } from '../support/database/store.ts'
import { seedEntries } from '../support/ledger/log.ts'
import { seedWorld } from '../support/world.ts'

const [leads, entries, campaigns, sources] = [100_000, 50_000, 100, 1_000]

/** More than one statement reads of one number in all campaigns, which is the most besides those below. */
const fewRows = 12 * campaigns

/** Why a statement may read more, and how many rows. */
const larger: readonly (readonly [reason: string, text: RegExp, mostRows: number])[] = [
  ['A page of the log looks at 10,000 entries', /^select e\.number, e\.at_ms as "atMs", e\.type/, 10_100],
  [
    'The overview of a campaign counts 10,000 leads of its queue, and 1,000 that wait for its gate',
    /^select granted\.number, granted\.id/,
    11_100,
  ],
  ['A preview looks at 5,000 leads', /^select found\.seq from/, 5_100],
  ['A preview looks at 1,000 leads at once', /^with campaign\(number, company_id, now_ms\)/, 2_100],
  ['A page of leads has 1,000', /^with recursive verdict as/, 2_100],
]

/** Takes longer than all others together: it lists every lead. query-plans-lists.test.ts has it. */
const left = ['listLeads']

describe('A store of 100,000 leads, a log of 50,000 entries, 100 campaigns and 1,000 sources', () => {
  let world: Awaited<ReturnType<typeof seedWorld>>

  beforeAll(async () => {
    world = await seedWorld()
    const { companyId, campaign } = world
    for (let i = 0; i < leads; i += 25_000)
      await insertLeadSeries(companyDb, campaign.number, i + 1, i + 25_000).run()
    await seedEntries(companyId, new Array(entries).fill(1))
    const many = 'with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)'
    await companyDb
      .prepare(
        `${many} insert into campaigns (number, id, company_id, name, created_at_ms)
         select cast(${lastSeededNumber} + i as integer), 'c' || cast(i as integer), ?1, 'c', 0 from n`,
      )
      .bind(companyId, campaigns)
      .run()
    await companyDb
      .prepare(
        `${many} insert into sources (id, company_id, campaign_number, key_id, name, countries, fields, ignored,
           on_existing, is_enabled, version, created_at_ms, changed_at_ms)
         select 'src' || ?1 || i, ?1, ?3 + 1 + i % 50, 'k', 's', '["DE"]', '{}', '[]', 'keep', 1, 1, 0, 0 from n`,
      )
      .bind(companyId, sources, campaign.number)
      .run()
  })

  it('A large store is read by each request in a few rows, or in a page that says why, and no request makes a statement', async () => {
    const made = statementCount()
    const found: string[] = []
    let asked = 0
    for (const { name, isForOperator } of endpoints) {
      const [success] = casesOf(name).filter(({ status }) => status < 300)
      if (isForOperator || left.includes(name) || success === undefined) continue
      const { DB, trips } = watchedDatabase()
      expect([name, (await success.ask(world, { DB })).status]).toEqual([name, success.status])
      asked++
      for (const { statements, results } of trips)
        for (const [i, { sql }] of statements.entries()) {
          const rows = results[i]?.meta.rows_read ?? 0
          const most = larger.find(([, text]) => text.test(sql))?.[2] ?? fewRows
          if (rows > most) found.push(`${name}: ${rows} rows by ${sql}`)
        }
    }
    expect(found).toEqual([])
    expect(asked).toBeGreaterThan(70)
    expect(statementCount()).toBe(made)
  })
})
