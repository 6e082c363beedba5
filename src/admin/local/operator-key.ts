// The operator key of the local server: the one thing that is written to its database before it runs.
import { hashApiKey, isWellFormedApiKey, makeOperatorKey } from '../../access/api-key.ts'
import { runBatch, runOnce } from '../../database/database.ts'
import { insertOperatorKey, operatorKeyLifeMs } from '../operator-keys.ts'
import { onceUnlocked, openLocalDatabase } from './local-database.ts'
import { readLocalKeys, writeLocalKeys } from './local-keys.ts'

/** Migrates the database. Returns the stored key while it has a month left, else a new one. */
export async function ensureOperatorKey(stateDir: string, nowMs = Date.now()): Promise<string> {
  const { db, close } = await openLocalDatabase(stateDir)
  try {
    const kept = await readLocalKeys(stateDir)
    const { operator } = kept
    if (typeof operator === 'string' && isWellFormedApiKey(operator)) {
      const select =
        'select id from operator_keys where hash = ?1 and revoked_at_ms is null and expires_at_ms > ?2'
      const found = db.prepare(select).bind(hashApiKey(operator), nowMs + operatorKeyLifeMs / 12)
      const { rows } = await onceUnlocked(() => runBatch(db, [found]))
      if (rows[0]?.length === 1) return operator
    }
    const { key, material } = makeOperatorKey()
    await onceUnlocked(() => runOnce(db, [db.prepare(insertOperatorKey(material, nowMs)).bind()]))
    await writeLocalKeys(stateDir, { ...kept, operator: key })
    return key
  } finally {
    await close()
  }
}
