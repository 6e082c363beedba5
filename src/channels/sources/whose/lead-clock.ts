// By whose clock a source's leads are called: by what a manager has answered for the country of their number, else by
// the country's own clock where it has one. Large, by the zones of all countries.

import { limits } from '../../../base/limits.ts'
import { hasSeveralClocks, showSameClock, zonesOfCountry } from '../../../queue/leads/file/country-zones.ts'
import { campaignClock, type SourceSettings } from '../source-settings.ts'

type Clock = {
  /** Null: the campaign's. */
  readonly zone: string | null
  /** Nobody has said whose, of a country with several clocks. */
  readonly isUnanswered: boolean
  readonly isRefused: boolean
}

const ofCampaign: Clock = { zone: null, isUnanswered: false, isRefused: false }

/** For a day: clocks are slow to compare, and each post needs one. */
const kept = new Map<string, Clock>()
const mostKept = 1_000

/** `campaignZone` null: the campaign has no clock to compare with. */
export function clockOfLead(
  { timeZones }: Pick<SourceSettings, 'timeZones'>,
  country: string,
  campaignZone: string | null,
  nowMs: number,
): Clock {
  if (campaignZone === null) return ofCampaign
  const day = Math.floor(nowMs / limits.dayMs)
  const key = JSON.stringify([country, campaignZone, timeZones[country], timeZones['*'], day])
  const clock = kept.get(key) ?? findClock(timeZones, country, campaignZone, nowMs)
  if (kept.size >= mostKept) kept.clear()
  kept.set(key, clock)
  return clock
}

function findClock(
  timeZones: SourceSettings['timeZones'],
  country: string,
  campaignZone: string,
  nowMs: number,
): Clock {
  const answer = Object.hasOwn(timeZones, country) ? timeZones[country] : undefined
  if (answer === campaignClock) return ofCampaign
  const zones = answer === undefined ? zonesOfCountry(country, nowMs) : [answer]
  const [zone] = zones
  if (zone === undefined) return ofCampaign
  if (zones.length === 1)
    return showSameClock(zone, campaignZone, nowMs) ? ofCampaign : { ...ofCampaign, zone }
  if (!hasSeveralClocks(country, campaignZone, nowMs)) return ofCampaign
  const other = timeZones['*']
  return { ...ofCampaign, isUnanswered: other === undefined, isRefused: other === 'refuse' }
}

/** The countries of which a manager has to say whose clock counts. */
export const unansweredCountries = (
  { countries, timeZones }: Pick<SourceSettings, 'countries' | 'timeZones'>,
  campaignZone: string | null,
  nowMs: number,
): readonly string[] =>
  countries.filter((country) => clockOfLead({ timeZones }, country, campaignZone, nowMs).isUnanswered)

/** Whether that can be: without a look at the campaign. */
export const mayAskClock = (
  { countries, timeZones }: Pick<SourceSettings, 'countries' | 'timeZones'>,
  nowMs: number,
): boolean =>
  timeZones['*'] === undefined &&
  countries.some((country) => timeZones[country] === undefined && zonesOfCountry(country, nowMs).length > 1)
