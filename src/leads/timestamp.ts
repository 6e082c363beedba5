// Reading a timestamp that fields.ts has let in. The one reader of requests; what SQLite makes of timestamps that are
// stored already is in store/queue.ts, and a test holds the two together.

/** Date.parse wants the minutes of an offset, which ISO 8601 does not. */
export function timestampMs(text: string): number {
  return Date.parse(text.replace(/[+-]\d\d$/, '$&:00'))
}
