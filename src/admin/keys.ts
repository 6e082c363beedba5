// Derives the status of a stored API key.
import type { KeyRecord } from '../access/store/key-hours.ts'

export { makeKey } from '../access/api-key.ts'

export function statusOf(key: KeyRecord, nowMs: number): 'active' | 'revoked' | 'expired' {
  if (key.revokedAtMs !== null) return 'revoked'
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'expired' : 'active'
}
