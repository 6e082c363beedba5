// A day with the name of its month, in the languages of ../../leads/no: `December 5, 2026`, `5. Dezember 2026`,
// `5 de diciembre de 2026`. Pure.

const locales = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv']
const shortChars = 3

const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[^\p{L}]/gu, '')
    .toLowerCase()
    .replaceAll('ł', 'l')

/** By folded name. Made when it is first needed. */
let months: ReadonlyMap<string, number> | null = null

function monthNames(): ReadonlyMap<string, number> {
  const found = new Map<string, number>()
  for (const locale of locales)
    for (let month = 0; month < 12; month++)
      for (const options of [
        { month: 'long' },
        { month: 'short' },
        // Some languages bend the name behind a day.
        { month: 'long', day: 'numeric' },
      ] as const) {
        const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' })
        const parts = format.formatToParts(Date.UTC(2026, month, 1))
        const name = fold(parts.find(({ type }) => type === 'month')?.value ?? '')
        if (name.length >= shortChars) found.set(name, month + 1)
      }
  return found
}

const weekday = String.raw`(?:\p{L}{2,14}\.?,? )?`
const month = String.raw`(?<month>\p{L}{3,12})\.?`
const year = String.raw`(?<year>2\d{3})`
const dayFirst = new RegExp(
  String.raw`^${weekday}(?<day>\d{1,2})(?:\.|st|nd|rd|th|er|º|°)?(?: of| de)? ${month}(?: de|,)? ${year}$`,
  'iu',
)
const monthFirst = new RegExp(
  String.raw`^${weekday}${month} (?<day>\d{1,2})(?:st|nd|rd|th)?,? ${year}$`,
  'iu',
)

/** `2026-12-01`. Null: it is none. */
export function readNamedDay(text: string): string | null {
  const found = (dayFirst.exec(text) ?? monthFirst.exec(text))?.groups
  if (found === undefined) return null
  months ??= monthNames()
  const monthNumber = months.get(fold(found.month ?? ''))
  if (monthNumber === undefined) return null
  const written = [found.year, monthNumber, found.day].map((part) => String(part).padStart(2, '0')).join('-')
  const parsed = new Date(`${written}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(written) ? written : null
}
