// How many rows a move copies: counted in ranges before anything is frozen, so that no statement holds up others.
import { runBatch } from '../../database/database.ts'
import { waits } from '../../limits.ts'
import { movedTables } from '../store/moved-tables.ts'
import { letOthersIn } from './sides.ts'

const rowsPerRange = 10_000

export type Counted = { readonly table: number; readonly after: string; readonly rows: number }
const nothing: Counted = { table: 0, after: movedTables[0]?.start ?? '', rows: 0 }

/** `note` gets each place, and returns whether to continue from there. Null: it did not. Throws DatabaseUnavailable. */
export async function countRows(
  db: D1Database,
  companyId: string,
  note: (counted: Counted) => Promise<boolean>,
  begun: Counted = nothing,
): Promise<number | null> {
  let { table: index, after, rows: sum } = begun
  for (;;) {
    const table = movedTables[index]
    if (table === undefined) return sum
    const range = { companyId, after, maxRows: rowsPerRange }
    const { rows } = await runBatch(db, [table.count(db, range)], waits.administrationMs)
    const [counted] = rows[0] as [{ rows: number; last: string | null }]
    sum += counted.rows
    if (counted.last === null) index++
    after = counted.last ?? movedTables[index]?.start ?? ''
    if (!(await note({ table: index, after, rows: sum }))) return null
    await letOthersIn()
  }
}
