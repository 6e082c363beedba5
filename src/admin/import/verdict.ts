// What became of a row, in the four words of an import, and how many of each there are. The service knows two of them
// by one word, `skipped`: whether the lead was there before, or stands twice in the file, only the import can tell.
import type { LeadResult } from '../../sdk/src/lead-intake.ts'
import { counted } from '../text/print.ts'
import type { CsvRow } from './csv.ts'

export type Verdict = {
  /** `created`: by this import, in whichever of its runs. */
  readonly status: 'created' | 'there already' | 'skipped' | 'invalid'
  readonly leadId: string | null
  /** Empty when it is created. */
  readonly reason: string
}

export type JudgedRow = { readonly row: CsvRow; readonly verdict: Verdict }

/** Of the rows that are done. */
export type Tally = {
  readonly rows: number
  readonly created: number
  readonly thereAlready: number
  readonly skipped: number
  readonly invalid: number
}

export const emptyTally: Tally = { rows: 0, created: 0, thereAlready: 0, skipped: 0, invalid: 0 }

export function addToTally(tally: Tally, judged: readonly JudgedRow[]): Tally {
  const count = (status: Verdict['status']) =>
    judged.filter(({ verdict }) => verdict.status === status).length
  return {
    rows: tally.rows + judged.length,
    created: tally.created + count('created'),
    thereAlready: tally.thereAlready + count('there already'),
    skipped: tally.skipped + count('skipped'),
    invalid: tally.invalid + count('invalid'),
  }
}

/** `ofRows`: while there are more to come. */
export function tallyText({ rows, created, thereAlready, skipped, invalid }: Tally, ofRows?: number): string {
  const done = ofRows === undefined ? counted(rows, 'row') : `${rows}/${counted(ofRows, 'row')}`
  return `${done}: ${created} created, ${thereAlready} there already, ${skipped} skipped, ${invalid} invalid`
}

/**
 * The phone numbers of the rows so far, as numbers, which are a third of the size: 15 digits are exact. A set holds 16
 * million, which take a day at the service's limit.
 */
export type SeenNumbers = Set<number>

export function see(seen: SeenNumbers, { phoneNumber }: CsvRow): void {
  if (/^\+\d{1,15}$/.test(phoneNumber)) seen.add(Number(phoneNumber))
}

/**
 * Judges the next row by the service's result for it. `isOwn` says that a lead which was found there is this import's:
 * an earlier run sent it, and did not hear the answer.
 */
export function judge(
  seen: SeenNumbers,
  row: CsvRow,
  result: LeadResult,
  isOwn: (leadId: string) => boolean,
): Verdict {
  const isRepeated = seen.has(Number(row.phoneNumber))
  see(seen, row)
  if (result.status === 'invalid')
    return { status: 'invalid', leadId: null, reason: explain(row, result.error) }
  const { leadId } = result
  if (result.status === 'created') return { status: 'created', leadId, reason: '' }
  if (isRepeated) return { status: 'skipped', leadId, reason: 'phoneNumber stands in an earlier row' }
  if (leadId !== null && isOwn(leadId)) return { status: 'created', leadId, reason: '' }
  return { status: 'there already', leadId, reason: 'Lead already exists' }
}

function explain({ phoneNumber }: CsvRow, reason: string): string {
  if (!/^['+]?\d([.,]\d+)?E\+?\d+$/i.test(phoneNumber)) return reason
  return `${reason} (a spreadsheet has rounded it: make the column text, enter the number anew)`
}
