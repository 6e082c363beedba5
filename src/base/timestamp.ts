// Parses and formats timestamps. Date.parse accepts some that are invalid (31 February) and refuses some that are valid
// (an offset without minutes); SQLite differs again.

// Not z.iso.datetime: it refuses offsets as Salesforce writes them (+0000) and times without seconds.
export const timestampPattern =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/

/** At most the year 5138, so that a year keeps four digits. */
export const unixMsPattern = /^\d{1,14}$/

// No parser reads a year with a sign or with more than four digits.
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

/** In Unix ms. `text` must be a valid timestamp. */
export function parseTimestampMs(text: string): number {
  return Date.parse(text.replace(/([+-]\d\d)$/, '$1:00').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
}

/** ISO 8601 in UTC. A time later than the last timestamp becomes the last one. */
export function formatTimestamp(ms: number): string
export function formatTimestamp(ms: number | null): string | null
export function formatTimestamp(ms: number | null): string | null {
  return ms === null ? null : new Date(Math.min(ms, lastMs)).toISOString()
}

/** Members that a store has written as JSON, with times as the API has them: each `atMs`, in Unix ms, becomes `at`. */
export const withTimestamps = (json: string): object =>
  Object.fromEntries(
    Object.entries(JSON.parse(json) as object).map(([name, value]) =>
      name.endsWith('Ms') ? [name.slice(0, -2), formatTimestamp(value)] : [name, value],
    ),
  )
