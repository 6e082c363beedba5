// Finds phone numbers in any text: a list, a column, a CSV file. No number is lost: each is read, or invalid with the
// cause.

import {
  asAscii,
  asHeldBack,
  isE164,
  type NumberChange,
  type NumberError,
  type ReadNumber,
} from '../../../queue/leads/file/cells/number-reading.ts'
import { formatOf, type NumberedRow, rowsOfText, UnreadableFile } from '../../../queue/leads/file/csv-rows.ts'
import { type Group, openGroups } from '../../../queue/leads/file/groups.ts'
import { isRounded } from '../../../queue/leads/file/row-item.ts'
import { problemOf } from '../number-rules.ts'

/** `row` as a spreadsheet numbers it, `value` as written there. */
export type InvalidNumber = { readonly row: number; readonly value: string; readonly problem: string }
/** `value`: as written, where that is not how it is sent. */
type ValidNumber = { readonly row: number; readonly number: string; readonly value?: string }

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
  // Loaded before: `read` is of the same file.
  const { hasPlus, isLikeNumber, isPlainlyNumber, namesPhone } = await import(
    '../../../queue/leads/file/readers.ts'
  )
  const masked = text.replace(decimalComma, maskOfComma)
  const { delimiter } = formatOf(masked)
  const all = rowsOf(masked, delimiter)
  const first = all[0]?.cells ?? []
  // Any other first row is read, so that it is not lost.
  const named = first.map(namesPhone)
  const isHeader = named.includes(true) && !first.some(isNumberish)
  const places = named.flatMap((isPhone, at) => (isHeader && isPhone ? [at] : []))
  const isBeyond = (at: number) => isHeader && at >= first.length
  /** Outside of the columns that a header names, a number must start with +. Behind the last one, it can be any. */
  const isWanted = (cell: string, at: number) =>
    places.length === 0
      ? isNumberish(cell)
      : places.includes(at)
        ? digit.test(cell)
        : hasPlus(cell) || (isBeyond(at) && isLikeNumber(cell))
  const isUnread = (cell: string, at: number) =>
    !isWanted(cell, at) && named[at] !== false && isPlainlyNumber(cell)

  const valid = new Map<string, ValidNumber>()
  const invalid: InvalidNumber[] = []
  const causes = openGroups<string>()
  const changes = openGroups<NumberChange>()
  let repeated = 0
  const refuse = (row: number, value: string, problem: string) => {
    invalid.push({ row, value, problem })
    causes.add(problem, { row, value })
  }
  const readHeldBack = (cell: string) => asHeldBack(read(cell))
  for (const [index, { row, cells }] of all.slice(isHeader ? 1 : 0).entries()) {
    if (index % rowsAtOnce === rowsAtOnce - 1) await new Promise((resolve) => setTimeout(resolve))
    const wanted = cells.filter(isWanted)
    // Part of a number may be in a cell that is not read: 0171,1234567 is two cells.
    const hasRest = cells.some(
      (cell, at) => (isBeyond(at) || !isWanted(cell, at)) && partsOf(cell).length > 0,
    )
    const isSplit = hasRest && (places.length === 0 || cells.length > first.length)
    const whole = cells.join(delimiter)
    let splitError: NumberError | null = null
    for (const cell of wanted) {
      const found = numbersOf(cell, isSplit ? read : readHeldBack)
      if ('cause' in found) {
        if (isSplit) splitError ??= found
        else refuse(row, cell, problemOf(found))
      } else
        for (const { number, value, changed } of found) {
          if (changed !== undefined) changes.add(changed, { row, value, number })
          if (valid.has(number)) repeated++
          else valid.set(number, { row, number, ...(changed !== undefined && { value }) })
        }
    }
    if (wanted.length === 0) refuse(row, whole, 'No phone number in this row')
    else if (splitError === null) for (const cell of cells.filter(isUnread)) refuse(row, cell, notNamed)
    else {
      const reading = read(whole)
      refuse(row, whole, problemOf(reading.kind === 'error' ? reading : splitError))
    }
  }
  return {
    valid: [...valid.values()],
    invalid,
    causes: causes.all(),
    changes: changes.all(),
    repeated,
    columns: places.map((at) => first[at] ?? ''),
  }
}

/** Of a number that a spreadsheet has rounded, such as 4,91718E+11: it parts nothing. */
const decimalComma = /(?<=(?<![\d.])\d),(?=\d+E\+?\d)/gi
const maskOfComma = '\uE000'

const notNamed = 'In a column that is not one of phone numbers by its header'
const digit = /\p{Nd}/u

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
    .map(({ row, cells }) => ({ row, cells: cells.map((cell) => cell.trim().replaceAll(maskOfComma, ',')) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
}

/** The parts with digits, except dates. */
const partsOf = (value: string) =>
  value.split(/[\s,;|"']+/).filter((part) => digit.test(part) && !/^\d{4}-\d\d-\d\d(T|$)/.test(part))

/**
 * The error, where not all of the cell is read. Numbers in E.164 may stand beside each other and in words; any other is
 * read whole, or between commas: only a person can say where one of several ends.
 */
function numbersOf(cell: string, read: ReadNumber): readonly Found[] | NumberError {
  const whole = read(cell)
  const parts = partsOf(cell)
  const several = parts.every((part) => isE164(asAscii(part)))
    ? parts
    : cell.split(/[,;|"\r\n]+/).filter((part) => digit.test(part))
  const found: Found[] = []
  for (const value of whole.kind === 'ok' ? [cell] : several) {
    const reading = read(value)
    if (reading.kind === 'error') return whole.kind === 'error' ? whole : reading
    const { number, changed } = reading
    found.push({ number, value: value.trim(), ...(changed !== undefined && { changed }) })
  }
  if (found.length === 0) return whole.kind === 'error' ? whole : { kind: 'error', cause: 'missing' }
  return found
}

function isNumberish(value: string): boolean {
  const text = asAscii(value)
  const digits = [
    ...partsOf(text)
      .join('')
      .matchAll(/\p{Nd}/gu),
  ].length
  return digits > 4 || (/^\(?(\+|00)/.test(text) && digits > 0) || isRounded(text)
}
