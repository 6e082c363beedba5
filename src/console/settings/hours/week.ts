// The arithmetic of painted weeks: a day's windows, opened and closed in half hours, and as text. A window keeps its
// minutes where it is not painted over.
import { type WeekDay, type WeekHours, type Window, weekDays } from '../../ui/words/week-days.ts'

const slotMinutes = 30
export const slotsPerDay = 1440 / slotMinutes

type Span = readonly [fromMinute: number, untilMinute: number]

const minuteOf = (time = '') => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
export const timeOf = (minute: number) =>
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

/** Opens or closes everything from one slot of a day to another, both included. */
export function paint(
  windows: readonly Window[],
  fromSlot: number,
  toSlot: number,
  isOpen: boolean,
): readonly Window[] {
  const from = Math.min(fromSlot, toSlot) * slotMinutes
  const until = (Math.max(fromSlot, toSlot) + 1) * slotMinutes
  const spans = spansOf(windows)
  if (isOpen) return windowsOf([...spans, [from, until]])
  return windowsOf(
    spans.flatMap(([start, end]): Span[] => [
      [start, Math.min(end, from)],
      [Math.max(start, until), end],
    ]),
  )
}

export function isSlotOpen(windows: readonly Window[], slot: number): boolean {
  const minute = slot * slotMinutes
  return spansOf(windows).some(([from, until]) => from < minute + slotMinutes && until > minute)
}

/** A half hour of the week. */
export type Slot = { readonly day: WeekDay; readonly slot: number }

const steps: Readonly<Record<string, readonly [days: number, slots: number]>> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Home: [0, -slotsPerDay],
  End: [0, slotsPerDay],
}

/** The slot that a key moves to, within the week. Null: not a key that moves. */
export function moved({ day, slot }: Slot, key: string): Slot | null {
  const step = steps[key]
  if (step === undefined) return null
  const within = (index: number, length: number) => Math.min(length - 1, Math.max(0, index))
  const next = weekDays[within(weekDays.indexOf(day) + step[0], weekDays.length)] ?? day
  return { day: next, slot: within(slot + step[1], slotsPerDay) }
}

/** The block between two half hours, both included: its days, and its first and last half hour. */
function blockOf(one: Slot, other: Slot) {
  const [from, to] = [one.day, other.day].map((day) => weekDays.indexOf(day)).toSorted((a, b) => a - b)
  return {
    days: weekDays.slice(from, (to ?? 0) + 1),
    first: Math.min(one.slot, other.slot),
    last: Math.max(one.slot, other.slot),
  }
}

export function isInBlock(one: Slot, other: Slot, { day, slot }: Slot): boolean {
  const { days, first, last } = blockOf(one, other)
  return days.includes(day) && first <= slot && slot <= last
}

export function paintBlock(hours: WeekHours, one: Slot, other: Slot, isOpen: boolean): WeekHours {
  const { days, first, last } = blockOf(one, other)
  return days.reduce((all, day) => withDay(all, day, paint(all[day], first, last, isOpen)), hours)
}

export const timeOfSlot = (slot: number) => timeOf(slot * slotMinutes)

export function formatBlock(one: Slot, other: Slot): string {
  const { days, first, last } = blockOf(one, other)
  const [from, to] = [days[0], days.at(-1)].map((day) => dayName(day ?? 'mon'))
  return `${from === to ? from : `${from} to ${to}`} ${timeOfSlot(first)} to ${timeOfSlot(last + 1)}`
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

const dayNames: Readonly<Record<WeekDay, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
}
export const dayName = (day: WeekDay) => dayNames[day]

function withDay(hours: WeekHours, day: WeekDay, windows: readonly Window[]): WeekHours {
  return Object.fromEntries(
    weekDays.map((one) => [one, one === day ? windows : hours[one]]),
  ) as unknown as WeekHours
}

/** The end of the window that is open at a minute of a day. Undefined: none is open. */
export const endOfWindow = (windows: readonly Window[], minute: number): number | undefined =>
  spansOf(windowsOf(spansOf(windows))).find(([from, until]) => from <= minute && minute < until)?.[1]

/** When it closes: one until "24:00" continues in one from "00:00" on the next day. Null: it is closed, or never closes. */
export function closingAt(
  hours: WeekHours,
  day: WeekDay,
  minute: number,
): { readonly day: WeekDay; readonly time: string } | null {
  const days = weekDays.map((_, ahead) => weekDays[(weekDays.indexOf(day) + ahead) % 7] as WeekDay)
  let last: { readonly day: WeekDay; readonly time: string } | null = null
  for (const [ahead, one] of [...days, day].entries()) {
    const end = endOfWindow(hours[one], ahead === 0 ? minute : 0)
    if (end === undefined) return last
    last = { day: one, time: timeOf(end) }
    if (end < 1440) return last
  }
  return null
}
