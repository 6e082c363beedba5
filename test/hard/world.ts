// What the attacks need in the database: companies, campaigns and hundreds of keys, since each may send only 1000
// requests an hour. And fresh phone numbers.
import { generateApiKey, hashApiKey } from '../../src/base/access/api-key.ts'
import { enterInDirectory } from '../support/companies/own-store.ts'
import { insertCampaigns, insertCompanies, insertKeys, newPhone } from '../support/database/seed.ts'

export { newPhone }

export type World = { readonly campaignIds: readonly string[]; readonly keys: readonly HardKey[] }
export type HardKey = { readonly id: string; readonly key: string }

/** Where a company is that has a store of its own. */
type Own = { readonly directory: D1Database; readonly store: string | null }

/** One company, its campaigns, and company-wide write keys. */
export async function seed(
  db: D1Database,
  campaignCount: number,
  keyCount: number,
  { directory, store }: Own = { directory: db, store: null },
  companyId = 'hard',
): Promise<World> {
  const campaignIds = Array.from({ length: campaignCount }, (_, index) => `campaign-${index}`)
  const keys = Array.from({ length: keyCount }, (_, index) => ({
    id: `key-${index}`,
    key: generateApiKey(),
    companyId,
  }))
  const hashed = keys.map(({ key, ...row }) => ({ ...row, hash: hashApiKey(key) }))
  if (store !== null) await enterInDirectory(directory, store, [companyId], hashed)
  await db.batch([
    insertCompanies(db, [companyId]),
    insertCampaigns(db, companyId, campaignIds),
    insertKeys(db, keys),
  ])
  return { campaignIds, keys }
}

export function pick<Value>(values: readonly Value[]): Value {
  return values[Math.floor(Math.random() * values.length)] as Value
}

/** 1 is most likely, `max` least. */
export function smallNumber(max: number): number {
  return Math.ceil(Math.random() ** 3 * max) || 1
}
