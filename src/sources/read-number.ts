// The phone number of a post: which entry it is, and how that is read, as a cell of a file is; and all numbers that a no in it
// reaches.
import {
  asHeldBack,
  describeCause,
  isE164,
  type NumberReading,
  type ReadNumber,
} from '../leads/file/cells/number-reading.ts'
import { numberFinder } from '../leads/file/cells/numbers-in-text.ts'
import { countryOf, countryOfNumber, isUsualNumber, numberReader } from '../leads/file/cells/phone-cell.ts'
import { guessPlace } from '../leads/file/guess-columns.ts'
import { limits } from '../limits.ts'
import { candidatesOf } from './candidates.ts'
import { type Entry, isNameOf } from './flatten.ts'
import { listNames } from './post-problem.ts'
import type { SourceSettings } from './source-settings.ts'

export type Taken<Value = string | number> = { readonly from: string; readonly value: Value }

export const entryOf = (entries: readonly Entry[], wanted: string | null | undefined): Entry | null =>
  (wanted && entries.find(({ name }) => isNameOf(name, wanted))) || null

/** A form may have its dots in the name itself. */
const tailOf = ({ last }: Entry) => last.split('.').at(-1) ?? ''

function guessPhone(entries: readonly Entry[]): Entry | null {
  for (const step of [({ name }: Entry) => name, ({ last }: Entry) => last, tailOf]) {
    const place = guessPlace('phoneNumber', entries.map(step))
    if (place !== -1) return entries[place] as Entry
  }
  const [only, ...others] = entries.filter(({ type }) => /phone/i.test(type))
  return others.length === 0 ? (only ?? null) : null
}

/** A plus that was not encoded arrives as a blank, which a person may also have typed. What could be two numbers is refused. */
function readLostPlus(read: ReadNumber, cell: string): NumberReading {
  const own = read(cell)
  if (!/^ \d/.test(cell)) return own
  const withPlus = read(cell.replace(' ', '+'))
  if (withPlus.kind === 'error') return own.kind === 'ok' || withPlus.number === undefined ? own : withPlus
  if (own.kind === 'ok' && own.number !== withPlus.number) return { kind: 'error', cause: 'ambiguous' }
  return withPlus
}

export type NumberRead = {
  readonly entry: Entry | null
  /** Of a number that can be read or held back, whether or not it is taken. */
  readonly value: string | null
  readonly country: string | null
  /** Why it is not taken. */
  readonly problem: string | null
}

export function readNumber(
  source: SourceSettings,
  entries: readonly Entry[],
  isUrlEncoded: boolean,
): NumberRead {
  const { fields, countries } = source
  const entry = fields.phoneNumber === undefined ? guessPhone(entries) : entryOf(entries, fields.phoneNumber)
  if (entry === null)
    return { entry, value: null, country: null, problem: describeCause({ cause: 'missing' }) }
  const reading = readerOf(source, isUrlEncoded).read(entry.value)
  if (reading.kind === 'error') {
    const held = asHeldBack(reading)
    const value = held.kind === 'ok' ? held.number : null
    return { entry, value, country: null, problem: describeCause(reading) }
  }
  const { number: value } = reading
  const country = countryOfNumber(value)
  if (!isE164(value)) return { entry, value: null, country, problem: describeCause({ cause: 'invalid' }) }
  if (country === null || !countries.includes(country))
    return { entry, value, country, problem: 'phoneNumber is of a country that is not called from here' }
  if (!isUsualNumber(value))
    return { entry, value, country, problem: 'phoneNumber is neither a landline nor a mobile phone' }
  return { entry, value, country, problem: null }
}

/** Of a long value its beginning, and no part of a number. */
const searchedOf = (value: string, chars: number) =>
  value.length <= Math.min(chars, mostChars)
    ? value
    : value.slice(0, Math.min(chars, mostChars)).replace(/[^\p{L}]*$/u, '')
/** Two numbers with a note. */
const mostChars = 255

function readerOf({ countries }: SourceSettings, isUrlEncoded: boolean) {
  const country = countryOf(countries[0] ?? '')
  const read = numberReader(country)
  return {
    read: isUrlEncoded ? (cell: string) => readLostPlus(read, cell) : read,
    find: numberFinder(country),
  }
}

/** What a no suppresses: every number of the person, also one that would not be called, and that which the source names. */
export function readReached(
  source: SourceSettings,
  entries: readonly Entry[],
  isUrlEncoded: boolean,
): { readonly numbers: readonly Taken<string>[]; readonly notes: readonly string[] } {
  const numbers = new Map<string, Taken<string>>()
  const unread: string[] = []
  const { read, find } = readerOf(source, isUrlEncoded)
  const numbersIn = (text: string): readonly string[] => {
    const whole = asHeldBack(read(text))
    if (whole.kind === 'ok') return [whole.number].filter(isE164)
    // One number, which is wrong or may be a stranger's.
    return ['ambiguous', 'invalid'].includes(whole.cause) ? [] : find(text).map(({ number }) => number)
  }
  const named = entryOf(entries, source.fields.phoneNumber)
  let chars: number = limits.postNumberCharsMax
  for (const entry of new Set([...(named === null ? [] : [named]), ...candidatesOf(entries)])) {
    const text = searchedOf(entry.value, chars)
    chars -= text.length
    const found = numbers.size < limits.postNumbersMax ? numbersIn(text) : []
    if (found.length === 0) unread.push(entry.name)
    for (const value of found) if (!numbers.has(value)) numbers.set(value, { from: entry.name, value })
  }
  const notes = unread.length === 0 ? [] : [`do-not-call does not reach the number in ${listNames(unread)}`]
  return { numbers: [...numbers.values()].slice(0, limits.postNumbersMax), notes }
}
