// Phone numbers out of whatever text they stand in: a list, a column, a whole CSV file. No number of it is lost: each is
// taken, or given back with the reason. None is ever repaired.
import { textOfCell } from '../../ui/csv-cell.ts'

/** `row` as a spreadsheet numbers it, `value` as it stands there. */
export type NotTaken = { readonly row: number; readonly value: string; readonly why: string }
export type Taken = { readonly row: number; readonly number: string }

export type NumbersInText = {
  /** Each number once. */
  readonly taken: readonly Taken[]
  readonly notTaken: readonly NotTaken[]
  readonly repeated: number
  /** The columns of numbers, by the header. Empty: every cell is looked at. */
  readonly columns: readonly string[]
}

export function readNumbers(text: string): NumbersInText {
  const delimiter = delimiterOf(text)
  const [first, ...others] = rowsOf(text, delimiter)
  const isHeader = first?.cells.every((cell) => !isLikeNumber(cell)) ?? false
  const places = first?.cells.flatMap((cell, at) => (isHeader && phoneHeader.test(cell) ? [at] : [])) ?? []
  /** Where a header names the columns of numbers, a number elsewhere begins with +. */
  const isWanted = (cell: string, at: number) =>
    places.length === 0 ? isLikeNumber(cell) : (places.includes(at) ? /\d/ : /^\+\d/).test(cell)

  const taken = new Map<string, Taken>()
  const notTaken: NotTaken[] = []
  let repeated = 0
  for (const { row, cells } of isHeader || first === undefined ? others : [first, ...others]) {
    const wanted = cells.filter(isWanted)
    for (const value of wanted) {
      const numbers = numbersOf(value)
      if (numbers === null) notTaken.push({ row, value, why: whyNot(value) })
      for (const number of numbers ?? []) {
        if (taken.has(number)) repeated++
        else taken.set(number, { row, number })
      }
    }
    if (wanted.length === 0)
      notTaken.push({ row, value: cells.join(delimiter), why: 'No phone number in this row' })
  }
  return {
    taken: [...taken.values()],
    notTaken,
    repeated,
    columns: places.map((at) => first?.cells[at] ?? ''),
  }
}

const phoneHeader = /phone|tel(e|\b)|mobi|movil|handy|rufnummer|cell|gsm|numer/i

function delimiterOf(text: string): string {
  const [line = ''] = text.trimStart().split(/[\r\n]/, 1)
  return [';', '\t', '|'].find((one) => line.includes(one)) ?? ','
}

type Row = { readonly row: number; readonly cells: readonly string[] }

/** Those with something in them. A quoted cell may hold delimiters and line ends. */
function rowsOf(text: string, delimiter: string): readonly Row[] {
  const end = `(${delimiter === '|' ? '\\|' : delimiter}|\r\n?|\n|$)`
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|([^${delimiter}\r\n]*))${end}`, 'y')
  const rows: Row[] = []
  let cells: string[] = []
  for (let [row, isOver] = [1, false]; !isOver; ) {
    const [, quoted, bare = '', next = ''] = cell.exec(text) ?? []
    cells.push(textOfCell(quoted?.replaceAll('""', '"') ?? bare).trim())
    if (next === delimiter) continue
    if (cells.some((one) => one !== '')) rows.push({ row, cells })
    cells = []
    row++
    isOver = next === ''
  }
  return rows
}

/** What has digits in it, dates aside. */
const partsOf = (value: string) =>
  value.split(/[\s,;|"']+/).filter((part) => /\d/.test(part) && !/^\d{4}-\d\d-\d\d(T|$)/.test(part))

/** Null: not all of its parts are E.164, and where a number of several parts ends is for a person to say. */
function numbersOf(value: string): readonly string[] | null {
  const parts = partsOf(value)
  return parts.length > 0 && parts.every((part) => /^\+[1-9]\d{6,14}$/.test(part)) ? parts : null
}

const rounded = /^\d([.,]\d+)?E\+?\d+$/i

function isLikeNumber(value: string): boolean {
  const digits = partsOf(value).join('').replace(/\D/g, '')
  return digits.length > 4 || (/^\(?(\+|00)/.test(value) && digits !== '') || rounded.test(value)
}

const whyNot = (value: string) =>
  rounded.test(value) ? 'A spreadsheet has rounded it' : 'Not written as +14155550123'
