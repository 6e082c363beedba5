// Finds phone numbers in any text: a list, a column, a CSV file. No number is lost: each is valid, or invalid with the
// reason. None is ever repaired.
import { formatOf, type NumberedRow, rowsOfText, UnreadableFile } from '../../../leads/file/csv-rows.ts'
import { isRounded } from '../../../leads/file/row-item.ts'

/** `row` as a spreadsheet numbers it, `value` as written there. */
export type InvalidNumber = { readonly row: number; readonly value: string; readonly problem: string }
export type ValidNumber = { readonly row: number; readonly number: string }

export type NumbersInText = {
  /** Each number once. */
  readonly valid: readonly ValidNumber[]
  readonly invalid: readonly InvalidNumber[]
  readonly repeated: number
  /** The number columns named by the header. Empty: every cell is read. */
  readonly columns: readonly string[]
}

export function readNumbers(text: string): NumbersInText {
  const { delimiter } = formatOf(text)
  const [first, ...others] = rowsOf(text, delimiter)
  const isHeader = first?.cells.every((cell) => !isLikeNumber(cell)) ?? false
  const places = first?.cells.flatMap((cell, at) => (isHeader && phoneHeader.test(cell) ? [at] : [])) ?? []
  /** Outside of the columns that a header names, a number must start with +. */
  const isWanted = (cell: string, at: number) =>
    places.length === 0 ? isLikeNumber(cell) : (places.includes(at) ? /\d/ : /^\+\d/).test(cell)

  const valid = new Map<string, ValidNumber>()
  const invalid: InvalidNumber[] = []
  let repeated = 0
  for (const { row, cells } of isHeader || first === undefined ? others : [first, ...others]) {
    const wanted = cells.filter(isWanted)
    for (const value of wanted) {
      const numbers = numbersOf(value)
      if (numbers === null) invalid.push({ row, value, problem: problemOf(value) })
      for (const number of numbers ?? []) {
        if (valid.has(number)) repeated++
        else valid.set(number, { row, number })
      }
    }
    if (wanted.length === 0)
      invalid.push({ row, value: cells.join(delimiter), problem: 'No phone number in this row' })
  }
  return {
    valid: [...valid.values()],
    invalid,
    repeated,
    columns: places.map((at) => first?.cells[at] ?? ''),
  }
}

const phoneHeader = /phone|tel(e|\b)|mobi|movil|handy|rufnummer|cell|gsm|numer/i

/** Without empty rows. A quotation mark that is never closed is text, or numbers behind it would be lost. */
function rowsOf(text: string, delimiter: string): readonly NumberedRow[] {
  let rows: readonly NumberedRow[]
  try {
    rows = rowsOfText(text, delimiter)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    rows = rowsOfText(text, delimiter, '')
  }
  return rows
    .map(({ row, cells }) => ({ row, cells: cells.map((cell) => cell.trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
}

/** The parts with digits, except dates. */
const partsOf = (value: string) =>
  value.split(/[\s,;|"']+/).filter((part) => /\d/.test(part) && !/^\d{4}-\d\d-\d\d(T|$)/.test(part))

/** Null: a part is not E.164. Only a person can say where a number of several parts ends. */
function numbersOf(value: string): readonly string[] | null {
  const parts = partsOf(value)
  return parts.length > 0 && parts.every((part) => /^\+[1-9]\d{6,14}$/.test(part)) ? parts : null
}

function isLikeNumber(value: string): boolean {
  const digits = partsOf(value).join('').replace(/\D/g, '')
  return digits.length > 4 || (/^\(?(\+|00)/.test(value) && digits !== '') || isRounded(value)
}

const problemOf = (value: string) =>
  isRounded(value) ? 'Rounded by a spreadsheet' : 'Not written as +14155550123'
