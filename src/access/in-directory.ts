// What the directory records for a company with its own store: keys and campaign numbers. Nothing for a company in D1.
import { isOperator, type KeyedExchange } from './authenticate.ts'
import { enterKey, markKeysRevoked, type ReserveNumber, reserveIn } from './store/directory.ts'

/** Null: the company is in D1. */
export const directoryOf = (x: KeyedExchange): D1Database | null => (x.env.storeName ? x.c.env.DB : null)

/** For createCampaign, which needs a number that no other store gives. */
export const numbersFor = (x: KeyedExchange): ReserveNumber | null => reserveIn(directoryOf(x))

/** Before the store has the key. A row without its key, as a refused request leaves it, does no harm. */
export async function enterNewKey(x: KeyedExchange, id: string, hash: string): Promise<void> {
  const directory = directoryOf(x)
  if (directory !== null) await enterKey(directory, { id, hash, companyId: x.apiKey.companyId })
}

/**
 * The answer does not wait for it, and nothing depends on it, except the operator's, whose revocation a store may only
 * hold: then it is the directory that keeps the key from working where the company arrives.
 */
export async function markRevoked(x: KeyedExchange, keyIds: readonly string[], nowMs: number): Promise<void> {
  const directory = directoryOf(x)
  if (directory === null) return
  const marked = markKeysRevoked(directory, x.apiKey.companyId, keyIds, nowMs)
  if (isOperator(x)) await marked
  else x.c.executionCtx.waitUntil(marked.catch(() => {}))
}
