// What reading a cell as a phone number can give, in types and in words. The reading itself is in phone-cell.ts, which
// is large, and loaded only where a person says what the numbers are.
import { limits } from '../../../../base/limits.ts'
import type { SaidCountry } from '../names/country-names.ts'

/**
 * What a number had beside E.164, each of which can be refused; of several, the last. `unknown`: no country has it, and
 * it is held back all the same.
 */
export const numberChanges = [
  'punctuation',
  'digits',
  'zero',
  'international_prefix',
  'national',
  'unknown',
] as const
/** `plus`: made only where somebody asks for it. */
export type NumberChange = (typeof numberChanges)[number] | 'plus'

export type NumberCause =
  | 'missing'
  | 'rounded'
  | 'extension'
  | 'several'
  | 'letters'
  | 'no_country'
  | 'no_prefix'
  | 'lost_zero'
  | 'ambiguous'
  | 'invalid'
  | 'turned_off'

export type NumberReading =
  /** `country`: null when several have its calling code and none its range. */
  | {
      readonly kind: 'ok'
      readonly number: string
      readonly country: string | null
      readonly changed?: NumberChange
    }
  | NumberError

/**
 * `country`: that has no such number. `number`: as it is written, of one that is invalid only for no country having it.
 * `withPlus`: of digits that begin with the code of the chosen country, and are a number with a plus before them.
 */
export type NumberError = {
  readonly kind: 'error'
  readonly cause: NumberCause
  readonly country?: string
  readonly number?: string
  readonly withPlus?: string
}

const { phoneNumberMinDigits, phoneNumberMaxDigits } = limits
export const e164 = new RegExp(`^\\+[1-9][0-9]{${phoneNumberMinDigits - 1},${phoneNumberMaxDigits - 1}}$`)
export const isE164 = (text: string) => e164.test(text)

/** `said`: what the row says of its country. */
export type ReadNumber = (cell: string, said?: SaidCountry) => NumberReading

/** All numbers of a text, for holding back; none: it holds none that can be read. */
export type FindNumbers = (text: string, said?: SaidCountry) => readonly FoundNumber[]
export type FoundNumber = Extract<NumberReading, { readonly kind: 'ok' }>

/**
 * Only for holding back, never for a number that is to be called: the service also calls numbers that no country has.
 */
export function asHeldBack(reading: NumberReading): NumberReading {
  if (reading.kind === 'ok' || reading.number === undefined) return reading
  return { kind: 'ok', number: reading.number, country: null, changed: 'unknown' }
}

const causes: Readonly<Record<NumberCause, string>> = {
  missing: 'phoneNumber is missing',
  rounded: 'phoneNumber is a decimal, as spreadsheets write long numbers',
  extension: 'phoneNumber has an extension',
  several: 'phoneNumber holds two numbers',
  letters: 'phoneNumber has letters or other characters that are not part of a number',
  no_country: 'phoneNumber has no country code, and no country is chosen',
  no_prefix: 'phoneNumber starts with neither + nor the prefix of a national number',
  lost_zero:
    'phoneNumber has lost its leading zero, as in a spreadsheet: format the column as text, and enter it again',
  ambiguous: 'phoneNumber can be read as two different numbers',
  invalid: 'phoneNumber is not a valid number',
  turned_off: 'phoneNumber is not written as +14155550123, and its correction is turned off',
}
export const describeCause = ({ cause, country }: Pick<NumberError, 'cause' | 'country'>) =>
  country === undefined
    ? causes[cause]
    : `phoneNumber is too short or too long for ${countryName(country)}, or not in use there`

/** Made when it is needed: a start of the Worker should cost nothing for it. */
let countryNames: Intl.DisplayNames | undefined

/** In English. */
export function countryName(code: string): string {
  countryNames ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })
  return countryNames.of(code) ?? code
}

const changes: Readonly<Record<NumberChange, string>> = {
  punctuation: 'spaces, dashes, brackets and a prefix such as tel: removed',
  digits: 'digits of another script replaced',
  zero: 'the zero of national calls removed',
  international_prefix: '00 replaced by +',
  national: 'country code added',
  unknown: 'in use in no country: held back as it is written',
  plus: 'plus added',
}
/** For numbers to which a call can be expensive, in a file. */
export const costlyNumbers = 'premium-rate or satellite, so a call can be expensive'
export const describeChange = (change: NumberChange) => changes[change]

/** Without what systems write before a number, such as `p:+49…` of Facebook's lead files. */
export const withoutScheme = (cell: string) => cell.replace(/^\s*(?:p|tel):\s*(?=[+(\d])/i, '')

/** Characters that nobody sees. */
export const withoutInvisible = (text: string) => text.replace(/[\p{Cf}\p{DI}\u2800]/gu, '')

/**
 * Full-width characters, the digits of all scripts, and a long vowel mark between them, which Japanese keyboards write
 * for a dash.
 */
export const asAscii = (text: string) =>
  isAscii.test(text)
    ? text
    : text
        .replace(/[\uFF01-\uFF5E]/g, (one) => String.fromCharCode(one.charCodeAt(0) - 0xfee0))
        .replace(/(?<=\p{Nd}\s*)[\u30FC\uFF70](?=\s*\p{Nd})/gu, '-')
        .replace(/\p{Nd}/gu, digitOf)
const isAscii = /^[\0-\x7F]*$/

/**
 * The digits of a script stand in a row, from its zero on; so do those of the next, where no other character is
 * between.
 */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  let place = 0
  while (/\p{Nd}/u.test(String.fromCodePoint(code - place - 1))) place++
  return `${place % 10}`
}
