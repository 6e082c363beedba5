// The keys this isolate has verified in the last minute, and how many look-ups it makes for those it has not. What is
// remembered spares a look-up and decides nothing: every statement on leads checks the key again.

import { DatabaseUnavailable } from '../database/database.ts'
import { createMemoryWindows, remember } from '../rate-limits/memory-windows.ts'
import type { Window } from '../rate-limits/sliding-window.ts'
import { hashApiKey } from './api-key.ts'
import { type ApiKey, findApiKey } from './store/rights.ts'

type Remembered = { readonly apiKey: ApiKey; readonly untilMs: number }

const rememberedKeys = new Map<string, Remembered>()
const rememberedForMs = 60_000
const maxRememberedKeys = 10_000

/** The key, if it was active within the last minute. By its text, since hashing it costs more than all else here. */
export function recallKey(key: string): ApiKey | null {
  const known = rememberedKeys.get(key)
  return known !== undefined && Date.now() < known.untilMs ? known.apiKey : null
}

export function forgetKey(key: string): void {
  rememberedKeys.delete(key)
}

// Guesses with a good checksum cost a look-up each, so an isolate makes only so many: for one address well beyond
// what D26 lets it guess, because valid keys may share it, and for all addresses together. A key that was valid when
// last seen is no guess, so whoever floods the isolate with guesses cannot lock out those who already use it.
const lookUpsPerAddress: Window = { name: 'address', limit: 600, windowMs: 60_000 }
const lookUpsPerIsolate: Window = { name: 'isolate', limit: 6_000, windowMs: 60_000 }
const admitLookUp = createMemoryWindows()

/** The key was not looked up, so nobody can say that it is wrong (D33). */
export class TooManyLookUps extends DatabaseUnavailable {
  constructor() {
    super('too many look-ups')
  }
}

/** What an active key stands for, or null. `address` is who asks. Throws DatabaseUnavailable. */
export async function lookUpKey(db: D1Database, key: string, address: string): Promise<ApiKey | null> {
  const mayLookUp =
    rememberedKeys.has(key) ||
    (admitLookUp(address, [lookUpsPerAddress]).admitted && admitLookUp('all', [lookUpsPerIsolate]).admitted)
  if (!mayLookUp) throw new TooManyLookUps()

  const nowMs = Date.now()
  const apiKey = await findApiKey(db, hashApiKey(key), nowMs)
  if (apiKey === null) rememberedKeys.delete(key)
  else {
    const untilMs = Math.min(nowMs + rememberedForMs, apiKey.expiresAtMs ?? Infinity)
    remember(rememberedKeys, key, { apiKey, untilMs }, maxRememberedKeys)
  }
  return apiKey
}
