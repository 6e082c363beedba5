// The operator key of the local server: the one thing that is written to its database before it runs.
import { hashApiKey, isWellFormedApiKey, makeOperatorKey } from '../../base/access/api-key.ts'
import { insertOperatorKey, operatorKeyLifeMs } from '../operator-keys.ts'
import { openLocalDatabase } from './local-database.ts'
import { readLocalKeys, writeLocalKeys } from './local-keys.ts'

/** Migrates the database. Returns the stored key while it has a month left, else a new one. */
export async function ensureOperatorKey(stateDir: string, nowMs = Date.now()): Promise<string> {
  const sqlite = await openLocalDatabase(stateDir)
  try {
    const kept = await readLocalKeys(stateDir)
    const { operator } = kept
    if (typeof operator === 'string' && isWellFormedApiKey(operator)) {
      const valid = sqlite.prepare(
        'select id from operator_keys where hash = ? and revoked_at_ms is null and expires_at_ms > ?',
      )
      if (valid.get(hashApiKey(operator), nowMs + operatorKeyLifeMs / 12) !== undefined) return operator
    }
    const { key, material } = makeOperatorKey()
    sqlite.exec(insertOperatorKey(material, nowMs))
    await writeLocalKeys(stateDir, { ...kept, operator: key })
    return key
  } finally {
    sqlite.close()
  }
}
