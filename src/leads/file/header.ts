// Whether a file has a header. A file without one keeps its first row as a lead: its columns get names.

import { asAscii, withoutScheme } from './cells/number-reading.ts'
import { guessMeanings } from './guess-columns.ts'

/** A first row that holds a phone number, and no name of a column for one, is a lead. */
export const isHeader = (cells: readonly string[]) =>
  guessMeanings(cells).includes('phoneNumber') || !cells.some(isLikeNumber)

/** The first column with a number is that of the phone number. */
export function madeHeaders(cells: readonly string[]): readonly string[] {
  const place = cells.findIndex(isLikeNumber)
  return cells.map((_, index) => (index === place ? 'phoneNumber' : `column ${index + 1}`))
}

/** Written as a phone number is, with as many digits as one has, in whatever script. */
function isLikeNumber(cell: string): boolean {
  const text = withoutScheme(asAscii(cell))
  const digits = [...text.matchAll(/\p{Nd}/gu)].length
  return digits >= 7 && digits <= 18 && /^[\s'(+]*\p{Nd}[\p{Nd}\s()./\p{Pd}]*$/u.test(text)
}
