// Turns rows of a CSV file into leads of a bulk request, validated by the API's own JSON schema of a lead. What the schema
// cannot express is checked by the service when the row is sent.
import { type Schema, Validator } from '@cfworker/json-schema'
import type { Column, LeadField } from '../../../leads/file/columns.ts'
import type { NumberedRow } from '../../../leads/file/csv-rows.ts'
import { type Draft, isRounded, itemOf } from '../../../leads/file/row-item.ts'
import { addToTally, judgeRow, type SeenNumbers, see } from '../../../leads/file/tally.ts'
import type { ManyResult } from '../../../sdk/src/create-many.ts'
import type { InvalidRow, Tally } from '../import-messages.ts'

/** `json`: what is sent. A row with a problem is not. */
export type Judged = { readonly row: number; readonly phoneNumber: string } & (
  | { readonly json: string }
  | { readonly problem: string }
)

export type JudgeRow = (row: NumberedRow) => Judged

export function openJudge(schema: object, columns: readonly Column[]): JudgeRow {
  const validator = new Validator(schema as Schema, '2020-12', false)
  const place = columns.findIndex(({ meaning }) => meaning === 'phoneNumber')
  return ({ row, cells }) => {
    const item = itemOf(columns, cells)
    if ('problem' in item) return { row, phoneNumber: cells[place] ?? '', problem: sentence(item.problem) }
    const { valid, errors } = validator.validate(item.lead)
    const phoneNumber = String(item.lead.phoneNumber ?? '')
    return valid
      ? { row, phoneNumber, json: item.json }
      : { row, phoneNumber, problem: describe(errors, item.lead) }
  }
}

/** Counts the service's result for a row. `invalid`: what it found wrong, other than the row's own problem. */
export function settle(
  tally: Tally,
  result: ManyResult<Judged>,
  seen: SeenNumbers,
): { readonly tally: Tally; readonly invalid: readonly InvalidRow[] } {
  const { lead: row } = result
  const isSent = 'json' in row
  const verdict = judgeRow(result, isSent && see(seen, row.phoneNumber))
  const suppressed = tally.suppressed + (result.status === 'created' && result.suppressed ? 1 : 0)
  return {
    tally: { ...addToTally(tally, verdict), suppressed },
    invalid: isSent && verdict.status === 'invalid' ? [[row.row, verdict.reason]] : [],
  }
}

export const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const advice: Readonly<Record<LeadField, string>> = {
  phoneNumber: 'Phone number must be E.164: + and digits only, such as +14155550123.',
  externalId: 'External id must be text of at most 255 characters.',
  scheduledFor: 'Scheduled for must be ISO 8601 with an offset, such as 2027-01-15T09:30:00+01:00.',
  timeZone: 'Time zone must be an IANA name, such as Europe/Berlin.',
  priority: 'Priority must be a whole number from 0 to 100.',
  metadata: 'Metadata must be a JSON object.',
}

function describe(errors: readonly { readonly instanceLocation: string }[], lead: Draft): string {
  if (lead.phoneNumber === undefined) return 'Phone number is missing.'
  const fields = errors.map(({ instanceLocation }) => instanceLocation.split('/')[1] as LeadField | undefined)
  const sentences = [...new Set(fields)].flatMap((field) => (field && advice[field] ? [advice[field]] : []))
  if (isRounded(String(lead.phoneNumber)))
    sentences.push('A spreadsheet has rounded it: format the column as text and enter the number again.')
  return sentences.join(' ') || 'Invalid lead.'
}
