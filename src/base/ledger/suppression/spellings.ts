// Numbers that differ and reach one phone (D70, D76), which is known by its key: one of them. Only holding back uses
// this; what is called is never repaired (D11). One table, from which follow functions, and fragments of SQL in
// spellings-sql.ts. Pure.

type Marker = {
  readonly code: string
  /** So many digits, none of them 0, are between the code and the marker. */
  readonly area: number
  readonly digits: string
  /** The key of the phone has them. */
  readonly isInKey: boolean
  /** The first digit behind the marker, and how many there are. */
  readonly first: readonly [lowest: number, highest: number]
  readonly after: number
}

/**
 * Digits that a number may have or lack.
 * - Mexico: a mobile number had a 1 until August 2019 (IFT, Plan Técnico Fundamental de Numeración).
 * - Argentina: from abroad, a mobile number has a 9 (ENACOM, Plan Fundamental de Numeración Nacional).
 * - Brazil: mobile numbers, which begin with 6 to 9, got a 9 in front from 2012 to 2016 (Anatel, Resolução 553/2010).
 * - Benin: every number got 01 in front on 30 November 2024 (ARCEP-Bénin, communication to the ITU, T0202000017).
 */
export const markers: readonly Marker[] = [
  { code: '52', area: 0, digits: '1', isInKey: false, first: [1, 9], after: 10 },
  { code: '54', area: 0, digits: '9', isInKey: false, first: [1, 9], after: 10 },
  { code: '55', area: 2, digits: '9', isInKey: true, first: [6, 9], after: 8 },
  { code: '229', area: 0, digits: '01', isInKey: true, first: [1, 9], after: 8 },
]

/**
 * Countries that dial a zero within, where no number begins with one: a zero behind the country code was left in. From
 * libphonenumber's metadata, against which the test holds it.
 */
export const codesWithTrunkZero = `
  20 27 31 32 33 40 41 43 44 46 49 51 53 54 55 57 58 60 61 62 63 64 66 81 82 84 86 90 91 92 93 94 95 98
  211 212 213 218 231 232 233 234 243 249 251 252 254 255 256 260 261 262 263 264 265 291
  353 355 358 359 370 373 374 377 380 381 382 383 385 386 387 389 421 423
  508 590 591 593 594 595 596 598 686 850 855 856 880 886
  961 962 963 964 966 967 970 971 972 976 977 994 995 996`
  .trim()
  .split(/\s+/)

/** With and without a marker, and each with and without a zero. */
export const mostSpellings = 4

/** All spellings of the phone that `number` reaches, its key first. */
export function spellingsOf(number: string): readonly string[] {
  const both = bothOf(number)
  return [...new Set([...both, ...both.flatMap(withZero)])]
}

/** The spelling by which the phone that `number` reaches is known: all numbers that reach it have the same one. */
export const phoneKey = (number: string): string => bothOf(number)[0]

/** The key of a phone, and the spelling that differs from it by a marker. */
function bothOf(number: string): readonly [key: string, ...other: string[]] {
  const plain = withoutZero(number)
  for (const marker of markers) {
    const other = changeMarker(plain, marker)
    if (other !== null)
      return other.length > plain.length === marker.isInKey ? [other, plain] : [plain, other]
  }
  return [plain]
}

const trunkZero = new RegExp(`^\\+(${codesWithTrunkZero.join('|')})0(?=[1-9])`)
const withoutZero = (number: string) => number.replace(trunkZero, '+$1')

const beforeZero = new RegExp(`^\\+(?:${codesWithTrunkZero.join('|')})(?=[1-9])`)
export const longestChars = '+'.length + 15
function withZero(number: string): readonly string[] {
  const [code] = beforeZero.exec(number) ?? []
  if (code === undefined || number.length === longestChars) return []
  return [`${code}0${number.slice(code.length)}`]
}

function changeMarker(number: string, { code, area, digits, first, after }: Marker): string | null {
  if (!number.startsWith(`+${code}`)) return null
  const rest = `[${first.join('-')}]\\d{${after - 1}}$`
  const begin = `^(\\+${code}[1-9]{${area}})`
  if (new RegExp(begin + rest).test(number)) return number.replace(new RegExp(begin), `$1${digits}`)
  const long = new RegExp(`${begin}${digits}(${rest})`)
  return long.test(number) ? number.replace(long, '$1$2') : null
}
