// Copies a company's rows, range by range, in the order of movedTables, while the company is open: what changes
// meanwhile is found by the comparison (compare-rows.ts). Each range is written in one transaction with its part, so
// that a crash repeats none; a range whose answer was lost is written again, which changes nothing.
import { takenNumber } from '../../../base/access/store/directory.ts'
import { runBatch } from '../../../base/database/database.ts'
import { waits } from '../../../base/limits.ts'
import { beginTarget, type MoveProgress, setProgress } from '../store/move-state.ts'
import type { MovedTable } from '../store/moved-rows.ts'
import { movedTables } from '../store/moved-tables.ts'
import {
  beginningOf,
  isLastRange,
  keyOf,
  letOthersIn,
  numberTaken,
  type Part,
  partOf,
  rowsOf,
  type Sides,
} from './sides.ts'

/**
 * `begun` is what the target says; `note` shows the operator a part, and returns whether the move continues. False:
 * there is more, or the move was aborted.
 */
export async function copyRows(
  sides: Sides,
  begun: MoveProgress,
  note: (part: Part) => Promise<boolean>,
): Promise<boolean> {
  if (begun.stage === 'comparing') return true
  let part = begun.stage === 'copying' ? partOf(begun) : beginningOf('copying', sides.move.progress.ofRows)
  let next = readRange(sides, part)
  while (Date.now() < sides.endsAtMs) {
    const table = movedTables[part.table]
    if (table === undefined) return true
    const rows = await next
    part = {
      ...part,
      ...(isLastRange(rows) ? startOfNext(part) : { after: keyOf(table, rows.at(-1) as string) }),
      rows: part.rows + rows.length,
    }
    // Read while this one is written.
    next = readRange(sides, part)
    if (rows.length === 0) continue
    if (!(await writeRange(sides, { table, rows }, part)) || !(await note(part))) return false
    await letOthersIn()
  }
  return false
}

const startOfNext = ({ table }: Part) => ({ table: table + 1, after: movedTables[table + 1]?.start ?? '' })

function readRange({ from, move }: Sides, { table, after }: Part): Promise<string[]> {
  const copied = movedTables[table]
  const rows = copied ? rowsOf(copied, from, move.companyId, after) : Promise.resolve([])
  // When the write before it fails, nobody waits for it.
  rows.catch(() => {})
  return rows
}

/** `gone` are deleted before. */
type Changes = {
  readonly table: MovedTable
  readonly rows: readonly string[]
  readonly gone?: readonly string[]
}

/** False: the move was aborted. */
export async function writeRange(
  { move, to }: Sides,
  { table, rows, gone = [] }: Changes,
  part: Part,
): Promise<boolean> {
  const { companyId } = move
  // A key grants nothing in D1 before the switch.
  const frozen = move.toStore === null ? 2 : 0
  const values = (slice: readonly string[]) => ({ companyId, rows: `[${slice.join()}]`, frozen })
  const numbers = table.name === 'campaigns' ? rows.flatMap((row) => JSON.parse(keyOf(table, row))) : []
  const done = await runBatch(
    to,
    [
      takenNumber(to, { companyId, numbers: JSON.stringify(numbers) }),
      ...slicesOf(gone, table.atOnce).map((slice) => table.erase(to, values(slice))),
      ...slicesOf(rows, table.atOnce).map((slice) => table.write(to, values(slice))),
      beginTarget(to, { companyId, nowMs: Date.now() }),
      setProgress(to, { companyId, progress: JSON.stringify(part) }),
    ],
    waits.administrationMs,
  )
  const [taken] = done.rows[0] as [{ number: number }?]
  if (taken !== undefined) throw numberTaken(taken.number)
  return done.rows.at(-1)?.length === 1
}

/** As few as possible, of as many rows each as one statement may write. */
function slicesOf(rows: readonly string[], atOnce: number): (readonly string[])[] {
  if (rows.length <= atOnce) return rows.length === 0 ? [] : [rows]
  return [rows.slice(0, atOnce), ...slicesOf(rows.slice(atOnce), atOnce)]
}
