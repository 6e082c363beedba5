// The arithmetic of a week's hours: the windows of a day as text, and days with the same hours together. Pure.
import { type WeekDay, type WeekHours, type Window, weekDays } from '../../ui/words/week-days.ts'

type Span = readonly [fromMinute: number, untilMinute: number]

const minuteOf = (time = '') => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const timeOf = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

export const spansOf = (windows: readonly Window[]): readonly Span[] =>
  windows.map(([from, until]) => [minuteOf(from), minuteOf(until)])

/** Sorted, and joined where they touch. */
function windowsOf(spans: readonly Span[]): readonly Window[] {
  const joined: [number, number][] = []
  for (const [from, until] of spans.toSorted((one, other) => one[0] - other[0])) {
    const last = joined.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], until)
    else if (until > from) joined.push([from, until])
  }
  return joined.map(([from, until]) => [timeOf(from), timeOf(until)])
}

export function formatWindows(windows: readonly Window[]): string {
  return windows.map(([from, until]) => `${from}-${until}`).join(', ')
}

/** Null: invalid. Empty text: closed. */
export function readWindows(text: string): readonly Window[] | null {
  const parts = text.split(',').map((part) => part.trim())
  if (parts.length === 1 && (parts[0] === '' || parts[0]?.toLowerCase() === 'closed')) return []
  const spans: Span[] = []
  for (const part of parts) {
    const [, h1, m1 = '00', h2, m2 = '00'] =
      /^(\d{1,2})(?::(\d\d))?\s*(?:-|–|to)\s*(\d{1,2})(?::(\d\d))?$/i.exec(part) ?? []
    if (h1 === undefined || h2 === undefined || Number(m1) > 59 || Number(m2) > 59) return null
    const [from, until] = [Number(h1) * 60 + Number(m1), Number(h2) * 60 + Number(m2)]
    if (from >= until || until > 1440) return null
    spans.push([from, until])
  }
  return windowsOf(spans)
}

export const shortDay = (day: WeekDay) => `${day.charAt(0).toUpperCase()}${day.slice(1)}`

/** The hours of each day as they are typed. Empty: closed. */
export type WeekTexts = Readonly<Record<WeekDay, string>>

/** Days that have the same hours. */
export type DaysRow = { readonly days: readonly WeekDay[]; readonly text: string }

const textsBy = (textOf: (day: WeekDay) => string) =>
  Object.fromEntries(weekDays.map((day) => [day, textOf(day)])) as WeekTexts

export const textsOfRows = (rows: readonly DaysRow[]) =>
  textsBy((day) => rows.find(({ days }) => days.includes(day))?.text ?? '')

export const textsOfHours = (hours: WeekHours) => textsBy((day) => formatWindows(hours[day]))

/** Closed days are in none. */
export const rowsOf = (texts: WeekTexts): readonly DaysRow[] =>
  [...Map.groupBy(weekDays, (day) => texts[day])]
    .filter(([text]) => text !== '')
    .map(([text, days]) => ({ text, days }))

/** "Mon to Fri", "Mon, Wed to Fri", "Every day". */
export function describeDays(days: readonly WeekDay[]): string {
  if (days.length === weekDays.length) return 'Every day'
  const runs: WeekDay[][] = []
  for (const day of weekDays.filter((one) => days.includes(one))) {
    const run = runs.at(-1)
    if (run !== undefined && run.at(-1) === weekDays[weekDays.indexOf(day) - 1]) run.push(day)
    else runs.push([day])
  }
  return runs
    .map((run) =>
      run.length < 3
        ? run.map(shortDay).join(', ')
        : [run[0], run.at(-1)].map((day) => day && shortDay(day)).join(' to '),
    )
    .join(', ')
}

/** "Mon to Fri 09:00 to 17:00; Sat 10:00 to 12:00". */
export const describeWeek = (hours: WeekHours): string =>
  rowsOf(textsOfHours(hours))
    .map(({ days, text }) => `${describeDays(days)} ${text.replaceAll('-', ' to ')}`)
    .join('; ') || 'never'

/** The end of the window that is open at a minute of a day. Undefined: none is open. */
export const endOfWindow = (windows: readonly Window[], minute: number): number | undefined =>
  spansOf(windowsOf(spansOf(windows))).find(([from, until]) => from <= minute && minute < until)?.[1]
