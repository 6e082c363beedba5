// Reads one cell as a date without an offset, such as `24.12.2026 10:00`, in a time zone and in the order of day and
// month that a person has confirmed. The API does none of this: it takes timestamps with an offset only.
import { offsetMsAt } from '../../../../base/time-zone.ts'
import { isTimestamp } from '../../../../base/timestamp.ts'

export const dateOrders = ['day-first', 'month-first'] as const
export type DateOrder = (typeof dateOrders)[number]

/** Null: complete, or no date; it is sent as it is. `problem`: what is said behind the field's name. */
export type ReadDate = (cell: string) => { readonly timestamp: string } | { readonly problem: string } | null

/** `order`: null while nobody has confirmed one. A date without a time is its midnight. */
export function dateReader(order: DateOrder | null, timeZone: string): ReadDate {
  return (cell) => {
    const text = cell.trim()
    const found = isTimestamp(text) ? null : (yearFirst.exec(text) ?? yearLast.exec(text))
    if (found?.groups === undefined) return null
    if (order === null) return { problem: problems.order }
    const { one, two, year, hour = '0', minute = '0', second = '0', half } = found.groups
    // A year in front is followed by the month everywhere.
    const isMonthFirst = order === 'month-first' || found.groups.isYearFirst !== undefined
    const [month, day] = isMonthFirst ? [one, two] : [two, one]
    const clock = [hourOf(Number(hour), half), Number(minute), Number(second)] as const
    const localMs = Date.UTC(Number(year), Number(month) - 1, Number(day), ...clock)
    const isOnClock = clock[0] < 24 && clock[1] < 60 && clock[2] < 60
    const isInMonth = new Date(localMs).getUTCMonth() === Number(month) - 1 && Number(day) > 0
    if (!isOnClock || !isInMonth) return { problem: problems.day }
    if (Number(year) < firstYear) return { problem: problems.year }
    const offsetMs = offsetOf(localMs, timeZone)
    if (offsetMs === null) return { problem: problems.time }
    return { timestamp: new Date(localMs).toISOString().slice(0, 19) + written(offsetMs) }
  }
}

/** A spreadsheet's time without a day is of 1899 or 1904. Such a lead would be called at once. */
const firstYear = 2000

const problems = {
  order: 'has no UTC offset, and the order of day and month is not confirmed',
  day: 'is a day or a time that does not exist, in the order of day and month that was confirmed',
  year: `is a time without a day, or in a year before ${firstYear}`,
  time: 'is in the hour that the clock skips',
}

const minutes = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2}))?`
const time = String.raw`(?:(?:T|,?\s+)${minutes}(?:\s*(?<half>[ap]m)|\s*uhr)?)?`
const yearFirst = new RegExp(
  `^(?<isYearFirst>)(?<year>\\d{4})([-/.])(?<one>\\d{1,2})\\3(?<two>\\d{1,2})${time}$`,
  'i',
)
const yearLast = new RegExp(`^(?<one>\\d{1,2})([-/.])(?<two>\\d{1,2})\\2(?<year>\\d{4})${time}$`, 'i')

/** Of 24. Infinity: a clock of twelve has no such hour. */
function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour
  if (hour < 1 || hour > 12) return Number.POSITIVE_INFINITY
  return (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0)
}

/** When the clock shows the time: of two times, the first. Null: never. */
function offsetOf(localMs: number, timeZone: string): number | null {
  const dayMs = 86_400_000
  const around = [localMs - dayMs, localMs + dayMs].map((ms) => offsetMsAt(timeZone, ms))
  return around.find((offsetMs) => offsetMsAt(timeZone, localMs - offsetMs) === offsetMs) ?? null
}

function written(offsetMs: number): string {
  const minutes = Math.round(Math.abs(offsetMs) / 60_000)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${offsetMs < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
