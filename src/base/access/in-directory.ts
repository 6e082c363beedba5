// What the directory records for a company with its own store: keys, campaign numbers and members. Nothing more for a
// company in D1.
import type { KeyedExchange } from './granted.ts'
import {
  enterKey,
  enterMembers,
  leaveDirectory,
  markKeysRevoked,
  type ReserveNumber,
  reserveIn,
} from './store/directory.ts'

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
  if (x.isOperator) await marked
  else x.c.executionCtx.waitUntil(marked.catch(() => {}))
}

/** Before a store of its own has the member. Returns what the batch in D1 enters by itself; null there. */
export async function enterNewMember(
  x: KeyedExchange,
  id: string,
  emailHash: string,
): Promise<string | null> {
  const directory = directoryOf(x)
  if (directory === null) return emailHash
  await enterMembers(directory, x.apiKey.companyId, [{ id, emailHash }])
  return null
}

/**
 * The answer does not wait for it: where the directory still has a member, his company has not. In D1 the batch does
 * it.
 */
export function forgetMember(x: KeyedExchange, id: string): void {
  const directory = directoryOf(x)
  if (directory !== null)
    x.c.executionCtx.waitUntil(leaveDirectory(directory, x.apiKey.companyId, [id]).catch(() => {}))
}
