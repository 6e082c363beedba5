// What this isolate knows of keys, and how many look-ups it makes for those it does not know. What is remembered spares
// a look-up and grants nothing: every statement on leads checks the key again.
import { DatabaseUnavailable } from '../database/database.ts'
import { createMemoryWindows, remember } from '../rate-limits/memory-windows.ts'
import type { Window } from '../rate-limits/sliding-window.ts'
import { hashApiKey } from './api-key.ts'
import { type ApiKey, findApiKey } from './store/rights.ts'

/** What a look-up gives. Unchecked: nobody can say whether the key is good (D33). */
export type LookUp =
  | { readonly kind: 'active'; readonly apiKey: ApiKey }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unchecked'; readonly reason: string }

type Active = { readonly apiKey: ApiKey; readonly untilMs: number }

/** By their text, since hashing a key costs more than all else here. */
const activeKeys = new Map<string, Active>()
const activeForMs = 60_000

/** By their hash: a key that was refused may be a slip in one that is good. When, in Unix ms. */
const refusedKeys = new Map<string, number>()
const refusedForMs = 10_000

const maxKeys = 10_000

/** The key, if it was active within the last minute. */
export function recallKey(key: string): ApiKey | null {
  const known = activeKeys.get(key)
  return known !== undefined && Date.now() < known.untilMs ? known.apiKey : null
}

/** A key that was refused is refused for good: none is given back its rights. */
export function noteRefusal(key: string, nowMs: number): void {
  activeKeys.delete(key)
  remember(refusedKeys, hashApiKey(key), nowMs, maxKeys)
}

// A guess with a good checksum costs a look-up, so an isolate makes only so many: for one network well beyond what D26
// lets it guess, because valid keys may share it, and for all networks together. A key that was active when last seen
// is no guess, so whoever floods the isolate with guesses cannot lock out those who already use it.
const lookUpsPerNetwork: Window = { name: 'network', limit: 600, windowMs: 60_000 }
const lookUpsPerIsolate: Window = { name: 'isolate', limit: 6_000, windowMs: 60_000 }
const lookUps = createMemoryWindows()

function mayLookUp(key: string, network: string): boolean {
  if (activeKeys.has(key)) return true
  return (
    lookUps.admit(network, [lookUpsPerNetwork]).admitted && lookUps.admit('all', [lookUpsPerIsolate]).admitted
  )
}

/** Asks the database, unless it has just refused the key. `network` is who asks. */
export async function lookUpKey(db: D1Database, key: string, network: string): Promise<LookUp> {
  const nowMs = Date.now()
  const hash = hashApiKey(key)
  const refusedAtMs = refusedKeys.get(hash)
  // Not one of later than now: the clock has stepped back.
  if (refusedAtMs !== undefined && nowMs >= refusedAtMs && nowMs < refusedAtMs + refusedForMs)
    return { kind: 'refused' }
  if (!mayLookUp(key, network)) return { kind: 'unchecked', reason: 'too many look-ups' }
  try {
    const apiKey = await findApiKey(db, hash, nowMs)
    if (apiKey === null) {
      noteRefusal(key, nowMs)
      return { kind: 'refused' }
    }
    const untilMs = Math.min(nowMs + activeForMs, apiKey.expiresAtMs ?? Infinity)
    remember(activeKeys, key, { apiKey, untilMs }, maxKeys)
    return { kind: 'active', apiKey }
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return { kind: 'unchecked', reason: error.reason }
    throw error
  }
}
