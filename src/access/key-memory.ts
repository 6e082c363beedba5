// This isolate's memory of keys, and a limit of look-ups for unknown ones. Memory saves a look-up and grants nothing:
// each statement on leads checks the key again.
import { DatabaseUnavailable } from '../database/database.ts'
import { createMemoryWindows, remember } from '../rate-limits/memory-windows.ts'
import type { Window } from '../rate-limits/sliding-window.ts'
import { hashApiKey } from './api-key.ts'
import { type ApiKey, findApiKey } from './store/rights.ts'

/** Unchecked: the key could not be looked up (D33). */
export type LookUp =
  | { readonly kind: 'active'; readonly apiKey: ApiKey }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unchecked'; readonly reason: string }

type Active = { readonly apiKey: ApiKey; readonly untilMs: number }

/** By the key's text, because hashing it costs more than the rest. */
const activeKeys = new Map<string, Active>()
const activeForMs = 60_000

/** When, in Unix ms, by the key's hash: a refused text may be a valid key with a typo, and is not kept. */
const refusedKeys = new Map<string, number>()
const refusedForMs = 10_000

const maxKeys = 10_000

/** The key, if it was active within the last minute. */
export function recallKey(key: string): ApiKey | null {
  const known = activeKeys.get(key)
  return known !== undefined && Date.now() < known.untilMs ? known.apiKey : null
}

/** A refused key stays refused: revoking and expiry cannot be undone. */
export function noteRefusal(key: string, nowMs: number): void {
  activeKeys.delete(key)
  remember(refusedKeys, hashApiKey(key), nowMs, maxKeys)
}

// A guess with a valid checksum costs a look-up, so an isolate limits them: for one network well above the guesses that
// D26 allows, because valid keys may share it, and for all networks together. A key that was active when last seen is
// no guess, so a flood of guesses cannot lock out clients that use the isolate already.
const lookUpsPerNetwork: Window = { name: 'network', limit: 600, windowMs: 60_000 }
const lookUpsPerIsolate: Window = { name: 'isolate', limit: 6_000, windowMs: 60_000 }
const lookUps = createMemoryWindows()

function mayLookUp(key: string, network: string): boolean {
  if (activeKeys.has(key)) return true
  return (
    lookUps.admit(network, [lookUpsPerNetwork]).admitted && lookUps.admit('all', [lookUpsPerIsolate]).admitted
  )
}

/** Queries the database, unless it has just refused the key. `network` is the client's. */
export async function lookUpKey(db: D1Database, key: string, network: string): Promise<LookUp> {
  const nowMs = Date.now()
  const hash = hashApiKey(key)
  const refusedAtMs = refusedKeys.get(hash)
  // A refusal in the future means that the clock has stepped back: it is ignored.
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
