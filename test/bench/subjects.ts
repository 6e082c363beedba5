// Who asks, in every benchmark database: companies, campaigns, API keys and addresses, the same for all Workers,
// and leads made by SQL inside the database. No benchmark lowers or lifts a limit: requests take turns over so
// many keys that none is used up, as they would in production.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { insertCampaigns, insertCompanies, insertKeys, insertLeadSeries } from '../support/seed.ts'

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
  keyCountHere: number = keyCount,
): Promise<void> {
  const ids = Object.keys(campaigns)
  const keys = Array.from({ length: keyCountHere }, (_, index) => ({
    id: `key${index}`,
    key: apiKey(index),
    companyId: 'acme',
  }))
  if (tables === 'project') {
    await db.batch([insertCompanies(db, ['acme']), insertCampaigns(db, 'acme', ids), insertKeys(db, keys)])
  } else await seedPeer(db, ids, keys)
  for (const [index, id] of ids.entries()) {
    for (const { from, to } of steps(campaigns[id] ?? 0)) {
      const insert =
        tables === 'project' ? insertLeadSeries(db, index + 1, from, to) : insertPeersLeads(db, id, from, to)
      await insert.run()
    }
  }
}

/** Leads that go in at once. */
function steps(count: number): { readonly from: number; readonly to: number }[] {
  const step = 50_000
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => ({
    from: index * step + 1,
    to: Math.min(count, (index + 1) * step),
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
function insertPeersLeads(db: D1Database, campaignId: string, from: number, to: number): D1PreparedStatement {
  return db
    .prepare(
      `insert into leads (id, campaign_id, phone_number, external_id, metadata, priority, created_at)
       with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to})
       select lower(hex(randomblob(16))), ?1, '+9' || printf('%010d', (i * 7654321) % 10000000000), 'crm-' || i,
         json_object('name', hex(randomblob(8)), 'company', hex(randomblob(12)), 'notes', hex(randomblob(50))),
         i % 101, 1760000000000 + i
       from n`,
    )
    .bind(campaignId)
}
