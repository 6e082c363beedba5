// By whose clock the numbers of a country are called, in words: for the console's check and the command line.
import { countryName } from './cells/number-reading.ts'

/** `zones`: of the country, that of most people first, with how far its clock is ahead of the campaign's now. */
export type CountryClocks = {
  readonly country: string
  /** Numbers. */
  readonly count: number
  readonly zones: readonly { readonly zone: string; readonly aheadMinutes: number }[]
}

/** The choice of the campaign's clock. */
export const campaignClock = 'campaign'

/** The zone or `campaign` for each country that a person has decided. */
export type ZoneChoices = Readonly<Partial<Record<string, string>>>

/** From so much on, a country's clock differs. */
export const leastMinutes = 60

/** The farthest from the campaign's clock. */
export const farthestMinutes = ({ zones }: CountryClocks) =>
  Math.max(...zones.map(({ aheadMinutes }) => Math.abs(aheadMinutes)))

const cityOf = (zone: string) => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

const nineMinutes = 9 * 60
const dayMinutes = 24 * 60

/** What a clock shows at nine by the campaign's, such as `22:00 the day before`. */
export function timeAtNine(aheadMinutes: number): string {
  const minutes = nineMinutes + aheadMinutes
  const ofDay = (minutes + dayMinutes) % dayMinutes
  const two = (number: number) => `${Math.floor(number)}`.padStart(2, '0')
  const day = minutes < 0 ? ' the day before' : minutes >= dayMinutes ? ' the day after' : ''
  return `${two(ofDay / 60)}:${two(ofDay % 60)}${day}`
}

const takesArticle =
  /^(United|Netherlands|Philippines|Dominican Rep|Bahamas|Maldives|Gambia|Comoros|Central)|Islands$/

export function numbersOf({ country, count }: Pick<CountryClocks, 'country' | 'count'>): string {
  const name = countryName(country)
  const number = count === 1 ? 'number' : 'numbers'
  return `${count.toLocaleString('en')} ${number} of ${takesArticle.test(name) ? 'the ' : ''}${name}`
}

/** What would happen without a choice, or what happens. */
export function describeClocks(clocks: CountryClocks, campaignZone: string, isDecided = false): string {
  const isFar = ({ aheadMinutes }: { readonly aheadMinutes: number }) =>
    Math.abs(aheadMinutes) >= leastMinutes
  const shown = clocks.zones.find(isFar)
  const verb = !isDecided ? 'would be' : clocks.count === 1 ? 'is' : 'are'
  return `${numbersOf(clocks)} ${verb} called by ${campaignZone}: \
09:00 there is ${timeAtNine(shown?.aheadMinutes ?? 0)} in ${cityOf(shown?.zone ?? campaignZone)}.`
}

/** What the console asks. `preselected`: of a country with one clock. */
export type ClockLine = {
  readonly country: string
  readonly name: string
  readonly text: string
  readonly preselected: string | null
  readonly options: readonly (readonly [zone: string, text: string])[]
}

export function clockLine(clocks: CountryClocks, campaignZone: string): ClockLine {
  const { country, zones } = clocks
  const options = zones.map(
    ({ zone, aheadMinutes }) => [zone, `${zone.replaceAll('_', ' ')}: ${timeAtNine(aheadMinutes)}`] as const,
  )
  return {
    country,
    name: countryName(country),
    text: describeClocks(clocks, campaignZone),
    preselected: zones.length === 1 ? (zones[0]?.zone ?? null) : null,
    options: [...options, [campaignClock, 'Call by the campaign’s clock']],
  }
}
