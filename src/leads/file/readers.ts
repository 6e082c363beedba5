// How a person says that cells are to be read, as readers of cells, which note what they found. Large, by the rules of phone
// numbers: the console loads it when a file is opened, or numbers are read.
import { consentReader } from './cells/consent-cells.ts'
import { dateReader } from './cells/date-cell.ts'
import type { DateOrder } from './cells/date-reading.ts'
import type { NumberChange } from './cells/number-reading.ts'
import { allCountries, countryOf, numberReader } from './cells/phone-cell.ts'
import type { Readers } from './row-item.ts'

type Said = {
  readonly country: string | null
  readonly turnedOff: readonly NumberChange[]
  readonly dates: DateOrder | null
  readonly timeZone: string
  readonly consentPurpose?: string | undefined
  readonly consentText?: string | undefined
}

export function openReaders({ country, turnedOff, dates, timeZone, consentPurpose, consentText }: Said) {
  const readNumber = numberReader(country === null ? null : countryOf(country), new Set(turnedOff))
  const readDate = dateReader(dates, timeZone)
  const complete = new Map<string, number>()
  let hasDates = false
  const readers: Readers = {
    number: (cell) => {
      const reading = readNumber(cell)
      if (reading.kind === 'ok' && reading.changed !== 'national' && reading.country !== null)
        complete.set(reading.country, (complete.get(reading.country) ?? 0) + 1)
      return reading
    },
    date: (cell) => {
      const reading = readDate(cell)
      hasDates ||= reading.kind !== 'as_is'
      return reading
    },
    consent: consentReader({ purpose: consentPurpose, text: consentText }),
  }
  /** So far. `guess`: the country of most of the numbers that have their country code. */
  const found = () => ({
    guess: [...complete].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null,
    hasDates,
  })
  return { readers, found, countries: allCountries as readonly string[] }
}
