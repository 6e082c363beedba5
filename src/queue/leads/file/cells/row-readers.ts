// Reads the numbers of a file row by row: by the country that a row says of itself, else by the one that is chosen.
import type { SaidCountry } from '../names/country-names.ts'
import type { FindNumbers, NumberChange, NumberReading, ReadNumber } from './number-reading.ts'
import { numberFinder } from './numbers-in-text.ts'
import { type CountryCode, numberReader } from './phone-cell.ts'
import { countryBeside } from './stated-country.ts'

type Home = CountryCode | null
/** Of what a row says; `unclear`: two countries that differ. */
type HomeOf = (said?: SaidCountry) => Home | 'unclear'

const mostKept = 1_000

function homesBy(home: Home): HomeOf {
  const homes = new Map<string, ReturnType<HomeOf>>()
  const find = (said: SaidCountry) => {
    const stated = countryBeside(said)
    if (stated === null || (home !== null && stated.countries.includes(home))) return home
    return stated.countries[0] ?? 'unclear'
  }
  return (said = []) => {
    if (said.length === 0) return home
    const key = JSON.stringify(said)
    const found = homes.get(key) ?? find(said)
    if (homes.size < mostKept) homes.set(key, found)
    return found
  }
}

function kept<Reader>(make: (home: Home) => Reader): (home: Home) => Reader {
  const readers = new Map<Home, Reader>()
  return (home) => {
    const reader = readers.get(home) ?? make(home)
    readers.set(home, reader)
    return reader
  }
}

type Options = { readonly turnedOff?: ReadonlySet<NumberChange>; readonly isPlusAdded?: boolean }

/** `asItIs`: what becomes of a number of which nothing says the country. Without it, it is read without one. */
export function rowReader(home: Home, { turnedOff, isPlusAdded }: Options, asItIs?: ReadNumber): ReadNumber {
  const homeOf = homesBy(home)
  const readerFor = kept((country) => numberReader(country, turnedOff, isPlusAdded))
  return (cell, said) => {
    const found = homeOf(said)
    if (found === null && asItIs !== undefined) return asItIs(cell)
    const reading: NumberReading = readerFor(found === 'unclear' ? null : found)(cell)
    const isNational = reading.kind === 'error' && reading.cause === 'no_country'
    return found === 'unclear' && isNational ? { kind: 'error', cause: 'ambiguous' } : reading
  }
}

export function rowFinder(home: Home, { turnedOff, isPlusAdded }: Options): FindNumbers {
  const homeOf = homesBy(home)
  const finderFor = kept((country) => numberFinder(country, turnedOff, isPlusAdded))
  return (text, said) => {
    const found = homeOf(said)
    return finderFor(found === 'unclear' ? null : found)(text)
  }
}
