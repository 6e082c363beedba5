// Who asks, in every benchmark database: companies, campaigns, API keys and addresses, the same for all Workers,
// and leads made by SQL inside the database. No benchmark lowers or lifts a limit: requests take turns over so
// many keys that none is used up, as they would in production.

import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

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

/** Campaigns by id, with the leads they start with. */
export type Campaigns = Record<string, number>

export async function seed(
  db: D1Database,
  tables: Tables,
  campaigns: Campaigns,
  keys: number = keyCount,
): Promise<void> {
  const project = tables === 'project'
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
  }
  const hashes = Array.from({ length: keys }, (_, index) => sha256(apiKey(index)))
  const insertKeys = project
    ? `insert into api_keys (id, company_id, scope, name, hash, hint, created_at_ms)
        select 'key' || key, 'acme', 'write', 'bench', value, 'lk_', 0 from json_each(?1)`
    : `insert into api_keys (id, company_id, scope, hash)
        select 'key' || key, 'acme', 'write', value from json_each(?1)`
  await db.prepare(insertKeys).bind(JSON.stringify(hashes)).run()
  for (const [index, id] of ids.entries()) {
    await addLeads(db, tables, index + 1, id, campaigns[id] ?? 0)
  }
}

/** Phone numbers of seeded leads begin with +9, those of created ones with +1. */
async function addLeads(db: D1Database, tables: Tables, number: number, id: string, count: number) {
  const step = 50_000
  for (let from = 1; from <= count; from += step) {
    const series = `with recursive n(i) as
      (select ${from} union all select i + 1 from n where i < ${Math.min(count, from + step - 1)})`
    const phone = `'+9' || printf('%010d', (i * 7654321) % 10000000000)`
    const metadata = `json_object('name', hex(randomblob(8)), 'company', hex(randomblob(12)),
      'notes', hex(randomblob(50)))`
    const rest = `'crm-' || i, ${metadata}, i % 101`
    const insert =
      tables === 'project'
        ? `insert into leads (seq, campaign_number, phone_number, external_id, metadata, priority, created_at_ms, token)
            ${series} select (${number} << 32) + i, ${number}, ${phone}, ${rest}, 1760000000000 + i, 'seededlead0' from n`
        : `insert into leads (id, campaign_id, phone_number, external_id, metadata, priority, created_at)
            ${series} select lower(hex(randomblob(16))), '${id}', ${phone}, ${rest}, 1760000000000 + i from n`
    await db.prepare(insert).run()
  }
}
