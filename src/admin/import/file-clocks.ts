// By whose clock the numbers of a file are called, where the file has no time zones: what --zone says, what is said
// before anything is sent, and when an import stops for the answer.
import {
  type CountryClocks,
  campaignClock,
  describeClocks,
  farthestMinutes,
  numbersOf,
  timeAtNine,
  type ZoneChoices,
} from '../../queue/leads/file/clock-words.ts'
import type { Readers } from '../../queue/leads/file/row-item.ts'
import { LeadIntakeError } from '../../sdk/src/lead-intake.ts'
import { CommandFailed } from '../command-failed.ts'
import { describeError, type Service } from '../service.ts'
import type { Survey } from './lead-rows.ts'

/** From so much on, nobody imports without saying whose clock counts. */
const stopMinutes = 3 * 60

export async function clockReaders(zones: ZoneChoices): Promise<Pick<Readers, 'country' | 'zone'>> {
  const { countryOfNumber } = await import('../../queue/leads/file/cells/phone-cell.ts')
  const zone = (country: string) => (zones[country] === campaignClock ? undefined : zones[country])
  return { country: countryOfNumber, zone }
}

/** What is said of the clocks before anything is sent. Throws CommandFailed where it has to be chosen first. */
export async function clockLines(
  { countries, hasTimeZones }: Survey,
  zones: ZoneChoices,
  service: Service,
  campaign: string,
): Promise<readonly string[]> {
  if (hasTimeZones && Object.keys(zones).length > 0)
    throw new CommandFailed('--zone is for a file without time zones: this one has a column timeZone')
  const chosen = [...countries].flatMap(([country, count]) => {
    const zone = zones[country]
    if (zone === undefined) return []
    const clock = zone === campaignClock ? 'the clock of the campaign' : zone
    return [`${numbersOf({ country, count })} ${count === 1 ? 'is' : 'are'} called by ${clock}`]
  })
  const others = new Map([...countries].filter(([country]) => zones[country] === undefined))
  const campaignZone = others.size === 0 ? null : await zoneOfCampaign(service, campaign)
  if (campaignZone === null) return chosen
  const { findClocks } = await import('../../queue/leads/file/country-zones.ts')
  const found = findClocks(others, campaignZone, Date.now())
  const far = found.filter((one) => farthestMinutes(one) >= stopMinutes)
  if (far.length > 0) {
    const lines = far.map((one) => describeClocks(one, campaignZone)).join(' ')
    throw new CommandFailed(
      `${lines} Nothing was imported. Say whose clock counts, for each country with one of:`,
      far.flatMap(optionsOf),
    )
  }
  return [...chosen, ...found.map((one) => `${describeClocks(one, campaignZone, true)} Another: --zone`)]
}

const optionsOf = ({ country, zones }: CountryClocks): readonly string[] => [
  ...zones.map(({ zone, aheadMinutes }) => `--zone ${country}=${zone} (${timeAtNine(aheadMinutes)})`),
  `--zone ${country}=${campaignClock}`,
]

/** Null: it has none, or the service will say itself that the campaign cannot be used. Throws CommandFailed. */
async function zoneOfCampaign({ client, url }: Service, campaign: string): Promise<string | null> {
  try {
    return (await client.campaigns.get(campaign)).timeZone
  } catch (error) {
    if (!(error instanceof LeadIntakeError)) throw error
    if (error.status >= 400 && error.status < 429) return null
    throw new CommandFailed(`the campaign's time zone cannot be read: ${describeError(url, error)}`)
  }
}
