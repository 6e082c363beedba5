// When somebody wants to be called again, as an assistant writes it. Pure.
//
//   2026-12-01T10:00:00+01:00              a timestamp with an offset: this moment
//   2026-12-01 10:00 +01:00, 10:00 UTC     the same, behind a blank
//   Tue, 01 Dec 2026 10:00:00 GMT          the same, as in headers of HTTP and e-mail
//   2026-12-01T10:00                       a local time: on the clock of the person's zone
//   2026-12-01 9:00:30.5                   the same: seconds or not, a blank in place of T
//   2026-12-01T10:00[Asia/Kathmandu]       a local time of the zone in brackets
//   2026-12-01 3:00 PM, December 1, 2026 at 10am, 24.12.2026 um 10 Uhr
//   2026-12-01                             that day at the hour of the call
//   1796115600 or 1796115600000            Unix seconds, or milliseconds
//
// Anything else is no time: words, a day that may be another one (03/04/2026), the day of the call alone, a time that
// has passed, one of more than 366 days ahead.

import { isTimeZone, momentOf, offsetMsAt } from '../../../base/time-zone.ts'
import { isTimestamp, parseTimestampMs } from '../../../base/timestamp.ts'
import { dateReader } from '../../../queue/leads/file/cells/date-cell.ts'
import { readNamedDay } from './named-day.ts'

const dayMs = 86_400_000
const maxAheadMs = 366 * dayMs
const maxChars = 128

/** `timeZone`: of the person. `endedAtMs`: the end of the call. Null: the text is no time. */
export function readCallbackTime(text: string, timeZone: string, endedAtMs: number): number | null {
  const atMs = text.length > maxChars ? null : momentIn(text.trim().replace(/\s+/g, ' '), timeZone, endedAtMs)
  return atMs !== null && atMs >= endedAtMs && atMs <= endedAtMs + maxAheadMs ? atMs : null
}

const zonePattern = /^(.*?) ?\[([\w/+-]{1,64})\]$/
const offsetPattern =
  /^(.*\d(?::\d\d)?(?:\.\d+)?(?: ?[ap]\.?m\.?)?)(?: ?(Z|[+-]\d\d(?::?\d\d)?)| (UTC|GMT))$/i
const clock = String.raw`(\d{1,2})(?::(\d\d)(?::(\d\d)(\.\d{1,9})?)?)?`
const isoPattern = new RegExp(`^(.*?\\d)T${clock}$`, 'i')
const timePattern = new RegExp(
  String.raw`^(.*?[^\s,]),? (?:\p{L}{1,4}\.? )?(?:las? )?${clock}(?: ?([ap])\.?m\.?| ?(uhr|h))?$`,
  'iu',
)

function momentIn(text: string, timeZone: string, endedAtMs: number): number | null {
  if (/^\d{10}$/.test(text)) return Number(text) * 1000
  if (/^\d{13}$/.test(text)) return Number(text)
  const [, ahead = text, zone] = zonePattern.exec(text) ?? []
  if (zone !== undefined && !isTimeZone(zone)) return null
  const day = dayIn(ahead)
  if (day !== null) return zone === undefined ? sameHour(day, timeZone, endedAtMs) : null
  const [, local = ahead, numeric, named] = offsetPattern.exec(ahead) ?? []
  const wallMs = wallTimeIn(local)
  if (wallMs === null) return null
  const offset = named === undefined ? numeric : 'Z'
  if (offset === undefined) return momentOf(zone ?? timeZone, wallMs)
  const written = `${new Date(wallMs).toISOString().slice(0, -1)}${offset.toUpperCase()}`
  return isTimestamp(written) ? fits(parseTimestampMs(written), wallMs, offset, zone) : null
}

/** Nobody knows when on the day of the call itself. */
function sameHour(day: string, timeZone: string, endedAtMs: number): number | null {
  const now = new Date(endedAtMs + offsetMsAt(timeZone, endedAtMs)).toISOString()
  return now.startsWith(day) ? null : momentOf(timeZone, Date.parse(`${day}${now.slice(day.length)}`))
}

/** What a clock on the wall shows, as if it were UTC. */
function wallTimeIn(text: string): number | null {
  const found = isoPattern.exec(text) ?? timePattern.exec(text) ?? []
  const [, date = '', hour, minute, second = '00', fraction = '', half, mark] = found
  // A number behind a day is an hour only when something says so.
  if (hour === undefined || (minute === undefined && half === undefined && mark === undefined)) return null
  const day = dayIn(date)
  const hours = half === undefined ? Number(hour) : hourOfHalf(Number(hour), half)
  if (day === null || hours === null) return null
  const written = `${day}T${String(hours).padStart(2, '0')}:${minute ?? '00'}:${second}${fraction}Z`
  return isTimestamp(written) ? parseTimestampMs(written) : null
}

/** Null: a clock of twelve has no such hour. */
const hourOfHalf = (hour: number, half: string): number | null =>
  hour < 1 || hour > 12 ? null : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0)

const dateReaders = (['day-first', 'month-first'] as const).map((order) => dateReader(order, 'UTC'))

/** `2026-12-01`. Null: it is none, or may be two. */
function dayIn(text: string): string | null {
  if (isTimestamp(`${text}T00:00Z`)) return text
  const days = dateReaders.flatMap((read) => {
    const found = /[a-z:]/i.test(text) ? null : read(text)
    return found !== null && 'timestamp' in found ? [found.timestamp.slice(0, 10)] : []
  })
  const [day = readNamedDay(text)] = days
  return new Set(days).size > 1 ? null : day
}

/** Null: the zone's clock has another offset than was written, so that nobody knows which of them is meant. */
function fits(atMs: number, wallMs: number, offset: string, zone: string | undefined): number | null {
  if (zone === undefined || offset.toUpperCase() === 'Z') return atMs
  return wallMs - atMs === offsetMsAt(zone, atMs) ? atMs : null
}
