// Decides whether a row is created, existing, repeated or invalid, and counts them. The service answers `skipped` for both
// existing and repeated: only the import knows whether the number was in an earlier row.
import type { LeadResult } from '../../sdk/src/lead-intake.ts'
import { counted } from '../text/print.ts'
import type { CsvRow } from './csv.ts'

export type Verdict = {
  /** `created`: by any run of this import. */
  readonly status: 'created' | 'existing' | 'repeated' | 'invalid'
  readonly leadId: string | null
  /** Empty for a created one. */
  readonly reason: string
}

export type JudgedRow = { readonly row: CsvRow; readonly verdict: Verdict }

/** Of the confirmed rows. */
export type Tally = {
  readonly rows: number
  readonly created: number
  readonly existing: number
  readonly repeated: number
  readonly invalid: number
}

export const emptyTally: Tally = { rows: 0, created: 0, existing: 0, repeated: 0, invalid: 0 }

export function addToTally(tally: Tally, judged: readonly JudgedRow[]): Tally {
  const count = (status: Verdict['status']) =>
    judged.filter(({ verdict }) => verdict.status === status).length
  return {
    rows: tally.rows + judged.length,
    created: tally.created + count('created'),
    existing: tally.existing + count('existing'),
    repeated: tally.repeated + count('repeated'),
    invalid: tally.invalid + count('invalid'),
  }
}

/** `ofRows`: the total, while rows remain. */
export function tallyText({ rows, created, existing, repeated, invalid }: Tally, ofRows?: number): string {
  const done = ofRows === undefined ? counted(rows, 'row') : `${rows}/${counted(ofRows, 'row')}`
  return `${done}: ${created} created, ${existing} existing, ${repeated} repeated, ${invalid} invalid`
}

/**
 * The phone numbers of the rows so far, as numbers, which take a third of the memory: 15 digits are exact. A set holds 16
 * million, which take a day at the service's limit.
 */
export type SeenNumbers = Set<number>

export function see(seen: SeenNumbers, { phoneNumber }: CsvRow): void {
  if (/^\+\d{1,15}$/.test(phoneNumber)) seen.add(Number(phoneNumber))
}

/**
 * Judges the next row by the service's result. `isOwn`: an earlier run of this import created the existing lead, and its
 * answer was lost.
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
  if (isRepeated) return { status: 'repeated', leadId, reason: 'phoneNumber is in an earlier row' }
  if (leadId !== null && isOwn(leadId)) return { status: 'created', leadId, reason: '' }
  return { status: 'existing', leadId, reason: 'Lead already exists' }
}

function explain({ phoneNumber }: CsvRow, reason: string): string {
  if (!/^['+]?\d([.,]\d+)?E\+?\d+$/i.test(phoneNumber)) return reason
  return `${reason} (a spreadsheet has rounded it: format the column as text, and enter the number again)`
}
