// Revocations by the operator while a move has frozen a store: nothing changes, each batch is answered as if it had
// been carried out, and it is when the move has ended, wherever the company is then.
import type { SentStatement, StatementResult } from '../../../base/database/company-store.ts'
import { runBatch, storeFrozen } from '../../../base/database/database.ts'

/** The name of its value beside the tables. */
const heldKey = 'held'

type Statements = readonly SentStatement[]
type Run = (statements: Statements) => StatementResult[]

export const heldBatches = (storage: DurableObjectStorage, run: Run) => {
  const list = () => storage.kv.get<Statements[]>(heldKey) ?? []

  /** As after what is held. All of it is rolled back, since the copy has none of it. */
  function tryOut(statements: Statements): StatementResult[] {
    let results: StatementResult[] = []
    const rolledBack = new Error(storeFrozen)
    try {
      storage.transactionSync(() => {
        for (const held of list()) run(held)
        results = run(statements)
        throw rolledBack
      })
    } catch (error) {
      if (error !== rolledBack) throw error
    }
    return results
  }

  return {
    tryOut,
    hold(statements: Statements): StatementResult[] {
      const results = tryOut(statements)
      storage.kv.put(heldKey, [...list(), statements])
      return results
    },
    /** In a transaction of the caller. */
    carryOut(): void {
      for (const statements of list()) run(statements)
      storage.kv.delete(heldKey)
    },
    /** The company has left for D1. */
    async releaseTo(db: D1Database): Promise<void> {
      for (const statements of list())
        await runBatch(
          db,
          statements.map(([text, values]) => db.prepare(text).bind(...values)),
        )
      storage.kv.delete(heldKey)
    },
  }
}
