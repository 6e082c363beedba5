// Finds phone numbers in any text: a list, a column, a CSV file. No number is lost: each is read, or invalid with the cause.
import { formatOf, type NumberedRow, rowsOfText, UnreadableFile } from '../../../leads/file/csv-rows.ts'
import { type Group, openGroups } from '../../../leads/file/groups.ts'
import {
  describeCause,
  type NumberCause,
  type NumberChange,
  type ReadNumber,
} from '../../../leads/file/number-reading.ts'
import { isRounded } from '../../../leads/file/row-item.ts'

/** `row` as a spreadsheet numbers it, `value` as written there. */
export type InvalidNumber = { readonly row: number; readonly value: string; readonly problem: string }
/** `value`: as written, where that is not how it is sent. */
export type ValidNumber = { readonly row: number; readonly number: string; readonly value?: string }

export type NumbersInText = {
  /** Each number once. */
  readonly valid: readonly ValidNumber[]
  readonly invalid: readonly InvalidNumber[]
  /** The invalid ones by cause. */
  readonly causes: readonly Group<string>[]
  /** How numbers were written that are sent in E.164. */
  readonly changes: readonly Group<NumberChange>[]
  readonly repeated: number
  /** The number columns named by the header. Empty: every cell is read. */
  readonly columns: readonly string[]
}

type Found = { readonly number: string; readonly value: string; readonly changed?: NumberChange }

/** Rows between two pauses, in which the page stays responsive. */
const rowsAtOnce = 500

export async function readNumbers(text: string, read: ReadNumber): Promise<NumbersInText> {
  const { delimiter } = formatOf(text)
  const [first, ...others] = rowsOf(text, delimiter)
  const isHeader = first?.cells.every((cell) => !isNumberish(cell)) ?? false
  const places = first?.cells.flatMap((cell, at) => (isHeader && phoneHeader.test(cell) ? [at] : [])) ?? []
  /** Outside of the columns that a header names, a number must start with +. */
  const isWanted = (cell: string, at: number) =>
    places.length === 0 ? isNumberish(cell) : (places.includes(at) ? /\d/ : /^\+\d/).test(cell)

  const valid = new Map<string, ValidNumber>()
  const invalid: InvalidNumber[] = []
  const causes = openGroups<string>()
  const changes = openGroups<NumberChange>()
  let repeated = 0
  const refuse = (row: number, value: string, problem: string) => {
    invalid.push({ row, value, problem })
    causes.add(problem, { row, value })
  }
  const rows = isHeader || first === undefined ? others : [first, ...others]
  for (const [index, { row, cells }] of rows.entries()) {
    if (index % rowsAtOnce === rowsAtOnce - 1) await new Promise((resolve) => setTimeout(resolve))
    const wanted = cells.filter(isWanted)
    for (const cell of wanted) {
      const found = numbersOf(cell, read)
      if (typeof found === 'string') refuse(row, cell, problemOf(found))
      else
        for (const { number, value, changed } of found) {
          if (changed !== undefined) changes.add(changed, { row, value, number })
          if (valid.has(number)) repeated++
          else valid.set(number, { row, number, ...(changed !== undefined && { value }) })
        }
    }
    if (wanted.length === 0) refuse(row, cells.join(delimiter), 'No phone number in this row')
  }
  return {
    valid: [...valid.values()],
    invalid,
    causes: causes.all(),
    changes: changes.all(),
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

/**
 * The cause, where not all of the cell is read. Numbers in E.164 may stand beside each other and in words; any other is
 * read whole, or between commas: only a person can say where one of several ends.
 */
function numbersOf(cell: string, read: ReadNumber): readonly Found[] | NumberCause {
  const whole = read(cell)
  const isE164 = (part: string) => /^\+[1-9]\d{6,14}$/.test(part)
  const parts = partsOf(cell)
  const several = parts.every(isE164) ? parts : cell.split(/[,;|"\r\n]+/).filter((part) => /\d/.test(part))
  const found: Found[] = []
  for (const value of whole.kind === 'ok' ? [cell] : several) {
    const reading = read(value)
    if (reading.kind === 'error') return whole.kind === 'error' ? whole.cause : reading.cause
    const { number, changed } = reading
    found.push({ number, value: value.trim(), ...(changed !== undefined && { changed }) })
  }
  if (found.length === 0) return whole.kind === 'error' ? whole.cause : 'missing'
  return found
}

function isNumberish(value: string): boolean {
  const digits = partsOf(value).join('').replace(/\D/g, '')
  return digits.length > 4 || (/^\(?(\+|00)/.test(value) && digits !== '') || isRounded(value)
}

const problemOf = (cause: NumberCause) => {
  const text = describeCause(cause).replace(/^phoneNumber /, '')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
