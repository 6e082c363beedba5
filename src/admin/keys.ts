// Makes new API keys for the operator and the demo, and derives the status of a stored one.
import { generateApiKey, hashApiKey, hintApiKey } from '../access/api-key.ts'
import type { KeyMaterial } from '../access/store/administration.ts'
import type { KeyRecord } from '../access/store/key-hours.ts'
import { randomBase62 } from '../base62.ts'

/** A new key, which is shown only once, and what the database stores of it. */
export function makeKey(): { readonly key: string; readonly material: KeyMaterial } {
  const key = generateApiKey()
  return { key, material: { id: `key_${randomBase62(16)}`, hash: hashApiKey(key), hint: hintApiKey(key) } }
}

export function statusOf(key: KeyRecord, nowMs: number): 'active' | 'revoked' | 'expired' {
  if (key.revokedAtMs !== null) return 'revoked'
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'expired' : 'active'
}
