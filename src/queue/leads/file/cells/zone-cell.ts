// The time zones of a country, as the platform knows them: the Worker does, and newer browsers. country-zones.ts has a
// table for the others. Pure.
import { isTimeZone } from '../../../../base/time-zone.ts'

type WithZones = {
  readonly timeZones?: readonly string[]
  readonly getTimeZones?: () => readonly string[] | undefined
}

export function zonesInIntl(country: string): readonly string[] {
  const locale = new Intl.Locale('und', { region: country }) as WithZones
  return locale.getTimeZones?.() ?? locale.timeZones ?? []
}

/** By the name that clocks have it by: `Europe/Kiev` is another one's. */
export const canonicalZone = (zone: string) =>
  new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone

/** Whether a country, which has two letters, has this time zone. */
export function isZoneOf(country: string, zone: string): boolean {
  if (!isTimeZone(zone)) return false
  const all = zonesInIntl(country)
  return all.includes(zone) || all.some((one) => canonicalZone(one) === canonicalZone(zone))
}
