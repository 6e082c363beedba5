// What clocks show in the zones of a world, over its days. Written out: it shares nothing with what it judges.
import type { Settings } from '../cast.ts'

/** Minutes ahead of UTC, until the clocks change, and after. */
const offsets: Readonly<Record<string, readonly [before: number, changesAtMs: number, after: number]>> = {
  UTC: [0, 0, 0],
  'Asia/Tokyo': [540, 0, 540],
  'Asia/Kolkata': [330, 0, 330],
  'Europe/Berlin': [120, Date.UTC(2026, 9, 25, 1), 60],
  'America/New_York': [-240, Date.UTC(2026, 10, 1, 6), -300],
}

const names = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** Whether the hours of a campaign are open for a lead of this zone; empty: the campaign's own. */
export function isOpen(settings: Settings, lane: string, isAppointment: boolean, atMs: number): boolean {
  const [before, changesAtMs, after] = offsets[lane || settings.timeZone] ?? [0, 0, 0]
  const shown = new Date(atMs + (atMs < changesAtMs ? before : after) * 60_000)
  if (settings.closedDates.includes(shown.toISOString().slice(0, 10))) return false
  const hours = isAppointment ? settings.appointmentHours : settings.callingHours
  const minute = shown.getUTCHours() * 60 + shown.getUTCMinutes()
  const windows = hours[names[shown.getUTCDay()] as string] ?? []
  return windows.some(([from, to]) => minutesOf(from) <= minute && minute < minutesOf(to))
}
