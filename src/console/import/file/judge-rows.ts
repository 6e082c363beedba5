// Turns rows of a CSV file into leads of a bulk request, validated by the API's own JSON schema of a lead. What the schema
// cannot express is checked by the service when the row is sent.
import { type Schema, Validator } from '@cfworker/json-schema'
import { type Column, fieldName, type LeadField } from '../../../leads/file/columns.ts'
import type { NumberedRow } from '../../../leads/file/csv-rows.ts'
import type { NumberChange } from '../../../leads/file/number-reading.ts'
import { type Draft, isRounded, itemOf, type Readers } from '../../../leads/file/row-item.ts'
import { addToTally, judgeRow, judgeTrial, type SeenNumbers, see } from '../../../leads/file/tally.ts'
import type { ManyResult } from '../../../sdk/src/create-many.ts'
import type { InvalidRow, Tally } from '../import-messages.ts'

/** A cell that is not sent as it is in the file. */
export type Change = { readonly kind: NumberChange | 'date'; readonly before: string; readonly after: string }

/** `json`: what is sent. A row with a problem is not; `value` is the cell that it is about. */
export type Judged = { readonly row: number; readonly phoneNumber: string } & (
  | { readonly json: string; readonly changes?: readonly Change[] }
  | { readonly problem: string; readonly value?: string }
)

export type JudgeRow = (row: NumberedRow) => Judged

/** Without readers, cells are sent as they are. */
export function openJudge(schema: object, columns: readonly Column[], readers: Readers = {}): JudgeRow {
  const validator = new Validator(schema as Schema, '2020-12', false)
  const placeOf = (field: LeadField | undefined) => columns.findIndex(({ meaning }) => meaning === field)
  const [numberPlace, datePlace] = [placeOf('phoneNumber'), placeOf('scheduledFor')]
  return ({ row, cells }) => {
    const item = itemOf(columns, cells, readers)
    const number = cells[numberPlace] ?? ''
    const wrong = (problem: string, field: LeadField = 'phoneNumber') => ({
      row,
      phoneNumber: number,
      problem,
      value: cells[placeOf(field)] ?? number,
    })
    if ('problem' in item) return wrong(sentence(item.problem), item.field)
    const { valid, errors } = validator.validate(item.lead)
    if (!valid)
      return wrong(
        describe(errors, item.lead),
        fieldsOf(errors).find((field) => field !== undefined),
      )
    const phoneNumber = String(item.lead.phoneNumber ?? '')
    const changes: Change[] = []
    if (item.changed !== undefined) changes.push({ kind: item.changed, before: number, after: phoneNumber })
    if (item.dated)
      changes.push({ kind: 'date', before: cells[datePlace] ?? '', after: String(item.lead.scheduledFor) })
    return { row, phoneNumber, json: item.json, ...(changes.length > 0 && { changes }) }
  }
}

/**
 * Counts the service's result for a row, of a dry run with `isTrial`. `invalid`: what it found wrong, other than the row's
 * own problem.
 */
export function settle(
  tally: Tally,
  result: ManyResult<Judged>,
  seen: SeenNumbers,
  isTrial = false,
): { readonly tally: Tally; readonly invalid: readonly InvalidRow[] } {
  const { lead: row } = result
  const isSent = 'json' in row
  const isSeen = () => isSent && see(seen, row.phoneNumber)
  const verdict = isTrial ? judgeTrial(result, isSeen) : judgeRow(result, isSeen())
  const suppressed = tally.suppressed + (result.status === 'created' && result.suppressed ? 1 : 0)
  return {
    tally: { ...addToTally(tally, verdict), suppressed },
    invalid: isSent && verdict.status === 'invalid' ? [[row.row, verdict.reason]] : [],
  }
}

/** For people: a field by its name. */
export function sentence(problem: string): string {
  const text = problem.replace(/^(phoneNumber|scheduledFor)\b/, (field) => fieldName(field as LeadField))
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

const advice: Readonly<Record<LeadField, string>> = {
  phoneNumber: 'Phone number must be E.164: + and digits only, such as +14155550123.',
  externalId: 'External id must be text of at most 255 characters.',
  scheduledFor: 'Scheduled for must be ISO 8601 with an offset, such as 2027-01-15T09:30:00+01:00.',
  timeZone: 'Time zone must be an IANA name, such as Europe/Berlin.',
  priority: 'Priority must be a whole number from 0 to 100.',
  metadata: 'Metadata must be a JSON object.',
}

type Errors = readonly { readonly instanceLocation: string }[]

const fieldsOf = (errors: Errors) => [
  ...new Set(errors.map(({ instanceLocation }) => instanceLocation.split('/')[1] as LeadField | undefined)),
]

function describe(errors: Errors, lead: Draft): string {
  if (lead.phoneNumber === undefined) return 'Phone number is missing.'
  const sentences = fieldsOf(errors).flatMap((field) => (field && advice[field] ? [advice[field]] : []))
  if (isRounded(String(lead.phoneNumber)))
    sentences.push('A spreadsheet has rounded it: format the column as text and enter the number again.')
  return sentences.join(' ') || 'Invalid lead.'
}
