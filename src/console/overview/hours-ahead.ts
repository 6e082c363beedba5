// What is odd about weekly hours. Pure.

import { endOfWindow, spansOf } from '../settings/hours/week.ts'
import { type WeekHours, weekDays } from '../ui/words/week-days.ts'

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
          'Callback hours leave out a part of the calling hours: then a person who asked for a call ' +
            'waits, and others are called.',
        ]
      : []),
  ]
}
