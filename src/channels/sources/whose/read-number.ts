// The phone number of a post: which entry it is, and how that is read, as a cell of a file is; and all numbers that a
// no in it reaches.

import { phoneKey } from '../../../base/ledger/suppression/spellings.ts'
import { limits } from '../../../base/limits.ts'
import {
  asAscii,
  asHeldBack,
  describeCause,
  isE164,
  type NumberCause,
  type NumberReading,
  type ReadNumber,
} from '../../../queue/leads/file/cells/number-reading.ts'
import { numberFinder } from '../../../queue/leads/file/cells/numbers-in-text.ts'
import {
  countryOf,
  countryOfNumber,
  isInGroups,
  isUsualNumber,
  numberReader,
  readsAsOther,
} from '../../../queue/leads/file/cells/phone-cell.ts'
import { countryBeside, type StatedCountry } from '../../../queue/leads/file/cells/stated-country.ts'
import { guessPlace } from '../../../queue/leads/file/guess-columns.ts'
import { type Entry, isNameOf } from '../flatten.ts'
import { listNames, shownName } from '../post-problem.ts'
import type { SourceSettings } from '../source-settings.ts'
import { candidatesOf, isBareNumber, isSomebodyElses, numbersOfPost, stepsAround } from './candidates.ts'

export type Taken<Value = string | number> = { readonly from: string; readonly value: Value }

export const entryOf = (entries: readonly Entry[], wanted: string | null | undefined): Entry | null =>
  (wanted && entries.find(({ name }) => isNameOf(name, wanted))) || null

/** A form may have its dots in the name itself. */
const tailOf = ({ last }: Entry) => last.split('.').at(-1) ?? ''

/** The one whose name is listed first, else the first of the body. */
function firstByName(entries: readonly Entry[]): Entry | null {
  const named = entries.filter((entry) => !isBareNumber(entry))
  for (const step of [({ name }: Entry) => name, ({ last }: Entry) => last, tailOf]) {
    const place = guessPlace('phoneNumber', named.map(step))
    if (place !== -1) return named[place] as Entry
  }
  return named[0] ?? entries[0] ?? null
}

/** `words`: why not, where the cause alone does not say it. */
type Read = NumberReading & { readonly words?: string }
const refused = (words: string): Read => ({ kind: 'error', cause: 'invalid', words })

const ambiguous = refused(
  'phoneNumber is ambiguous: send the number with its country code, or a field with the country',
)

/**
 * A plus that was not encoded arrives as a blank, which a person may also have typed. What could be two numbers is
 * refused.
 */
function readLostPlus(read: (cell: string) => Read, cell: string): Read {
  const own = read(cell)
  if (!/^ \d/.test(cell)) return own
  const withPlus = read(cell.replace(' ', '+'))
  if (withPlus.kind === 'error') return own.kind === 'ok' || withPlus.number === undefined ? own : withPlus
  if (own.kind === 'ok' && own.number !== withPlus.number) return { kind: 'error', cause: 'ambiguous' }
  return withPlus
}

export type NumberRead = {
  readonly entry: Entry | null
  /** A number that can be read or held back, whether or not it is taken. */
  readonly value: string | null
  readonly country: string | null
  /** Why it is not taken. */
  readonly problem: string | null
  /** The phones of the post's person, by their keys. */
  readonly phones: ReadonlyMap<Entry, string>
}

const none = { value: null, country: null, phones: new Map<Entry, string>() }

export function readNumber(
  source: SourceSettings,
  entries: readonly Entry[],
  isUrlEncoded: boolean,
): NumberRead {
  const { fields, countries } = source
  const readEntry = entryReader(source, entries, isUrlEncoded)
  const named = entryOf(entries, fields.phoneNumber)
  const { entry, phones, problem } =
    fields.phoneNumber === undefined
      ? chooseNumber(entries, readEntry)
      : { entry: named, phones: none.phones, problem: null }
  if (entry === null)
    return { ...none, entry, problem: problem ?? describeCause({ cause: 'missing' }), phones }
  const reading = readEntry(entry)
  const of = { entry, phones }
  if (reading.kind === 'error') {
    const held = asHeldBack(reading)
    const value = held.kind === 'ok' ? held.number : null
    return { ...of, value, country: null, problem: reading.words ?? describeCause(reading) }
  }
  const { number: value } = reading
  const country = countryOfNumber(value)
  if (!isE164(value)) return { ...of, value: null, country, problem: describeCause({ cause: 'invalid' }) }
  if (country === null || !countries.includes(country))
    return { ...of, value, country, problem: 'phoneNumber is of a country that is not called from here' }
  if (!isUsualNumber(value))
    return { ...of, value, country, problem: 'phoneNumber is neither a landline nor a mobile phone' }
  return { ...of, value, country, problem: null }
}

type ReadEntry = (entry: Entry) => Read
type Chosen = Pick<NumberRead, 'entry' | 'phones' | 'problem'>

/** The number of the person that stands least deep and can be read; of several there, the first by name. */
function chooseNumber(entries: readonly Entry[], readEntry: ReadEntry): Chosen {
  const { own, others } = numbersOfPost(entries)
  const readings = new Map<Entry, Read>()
  for (const entry of own.slice(0, limits.postNumbersMax)) readings.set(entry, readEntry(entry))
  const phones = new Map<Entry, string>()
  for (const [entry, reading] of readings)
    if (reading.kind === 'ok') phones.set(entry, phoneKey(reading.number))
    else if (!isBareNumber(entry)) phones.set(entry, entry.value.replace(/\D/g, ''))
  const readable = own.filter((entry) => readings.get(entry)?.kind === 'ok')
  const depth = Math.min(...readable.map(({ steps }) => steps.length))
  const chosen = firstByName(readable.filter(({ steps }) => steps.length === depth))
  if (chosen !== null) return { entry: inFull(chosen, readable, readings), phones, problem: null }
  // Too short for a number of most countries, or none that can be read.
  const guess = firstByName(own.filter((entry) => !isBareNumber(entry))) ?? guessShort(entries)
  if (guess !== null && (others.length === 0 || readings.has(guess) || readEntry(guess).kind === 'ok'))
    return { entry: guess, phones, problem: null }
  const [other] = others
  const problem = other && `${shownName(other.name)} may be somebody else's: name it in fields.phoneNumber`
  return { entry: null, phones, problem: problem ?? null }
}

function guessShort(entries: readonly Entry[]): Entry | null {
  const own = entries.filter((entry) => !isSomebodyElses(entry) && !isBareNumber(entry))
  const isNamed = (entry: Entry) =>
    [entry.name, entry.last, tailOf(entry)].some((name) => guessPlace('phoneNumber', [name]) !== -1)
  return firstByName(own.filter(isNamed))
}

/** The same phone with its country code, also where that was read as another country's: it stands beside it in full. */
function inFull(chosen: Entry, readable: readonly Entry[], readings: ReadonlyMap<Entry, Read>): Entry {
  const isFull = ({ value }: Entry) => isE164(value.trim())
  const reading = readings.get(chosen)
  if (isFull(chosen) || reading?.kind !== 'ok') return chosen
  const bare = asAscii(chosen.value).replace(/\D/g, '').replace(/^0+/, '')
  const isSame = (entry: Entry) => {
    const other = readings.get(entry)
    if (other?.kind !== 'ok') return false
    const isBehind = bare.length >= fewestDigits && other.number.endsWith(bare)
    return phoneKey(other.number) === phoneKey(reading.number) || (reading.changed === 'national' && isBehind)
  }
  return readable.find((entry) => isFull(entry) && isSame(entry)) ?? chosen
}
const fewestDigits = 7

/** What is said of the country beside a number, or within it; where nothing is, at the top. */
function statedBeside(entries: readonly Entry[], entry: Entry): StatedCountry | null {
  const around = (one: Entry) => [JSON.stringify(one.steps.slice(0, -1)), JSON.stringify(stepsAround(one))]
  const places = [...around(entry), JSON.stringify(entry.steps)]
  const said = (isThere: (one: Entry) => boolean) =>
    countryBeside(entries.filter(isThere).map((one) => [tailOf(one), one.value] as const))
  return (
    said((one) => one !== entry && around(one).some((place) => places.includes(place))) ??
    said((one) => one !== entry && stepsAround(one).length === 0)
  )
}

const readers = new Map<string, ReadNumber>()

/** Kept, because each post needs one. */
function readerFor(country: string | null, isPlusAdded = false): ReadNumber {
  const key = `${country} ${isPlusAdded}`
  const reader = readers.get(key) ?? numberReader(countryOf(country ?? ''), new Set(), isPlusAdded)
  readers.set(key, reader)
  return reader
}

/** Reads the number of an entry by the country that is said beside it, else by the source's. */
function entryReader(source: SourceSettings, entries: readonly Entry[], isUrlEncoded: boolean): ReadEntry {
  const readings = new Map<Entry, Read>()
  const readOnce = (entry: Entry): Read => {
    const stated = statedBeside(entries, entry)
    const read = (cell: string) =>
      stated === null ? readBySource(source, cell) : readAsStated(source, stated, cell)
    return isUrlEncoded ? readLostPlus(read, entry.value) : read(entry.value)
  }
  return (entry) => {
    const reading = readings.get(entry) ?? readOnce(entry)
    readings.set(entry, reading)
    return reading
  }
}

const isNoNumber: readonly NumberCause[] = ['missing', 'letters', 'several', 'extension', 'rounded']

function readAsStated(
  { countries }: SourceSettings,
  { said, countries: stated }: StatedCountry,
  cell: string,
): Read {
  const home = countries.find((country) => stated.some((one) => one === country))
  if (home !== undefined) return readNationally([home], readerFor(home)(cell), cell)
  const reading = readerFor(countries[0] ?? null)(cell)
  // With its country code it is taken as it is: people move.
  if (reading.kind === 'ok' ? reading.changed !== 'national' : isNoNumber.includes(reading.cause))
    return reading
  return refused(
    stated.length === 0
      ? `the post says ${said}, which are two countries`
      : `the post says ${said}, which is not among the countries of this source`,
  )
}

function readBySource({ countries, nationalCountry }: SourceSettings, cell: string): Read {
  const own = nationalCountry === null ? readByEach(countries, cell) : readerFor(nationalCountry)(cell)
  return readNationally(countries, own, cell)
}

/** By each country: one number, and none other that might be meant. */
function readByEach(countries: readonly string[], cell: string): Read {
  const readings = countries.map((country) => readerFor(country)(cell))
  const [first, ...others] = readings.filter((reading) => reading.kind === 'ok')
  if (first === undefined) return readings[0] as Read
  const isSame = others.every(({ number }) => number === first.number)
  const isOnly =
    isInGroups(cell, first.number) || countries.every((country) => !readsAsOther(cell, country, first.number))
  return isSame && isOnly ? first : ambiguous
}

/**
 * With a plus, where it is no number as it stands: digits that begin with the code of one of the countries, and that
 * none of them has for another number.
 */
function readNationally(countries: readonly string[], own: Read, cell: string): Read {
  if (own.kind === 'ok' || !/^\s*\p{Nd}+\s*$/u.test(cell)) return own
  const readings = countries.map((country) => readerFor(country, true)(cell))
  const [first, ...others] = readings.filter((reading) => reading.kind === 'ok')
  if (first?.changed !== 'plus' || others.some(({ number }) => number !== first.number)) return own
  const isOther = (country: string) => readsAsOther(cell, country, first.number)
  return countries.some(isOther) ? own : first
}

/** The beginning of a long value, and no part of a number. */
const searchedOf = (value: string, chars: number) =>
  value.length <= Math.min(chars, mostChars)
    ? value
    : value.slice(0, Math.min(chars, mostChars)).replace(/[^\p{L}]*$/u, '')
/** Two numbers with a note. */
const mostChars = 255

/**
 * What a no suppresses: every number of the person, also one that would not be called, and that which the source names.
 */
export function readReached(
  source: SourceSettings,
  entries: readonly Entry[],
  isUrlEncoded: boolean,
): { readonly numbers: readonly Taken<string>[]; readonly notes: readonly string[] } {
  const numbers = new Map<string, Taken<string>>()
  const unread: string[] = []
  const numbersIn = (entry: Entry, text: string): readonly string[] => {
    const stated = statedBeside(entries, entry)
    // Also of a country that the source does not call.
    const home = stated === null ? source.nationalCountry : (stated.countries[0] ?? null)
    const read = (cell: string) =>
      stated === null || home === null
        ? readBySource(source, cell)
        : readNationally([home], readerFor(home)(cell), cell)
    const whole = asHeldBack(isUrlEncoded ? readLostPlus(read, text) : read(text))
    if (whole.kind === 'ok') return [whole.number].filter(isE164)
    // One number, which is wrong or may be a stranger's.
    const isDoubtful = ['ambiguous', 'invalid'].includes(whole.cause)
    return isDoubtful ? [] : numberFinder(countryOf(home ?? ''))(text).map(({ number }) => number)
  }
  const named = entryOf(entries, source.fields.phoneNumber)
  let chars: number = limits.postNumberCharsMax
  for (const entry of new Set([...(named === null ? [] : [named]), ...candidatesOf(entries)])) {
    const text = searchedOf(entry.value, chars)
    chars -= text.length
    const found = numbers.size < limits.postNumbersMax ? numbersIn(entry, text) : []
    if (found.length === 0) unread.push(entry.name)
    for (const value of found) if (!numbers.has(value)) numbers.set(value, { from: entry.name, value })
  }
  const notes = unread.length === 0 ? [] : [`do-not-call does not reach the number in ${listNames(unread)}`]
  return { numbers: [...numbers.values()].slice(0, limits.postNumbersMax), notes }
}
