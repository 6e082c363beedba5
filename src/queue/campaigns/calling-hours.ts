// When a campaign may call: weekly windows in a time zone, without closed dates. Decides whether a moment is open,
// when the next opening is and which intervals are open, and validates windows of a client. Pure. It does not decide
// which lead waits for which hours.
//
// Everything follows from one definition: is the local time of this moment inside a window? So a clock change needs
// no rule: a skipped hour opens nothing, a repeated hour is open twice.
import { offsetMsAt } from '../../base/time-zone.ts'
import { isTimestamp } from '../../base/timestamp.ts'

export const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const

type Weekday = (typeof weekdays)[number]

/** `["09:00", "12:30"]`: open from the first minute, closed from the second, which is "24:00" at the latest. */
type DayWindow = readonly [string, string]

export type WeeklyHours = Readonly<Record<Weekday, readonly DayWindow[]>>

/** Hours in a time zone. */
export type Schedule = {
  /** Null: the campaign has none, and may not call. */
  readonly timeZone: string | null
  readonly hours: WeeklyHours
  /** `2026-12-25`, in the zone's calendar. */
  readonly closedDates: readonly string[]
}

/** The hours of a campaign. */
export type CampaignHours = Omit<Schedule, 'hours'> & {
  readonly callingHours: WeeklyHours
  readonly appointmentHours: WeeklyHours
}

/** The hours of a lane, which is a time zone of leads, or '' for the campaign's own. */
export const scheduleOf = (
  { timeZone, callingHours, appointmentHours, closedDates }: CampaignHours,
  lane: string,
  isForAppointments: number | boolean,
): Schedule => ({
  timeZone: timeZone && (lane || timeZone),
  hours: isForAppointments ? appointmentHours : callingHours,
  closedDates,
})

export type Interval = { readonly opensAtMs: number; readonly closesAtMs: number }

const minuteMs = 60_000
const dayMs = 86_400_000

function hoursOf(days: readonly Weekday[], windows: readonly DayWindow[]): WeeklyHours {
  const mondayFirst = [...weekdays.slice(1), ...weekdays.slice(0, 1)]
  const entries = mondayFirst.map((day) => [day, days.includes(day) ? windows : []])
  return Object.fromEntries(entries) as WeeklyHours
}

/** D44. */
export const defaultCallingHours = hoursOf(['mon', 'tue', 'wed', 'thu', 'fri'], [['09:00', '17:00']])
export const defaultAppointmentHours = hoursOf(weekdays, [['08:00', '21:00']])

/** The windows of a weekday, as milliseconds of the day, in order. */
type Windows = readonly (readonly [fromMs: number, untilMs: number])[]

/** By weekday, Sunday first. */
const windowsOf = once((hours: WeeklyHours): readonly Windows[] =>
  weekdays.map((day) =>
    hours[day]
      .map(([from, to]) => [minuteOfDay(from) * minuteMs, minuteOfDay(to) * minuteMs] as const)
      .sort(([a], [b]) => a - b),
  ),
)

/** The beginnings of closed days, on the wall. */
const closedDaysOf = once((dates: readonly string[]): ReadonlySet<number> => new Set(dates.map(Date.parse)))

/** Reads settings once for all zones and moments: a campaign may have 400 lanes and 1,000 closed dates. */
function once<From extends object, To>(read: (from: From) => To): (from: From) => To {
  const known = new WeakMap<From, To>()
  return (from) => {
    const value = known.get(from) ?? read(from)
    known.set(from, value)
    return value
  }
}

function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))
}

const dayOf = (wallMs: number) => Math.floor(wallMs / dayMs) * dayMs

/** The windows of a day, given as its beginning on the wall. */
function windowsOn({ hours, closedDates }: Schedule, day: number): Windows {
  if (closedDaysOf(closedDates).has(day)) return []
  return windowsOf(hours)[new Date(day).getUTCDay()] ?? []
}

/** The definition from which everything else in this file follows. */
export function isOpenAt(schedule: Schedule, atMs: number): boolean {
  if (schedule.timeZone === null) return false
  const wallMs = atMs + offsetMsAt(schedule.timeZone, atMs)
  const day = dayOf(wallMs)
  return windowsOn(schedule, day).some(
    ([fromMs, untilMs]) => wallMs >= day + fromMs && wallMs < day + untilMs,
  )
}

/**
 * The open intervals between two moments, cut off at both; they neither overlap nor touch. While the zone's clock does
 * not change, they are the windows of each day.
 */
export function findOpenings(schedule: Schedule, fromMs: number, untilMs: number): Interval[] {
  if (schedule.timeZone === null || !hasOpenDay(schedule, fromMs, untilMs)) return []
  const found: { opensAtMs: number; closesAtMs: number }[] = []
  for (const { offsetMs, ...stretch } of stretchesWith(schedule.timeZone, fromMs, untilMs)) {
    const [beginsAtMs, endsAtMs] = [Math.max(stretch.beginsAtMs, fromMs), Math.min(stretch.endsAtMs, untilMs)]
    for (let day = dayOf(beginsAtMs + offsetMs); day < endsAtMs + offsetMs; day += dayMs) {
      for (const [windowFromMs, windowUntilMs] of windowsOn(schedule, day)) {
        const opensAtMs = Math.max(day + windowFromMs - offsetMs, beginsAtMs)
        const closesAtMs = Math.min(day + windowUntilMs - offsetMs, endsAtMs)
        if (opensAtMs >= closesAtMs) continue
        const last = found.at(-1)
        if (last?.closesAtMs === opensAtMs) last.closesAtMs = closesAtMs
        else found.push({ opensAtMs, closesAtMs })
      }
    }
  }
  return found
}

/** No clock is a day ahead of UTC, or behind. */
function hasOpenDay(schedule: Schedule, fromMs: number, untilMs: number): boolean {
  for (let day = dayOf(fromMs - dayMs); day < untilMs + dayMs; day += dayMs)
    if (windowsOn(schedule, day).length > 0) return true
  return false
}

type Stretch = { readonly beginsAtMs: number; readonly endsAtMs: number; readonly offsetMs: number }

/** No zone has changed its clock twice within so short a time. */
const stepMs = dayMs / 4

/** By zone, the last ones: many campaigns ask for the same days. */
const lastStretches = new Map<string, { fromMs: number; untilMs: number; stretches: readonly Stretch[] }>()

/** All stretches between two moments, and maybe others before and after. */
function stretchesWith(timeZone: string, fromMs: number, untilMs: number): readonly Stretch[] {
  let last = lastStretches.get(timeZone)
  if (last === undefined || fromMs < last.fromMs || untilMs > last.untilMs) {
    const days = { fromMs: dayOf(fromMs), untilMs: dayOf(untilMs) + dayMs }
    last = { ...days, stretches: findStretches(timeZone, days.fromMs, days.untilMs) }
    lastStretches.set(timeZone, last)
  }
  return last.stretches
}

/** The time between two moments, in stretches without a change of the zone's clock. */
function findStretches(timeZone: string, fromMs: number, untilMs: number): Stretch[] {
  const stretches: Stretch[] = []
  let beginsAtMs = fromMs
  let offsetMs = offsetMsAt(timeZone, fromMs)
  for (let atMs = fromMs; atMs < untilMs; ) {
    const nextMs = Math.min(atMs + stepMs, untilMs)
    const nextOffsetMs = offsetMsAt(timeZone, nextMs)
    if (nextOffsetMs !== offsetMs) {
      const setAtMs = findChange(timeZone, atMs, nextMs, offsetMs)
      stretches.push({ beginsAtMs, endsAtMs: setAtMs, offsetMs })
      beginsAtMs = setAtMs
      offsetMs = nextOffsetMs
    }
    atMs = nextMs
  }
  if (beginsAtMs < untilMs) stretches.push({ beginsAtMs, endsAtMs: untilMs, offsetMs })
  return stretches
}

/** The first whole second at which the offset is no longer this one, by halving. */
function findChange(timeZone: string, beforeMs: number, afterMs: number, offsetMs: number): number {
  let low = Math.floor(beforeMs / 1000)
  let high = Math.ceil(afterMs / 1000)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (offsetMsAt(timeZone, middle * 1000) === offsetMs) low = middle
    else high = middle
  }
  return high * 1000
}

/** Longer than any realistic series of closed dates; after that a campaign counts as closed. */
const searchDays = 400

/** The first open moment from this one on, and when it closes; null: there is none within 400 days. */
export function findNextOpening(schedule: Schedule, fromMs: number): Interval | null {
  if (schedule.timeZone === null || weekdays.every((day) => schedule.hours[day].length === 0)) return null
  for (let day = 0; day < searchDays; day += 8) {
    const beginsAtMs = fromMs + day * dayMs
    const opening = findOpenings(schedule, beginsAtMs, beginsAtMs + 8 * dayMs)[0]
    if (opening !== undefined) return opening
  }
  return null
}

/** When hours that are open at this moment end, or `latestMs` if that is earlier; null: they are closed. */
export function openUntilMs(schedule: Schedule, atMs: number, latestMs: number): number | null {
  const opening = findOpenings(schedule, atMs, latestMs)[0]
  return opening?.opensAtMs === atMs ? opening.closesAtMs : null
}

/**
 * Since when hours are open that are open at this moment, 0 when that is before `earliestMs`; null: they are closed.
 */
export function openSinceMs(schedule: Schedule, atMs: number, earliestMs: number): number | null {
  const opening = findOpenings(schedule, earliestMs, atMs + 1).at(-1)
  if (opening?.closesAtMs !== atMs + 1) return null
  return opening.opensAtMs === earliestMs ? 0 : opening.opensAtMs
}

/** Bounds the rows of openings: five-minute windows all day long would be 288. */
export const maxWindowsPerDay = 48

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(value)

/** The problem of a day's windows, or null. They may be in any order, and touch, but not overlap. */
export function findWindowsProblem(windows: unknown): string | null {
  if (!Array.isArray(windows)) return 'must be an array of windows such as ["09:00", "17:00"]'
  if (windows.length > maxWindowsPerDay) return `must have at most ${maxWindowsPerDay} windows`
  const minutes: [number, number][] = []
  for (const window of windows as unknown[]) {
    if (!Array.isArray(window) || window.length !== 2) return 'must have windows such as ["09:00", "17:00"]'
    const [from, to] = window as [unknown, unknown]
    if (!isTime(from) || !(isTime(to) || to === '24:00')) return 'must have windows from 00:00 to 24:00'
    if (minuteOfDay(from) >= minuteOfDay(to)) return 'must have windows that end after they begin'
    minutes.push([minuteOfDay(from), minuteOfDay(to)])
  }
  minutes.sort(([a], [b]) => a - b)
  const isOverlapping = minutes.some(([from], index) => index > 0 && from < (minutes[index - 1]?.[1] ?? 0))
  return isOverlapping ? 'must have windows that do not overlap' : null
}

/** True for a date of the calendar such as `2026-12-25`. */
export const isDate = (text: string): boolean => isTimestamp(`${text}T00:00:00Z`)
