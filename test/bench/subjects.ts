// Who asks, in every benchmark database: companies, campaigns, API keys and addresses, the same for all Workers,
// and leads made by SQL inside the database. No benchmark lowers or lifts a limit: requests take turns over so
// many keys that none is used up, as they would in production. Tables of a commit without a calling queue do too.

import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { defaultSettings } from '../../src/calling/settings.ts'

/** Fewer than the 600 keys that an isolate looks up for one address in a minute. */
export const keyCount = 500
export const addressCount = 600

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

export async function seed(
  db: D1Database,
  tables: Tables,
  campaigns: Campaigns,
  keys: number = keyCount,
): Promise<void> {
  const project = tables === 'project'
  const isQueued = !project || (await hasQueue(db))
  await db.prepare(`insert into companies values ('acme', 'Acme'${project ? ', 0' : ''})`).run()
  const ids = Object.keys(campaigns)
  for (const [index, id] of ids.entries()) {
    const statement = project
      ? db
          .prepare(`insert into campaigns (number, id, company_id, name, created_at_ms)
          values (?1, ?2, 'acme', ?2, 0)`)
          .bind(index + 1, id)
      : db.prepare(`insert into campaigns (id, company_id, name) values (?1, 'acme', ?1)`).bind(id)
    await statement.run()
    if (project && isQueued) await openAtAllHours(db, index + 1)
  }
  const hashes = Array.from({ length: keys }, (_, index) => sha256(apiKey(index)))
  // Where there is a queue, keys that may both create and call.
  const scope = project && isQueued ? 'manage' : 'write'
  const insertKeys = project
    ? `insert into api_keys (id, company_id, scope, name, hash, hint, created_at_ms)
        select 'key' || key, 'acme', '${scope}', 'bench', value, 'lk_', 0 from json_each(?1)`
    : `insert into api_keys (id, company_id, scope, hash)
        select 'key' || key, 'acme', '${scope}', value from json_each(?1)`
  await db.prepare(insertKeys).bind(JSON.stringify(hashes)).run()
  for (const [index, id] of ids.entries()) {
    const leads = campaigns[id] ?? 0
    const { due, ahead } = typeof leads === 'number' ? { due: leads, ahead: 0 } : leads
    const campaign = { tables, isQueued, number: index + 1, id }
    await addLeads(db, campaign, { from: 1, count: due, priority: 'i % 101', dueAtMs: createdAtMs })
    const inAYearMs = `${Date.now() + 365 * 86_400_000} + i`
    await addLeads(db, campaign, { from: due + 1, count: ahead, priority: '100', dueAtMs: inAYearMs })
  }
}

async function hasQueue(db: D1Database): Promise<boolean> {
  const column = `select 1 from pragma_table_info('leads') where name = 'queue_rank'`
  return (await db.prepare(column).first()) !== null
}

/** The defaults, but for the hours: else a benchmark would measure the hour at which it runs. */
async function openAtAllHours(db: D1Database, number: number): Promise<void> {
  const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
  const hours = JSON.stringify(Object.fromEntries(days.map((day) => [day, [['00:00', '24:00']]])))
  const { maxAttempts, leaseSeconds, numberLimits, outcomes } = defaultSettings
  const { minGapMinutes, per24Hours, per7Days } = numberLimits
  await db
    .prepare(`insert into calling_settings (campaign_number, paused, time_zone, calling_hours, appointment_hours,
      closed_dates, max_attempts, lease_seconds, min_gap_minutes, per_24_hours, per_7_days, outcomes, version)
      values (?1, 0, 'UTC', ?2, ?2, '[]', ?3, ?4, ?5, ?6, ?7, ?8, 1)`)
    .bind(
      number,
      hours,
      maxAttempts,
      leaseSeconds,
      minGapMinutes,
      per24Hours,
      per7Days,
      JSON.stringify(outcomes),
    )
    .run()
}

const createdAtMs = '1760000000000 + i'

type Campaign = { tables: Tables; isQueued: boolean; number: number; id: string }
/** `priority` and `dueAtMs` are SQL of the lead's number `i`. */
type Series = { from: number; count: number; priority: string; dueAtMs: string }

/** Phone numbers of seeded leads begin with +9 and their campaign, those of created ones with +1. */
async function addLeads(db: D1Database, campaign: Campaign, series: Series): Promise<void> {
  const { tables, isQueued, number, id } = campaign
  const { priority, dueAtMs } = series
  const step = 50_000
  const end = series.from + series.count
  for (let from = series.from; from < end; from += step) {
    const numbers = `with recursive n(i) as
      (select ${from} union all select i + 1 from n where i + 1 < ${Math.min(end, from + step)})`
    const phone = `'+9' || printf('%02d%010d', ${number}, (i * 7654321) % 10000000000)`
    const metadata = `json_object('name', hex(randomblob(8)), 'company', hex(randomblob(12)),
      'notes', hex(randomblob(50)))`
    const rest = `'crm-' || i, ${metadata}, ${priority}, ${createdAtMs}`
    const queue = isQueued
      ? { columns: ', queue_rank, due_at_ms', values: `, ${priority}, ${dueAtMs}` }
      : null
    const insert =
      tables === 'project'
        ? `insert into leads (seq, campaign_number, phone_number, external_id, metadata, priority, created_at_ms, token
              ${queue?.columns ?? ''})
            ${numbers} select (${number} << 32) + i, ${number}, ${phone}, ${rest}, 'seededlead0' ${queue?.values ?? ''} from n`
        : `insert into leads (id, campaign_id, phone_number, external_id, metadata, priority, created_at, due_at)
            ${numbers} select lower(hex(randomblob(16))), '${id}', ${phone}, ${rest}, ${dueAtMs} from n`
    await db.prepare(insert).run()
  }
}
