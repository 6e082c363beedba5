// Weekly hours in a time zone: whether they are open now, when they open next, and what is odd about them.

import { dayName, endOfWindow, spansOf, timeOf } from '../settings/hours/week.ts'
import { type WeekHours, weekDays } from '../ui/words/week-days.ts'
import { isoDay, localMoment } from '../ui/words/zone-time.ts'

type Hours = {
  readonly timeZone: string
  readonly hours: WeekHours
  readonly closedDates: readonly string[]
}

const dayMs = 86_400_000

export function isOpenAt({ timeZone, hours, closedDates }: Hours, nowMs: number): boolean {
  const { day, minute } = localMoment(nowMs, timeZone)
  if (closedDates.includes(isoDay(nowMs, timeZone))) return false
  return endOfWindow(hours[day], minute) !== undefined
}

/** "09:00", "Monday 09:00". Null: not within a week. */
export function nextOpening({ timeZone, hours, closedDates }: Hours, nowMs: number): string | null {
  const { day: today, minute } = localMoment(nowMs, timeZone)
  for (let ahead = 0; ahead < 7; ahead++) {
    if (closedDates.includes(isoDay(nowMs + ahead * dayMs, timeZone))) continue
    const day = weekDays[(weekDays.indexOf(today) + ahead) % 7] ?? today
    const [first] = hours[day]
      .map(([from = '']) => from)
      .filter((from) => ahead > 0 || from > timeOf(minute))
      .toSorted()
    if (first !== undefined) return ahead === 0 ? first : `${dayName(day)} ${first}`
  }
  return null
}

/** Open in every time zone, except on closed dates. */
export const isAroundTheClock = (hours: WeekHours) =>
  weekDays.every((day) => endOfWindow(hours[day], 0) === 1440)

/** What the hours lead to that people may not expect. */
export function adviceOnHours(callingHours: WeekHours, callbackHours: WeekHours): readonly string[] {
  const isNarrower = weekDays.some((day) =>
    spansOf(callingHours[day]).some(([from, until]) => (endOfWindow(callbackHours[day], from) ?? 0) < until),
  )
  return [
    ...(isAroundTheClock(callingHours)
      ? ['Calls are made around the clock, also at night. Most countries forbid calls at night.']
      : []),
    ...(isNarrower
      ? [
          'Callback hours leave out a part of the calling hours: then a person who asked for a call waits, and others are called.',
        ]
      : []),
  ]
}
