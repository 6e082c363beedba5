// Where the companies of tests live: in D1, or, with TEST_STORE=own, all of them in one store of their own. So every
// test runs against both. Tests that seed and read go to `companyDb`; D1 then has only the directory.
import { env } from 'cloudflare:workers'
import { hashApiKey } from '../../../src/base/access/api-key.ts'
import { databaseWithShortcuts, enterInDirectory } from '../companies/own-store.ts'
import type { SeededKey } from './seed.ts'

export const storeName = env.TEST_STORE === 'own' ? 'tests' : null

/** What tests hold of D1 alone, and why. Each is skipped where companies have a store of their own. */
const ofD1 = {
  lookUps:
    'They count trips or work of a look-up in D1; one in two databases costs others (own-store/keys.test.ts)',
  unforeseen:
    'A store of its own has no call that could fail outside of a batch, whose failures are foreseen',
  statements: 'It compares both itself',
  directory: 'It acts on D1 itself, wherever companies live',
  alarms: 'The alarm of a store continues by itself between two steps of the test',
} as const

/** For `skipIf`. */
export const isOfD1 = (_: keyof typeof ofD1): boolean => storeName !== null

/** The database of the companies of tests. */
export const companyDb: D1Database =
  storeName === null
    ? env.DB
    : databaseWithShortcuts((statements) => env.COMPANY_STORES.getByName(storeName).batch(statements))

/** Enters companies and keys in the directory, when they live in a store of their own. */
export async function enterSeeded(
  companyIds: readonly string[],
  keys: readonly Pick<SeededKey, 'id' | 'key' | 'companyId'>[] = [],
): Promise<void> {
  if (storeName === null) return
  const hashed = keys.map(({ key, ...row }) => ({ ...row, hash: hashApiKey(key) }))
  await enterInDirectory(env.DB, storeName, companyIds, hashed)
}

/** The bindings of a Worker whose companies live in this database, in place of the one of tests. */
export function bindingsOf<Bindings extends { readonly DB?: unknown }>(bindings: Bindings): object {
  const { DB } = bindings
  // What is no database at all takes the place of D1, where a look-up begins. A test that brings the stores too says
  // itself which is which.
  const isWhole = DB === undefined || !('batch' in (DB as object)) || 'COMPANY_STORES' in bindings
  if (storeName === null || isWhole) return bindings
  const db = DB as D1Database
  const batch = (statements: readonly (readonly [string, readonly unknown[]])[]) =>
    db.batch(statements.map(([text, values]) => db.prepare(text).bind(...values)))
  return { ...bindings, DB: env.DB, COMPANY_STORES: { getByName: () => ({ batch }) } }
}
