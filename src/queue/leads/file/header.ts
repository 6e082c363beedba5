// Whether a file has a header. A file without one keeps its first row as a lead: its columns get names.

import { asAscii, withoutInvisible, withoutScheme } from './cells/number-reading.ts'
import { guessMeanings } from './guess-columns.ts'

/** A first row that holds a phone number, and no name of a column for one, is a lead. */
export const isHeader = (cells: readonly string[]) =>
  guessMeanings(cells).includes('phoneNumber') || !cells.some(isLikeNumber)

/** The first column with a number is that of the phone number. */
export function madeHeaders(cells: readonly string[]): readonly string[] {
  const place = cells.findIndex(isLikeNumber)
  return cells.map((_, index) => (index === place ? 'phoneNumber' : `column ${index + 1}`))
}

const plain = (cell: string) => withoutInvisible(asAscii(cell)).trim()

/** Written as a phone number is, with as many digits as one has, in whatever script. */
export function isLikeNumber(cell: string): boolean {
  const text = withoutScheme(plain(cell))
  const digits = [...text.matchAll(/\p{Nd}/gu)].length
  const isWritten = /^[\s'(+]*\p{Nd}[\p{Nd}\s()./\p{Pd}]*$/u.test(text)
  return digits >= 7 && digits <= 18 && isWritten && !date.test(text)
}

const date = /^(\d{4}([./-])\d\d?\2\d\d?|\d\d?([./-])\d\d?\3\d{4})$/

/** Nothing else begins so, in any column. */
export const hasPlus = (cell: string) => /^\(?\+\p{Nd}/u.test(withoutScheme(plain(cell)))

/** Whether it is no zip code, date, id or amount either, in a column whose header says nothing of numbers. */
export const isPlainlyNumber = (cell: string) =>
  isLikeNumber(cell) && (plain(cell) !== withoutScheme(plain(cell)) || written.test(plain(cell)))

/** As from abroad, as in the country, with an area code in brackets, and as in North America. */
const written =
  /^(\(?00[1-9]((\D*\d){8}|\d{0,2}[\s)])|\(?0[1-9](\D*\d){7}|\(\d+\)|\d{3}[-. ]\d{3}[-. ]\d{4}$)/
