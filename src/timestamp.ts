// The one reader and the one writer of timestamps. Date.parse takes what is none (31 February), and not what is one (an offset without
// minutes); SQLite's own takes yet others.

// Not z.iso.datetime: it refuses offsets as Salesforce writes them (+0000) and times without seconds.
export const timestampPattern =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)$/

/** ISO 8601 with a UTC offset, of a day that the calendar has. */
export function isTimestamp(text: string): boolean {
  const date = timestampPattern.exec(text)?.[1]
  const parsed = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(`${date}`)
}

/** Unix ms. Caller must pass what isTimestamp takes. */
export function parseTimestampMs(text: string): number {
  return Date.parse(text.replace(/([+-]\d\d)$/, '$1:00').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
}

/** ISO 8601 in UTC. */
export function formatTimestamp(ms: number): string
export function formatTimestamp(ms: number | null): string | null
export function formatTimestamp(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}
