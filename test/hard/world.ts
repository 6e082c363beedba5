// What the attacks need in the database: companies, campaigns and hundreds of keys, since each may send only 1000
// requests an hour. And fresh phone numbers.
import { generateApiKey, hashApiKey } from '../../src/access/api-key.ts'

export type World = { readonly campaignIds: readonly string[]; readonly keys: readonly HardKey[] }
export type HardKey = { readonly id: string; readonly key: string }

/** One company, its campaigns, and company-wide write keys. */
export async function seed(db: D1Database, campaignCount: number, keyCount: number): Promise<World> {
  const campaignIds = Array.from({ length: campaignCount }, (_, index) => `campaign-${index}`)
  const keys = Array.from({ length: keyCount }, (_, index) => ({
    id: `key-${index}`,
    key: generateApiKey(),
  }))
  await db.batch([
    db.prepare("insert into companies (id, name, created_at_ms) values ('hard', 'Hard', 0)"),
    db
      .prepare(
        `insert into campaigns (id, company_id, name, created_at_ms)
         select value, 'hard', value, 0 from json_each(?1)`,
      )
      .bind(JSON.stringify(campaignIds)),
    db
      .prepare(
        `insert into api_keys (id, company_id, scope, name, hash, hint, created_at_ms)
         select value ->> 0, 'hard', 'write', value ->> 0, value ->> 1, 'lk_…', 0 from json_each(?1)`,
      )
      .bind(JSON.stringify(keys.map(({ id, key }) => [id, hashApiKey(key)]))),
  ])
  return { campaignIds, keys }
}

let numbers = 0

export function newPhone(): string {
  return `+49${String(10_000_000_000 + ++numbers)}`
}

export function pick<Value>(values: readonly Value[]): Value {
  return values[Math.floor(Math.random() * values.length)] as Value
}

/** 1 is most likely, `max` least. */
export function smallNumber(max: number): number {
  return Math.ceil(Math.random() ** 3 * max) || 1
}
