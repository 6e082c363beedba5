// How a person says that cells are to be read, as readers of cells, which note what they found; and what columns are by
// their headers. Large, by the rules of phone numbers and the names of columns: the console loads it when a file is
// opened, or numbers are read.
import { consentReader } from './cells/consent-cells.ts'
import { type DateOrder, dateReader } from './cells/date-cell.ts'
import { costlyNumbers, type NumberChange } from './cells/number-reading.ts'
import { allCountries, countryOf, isCostlyNumber } from './cells/phone-cell.ts'
import { rowFinder, rowReader } from './cells/row-readers.ts'
import { type ClockLine, campaignClock, clockLine, type ZoneChoices } from './clock-words.ts'
import { clocksOf, findClocks, hasSeveralClocks } from './country-zones.ts'
import type { Group } from './groups.ts'
import type { Change, Readers } from './row-item.ts'

export { countryOfZone } from './country-zones.ts'
export { guessInstead, guessMeanings, namesPhone, overruledDoNotCall } from './guess-columns.ts'
export { hasPlus, isHeader, isLikeNumber, isPlainlyNumber, madeHeaders } from './header.ts'
export { openDoubts } from './held/doubts.ts'
export { openFile } from './open/open-file.ts'
export { readText } from './open/read-text.ts'

/** What is asked of countries whose numbers are called by the clock of a campaign; null: it has none. */
export const clockQuestions = (
  countries: readonly string[],
  campaignZone: string | null,
  nowMs: number,
): readonly ClockLine[] =>
  campaignZone === null
    ? []
    : countries
        .filter((country) => hasSeveralClocks(country, campaignZone, nowMs))
        .map((country) => {
          const zones = clocksOf(country, campaignZone, nowMs) ?? []
          return clockLine({ country, count: 1, zones }, campaignZone)
        })

type Said = {
  readonly country: string | null
  readonly turnedOff: readonly NumberChange[]
  /** Whether digits that begin with the country's code are read with a plus. */
  readonly isPlusAdded?: boolean | undefined
  readonly dates: DateOrder | null
  readonly timeZone: string
  /** Null: the campaign has no clock yet, so none is compared. */
  readonly campaignZone?: string | null | undefined
  /** For countries whose clocks differ from the campaign's. One that has one clock, and no choice, has that. */
  readonly zones?: ZoneChoices | undefined
  readonly consentPurpose?: string | undefined
  readonly consentText?: string | undefined
}

export function openReaders(said: Said, nowMs = Date.now()) {
  const { country, turnedOff, isPlusAdded = false, dates, timeZone, campaignZone = null, zones = {} } = said
  const { consentPurpose, consentText } = said
  const home = country === null ? null : countryOf(country)
  const readNumber = rowReader(home, { turnedOff: new Set(turnedOff), isPlusAdded })
  const ofNos = { turnedOff: new Set(turnedOff.filter((kind) => kind === 'unknown')), isPlusAdded }
  const readDate = dateReader(dates, timeZone)
  const complete = new Map<string, number>()
  let hasDates = false
  const zoneFor = new Map<string, string | undefined>()
  const findZone = (country: string) => {
    const chosen = zones[country]
    if (chosen !== undefined) return chosen === campaignClock ? undefined : chosen
    const clocks = campaignZone === null ? null : clocksOf(country, campaignZone, nowMs)
    return clocks?.length === 1 ? clocks[0]?.zone : undefined
  }
  const readers: Readers = {
    number: (cell, said) => {
      const reading = readNumber(cell, said)
      if (reading.kind === 'ok' && reading.changed !== 'national' && reading.country !== null)
        complete.set(reading.country, (complete.get(reading.country) ?? 0) + 1)
      return reading
    },
    isCostly: isCostlyNumber,
    numberOfNo: rowReader(home, ofNos),
    numbersOfNo: rowFinder(home, ofNos),
    date: (cell) => {
      const reading = readDate(cell)
      hasDates ||= reading !== null
      return reading
    },
    consent: consentReader({ purpose: consentPurpose, text: consentText }),
    zone: (country) => {
      if (!zoneFor.has(country)) zoneFor.set(country, findZone(country))
      return zoneFor.get(country)
    },
  }
  const clocks = (counts: ReadonlyMap<string, number>) =>
    campaignZone === null
      ? []
      : findClocks(counts, campaignZone, nowMs).map((one) => clockLine(one, campaignZone))
  /** Which numbers are premium-rate or by satellite, in a sentence. */
  const costly = (changes: readonly Group<Change['kind']>[]): string | null => {
    const group = changes.find(({ name }) => name === 'costly')
    if (group === undefined) return null
    const rows = group.first.map(({ row, number }) => `row ${row} ${number}`)
    const more = group.count > rows.length ? ', …' : ''
    const are = group.count === 1 ? 'number is' : 'numbers are'
    return `${group.count.toLocaleString('en')} ${are} ${costlyNumbers}: ${rows.join(', ')}${more}`
  }
  /** So far. `guess`: the country of most of the numbers that have their country code. */
  const found = () => ({
    guess: [...complete].sort(([, one], [, other]) => other - one)[0]?.[0] ?? null,
    hasDates,
  })
  return { readers, found, clocks, costly, countries: allCountries as readonly string[] }
}
