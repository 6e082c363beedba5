// Turns rows of a CSV file into leads of a bulk request, and finds the cells that the service would refuse, so that no
// lead is lost without a question.

import {
  type ByKind,
  type LeadFieldName,
  leadFieldNames,
  leadFieldTable,
} from '../../../queue/leads/field-table.ts'
import {
  type Column,
  consentFields,
  type FileField,
  fieldName,
  filled,
  isOfConsent,
  type LeadPart,
  type Meaning,
  withInstead,
} from '../../../queue/leads/file/columns.ts'
import type { NumberedRow } from '../../../queue/leads/file/csv-rows.ts'
import type { Held } from '../../../queue/leads/file/held/held-numbers.ts'
import { type Change, heldBack, isRounded, itemOf, type Readers } from '../../../queue/leads/file/row-item.ts'
import { addToTally, judgeRow, notCalled, type SeenNumbers, see } from '../../../queue/leads/file/tally.ts'
import { unusableFieldOf } from '../../../queue/leads/file/unusable.ts'
import type { ManyResult } from '../../../sdk/src/create-many.ts'
import type { Choices, Tally } from '../import-messages.ts'

/** A cell that a lead can do without. */
type UnusableCell = { readonly field: LeadPart; readonly value: string }

/**
 * `json`: what is sent. A row with a problem is not; `value` is the cell that it is about. `unusable`: what such a row
 * could do without, or what was left out. `no`: the number that must not be called, null where it cannot be read.
 */
export type Judged = {
  readonly row: number
  readonly phoneNumber: string
  readonly unusable?: readonly UnusableCell[]
} & (
  | { readonly json: string; readonly changes: readonly Change[]; readonly country?: string | undefined }
  | {
      readonly problem: string
      readonly value?: string
      readonly no?: string | null | undefined
      readonly changes?: readonly Change[] | undefined
    }
)

export type JudgeRow = (row: NumberedRow) => Judged

/** Without readers, cells are sent as they are. `held`: of the whole file. */
export function openJudge(
  ofFile: readonly Column[],
  readers: Readers = {},
  { insteadPlace, unusable = {} }: Partial<Choices> = {},
  held?: Held,
): JudgeRow {
  const columns = withInstead(ofFile, insteadPlace)
  const judgeCells = openCells(columns, readers, held)
  return (row) => {
    let cells = filled(columns, row.cells)
    const left: UnusableCell[] = []
    for (;;) {
      const { field: wrong = 'phoneNumber', ...judged } = judgeCells({ ...row, cells })
      if (!('problem' in judged)) return left.length === 0 ? judged : { ...judged, unusable: left }
      const field = isOfConsent(wrong) ? 'consent' : wrong
      if (field === 'phoneNumber' || field === 'doNotCall') return judged
      const value = judged.value ?? ''
      const meanings = meaningsOf(field).find((some) =>
        columns.some(({ meaning }, at) => some.includes(meaning) && cells[at] !== ''),
      )
      if (unusable[field] !== 'ignore' || meanings === undefined)
        return { ...judged, unusable: [{ field, value }] }
      left.push({ field, value })
      cells = cells.map((cell, at) => (meanings.includes(columns[at]?.meaning ?? 'ignore') ? '' : cell))
    }
  }
}

/** The columns that are left out together, the first that there are. */
function meaningsOf(field: LeadPart): readonly (readonly Meaning[])[] {
  if (field === 'consent') return [consentFields]
  // Large metadata may be of the columns that are kept.
  return field === 'metadata' ? [['metadata'], ['keep']] : [[field]]
}

/** `field`: that a problem is about. */
type JudgedCells = Judged & { readonly field?: FileField | undefined }

function openCells(columns: readonly Column[], readers: Readers, held: Held | undefined) {
  const placeOf = (field: FileField | undefined) => columns.findIndex(({ meaning }) => meaning === field)
  const numberPlace = placeOf('phoneNumber')
  return ({ row, cells }: NumberedRow): JudgedCells => {
    const item = heldBack(itemOf(columns, cells, readers), held)
    const number = cells[numberPlace] ?? ''
    const wrong = (problem: string, field?: FileField) => ({
      row,
      phoneNumber: number,
      problem,
      value: cells[placeOf(field)] ?? number,
      field,
    })
    if ('problem' in item)
      return { ...wrong(sentence(item.problem), item.field), no: item.no, changes: item.changes }
    const unusable = unusableFieldOf(item.lead)
    if (unusable !== null) return wrong(describe(unusable, number), unusable)
    const { json, changes, country } = item
    return { row, phoneNumber: String(item.lead.phoneNumber), json, changes, country }
  }
}

/** Counts the service's result for a row. `problem`: what it found wrong, other than the row's own; else null. */
export function settle(
  tally: Tally,
  result: ManyResult<Judged>,
  seen: SeenNumbers,
  isTrial = false,
): { readonly tally: Tally; readonly problem: string | null } {
  const { lead: row } = result
  const isHeld = 'problem' in row && row.no != null
  const isSent = 'json' in row
  const verdict = isHeld
    ? notCalled(row.problem)
    : judgeRow(result, () => isSent && see(seen, row.phoneNumber), { isTrial })
  const suppressed = tally.suppressed + (result.status === 'created' && result.suppressed ? 1 : 0)
  return {
    tally: { ...addToTally(tally, verdict), suppressed },
    problem: isSent && verdict.status === 'invalid' ? verdict.reason : null,
  }
}

/** For people: a field by its name. */
export function sentence(problem: string): string {
  const text = problem
    .replace(fieldAtStart, (field) => fieldName(field as FileField))
    .replace('must be in E.164 format', 'needs a + and its country code, such as +14155550123')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.?]$/.test(text) ? '' : '.'}`
}

const fieldAtStart = new RegExp(`^(?:${leadFieldNames.join('|')}|consent[A-Z]\\w+)\\b`)

const rules: ByKind<(limit: number) => string> = {
  phone: () => '+ and digits only, such as +14155550123',
  text: (limit) => `text of at most ${limit} characters`,
  json: (limit) => `a JSON object of at most ${limit / 1024} KiB`,
  time: () => 'ISO 8601 with an offset, such as 2027-01-15T09:30:00+01:00',
  number: (limit) => `a whole number from 0 to ${limit}`,
  zone: () => 'an IANA name, such as Europe/Berlin',
}

function describe(name: LeadFieldName, number: string): string {
  if (name === 'phoneNumber' && number === '') return 'Phone number is missing.'
  const { kind, label, limit } = leadFieldTable[name]
  const isOfSpreadsheet = name === 'phoneNumber' && isRounded(number)
  return `${label} must be ${rules[kind](limit)}.${isOfSpreadsheet ? ` ${roundedAdvice}` : ''}`
}

const roundedAdvice = 'A spreadsheet has rounded it: format the column as text and enter the number again.'
