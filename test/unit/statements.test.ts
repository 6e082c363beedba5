// What holds of every statement that the stores send: read from its text, and from how SQLite carries it out.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyStatement, hasStatements, selfComparisons } from '../support/database/every-statement.ts'
import { openExplainer } from '../support/database/explain.ts'
import { planLines, plansFile } from '../support/database/statement-plans.ts'

/** Of a file: what so many of its statements do. */
type Findings = Readonly<Record<string, Readonly<Record<string, number>>>>

const [sorts, onePlace] = ['sorts, and has a limit', 'reads all of search_place']

/** Statements that read a whole table or index, or sort under a limit; why each may. */
const allowed: Readonly<Record<string, Findings>> = {
  'The table has one row': {
    'control/alerts/store/watched-campaigns.ts': { 'reads all of alert_cursor': 1 },
    'control/companies/store/next-work.ts': { [onePlace]: 1 },
    'queue/leads/store/mentions/erase-mentions.ts': { [onePlace]: 2 },
    'queue/leads/store/mentions/fill-words.ts': { [onePlace]: 4 },
    'queue/leads/store/search-index.ts': { [onePlace]: 3 },
    'queue/search/store/find.ts': { [onePlace]: 1 },
    'queue/calling/table/store/calls-index.ts': { [onePlace]: 2 },
    'queue/calling/table/store/list-calls.ts': { [onePlace]: 2 },
    'control/statistics/store/count-grouped.ts': { [onePlace]: 4 },
  },
  'Sorts what a request brought or asks for, or a campaign’s lanes, by the order of the answer or of the log':
    {
      'queue/calling/store/claim-answer.ts': { [sorts]: 4 },
      'queue/calling/store/requeue.ts': { [sorts]: 6 },
      'queue/calling/store/sql/claim-steps.ts': { [sorts]: 4 },
      'channels/events/store/read-activity.ts': { [sorts]: 2 },
      'channels/events/store/read-log.ts': { [sorts]: 2 },
      'control/keys/store/create-key.ts': { [sorts]: 3 },
      'queue/leads/store/create-bulk.ts': { [sorts]: 1 },
      'queue/leads/store/create.ts': { [sorts]: 1 },
      'channels/webhooks/store/pending-events.ts': { [sorts]: 2 },
    },
  'Sorts what one company or person has a bounded number of: keys, members, webhooks, alerts, companies': {
    'base/access/store/directory.ts': { [sorts]: 1 },
    'base/access/store/key-hours.ts': { [sorts]: 1 },
    'control/alerts/store/overview.ts': { [sorts]: 2 },
    'control/members/store/members.ts': { [sorts]: 1 },
  },
  'Sorts what a bounded range was counted by': {
    'control/statistics/store/count-grouped.ts': { [sorts]: 6 },
  },
  'Sorts what one number has: consents, withdrawals, uses, leads': {
    'queue/calling/store/inbound/inbound-steps.ts': { [sorts]: 7 },
    'queue/consents/store/read-consents.ts': { [sorts]: 2 },
    'queue/consents/store/record.ts': { [sorts]: 6 },
  },
  'Sorts what was read in order and under a limit, which ends each part of it': {
    'queue/calling/store/settling/settle-all.ts': { [sorts]: 6 },
    'queue/erasure/store/retain.ts': { [sorts]: 17 },
  },
  'The cron, once a minute: a row for each campaign, company, dialer or webhook, or for each live call': {
    'control/alerts/store/failures.ts': {
      'reads all of agents by agents_blocked': 1,
      'reads all of companies by sqlite_autoindex_companies_1': 1,
      'reads all of dialers': 1,
      'reads all of gates': 1,
      'reads all of leads by leads_leased': 1,
      'reads all of webhooks': 1,
    },
    'control/alerts/store/watched-campaigns.ts': { [sorts]: 1 },
    'queue/calling/store/settling/settle-all.ts': {
      'reads all of calling_settings': 6,
      'reads all of companies': 1,
    },
    'queue/campaigns/store/minute-cursors.ts': { 'reads all of calling_settings': 1 },
    'control/companies/store/move-state.ts': { 'reads all of company_moves': 1 },
    'control/companies/store/states.ts': { 'reads all of store_states': 1, [sorts]: 1 },
    'queue/consents/store/tend-consents.ts': {
      'reads all of calling_settings by calling_settings_returning': 1,
      'reads all of companies': 1,
    },
    'channels/dialers/store/run-dialer.ts': { 'reads all of dialers': 1, [sorts]: 1 },
    'channels/dialers/store/run-gate.ts': { 'reads all of gates': 1, [sorts]: 4 },
    'channels/dialers/store/test-call.ts': { 'reads all of test_calls': 1 },
    'channels/webhooks/store/sending.ts': { 'reads all of webhooks': 1, [sorts]: 1 },
  },
  'A store of one company decides when it wakes, and ends at the first that it finds': {
    'control/companies/store/next-work.ts': {
      'reads all of alerts': 1,
      'reads all of calling_settings': 1,
      'reads all of calling_settings by calling_settings_returning': 1,
      'reads all of campaigns by campaigns_company': 1,
      'reads all of consents by consents_id': 1,
      'reads all of sources': 1,
      'reads all of webhooks': 1,
    },
  },
  'Members are people; read while a company moves, and for the directory': {
    'base/access/store/key-hours.ts': { 'reads all of members': 2 },
    'control/members/store/members.ts': { 'reads all of members': 1 },
  },
  'A move or a restore, which the operator begins': {
    'control/companies/keep-rows.ts': { 'reads all of companies': 2 },
    'control/companies/store/kept-erasures.ts': { [sorts]: 1 },
    'control/companies/store/kept-rows.ts': { 'reads all of companies': 2 },
    'control/companies/store/kept-table.ts': { 'reads all of erased_runs': 1, [sorts]: 3 },
    'control/companies/store/move-steps.ts': { 'reads all of store_keys': 1 },
    'control/companies/store/moved-rows.ts': {
      'reads all of agents by agents_last_unknown': 2,
      'reads all of alerts': 2,
      'reads all of dialers': 2,
      'reads all of gates': 2,
      'reads all of members': 10,
      'reads all of sources': 2,
      'reads all of store_keys': 2,
      [sorts]: 18,
    },
    'control/companies/store/states.ts': { 'reads all of campaigns': 1 },
    'base/ledger/log/begin-epoch.ts': { 'reads all of companies': 2 },
  },
}

/** Files with statements that change rows of no company by its name: how many, and why they may. */
const unnamed: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  'A company’s own row, by its id': {
    'base/access/store/companies.ts': 1,
    'control/companies/store/move-steps.ts': 2,
    'control/companies/store/moved-rows.ts': 3,
  },
  'A table of one row, which is nobody’s': {
    'base/access/store/directory.ts': 3,
    'control/alerts/store/look.ts': 1,
    'queue/leads/store/search-index.ts': 1,
    'queue/leads/store/mentions/fill-words.ts': 2,
    'queue/calling/table/store/calls-index.ts': 1,
  },
  'The cron, for all companies alike': { 'base/access/store/sessions.ts': 2 },
  'The object of one webhook, by its id': { 'channels/webhooks/store/sending.ts': 2 },
  'What a restore writes again in a store of one company': { 'control/companies/store/kept-table.ts': 5 },
  'All stores, after a restore of the shared database': { 'control/companies/store/states.ts': 1 },
}

/** Whether it changes or deletes rows that are there. */
const changesRows = (text: string) =>
  /^\s*(?:with\b.*?\)\s*)?(?:update|delete from)\b/is.test(text) ||
  /\bon conflict\b.*\bdo update\b/is.test(text)

function merge(all: readonly Findings[]): Findings {
  const merged: Record<string, Record<string, number>> = {}
  for (const findings of all)
    for (const [file, found] of Object.entries(findings)) {
      const own = merged[file] ?? {}
      merged[file] = own
      for (const [finding, count] of Object.entries(found)) own[finding] = (own[finding] ?? 0) + count
    }
  return merged
}

const srcDir = join(import.meta.dirname, '../../src')

describe('Every statement', () => {
  const statements = everyStatement()
  const { explain, triggerScans } = openExplainer()

  it('Every statement compares columns with others, and none with itself', () => {
    expect(statements.length).toBeGreaterThan(800)
    const found = statements.flatMap(({ file, line, text }) =>
      selfComparisons(text).map((comparison) => `${file}:${line} ${comparison}`),
    )
    expect(found).toEqual([])
  })

  it('Every statement that changes or deletes rows names their company, but for those that say why', () => {
    const changing = statements.filter(({ text }) => changesRows(text))
    expect(changing.length).toBeGreaterThan(300)
    const found: Record<string, number> = {}
    // Whether its move continues says nothing about the rows.
    for (const { file, text } of changing)
      if (!/\bcompany_id\b/.test(text.replace(/not exists \(select 1 from "?company_moves\b.*?\)\)/gs, '')))
        found[file] = (found[file] ?? 0) + 1
    expect(found).toEqual(Object.assign({}, ...Object.values(unnamed)))
  })

  it('Every statement searches its tables, builds no index and sorts nothing under a limit, but for those that say why', () => {
    const found = statements.flatMap(({ file, text }) =>
      explain(text).findings.map((finding) => ({ [file]: { [finding]: 1 } })),
    )
    expect(merge(found)).toEqual(merge(Object.values(allowed)))
  })

  // A change of plan is seen in review: `npm run sql -- --write` writes what is true now.
  it('Every statement reads the tables and indexes that its line in statement-plans.txt names', () => {
    const kept = readFileSync(plansFile, 'utf8').trimEnd().split('\n')
    const now = planLines()
    expect(now.filter((line) => !kept.includes(line))).toEqual([])
    expect(kept.filter((line) => !now.includes(line))).toEqual([])
  })

  it('Every trigger searches its tables, but for the one row of the search index', () => {
    expect(triggerScans()).toEqual({ calls: [], events: [], leads: [onePlace] })
  })

  it('Every statement is made when its module loads, so that the texts that are sent are as many as there are', () => {
    const made = new Set(statements.map(({ file, line }) => `${file}:${line}`))
    const written = readdirSync(srcDir, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.ts'))
      .flatMap((file) => {
        const text = readFileSync(join(srcDir, file), 'utf8')
        const lines = hasStatements(text) ? text.split('\n') : []
        return lines.flatMap((line, i) => (/\bstatement(?:<|\(|\))/.test(line) ? `${file}:${i + 1}` : []))
      })
    expect(written.length).toBeGreaterThan(200)
    expect(written.filter((place) => !made.has(place))).toEqual([])
  })

  it.each([
    [
      'select 1 from events as own where own.company_id = own.company_id',
      ['own.company_id = own.company_id'],
    ],
    ['select 1 from leads where seq >= seq and 1', ['seq >= seq']],
    ['select 1 from leads as l where l.token is l.token', ['l.token is l.token']],
    ['update leads set attempts = attempts + 1 where null is not null', []],
    ['select 1 from leads as l, leads as other where l.seq = other.seq and l.seq = l.seq_of', []],
  ])('A comparison of a column with itself is found in: %s', (text, found) => {
    expect(selfComparisons(text)).toEqual(found)
  })

  it.each([
    ['select * from events where at_ms = 1', ['reads all of events']],
    ['select * from events as e where e.company_id = ?1 and e.number > 5', []],
    ['select max(number) from campaigns', []],
    ['select 1 from leads where lease_expires_at_ms > 1', ['reads all of leads by leads_leased']],
    ['select seq from leads where campaign_number = 1 order by created_at_ms limit 5', [sorts]],
    ['select seq from leads where campaign_number = 1 order by created_at_ms limit -1', []],
    ['with l as materialized (select 1 as seq) select * from l', []],
    [
      'with few as materialized (select number from campaigns where company_id = 1) select * from webhooks ' +
        'as w left join few on few.number = w.campaign_number where w.company_id = 1',
      ['builds an index'],
    ],
    ["update leads set status = 'raw' where seq = 1", []],
    [
      'delete from campaigns where number = 1',
      ['reads all of agents by agents_last_unknown', 'reads all of members'],
    ],
  ])('What grows with the store is found in the plan of: %s', (text, findings) => {
    expect(explain(text).findings).toEqual(findings)
  })
})
