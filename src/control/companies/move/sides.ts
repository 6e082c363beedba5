// The two databases of a move, as its steps take them. D1 is one of them, the company's object the other. And how much
// of their time it takes: others wait for one range at most.
import { Buffer } from 'node:buffer'
import { scheduler } from 'node:timers/promises'
import { readRows } from '../../../base/database/database.ts'
import { waits } from '../../../base/limits.ts'
import type { Move, MoveProgress } from '../store/move-state.ts'
import type { MovedTable } from '../store/moved-rows.ts'
import { movedTables } from '../store/moved-tables.ts'
import { bytesPerRange } from '../store/row-ranges.ts'

export type Sides = {
  readonly move: Move
  readonly from: D1Database
  readonly to: D1Database
  readonly directory: D1Database
  /** The object that carries the move out is the new store. */
  readonly isTarget: boolean
  /** The step ends then, and continues in the next one. */
  readonly endsAtMs: number
}

/** The move cannot continue, and ends: the company stays where it is. The message is for the operator. */
export class CannotMove extends Error {}

/** Another company's campaign has the number since D1 was restored: its leads would be under that. */
export const numberTaken = (number: number) =>
  new CannotMove(`another company's campaign in D1 has number ${number} too`)

/** A part of the work, and where it continues. */
export type Part = Required<Pick<MoveProgress, 'table' | 'after' | 'rows' | 'ofRows' | 'stage'>> &
  Pick<MoveProgress, 'head' | 'unlike' | 'isSecond'>

/** Where it continues, without why it did not. */
export const partOf = ({ problem: _, failsSinceMs: __, failedAtMs: ___, ...part }: MoveProgress) =>
  part as Part

/** The company's row first: what says how far the copy is refers to it. */
export const beginningOf = (stage: Part['stage'], ofRows: number | undefined): Part => ({
  stage,
  table: 0,
  after: movedTables[0]?.start ?? '',
  rows: 0,
  ofRows: ofRows ?? 0,
})

const rowsPerRange = 2_000

/** Rows of the next range of one side, each JSON. */
export async function rowsOf(
  { read }: MovedTable,
  db: D1Database,
  companyId: string,
  after: string,
): Promise<string[]> {
  const range = { companyId, after, maxRows: rowsPerRange, maxBytes: bytesPerRange }
  const rows = await readRows<{ row: string }>(db, read(db, range), waits.administrationMs)
  return rows.map(({ row }) => row)
}

/** It would have taken more: no rows follow. */
export const isLastRange = (rows: readonly string[]): boolean =>
  rows.length < rowsPerRange && Buffer.byteLength(rows.join('')) < bytesPerRange

/** After each range, so that what waits for either database is served. */
export const letOthersIn = () => scheduler.wait(1)

/** The `after` of the next range. */
export function keyOf({ keyAt }: MovedTable, row: string): string {
  const values = JSON.parse(row) as unknown[]
  return JSON.stringify(keyAt.map((index) => values[index]))
}
