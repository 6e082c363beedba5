// Copies a company's rows, range by range, in the order of movedTables. Each range is written in one transaction with its
// part, so that a crash repeats none; a range whose answer was lost is written again, which changes nothing.
import { takenNumber } from '../../access/store/directory.ts'
import { readRows, runBatch } from '../../database/database.ts'
import { waits } from '../../limits.ts'
import { beginTarget, type MoveProgress, setProgress } from '../store/move-state.ts'
import type { MovedTable } from '../store/moved-rows.ts'
import { movedTables } from '../store/moved-tables.ts'
import { type CopyEnd, keyOf, letOthersIn, numberTaken, type Part, rangeOf, type Sides } from './sides.ts'

const rowsPerRange = 2_000

/** `begun` is what the target says; `note` shows the operator a part, and returns whether the move goes on. */
export async function copyRows(
  sides: Sides,
  begun: MoveProgress,
  note: (part: Part) => Promise<boolean>,
): Promise<CopyEnd> {
  if (begun.stage === 'comparing') return 'complete'
  let part: Part = begun.stage === 'copying' ? (begun as Part) : begin(sides)
  let next = readRange(sides, part)
  while (Date.now() < sides.endsAtMs) {
    const table = movedTables[part.table]
    if (table === undefined) {
      const ofRows = part.rows
      const done = { stage: 'comparing', table: 0, after: firstStart, rows: 0, ofRows } as const
      await writeRange(sides, part.table, [], done)
      return 'complete'
    }
    const rows = await next
    const last = rows.at(-1)
    if (last === undefined) {
      part = { ...part, table: part.table + 1, after: movedTables[part.table + 1]?.start ?? '' }
      next = readRange(sides, part)
      continue
    }
    const from = part
    part = { ...part, after: keyOf(table, last), rows: part.rows + rows.length }
    // Read while this one is written.
    next = readRange(sides, part)
    if (!(await writeRange(sides, from.table, rows, part))) return 'aborted'
    if (!(await note(part))) return 'aborted'
    await letOthersIn()
  }
  return 'unfinished'
}

const firstStart = movedTables[0]?.start ?? ''

/** The company's row first: what says how far the copy is refers to it. */
const begin = ({ move }: Sides): Part => ({
  stage: 'copying',
  table: 0,
  after: firstStart,
  rows: 0,
  ofRows: move.progress.ofRows ?? 0,
})

/** Avoids an unhandled rejection of the read-ahead. */
function readRange(sides: Sides, part: Part): Promise<string[]> {
  const rows = readPart(sides, part)
  rows.catch(() => {})
  return rows
}

async function readPart(sides: Sides, { table, after }: Part): Promise<string[]> {
  const copied = movedTables[table]
  return copied === undefined ? [] : rowsOf(copied, sides.from, rangeOf(sides, after, rowsPerRange))
}

/** Those of a range, each JSON. */
export async function rowsOf(
  { read }: MovedTable,
  db: D1Database,
  range: ReturnType<typeof rangeOf>,
): Promise<string[]> {
  const rows = await readRows<{ row: string }>(db, read(db, range), waits.administrationMs)
  return rows.map(({ row }) => row)
}

/** False: the move was aborted. */
async function writeRange({ move, to }: Sides, table: number, rows: readonly string[], part: Part) {
  const { companyId } = move
  // A key grants nothing in D1 before the switch.
  const frozen = move.toStore === null ? 2 : 0
  const values = (slice: readonly string[]) => ({ companyId, rows: `[${slice.join()}]`, frozen })
  const progress = JSON.stringify(part)
  const copied = movedTables[table]
  const numbers = copied?.name === 'campaigns' ? rows.flatMap((row) => JSON.parse(keyOf(copied, row))) : []
  const done = await runBatch(
    to,
    [
      takenNumber(to, { companyId, numbers: JSON.stringify(numbers) }),
      ...(copied === undefined
        ? []
        : slicesOf(rows, copied.atOnce).map((slice) => copied.write(to, values(slice)))),
      beginTarget(to, { companyId, nowMs: Date.now() }),
      setProgress(to, { companyId, progress }),
    ],
    waits.administrationMs,
  )
  const [taken] = done.rows[0] as [{ number: number }?]
  if (taken !== undefined) throw numberTaken(taken.number)
  return done.rows.at(-1)?.length === 1
}

/** As few as possible, of as many rows each as one statement may write. */
function slicesOf(rows: readonly string[], atOnce: number): (readonly string[])[] {
  if (rows.length <= atOnce) return [rows]
  return [rows.slice(0, atOnce), ...slicesOf(rows.slice(atOnce), atOnce)]
}
