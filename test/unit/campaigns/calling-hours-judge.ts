// An independent judge of opening hours, for tests: asks what a clock in the zone shows, in words, and looks that up
// in the windows. It computes no boundary and no offset, and shares no code with what it judges.
import type { WeeklyHours } from '../../../src/queue/campaigns/calling-hours.ts'

const walls = new Map<string, Intl.DateTimeFormat>()

export function isOpenByTheClock(
  timeZone: string,
  hours: WeeklyHours,
  closedDates: readonly string[],
  atMs: number,
): boolean {
  const wall = walls.get(timeZone) ?? newWall(timeZone)
  walls.set(timeZone, wall)
  // `Wed, 2026-10-28 09:05`, by the conventions of Sweden and the words of England.
  const shown = Object.fromEntries(wall.formatToParts(atMs).map(({ type, value }) => [type, value]))
  if (closedDates.includes(`${shown.year}-${shown.month}-${shown.day}`)) return false
  const time = `${shown.hour}:${shown.minute}`
  const day = String(shown.weekday).toLowerCase() as keyof WeeklyHours
  return hours[day].some(([from, to]) => from <= time && time < to)
}

function newWall(timeZone: string) {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
}
