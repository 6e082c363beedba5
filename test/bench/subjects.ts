// Who asks, in every benchmark database: companies, campaigns, API keys and addresses, the same for all Workers,
// and leads made by SQL inside the database. No benchmark changes a limit: requests take turns over so
// many keys that none is used up, as they would in production. Tables of a commit without a calling queue do too.
// Companies are one or many, all in D1 or each in a store of its own: keys take turns over them, and each has all
// campaigns.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { defaultSettings } from '../../src/queue/campaigns/settings.ts'
import { enterInDirectory } from '../support/companies/own-store.ts'
import { insertCompanies, insertKeys, insertLeadSeries } from '../support/database/seed.ts'

/** Fewer than the 600 keys that an isolate looks up for one address in a minute. */
export const keyCount = 500
export const addressCount = 600
/** A key that nothing else uses: its hour is spent. */
export const spentKey = keyCount

export type Tables = 'project' | 'peer'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A key in the project's format, the same for the same number. */
export function apiKey(number: number): string {
  const body = `lk_${String(number).padStart(32, 'k')}`
  let rest = crc32(body)
  let checksum = ''
  for (let i = 0; i < 6; i++) {
    checksum = alphabet[rest % 62] + checksum
    rest = Math.floor(rest / 62)
  }
  return body + checksum
}

export const address = (number: number) => `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Leads that a campaign starts with. `ahead`: due in a year, at the priority before which no due lead comes. */
export type Leads = number | { readonly due: number; readonly ahead: number }

/** By campaign id. */
export type Campaigns = Record<string, Leads>

export type Companies = {
  readonly count: number
  /** The database of a company's own store, by its name; null: all are in D1. */
  readonly storeOf: ((storeName: string) => D1Database) | null
}

const oneInD1: Companies = { count: 1, storeOf: null }

/** `db` is D1: the database of the companies, or the directory of those with a store of their own. */
export async function seed(
  db: D1Database,
  tables: Tables,
  campaigns: Campaigns,
  { count, storeOf }: Companies = oneInD1,
): Promise<void> {
  const ids = Object.keys(campaigns)
  const keys = Array.from({ length: spentKey + 1 }, (_, index) => ({
    id: `key${index}`,
    key: apiKey(index),
    companyId: companyIdOf(index % count),
  }))
  if (tables === 'peer') await seedPeer(db, ids, keys)
  for (let company = 0; company < count; company++) {
    const companyId = companyIdOf(company)
    const firstNumber = company * ids.length + 1
    const ownKeys = keys.filter((key) => key.companyId === companyId)
    const store = storeOf === null ? db : storeOf(storeNameOf(companyId))
    if (storeOf !== null) await enterInDirectory(db, storeNameOf(companyId), [companyId], hashed(ownKeys))
    if (tables === 'project') await seedProject(store, { companyId, ids, firstNumber, keys: ownKeys })
    for (const [index, id] of ids.entries()) {
      const number = firstNumber + index
      for (const { from, to, ...place } of series(number, campaigns[id] ?? 0)) {
        const insert =
          tables === 'project'
            ? insertLeadSeries(store, number, from, to, place)
            : insertPeersLeads(store, id, from, to, place)
        await insert.run()
      }
    }
  }
}

const companyIdOf = (company: number) => (company === 0 ? 'acme' : `acme${company}`)
const storeNameOf = (companyId: string) => `:${companyId}:benchmark`

const hashed = (keys: readonly (SeededKey & { readonly companyId: string })[]) =>
  keys.map(({ key, ...row }) => ({ ...row, hash: sha256(key) }))

type SeededCompany = {
  readonly companyId: string
  readonly ids: readonly string[]
  readonly firstNumber: number
  readonly keys: readonly (SeededKey & { readonly companyId: string })[]
}

/** Returns whether there is a calling queue: then keys may both create and call. */
async function seedProject(
  db: D1Database,
  { companyId, ids, firstNumber, keys }: SeededCompany,
): Promise<void> {
  const ofScope = keys.map((key) => ({ ...key, scope: 'manage' as const }))
  const insertCampaigns = db
    .prepare(
      `insert into campaigns (number, id, company_id, name, created_at_ms)
       select ?1 + key, value, ?2, value, 0 from json_each(?3)`,
    )
    .bind(firstNumber, companyId, JSON.stringify(ids))
  await db.batch([insertCompanies(db, [companyId]), insertCampaigns, insertKeys(db, ofScope)])
  await openAtAllHours(db, firstNumber)
}

/** The defaults, but for the hours: else a benchmark would measure the hour at which it runs. */
async function openAtAllHours(db: D1Database, firstNumber: number): Promise<void> {
  const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
  const hours = JSON.stringify(Object.fromEntries(days.map((day) => [day, [['00:00', '24:00']]])))
  const { maxAttempts, leaseSeconds, numberLimits, outcomes } = defaultSettings
  const { minGapMinutes, per24Hours, per7Days } = numberLimits
  const limits = [maxAttempts, leaseSeconds, minGapMinutes, per24Hours, per7Days]
  await db
    .prepare(`insert into calling_settings (campaign_number, paused, time_zone, calling_hours, appointment_hours,
      closed_dates, max_attempts, lease_seconds, min_gap_minutes, per_24_hours, per_7_days, outcomes, version)
      select number, 0, 'UTC', ?1, ?1, '[]', ?2, ?3, ?4, ?5, ?6, ?7, 1 from campaigns where number >= ?8`)
    .bind(hours, ...limits, JSON.stringify(outcomes), firstNumber)
    .run()
}

/** SQL of a lead's number `i`. */
type QueueSpot = { readonly priority: string; readonly dueAtMs: string }

/** Leads that go in at once. Numbers differ between campaigns, and with them the phone numbers. */
function series(campaignNumber: number, leads: Leads): ({ from: number; to: number } & QueueSpot)[] {
  const { due, ahead } = typeof leads === 'number' ? { due: leads, ahead: 0 } : leads
  const first = campaignNumber * 10_000_000
  const inAYearMs = `${Date.now() + 365 * 86_400_000} + i`
  return [
    ...steps(first, due).map((step) => ({ ...step, priority: 'i % 101', dueAtMs: '1760000000000 + i' })),
    ...steps(first + due, ahead).map((step) => ({ ...step, priority: '100', dueAtMs: inAYearMs })),
  ]
}

function steps(after: number, count: number): { from: number; to: number }[] {
  // So few that a busy machine stores them within the time that D1 gives a statement.
  const step = 5_000
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => ({
    from: after + index * step + 1,
    to: after + Math.min(count, (index + 1) * step),
  }))
}

type SeededKey = { readonly id: string; readonly key: string }

/** The peer has tables of its own. */
async function seedPeer(db: D1Database, campaignIds: readonly string[], keys: readonly SeededKey[]) {
  const hashes = keys.map(({ id, key }) => [id, sha256(key)])
  await db.batch([
    db.prepare(`insert into companies values ('acme', 'Acme')`),
    ...campaignIds.map((id) =>
      db.prepare(`insert into campaigns (id, company_id, name) values (?1, 'acme', ?1)`).bind(id),
    ),
    db
      .prepare(
        `insert into api_keys (id, company_id, scope, hash)
         select value ->> 0, 'acme', 'write', value ->> 1 from json_each(?1)`,
      )
      .bind(JSON.stringify(hashes)),
  ])
}

/** As insertLeadSeries has them. */
function insertPeersLeads(
  db: D1Database,
  campaignId: string,
  from: number,
  to: number,
  { priority, dueAtMs }: QueueSpot,
): D1PreparedStatement {
  return db
    .prepare(
      `insert into leads (id, campaign_id, phone_number, external_id, metadata, priority, created_at, due_at)
       with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to})
       select lower(hex(randomblob(16))), ?1, '+9' || printf('%010d', (i * 7654321) % 10000000000), 'crm-' || i,
         json_object('name', hex(randomblob(8)), 'company', hex(randomblob(12)), 'notes', hex(randomblob(50))),
         ${priority}, 1760000000000 + i, ${dueAtMs}
       from n`,
    )
    .bind(campaignId)
}
