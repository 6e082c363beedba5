// Compares what was copied with what it was copied from: every row of every table, column by column. The search index is
// made of the leads on each side, in the transaction that writes them.
import type { MoveProgress } from '../store/move-state.ts'
import type { MovedTable } from '../store/moved-rows.ts'
import { movedTables } from '../store/moved-tables.ts'
import { rowsOf } from './copy-rows.ts'
import { keyOf, letOthersIn, type Part, rangeOf, type Sides } from './sides.ts'

const rowsPerRange = 2_000
type Compared =
  | { readonly kind: 'complete' | 'unfinished' | 'aborted' }
  | { readonly kind: 'differs'; readonly table: string }

/** `begun` and `note` as for the copy. A repeated range costs time, so its part is not saved with each. */
export async function compareRows(
  sides: Sides,
  begun: MoveProgress,
  note: (part: Part, isLast: boolean) => Promise<boolean>,
): Promise<Compared> {
  let part = begun as Part
  for (;;) {
    const table = movedTables[part.table]
    if (table === undefined) return { kind: 'complete' }
    const range = await compareRange(sides, table, part.after)
    if (range === null) return { kind: 'differs', table: table.name }
    const after = range.after ?? movedTables[part.table + 1]?.start ?? ''
    part = {
      ...part,
      after,
      rows: part.rows + range.rows,
      table: part.table + (range.after === null ? 1 : 0),
    }
    const isOver = part.table === movedTables.length
    const isLast = isOver || Date.now() >= sides.endsAtMs
    if (!(await note(part, isLast))) return { kind: 'aborted' }
    if (isLast) return { kind: isOver ? 'complete' : 'unfinished' }
    await letOthersIn()
  }
}

/** Null: it differs. A null `after`: the table has no more. */
async function compareRange(
  sides: Sides,
  table: MovedTable,
  after: string,
): Promise<{ readonly rows: number; readonly after: string | null } | null> {
  const range = rangeOf(sides, after, rowsPerRange)
  const [rows, copies] = await Promise.all([rowsOf(table, sides.from, range), rowsOf(table, sides.to, range)])
  if (rows.length !== copies.length || rows.some((row, index) => row !== copies[index])) return null
  const last = rows.at(-1)
  return { rows: rows.length, after: last === undefined ? null : keyOf(table, last) }
}
