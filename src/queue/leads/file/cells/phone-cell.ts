// Reads one cell as a phone number in E.164, however a person wrote it. A number is taken only if libphonenumber's full
// metadata holds it for valid and no digit was added or removed beside prefixes: guessing means calling a stranger.
// The API does none of this: it takes E.164 only.
import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  isSupportedCountry,
  Metadata,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'
import { isRounded } from '../row-item.ts'
import {
  asAscii,
  isE164,
  type NumberCause,
  type NumberChange,
  type NumberReading,
  type ReadNumber,
  withoutInvisible,
  withoutScheme,
} from './number-reading.ts'

export type { CountryCode }

/** Null: no such country. */
export function countryOf(code: string): CountryCode | null {
  const country = code.trim().toUpperCase()
  return isSupportedCountry(country) ? country : null
}

export const allCountries: readonly CountryCode[] = getCountries()

/** Those that a calling code reaches, its main one first. */
export const countriesOfCode = (code: string): readonly CountryCode[] =>
  // Its types leave it out.
  (new Metadata() as unknown as Codes)
    .getCountryCodesForCallingCode(code)
    ?.filter((country) => isSupportedCountry(country)) ?? []
type Codes = { getCountryCodesForCallingCode(code: string): readonly string[] | undefined }

/** The country of a number in E.164, by two letters. Null: it is not known, or a code of several countries. */
export const countryOfNumber = (number: string): string | null =>
  (number.startsWith('+') && parsePhoneNumberFromString(number, { extract: false })?.country) || null

/** Kinds of numbers that a person has, at the price of a call to one. */
const usualKinds: readonly (string | undefined)[] = ['FIXED_LINE', 'MOBILE', 'FIXED_LINE_OR_MOBILE', 'VOIP']

/**
 * Sold as premium-rate or satellite, and in numbering plans landlines, mobiles or internet phones: North America's
 * exchanges paid by the call (976) and Canada's numbers of no place (600 and the like), Australia's satellite phones
 * (014), and the networks of no country.
 */
const costlyRanges = /^\+(?:1[2-9]\d\d976\d{4}|16(?:00|22|33|44|55|77|88)\d{7}|6114\d+|8(?:70|8[123])\d+)$/

const kindOf = (number: string) => parsePhoneNumberFromString(number, { extract: false })?.getType()

/** Whether a call to a number in E.164 can be expensive, because it is premium-rate or by satellite. */
export const isCostlyNumber = (number: string): boolean =>
  costlyRanges.test(number) || kindOf(number) === 'PREMIUM_RATE'

/** Whether a number in E.164 is of such a kind: neither premium-rate nor shared, personal, free or by satellite. */
export const isUsualNumber = (number: string): boolean =>
  usualKinds.includes(kindOf(number)) && !isCostlyNumber(number)

/**
 * `country`: where national numbers are from; null: a number must have its country code. `isPlusAdded`: digits that
 * begin with that country's code, and are no number of it as they stand, are read with a plus.
 */
export function numberReader(
  country: CountryCode | null,
  turnedOff: ReadonlySet<NumberChange> = new Set(),
  isPlusAdded = false,
): ReadNumber {
  const home = country === null ? null : numberingOf(country)
  return (cell) => {
    // Before work is spent on it.
    if (cell.length > mostChars) return wrong('letters')
    const ascii = asAscii(cell)
    const text = withoutScheme(withoutInvisible(ascii).trim().replace(/^'/, '')).trim()
    const cause = causeOfText(text)
    if (cause !== null) return wrong(cause)
    const continuations = continuationsOf(text, home)
    const reading = hasSecondNumber(continuations, home) ? wrong('several') : readWhole(text, home)
    if (reading.kind === 'error' && reading.withPlus !== undefined && isPlusAdded)
      return {
        kind: 'ok',
        number: reading.withPlus,
        country: countryOfNumber(reading.withPlus),
        changed: 'plus',
      }
    if (reading.kind === 'error') {
      // A whole number with more digits behind it is no number that no country has.
      const mayBeHeld = continuations.length === 0 && !turnedOff.has('unknown')
      const { number: _, ...error } = reading
      return mayBeHeld ? reading : error
    }
    if (reading.number === cell) return reading
    const changed = reading.changed ?? (ascii === cell ? 'punctuation' : 'digits')
    return turnedOff.has(changed) ? wrong('turned_off') : { ...reading, changed }
  }
}

/** The longest cell with one number, however it is written. */
const mostChars = 255

/** What the cell's characters say, before any rule of a country. */
function causeOfText(text: string): NumberCause | null {
  if (!/[\p{L}\p{N}]/u.test(text)) return 'missing'
  // A decimal's zero would be one more digit of the number.
  if (isRounded(text) || /^[^.,]*[.,]0+$/.test(text)) return 'rounded'
  if (extension.test(text)) return 'extension'
  if (text.split(betweenNumbers).filter((part) => (part.match(/\d/g)?.length ?? 0) > 3).length > 1)
    return 'several'
  if (/\d[^+]*\+/.test(text)) return text.split('+').length > 2 ? 'several' : 'letters'
  return isWritten.test(text) ? null : 'letters'
}

const punctuation = String.raw`\s\p{Pd}\u2212().[\]/·`
const isWritten = new RegExp(`^[${punctuation}]*\\+?[\\d${punctuation}]+$`, 'u')
/** What stands before an extension, in lower case. The last two are what a telephone dials: a star, and two pauses. */
const extensionWords = `
  extension extn ext x # local
  durchwahl dw nst app ap
  poste
  int
  * ,,`
const extensionStart = extensionWords
  .trim()
  .split(/\s+/)
  .map((word) => word.replace('*', '\\*'))
  .join('|')
const extensionText = `(?<=\\d)[\\s.,;(]*(?:${extensionStart})[\\s.:=]*\\d{1,7}`
const extension = new RegExp(`${extensionText}[\\s)]*$`, 'i')
const extensions = new RegExp(`${extensionText}(?!\\d)`, 'gi')
export const withoutExtensions = (text: string) => text.replace(extensions, ' ')
const betweenNumbers = /[,;|&\r\n]|\p{L}+/u

type Numbering = {
  readonly country: CountryCode
  readonly callingCode: string
  readonly has00: boolean
  /** Empty: the country has none. */
  readonly prefix: string
}

type Plan = { IDDPrefix(): string | undefined; nationalPrefix(): string | undefined }

const numberings = new Map<CountryCode, Numbering>()

/** Kept, because each row of a file needs one. */
function numberingOf(country: CountryCode): Numbering {
  const numbering = numberings.get(country) ?? makeNumbering(country)
  numberings.set(country, numbering)
  return numbering
}

function makeNumbering(country: CountryCode): Numbering {
  const metadata = new Metadata()
  metadata.selectNumberingPlan(country)
  // Its types leave out what a numbering plan has.
  const plan = metadata.numberingPlan as unknown as Plan
  const [international] = new RegExp(`^(?:${plan.IDDPrefix() ?? ''})`).exec('00') ?? []
  return {
    country,
    callingCode: getCountryCallingCode(country),
    has00: international === '00',
    prefix: plan.nationalPrefix() ?? '',
  }
}

/** A slash behind a whole number begins another one; other punctuation does where a whole number follows. */
const hasSecondNumber = (continuations: readonly Continuation[], home: Numbering | null) =>
  continuations.some(({ between, right }) => between.includes('/') || isWhole(right, home))

type Continuation = { readonly between: string; readonly right: string }

/** What stands behind each whole number that the text begins with. */
const continuationsOf = (text: string, home: Numbering | null): readonly Continuation[] =>
  [...text.matchAll(inside)]
    .filter(({ index }) => isWhole(text.slice(0, index), home))
    .map(({ index, 0: between }) => ({ between, right: text.slice(index + between.length) }))

const inside = new RegExp(`(?<=\\d)[${punctuation}]+(?=\\d)`, 'gu')
const isWhole = (text: string, home: Numbering | null) =>
  digitsOf(text).length >= fewestDigits && readWhole(text, home).kind === 'ok'

/** The fewest in a whole number. Groups of a single one may look like two shorter ones. */
const fewestDigits = 7
const digitsOf = (text: string) => text.replace(/\D/g, '')

/** A text of digits, punctuation, and a plus at most in front. */
function readWhole(text: string, home: Numbering | null): NumberReading {
  const digits = digitsOf(text)
  if (text.includes('+')) return readInternational(text, digits)
  if (home?.has00 && digits.startsWith('00')) {
    const reading = readInternational(text.replace(/0\D*0/, ''), digits.slice(2))
    return reading.kind === 'ok' ? { ...reading, changed: 'international_prefix' } : reading
  }
  return home === null ? wrong('no_country') : readNational(text, digits, home)
}

/** `digits`: with the country code. A zero in brackets is read as part of the number, and as none. */
function readInternational(text: string, digits: string): NumberReading {
  const [zero] = /^\D*\d{1,3}\D*?\(\s*0\s*\)/.exec(text) ?? []
  const without = zero && digitsOf(zero).slice(0, -1) + digits.slice(digitsOf(zero).length)
  const found = [digits, ...(without === undefined ? [] : [without])].flatMap((one) => {
    const phone = parsePhoneNumberFromString(`+${one}`, { extract: false })
    if (!phone?.isValid()) return []
    const { callingCode, prefix } = { callingCode: phone.countryCallingCode, prefix: prefixOf(phone.country) }
    const written = [
      `${callingCode}${phone.nationalNumber}`,
      `${callingCode}${prefix}${phone.nationalNumber}`,
    ]
    return written.includes(one) ? [phone] : []
  })
  const [first] = found
  if (first === undefined)
    return { kind: 'error', cause: 'invalid', ...(isE164(`+${digits}`) && { number: `+${digits}` }) }
  if (found.some(({ number }) => number !== first.number)) return wrong('ambiguous')
  const reading = { kind: 'ok', number: first.number, country: first.country ?? null } as const
  return digitsOf(first.number) === digits ? reading : { ...reading, changed: 'zero' }
}

const prefixOf = (country: CountryCode | undefined) =>
  country === undefined ? '' : numberingOf(country).prefix

/** Written as the country writes it: with its national prefix, or without where it is written without. */
function readNational(text: string, digits: string, home: Numbering): NumberReading {
  const { country, callingCode, prefix } = home
  const phone = parsePhoneNumberFromString(digits, { defaultCountry: country, extract: false })
  if (phone?.isValid() && phone.countryCallingCode === callingCode) {
    const national = phone.formatNational()
    // A number that no format of the country matches comes out bare, whether its prefix belongs there or not.
    const hasOnlyDigits = prefix !== '' && /^\d+$/.test(national)
    const written = [
      `${prefix}${phone.nationalNumber}`,
      ...(hasOnlyDigits ? [] : [digitsOf(national)]),
      ...(isPrefixOptional(phone, country) ? [phone.nationalNumber] : []),
    ]
    if (!written.includes(digits)) return withoutPrefix(text, digits, home)
    if (mayHaveLostTrunkZero(text, digits, home)) return wrong('ambiguous')
    return { kind: 'ok', number: phone.number, country: phone.country ?? null, changed: 'national' }
  }
  if (lostZero(digits, home) || lacksPlus(digits) || (prefix === '0' && !digits.startsWith('0')))
    return withoutPrefix(text, digits, home)
  return { kind: 'error', cause: 'invalid', country }
}

/** Whose plans have a prefix that is not dialled in the country, which no format says. */
const prefixLeftAway: readonly CountryCode[] = ['BO', 'FK', 'GI', 'SH']

/** Whether people of the country also write the number without its prefix. */
function isPrefixOptional(phone: PhoneNumber, country: CountryCode): boolean {
  if (prefixLeftAway.includes(country)) return true
  const [withIt, without] = [phone.formatNational(), phone.formatNational({ nationalPrefix: false })]
  return withIt !== without && digitsOf(without) === phone.nationalNumber
}

function withoutPrefix(text: string, digits: string, home: Numbering): NumberReading {
  if (lostZero(digits, home)) return wrong('lost_zero')
  const hasPlusAlone = digits.startsWith(home.callingCode) && /^\d+$/.test(text) && lacksPlus(digits)
  return { kind: 'error', cause: 'no_prefix', ...(hasPlusAlone && { withPlus: `+${digits}` }) }
}

const lacksPlus = (digits: string) =>
  parsePhoneNumberFromString(`+${digits}`, { extract: false })?.isValid() === true

/** Whether a number in E.164 is written in the groups of its country, which others would not write theirs in. */
export function isInGroups(cell: string, number: string): boolean {
  const groupsOf = (text: string) => text.split(/\D+/).filter((group) => group !== '')
  const national = groupsOf(parsePhoneNumberFromString(number, { extract: false })?.formatNational() ?? '')
  return national.length > 2 && `${groupsOf(asAscii(cell))}` === `${national}`
}

/**
 * Whether people of a country may mean another number by it than `number`, also without their prefix. A mobile number
 * of the country is more than a long one of a town whose prefix is its code.
 */
export function readsAsOther(cell: string, country: string, number: string): boolean {
  const home = countryOf(country)
  if (home === null || cell.includes('+')) return false
  const callingCode = getCountryCallingCode(home)
  const isOwnMobile = number.startsWith(`+${callingCode}`) && kindOf(number) === 'MOBILE'
  const digits = digitsOf(asAscii(cell))
  return [digits, `0${digits}`].some((one) => {
    const phone = parsePhoneNumberFromString(one, { defaultCountry: home, extract: false })
    if (!phone?.isValid() || phone.countryCallingCode !== callingCode || phone.number === number) return false
    return !(isOwnMobile && digits === number.slice(1))
  })
}

/**
 * Whether a spreadsheet took it for a number: it is one of the country with a zero in front, and none that lacks its
 * plus.
 */
function lostZero(digits: string, { country, callingCode }: Numbering): boolean {
  const phone = parsePhoneNumberFromString(`0${digits}`, { defaultCountry: country, extract: false })
  const isNational = phone?.isValid() === true && phone.countryCallingCode === callingCode
  return isNational && /^[1-9]/.test(digits) && !lacksPlus(digits)
}

/** Whether `049 171 1234567` may be meant, with the country code behind one zero: 0491 is an area code too. */
function mayHaveLostTrunkZero(text: string, digits: string, { callingCode, prefix }: Numbering): boolean {
  const start = `${prefix}${callingCode}`
  if (prefix !== '0' || !digits.startsWith(start)) return false
  const phone = parsePhoneNumberFromString(`+${digits.slice(1)}`, { extract: false })
  if (!phone?.isValid()) return false
  return phone.getType() === 'MOBILE' || digitsOf(/^\D*\d+/.exec(text)?.[0] ?? '') === start
}

const wrong = (cause: NumberCause): NumberReading => ({ kind: 'error', cause })
