// How many rows a move copies: counted in ranges before anything is frozen, so that no statement holds up others.
import { runBatch } from '../../../base/database/database.ts'
import { waits } from '../../../base/limits.ts'
import type { MoveProgress } from '../store/move-state.ts'
import { movedTables } from '../store/moved-tables.ts'
import { letOthersIn, type Sides } from './sides.ts'

const rowsPerRange = 10_000

/** `note` as for the copy. Null: there is more to count, or the move was aborted. Throws DatabaseUnavailable. */
export async function countRows(
  { move: { companyId, progress }, from, endsAtMs }: Sides,
  note: (place: MoveProgress, isLast: boolean) => Promise<boolean>,
): Promise<number | null> {
  let { table: index = 0, after = '', rows: sum = 0 } = progress.stage === 'counting' ? progress : {}
  for (;;) {
    const table = movedTables[index]
    if (table === undefined) return sum
    const range = { companyId, after: after || table.start, maxRows: rowsPerRange }
    const { rows } = await runBatch(from, [table.count(from, range)], waits.administrationMs)
    const [counted] = rows[0] as [{ rows: number; last: string | null }]
    sum += counted.rows
    if (counted.last === null) index++
    after = counted.last ?? ''
    const isLast = Date.now() >= endsAtMs
    if (!(await note({ stage: 'counting', table: index, after, rows: sum }, isLast)) || isLast) return null
    await letOthersIn()
  }
}
