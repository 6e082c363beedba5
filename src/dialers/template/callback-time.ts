// When somebody wants to be called again, as an assistant writes it. Pure.
//
//   2026-12-01T10:00:00+01:00              a timestamp with an offset: this moment
//   2026-12-01T10:00                       a local time: on the clock of the person's zone
//   2026-12-01 10:00:30.5                  the same: seconds or not, a blank in place of T
//   2026-12-01T10:00[Asia/Kathmandu]       a local time of the zone in brackets
//   1796115600 or 1796115600000            Unix seconds, or milliseconds
//
// Anything else is no time: a date alone, words, a time that has passed, one of more than 366 days ahead.
import { isTimeZone, momentOf, offsetMsAt } from '../../time-zone.ts'
import { isTimestamp, parseTimestampMs } from '../../timestamp.ts'

const maxAheadMs = 366 * 86_400_000
const maxChars = 128

/** `timeZone`: of the person. `endedAtMs`: the end of the call. Null: the text is no time. */
export function readCallbackTime(text: string, timeZone: string, endedAtMs: number): number | null {
  const atMs = text.length > maxChars ? null : momentIn(text.trim(), timeZone)
  return atMs !== null && atMs >= endedAtMs && atMs <= endedAtMs + maxAheadMs ? atMs : null
}

function momentIn(text: string, timeZone: string): number | null {
  if (/^\d{10}$/.test(text)) return Number(text) * 1000
  if (/^\d{13}$/.test(text)) return Number(text)
  const [, date, time, zone] = /^(\d{4}-\d\d-\d\d)[T ]([^[\]]+?) ?(?:\[([\w/+-]{1,64})\])?$/.exec(text) ?? []
  if (date === undefined || (zone !== undefined && !isTimeZone(zone))) return null
  const written = `${date}T${time}`
  if (isTimestamp(written)) return fits(parseTimestampMs(written), written, zone)
  if (!isTimestamp(`${written}Z`)) return null
  return momentOf(zone ?? timeZone, parseTimestampMs(`${written}Z`))
}

/** Null: the zone's clock has another offset than was written, so that nobody knows which of them is meant. */
function fits(atMs: number, written: string, zone: string | undefined): number | null {
  if (zone === undefined || written.endsWith('Z')) return atMs
  const wallMs = parseTimestampMs(written.replace(/[+-][\d:]+$/, 'Z'))
  return wallMs - atMs === offsetMsAt(zone, atMs) ? atMs : null
}
