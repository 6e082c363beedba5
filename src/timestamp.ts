// The one reader and the one writer of timestamps. Date.parse takes what is none (31 February), and not what is one (an offset without
// minutes); SQLite's own takes yet others.

// Not z.iso.datetime: it refuses offsets as Salesforce writes them (+0000) and times without seconds.
export const timestampPattern =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/

/** Of no year that has more than four digits. */
export const unixMsPattern = /^\d{1,14}$/

// A year that does not have four digits, or has a sign, is read by no parser.
const firstMs = Date.parse('0000-01-01T00:00:00Z')
const lastMs = Date.parse('9999-12-31T23:59:59Z')

/** ISO 8601 with a UTC offset, of a day that the calendar has, in the years 0 to 9999 of UTC. */
export function isTimestamp(text: string): boolean {
  const date = timestampPattern.exec(text)?.[1]
  const parsed = new Date(`${date}T00:00:00Z`)
  if (Number.isNaN(parsed.getTime()) || !parsed.toISOString().startsWith(`${date}`)) return false
  const ms = parseTimestampMs(text)
  return ms >= firstMs && ms <= lastMs
}

/** Unix ms. Caller must pass what isTimestamp takes. */
export function parseTimestampMs(text: string): number {
  return Date.parse(text.replace(/([+-]\d\d)$/, '$1:00').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
}

/** ISO 8601 in UTC. What would be later than any timestamp is the last one. */
export function formatTimestamp(ms: number): string
export function formatTimestamp(ms: number | null): string | null
export function formatTimestamp(ms: number | null): string | null {
  return ms === null ? null : new Date(Math.min(ms, lastMs)).toISOString()
}
