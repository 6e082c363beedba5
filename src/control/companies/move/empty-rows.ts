// Deletes the rows of a company in a database that it has left, or never reached: children first, in ranges. The
// company's own row stays: D1 is its directory. Nobody waits for it, so it pauses as long as it works.
import { scheduler } from 'node:timers/promises'
import { runBatch } from '../../../base/database/database.ts'
import { waits } from '../../../base/limits.ts'
import { movedTables } from '../store/moved-tables.ts'

const rowsPerRange = 250
const emptied = movedTables.filter(({ name }) => name !== 'companies').reverse()

type Clock = { readonly nowMs: () => number; readonly wait: (ms: number) => Promise<unknown> }
const clockOfIsolate: Clock = { nowMs: () => Date.now(), wait: (ms) => scheduler.wait(ms) }

/** False: there is more. */
export async function emptyRows(
  db: D1Database,
  companyId: string,
  endsAtMs: number,
  { nowMs, wait }: Clock = clockOfIsolate,
): Promise<boolean> {
  for (const { remove, start, atOnce } of emptied) {
    const range = { companyId, after: start, maxRows: Math.min(rowsPerRange, atOnce) }
    for (;;) {
      if (nowMs() >= endsAtMs) return false
      const beganAtMs = nowMs()
      const { rows } = await runBatch(db, [remove(db, range)], waits.administrationMs)
      const deleted = rows[0]?.length ?? 0
      if (deleted > 0) await wait(Math.max(1, nowMs() - beganAtMs))
      if (deleted < range.maxRows) break
    }
  }
  return true
}
