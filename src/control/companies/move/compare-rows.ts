// Compares what was copied with what it was copied from, once the company is frozen: every row of every table, column
// by column. What has changed since it was copied is brought over: rows that are gone, or are different, are deleted in
// the target, and those of the source written. So what is left is equal, however old the copy is. The search index is
// made of the leads on each side, in the transaction that writes them.
import { Buffer } from 'node:buffer'
import { type MoveProgress, readLogHead } from '../store/move-state.ts'
import type { MovedTable } from '../store/moved-rows.ts'
import { movedTables } from '../store/moved-tables.ts'
import { writeRange } from './copy-rows.ts'
import {
  beginningOf,
  CannotMove,
  isLastRange,
  keyOf,
  letOthersIn,
  type Part,
  partOf,
  rowsOf,
  type Sides,
} from './sides.ts'

/**
 * `begun` and `note` as for the copy. A repeated range costs time, so its part is not saved with each. Returns the head
 * of the log when it began: what was logged since may have changed a row that was compared before. Null: there is more,
 * or the move was aborted. Throws CannotMove when rows cannot be made equal.
 */
export async function compareRows(
  sides: Sides,
  begun: MoveProgress,
  note: (part: Part, isLast: boolean) => Promise<boolean>,
): Promise<number | null> {
  const head = begun.head ?? (await readLogHead(sides.from, sides.move.companyId))
  const beginning = { ...beginningOf('comparing', begun.ofRows), head }
  let part: Part = begun.stage === 'comparing' && begun.head !== undefined ? partOf(begun) : beginning
  /** The end of the range that was just made equal, and is compared again; undefined: none was. */
  let repairedTo: string | null | undefined
  for (;;) {
    const table = movedTables[part.table]
    if (table === undefined) {
      if (part.unlike === undefined) return head
      if (part.isSecond) throw new CannotMove(`${part.unlike} differs from its copy`)
      // A row may have been in the way of an earlier one, by a value that is unique.
      part = { ...beginning, isSecond: true }
      continue
    }
    const { after, rows, missing, gone } = await compareRange(sides, table, part.after, repairedTo)
    const isLike = missing.length === 0 && gone.length === 0
    if (!isLike && repairedTo === undefined) {
      if (!(await writeRange(sides, { table, rows: missing, gone: table.isParent ? [] : gone }, part)))
        return null
      repairedTo = after
      continue
    }
    repairedTo = undefined
    part = {
      ...part,
      after: after ?? movedTables[part.table + 1]?.start ?? '',
      rows: part.rows + rows,
      table: part.table + (after === null ? 1 : 0),
      unlike: isLike ? part.unlike : table.name,
    }
    const isOver = part.table === movedTables.length
    const isLast = isOver || Date.now() >= sides.endsAtMs
    if (!(await note(part, isLast)) || (isLast && !isOver)) return null
    await letOthersIn()
  }
}

/**
 * Up to the key `end`, or to the end of the table: null; undefined: as far as both sides are read. Returns where it
 * ends; `missing` are of the source, and not in the target, and a row that differs is `gone` too.
 */
async function compareRange(
  { from, to, move }: Sides,
  table: MovedTable,
  start: string,
  end: string | null | undefined,
) {
  const read = (db: D1Database) => rowsOf(table, db, move.companyId, start)
  const [rows, copies] = await Promise.all([read(from), read(to)])
  const after = end === undefined ? endOf(table, rows, copies) : end
  if (end === undefined && rows.length === copies.length && rows.every((row, index) => row === copies[index]))
    return { after, rows: rows.length, missing: [], gone: [] }
  const within = (some: readonly string[]) =>
    new Set(some.filter((row) => after === null || isUpTo(keyOf(table, row), after)))
  const [source, target] = [within(rows), within(copies)]
  const missing = [...source].filter((row) => !target.has(row))
  const gone = [...target].filter((row) => !source.has(row))
  return { after, rows: source.size, missing, gone }
}

/** Null: neither side has more. */
const endOf = (table: MovedTable, rows: readonly string[], copies: readonly string[]): string | null =>
  isLastRange(rows) && isLastRange(copies) ? null : firstOf(keyOfLast(table, rows), keyOfLast(table, copies))

function keyOfLast(table: MovedTable, rows: readonly string[]): string | null {
  const last = rows.at(-1)
  return last === undefined ? null : keyOf(table, last)
}

const firstOf = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && isUpTo(other, one)) ? other : one

/** In the order of SQLite: numbers by value, texts by their bytes. */
function isUpTo(key: string, last: string): boolean {
  const [values, lasts] = [JSON.parse(key), JSON.parse(last)] as [readonly Value[], readonly Value[]]
  for (const [index, value] of values.entries()) {
    const order = compare(value, lasts[index] as Value)
    if (order !== 0) return order < 0
  }
  return true
}

type Value = string | number

const compare = (one: Value, other: Value): number =>
  typeof one === 'string' ? Buffer.compare(Buffer.from(one), Buffer.from(`${other}`)) : one - Number(other)
