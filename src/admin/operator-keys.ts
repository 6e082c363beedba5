// The SQL of operator keys, which alone are made and ended without HTTP. Only a key's hash reaches a database.
import type { KeyMaterial } from '../base/access/api-key.ts'

/** How long one works. */
export const operatorKeyLifeMs = 365 * 86_400_000

/** Whole, because wrangler takes no parameters. The values are of safe alphabets. */
export const insertOperatorKey = ({ id, hash, hint }: KeyMaterial, nowMs: number): string =>
  `insert into operator_keys (id, hash, hint, created_at_ms, expires_at_ms)
   values ('${id}', '${hash}', '${hint}', ${nowMs}, ${nowMs + operatorKeyLifeMs})`

export const revokeOperatorKeys = (nowMs: number): string =>
  `update operator_keys set revoked_at_ms = ${nowMs} where revoked_at_ms is null returning id`
