// Parses settings of a campaign. `default` resets one. Their meaning is in src/campaigns. No parser may return null:
// commander treats it as an option without a value.
import { InvalidArgumentError } from 'commander'
import {
  type DayWindow,
  findWindowsProblem,
  isDate,
  type Weekday,
  type WeeklyHours,
} from '../../campaigns/calling-hours.ts'
import { type Outcome, type OutcomeRule, outcomeClasses, outcomes } from '../../campaigns/outcomes.ts'
import { settingRanges } from '../../campaigns/settings.ts'
import { isTimeZone } from '../../time-zone.ts'
import { parseDurationMs } from './arguments.ts'

export const weekdaysFromMonday = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** A setting's default in place of a value. */
export type OrDefault<Value> = Value | 'default'

export function parseTimeZone(text: string): OrDefault<string> {
  if (text === 'default' || isTimeZone(text)) return text
  throw new InvalidArgumentError('It must be the name of a time zone, such as Europe/Berlin, or default.')
}

/** Of the named days; the others stay as they are. */
export type HoursOfDays = Partial<Record<Weekday, readonly DayWindow[]>>

/** `mon-fri 09:00-12:30 13:30-18:00`, `sun closed` or `default`, repeatable; the last one counts. */
export const parseHours =
  (defaults: WeeklyHours) =>
  (text: string, before: HoursOfDays = {}): HoursOfDays => {
    if (text === 'default') return { ...before, ...defaults }
    const [days = '', ...windows] = text.trim().split(/\s+/)
    const named = parseDays(days)
    if (named === null || windows.length === 0)
      throw new InvalidArgumentError(
        'It must be days and hours, "mon-fri 09:00-12:30 13:30-18:00", "sun closed", or default.',
      )
    const parsed = windows.join() === 'closed' ? [] : windows.map(parseWindow)
    const problem = findWindowsProblem(parsed)
    if (problem !== null) throw new InvalidArgumentError(`${days} ${problem}.`)
    return { ...before, ...Object.fromEntries(named.map((day) => [day, parsed])) }
  }

const parseWindow = (text: string): DayWindow => text.split('-') as readonly string[] as DayWindow

/** `mon`, `mon-fri`, `fri-mon`, `mon,wed,fri`, `daily`; null: something else. */
function parseDays(text: string): readonly Weekday[] | null {
  const days = text.split(',').map((part) => {
    if (part === 'daily') return weekdaysFromMonday
    const [from = '', to = from, ...more] = part.split('-')
    const [first, last] = [from, to].map((day) => weekdaysFromMonday.indexOf(day as Weekday))
    if (first === undefined || last === undefined || first < 0 || last < 0 || more.length > 0) return null
    const count = ((last - first + 7) % 7) + 1
    return [...weekdaysFromMonday, ...weekdaysFromMonday].slice(first, first + count)
  })
  return days.includes(null) ? null : days.flatMap((of) => of ?? [])
}

/** `2026-12-25`, `2026-12-25,2027-01-01` or `default`, repeatable. */
export function parseClosedDates(text: string, before: readonly string[] = []): readonly string[] {
  if (text === 'default') return []
  const dates = [...new Set([...before, ...text.split(',')])].sort()
  if (!text.split(',').every(isDate) || dates.length > settingRanges.maxClosedDates) {
    const { maxClosedDates } = settingRanges
    throw new InvalidArgumentError(
      `It must be a date such as 2026-12-25, at most ${maxClosedDates} of them, or default.`,
    )
  }
  return dates
}

type Range = { readonly min: number; readonly max: number }

/** A whole number. */
export const parseCount =
  ({ min, max }: Range) =>
  (text: string): OrDefault<number> => {
    if (text === 'default') return text
    if (isWithin(text, { min, max })) return Number(text)
    throw new InvalidArgumentError(`It must be a number from ${min} to ${max}, or default.`)
  }

const isWithin = (text: string, { min, max }: Range) =>
  /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max

/** A duration in whole seconds. */
export function parseLeaseSeconds(text: string): OrDefault<number> {
  const { min, max } = settingRanges.leaseSeconds
  if (text === 'default') return text
  const seconds = parseDurationMs(text) / 1000
  if (seconds >= min && seconds <= max) return seconds
  throw new InvalidArgumentError(`It must be ${min}s to ${max / 3600}h, or default.`)
}

/** `none` is the default. */
const parseCountOrNone =
  (range: Range) =>
  (text: string): OrDefault<number> =>
    text === 'none' ? 'default' : parseCount(range)(text)

export const parseRetentionDays = parseCountOrNone(settingRanges.retentionDays)
export const parseMaxLiveCalls = parseCountOrNone(settingRanges.maxLiveCalls)
export const parseCallsPerMinute = parseCountOrNone(settingRanges.callsPerMinute)

export function parseYesNo(text: string): OrDefault<boolean> {
  if (text === 'default') return text
  if (text === 'yes' || text === 'no') return text === 'yes'
  throw new InvalidArgumentError('It must be yes, no or default.')
}

/** A limit of one number, which may be off. */
export type OrOff = OrDefault<number | 'off'>

export function parsePerNumber(text: string): OrOff {
  const { min, max } = settingRanges.callsPerNumber
  if (text === 'default' || text === 'off') return text
  if (isWithin(text, { min, max })) return Number(text)
  throw new InvalidArgumentError(`It must be a number from ${min} to ${max}, off, or default.`)
}

/** A duration in whole minutes. */
export function parseGapMinutes(text: string): OrOff {
  const { min, max } = settingRanges.minGapMinutes
  if (text === 'default' || text === 'off') return text
  const minutes = parseDurationMs(text) / 60_000
  if (Number.isInteger(minutes) && minutes >= min && minutes <= max) return minutes
  throw new InvalidArgumentError(`It must be whole minutes from ${min}m to ${max / 1440}d, off, or default.`)
}

/** Null resets an outcome to its default. */
export type OutcomeChanges = Partial<Record<Outcome, Partial<OutcomeRule> | null>>

/** `no_answer=retry:60`, `busy=dead` or `busy=default`, repeatable; or `default` for all. */
export function parseOutcome(text: string, before: OutcomeChanges = {}): OutcomeChanges {
  if (text === 'default') return Object.fromEntries(outcomes.map((outcome) => [outcome, null]))
  const [, name = '', word = '', minutes] = /^(\w+)=(\w+)(?::(\d{1,5}))?$/.exec(text) ?? []
  if (!isOneOf(outcomes, name))
    throw new InvalidArgumentError(
      `It must be <outcome>=<class>:<minutes>, or default; an outcome: ${outcomes.join(', ')}.`,
    )
  if (word === 'default' && minutes === undefined) return { ...before, [name]: null }
  if (!isOneOf(outcomeClasses, word))
    throw new InvalidArgumentError(`${name} must be ${outcomeClasses.join(', ')} or default.`)
  const { min, max } = settingRanges.outcomeMinutes
  if (minutes !== undefined && !isWithin(minutes, settingRanges.outcomeMinutes))
    throw new InvalidArgumentError(`The minutes of ${name} must be ${min} to ${max}.`)
  const rule = { class: word, ...(minutes !== undefined && { minutes: Number(minutes) }) }
  return { ...before, [name]: rule }
}

const isOneOf = <Word extends string>(words: readonly Word[], text: string): text is Word =>
  (words as readonly string[]).includes(text)
