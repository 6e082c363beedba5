// Times in a campaign's time zone, in the reader's language. The caller shows the zone beside them.
import { offsetMsAt } from '../../../base/time-zone.ts'

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string, options: Intl.DateTimeFormatOptions, language?: string) {
  const name = JSON.stringify([timeZone, options, language])
  const known = formats.get(name)
  if (known !== undefined) return known
  const made = new Intl.DateTimeFormat(language, { ...options, timeZone })
  formats.set(name, made)
  return made
}

/** For matters of the whole company, and of campaigns without a time zone. */
export const browserZone = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The zone of a campaign; else the browser's. Never UTC because nobody chose one. */
export const zoneOf = (campaign: { readonly timeZone: string | null } | null = null) =>
  campaign?.timeZone ?? browserZone()

/** "Europe/Berlin" is shown as "Berlin". */
export function zoneName(timeZone: string): string {
  return (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ')
}

export const isoDay = (timeMs: number, zone: string) =>
  formatOf(zone, { year: 'numeric', month: '2-digit', day: '2-digit' }, 'en-CA').format(timeMs)

export function clockTime(timeMs: number, zone: string, language?: string): string {
  return formatOf(zone, { hour: '2-digit', minute: '2-digit' }, language).format(timeMs)
}

/** As short as is unambiguous: the time today, the weekday within six days, else the date. */
export function shortTime(timeMs: number, zone: string, nowMs: number, language?: string): string {
  const time = clockTime(timeMs, zone, language)
  if (isoDay(timeMs, zone) === isoDay(nowMs, zone)) return time
  if (Math.abs(timeMs - nowMs) < 6 * dayMs) {
    return `${formatOf(zone, { weekday: 'long' }, language).format(timeMs)} ${time}`
  }
  return `${formatOf(zone, { day: 'numeric', month: 'short', year: 'numeric' }, language).format(timeMs)}, ${time}`
}

export function fullTime(timeMs: number, zone: string, language?: string): string {
  return formatOf(zone, { dateStyle: 'medium', timeStyle: 'short' }, language).format(timeMs)
}

export const fullTimeInZone = (timeMs: number, zone: string, language?: string): string =>
  `${fullTime(timeMs, zone, language)} in ${zoneName(zone)}`

/** The name of a bar: the hour, or the day of the week. */
export function bucketName(timeMs: number, zone: string, size: 'hour' | 'day', language?: string): string {
  return size === 'hour'
    ? clockTime(timeMs, zone, language)
    : formatOf(zone, { weekday: 'short', day: 'numeric' }, language).format(timeMs)
}

/** A day in words, from 2026-12-25. */
export const dateName = (date: string, language?: string): string =>
  formatOf('UTC', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' }, language).format(
    Date.parse(`${date}T00:00Z`),
  )

/** As a date picker has it: 2026-11-20T09:15. */
export const pickerTime = (timeMs: number, zone: string): string =>
  formatOf(zone, pickerParts, 'sv-SE').format(timeMs).replace(' ', 'T')

const pickerParts = {
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
} as const

/** The first moment at which the zone's clocks show this time; null: none, such as in the hour that spring skips. */
export function momentOf(picked: string, zone: string): number | null {
  const moments = momentsOf(picked, zone)
  return moments.find((momentMs) => pickerTime(momentMs, zone) === picked.slice(0, 16)) ?? null
}

/** The end of a day, such as 2026-12-25, in a time zone. Null: not a day. */
export function endOfDayMs(date: string, zone: string): number | null {
  const nextMs = asUtc(`${date}T00:00`) + dayMs
  if (Number.isNaN(nextMs)) return null
  const midnight = new Date(nextMs).toISOString().slice(0, 16)
  // Where the clocks skip midnight, the day ends with the hour before.
  return momentOf(midnight, zone) ?? momentsOf(midnight, zone).at(-1) ?? null
}

const dayMs = 86_400_000
const asUtc = (picked: string) => Date.parse(`${picked}:00Z`)

/** The moments that a time may be, by the offsets before and after it. Empty: not a time. */
function momentsOf(picked: string, zone: string): readonly number[] {
  const wallMs = asUtc(picked)
  if (Number.isNaN(wallMs)) return []
  return [wallMs - dayMs, wallMs + dayMs]
    .map((nearMs) => wallMs - offsetMsAt(zone, nearMs))
    .toSorted((one, other) => one - other)
}
