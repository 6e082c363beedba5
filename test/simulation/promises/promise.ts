// What a promise is: checks that are pure over what is known and what was observed. Each returns what breaks it, or
// null.
import type { Known } from '../model/known.ts'
import type { Move } from '../model/moves.ts'
import type { QuietHour } from '../model/quiet.ts'
import type { Rows } from '../model/rows.ts'
import type { Call, Exchange } from '../observed.ts'

export type Promised = {
  readonly name: string
  /** When a call begins, started by anybody: `call` is the last of `known.calls`. */
  readonly onCall?: (call: Call, known: Known) => string | null
  /** When a transaction has moved a lead, after its calls have begun. */
  readonly onMove?: (move: Move, known: Known) => string | null
  /** When an answer comes, after it was learned. */
  readonly onAnswer?: (exchange: Exchange, known: Known) => string | null
  /** Every twentieth action, and at the end: the tables of a company. */
  readonly onLook?: (rows: Rows, company: number, known: Known) => string | null
  /** When all faults are over, and so is the longest lease. */
  readonly atEnd?: (rows: Rows, company: number, nowMs: number, known: Known) => string | null
  /** After that, in one of four worlds: what an hour has done in which nobody has asked for anything. */
  readonly afterQuiet?: (hour: QuietHour, known: Known) => string | null
}
