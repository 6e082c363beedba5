// The plans of what requests about leads run: all tables are reached through an index, and no leads are sorted.
// The statements are caught on their way to the database, so that none can be forgotten.
import { beforeAll, describe, expect, it } from 'vitest'
import { planOf, type Statement, watchedDatabase } from '../support/database/database.ts'
import { api, health } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { newPhone, newPhones, seedLeads, seedWorld } from '../support/world.ts'

async function statementsOfAllRequests(): Promise<Statement[]> {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const { DB, trips } = watchedDatabase()
  const client = api(writeKey, { bindings: { DB } })
  await seedLeads(
    campaign,
    newPhones(1500).map((phoneNumber) => ({ phoneNumber })),
  )
  dataOf(await client.createLead({ campaignId, phoneNumber: newPhone() }), 201)
  dataOf(await client.importLeads({ campaignId, leads: [{ phoneNumber: newPhone() }] }), 200)
  dataOf(await client.listLeads({ campaignId }), 200)
  const externalId = 'crm-1'
  const created = await client.createLead({ campaignId, phoneNumber: newPhone(), externalId })
  for (const filter of [
    { status: 'raw' },
    { status: 'concluded' },
    { status: 'concluded', createdAfter: '1' },
    { phoneNumber: newPhone() },
    { externalId },
    { createdAfter: '1', createdBefore: '9'.repeat(13) },
  ])
    for (const order of ['oldest', 'newest'])
      dataOf(await client.listLeads({ campaignId, order, ...filter }), 200)
  dataOf(await client.request('GET', `/api/v1/leads/${dataOf(created, 201).leadId}`), 200)
  dataOf(await health({ bindings: { DB } }), 200)
  const statements = trips.flatMap((trip) => trip.statements)
  return [...new Map(statements.map((statement) => [statement.sql, statement])).values()]
}

describe('Query plans', () => {
  let plans: { sql: string; plan: string[] }[]

  beforeAll(async () => {
    const statements = await statementsOfAllRequests()
    plans = await Promise.all(
      statements.map(async (statement) => ({ sql: statement.sql, plan: await planOf(statement) })),
    )
  })

  it('The query plans that are read are of every kind of statement', () => {
    const isPlanned = (pattern: RegExp) => plans.some(({ sql }) => pattern.test(sql))
    for (const pattern of [/insert into leads/, /json_each/, /order by leads\.seq limit/, /\bhash = /])
      expect([pattern, isPlanned(pattern)]).toEqual([pattern, true])
  })

  it('Statements scan no table: each is searched by an index or its key', () => {
    // Not tables: the request's own JSON, a row of constants, and subqueries of a single row.
    const rows = 'verdict|measured|granted|stored|found|intake|not_queued|place_after|place_before'
    const harmless = new RegExp(`^SCAN (item\\b|json_each\\b|CONSTANT ROW|\\d+-ROW VALUES|${rows}|\\()`)
    for (const { sql, plan } of plans)
      for (const detail of plan.filter((line) => line.startsWith('SCAN')))
        expect(`${detail} in ${sql}`).toMatch(harmless)
  })

  it('Statements build no index of their own', () => {
    for (const { sql, plan } of plans)
      expect({ sql, automatic: plan.filter((detail) => /AUTOMATIC/.test(detail)) }).toEqual({
        sql,
        automatic: [],
      })
  })

  it('Statements sort no leads', () => {
    // What a bulk reports is sorted by place in the request, at most 1000 numbers, and the entries of a request by
    // company. What is counted is gathered by campaign and hour.
    for (const { sql, plan } of plans.filter(
      (each) => !/order by item\.key\s*$|^insert into (events|campaign_hours)/.test(each.sql),
    ))
      expect({ sql, sorted: plan.filter((detail) => /TEMP B-TREE/.test(detail)) }).toEqual({
        sql,
        sorted: [],
      })
  })

  it('Statements read leads by their place in the campaign, or by what names them', () => {
    const searches = plans.flatMap(({ plan }) => plan.filter((detail) => /^SEARCH leads\b/.test(detail)))
    expect(searches).not.toEqual([])
    const ways = [
      'INTEGER PRIMARY KEY (rowid>',
      'INTEGER PRIMARY KEY (rowid=',
      '_phone (campaign_number=? AND phone_number=?',
      '_external_id (campaign_number=? AND external_id=?',
      '_status (campaign_number=? AND status=?',
      '_request_key (request_key=?)',
    ]
    for (const search of searches) expect(ways.some((way) => search.includes(way)) ? '' : search).toBe('')
  })

  it('A create costs no more rows read in a large campaign than in a small one', async () => {
    const rowsRead = await Promise.all([10, 3000].map(rowsReadByACreate))
    expect(rowsRead[1]).toBe(rowsRead[0])
  })

  async function rowsReadByACreate(leadsBefore: number): Promise<number> {
    const { campaign, campaignId, writeKey } = await seedWorld()
    await seedLeads(
      campaign,
      newPhones(leadsBefore).map((phoneNumber) => ({ phoneNumber })),
    )
    const { DB, trips } = watchedDatabase()
    dataOf(await api(writeKey, { bindings: { DB } }).createLead({ campaignId, phoneNumber: newPhone() }), 201)
    return trips.flatMap((trip) => trip.results).reduce((sum, result) => sum + result.meta.rows_read, 0)
  }
})
