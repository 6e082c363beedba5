// How many rows a move copies.
import { runBatch } from '../../database/database.ts'
import { movedTables } from '../store/moved-tables.ts'

/** The search index is made again instead. */
export const copiedTables = movedTables.filter(({ isRebuilt }) => !isRebuilt)

/** A million take a second. */
const countingMs = 25_000

/** Throws DatabaseUnavailable. */
export async function countRows(db: D1Database, companyId: string): Promise<number> {
  const counts = copiedTables.map(({ count, start }) => count(db, { companyId, after: start }))
  const { rows } = await runBatch(db, counts, countingMs)
  return rows.reduce((sum, [row]) => sum + (row as { rows: number }).rows, 0)
}
