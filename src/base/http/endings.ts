// The version of the interface, and what of v1 will end, and when: the only place that announces it. Answers say so in
// headers (RFC 9745, RFC 8594) from the announcement on. An end is at least `noticeMonths` after that, and none is
// planned. Pure.

/**
 * Of v1 (D77). It rises when v1 gains something; the software has a version of its own. docs/guide.ts has the history.
 */
export const interfaceVersion = '1.4.0'

export type Ending = {
  /** The path's pattern, as in index.ts, and the methods; absent: all. */
  readonly route: string
  readonly methods?: readonly string[]
  /** ISO 8601. */
  readonly announcedAt: string
  readonly endsAt: string
  /** What to use instead. */
  readonly link: string
}

export const noticeMonths = 6

export const endings: readonly Ending[] = []

export function endingHeaders(
  method: string,
  route: string,
  of: readonly Ending[] = endings,
): Readonly<Record<string, string>> {
  const ending = of.find((one) => one.route === route && (one.methods?.includes(method) ?? true))
  if (ending === undefined) return {}
  return {
    Deprecation: `@${Date.parse(ending.announcedAt) / 1000}`,
    Sunset: new Date(ending.endsAt).toUTCString(),
    Link: `<${ending.link}>; rel="deprecation"`,
  }
}
