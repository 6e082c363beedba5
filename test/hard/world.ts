// What the attacks need in the database: companies, campaigns and hundreds of keys, since each may send only 1000
// requests an hour. And fresh phone numbers.
import { generateApiKey } from '../../src/access/api-key.ts'
import { insertCampaigns, insertCompanies, insertKeys, newPhone } from '../support/seed.ts'

export { newPhone }

export type World = { readonly campaignIds: readonly string[]; readonly keys: readonly HardKey[] }
export type HardKey = { readonly id: string; readonly key: string }

/** One company, its campaigns, and company-wide write keys. */
export async function seed(db: D1Database, campaignCount: number, keyCount: number): Promise<World> {
  const companyId = 'hard'
  const campaignIds = Array.from({ length: campaignCount }, (_, index) => `campaign-${index}`)
  const keys = Array.from({ length: keyCount }, (_, index) => ({
    id: `key-${index}`,
    key: generateApiKey(),
    companyId,
  }))
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
