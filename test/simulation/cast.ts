// Who and what is in a world: companies with campaigns, phones with their people. It is drawn once, and is part of the
// story.
import type { Draws } from './draws.ts'

export type Settings = {
  readonly paused: boolean
  readonly timeZone: string
  readonly callingHours: Week
  readonly appointmentHours: Week
  readonly closedDates: readonly string[]
  readonly leaseSeconds: number
  readonly maxAttempts: number
  /** After which a lead is called again. */
  readonly outcomes: Readonly<Record<string, { readonly minutes?: number; readonly class?: string }>>
  readonly maxLiveCalls: number | null
  readonly callsPerMinute: number | null
  readonly numberLimits: {
    readonly minGapMinutes: number | null
    readonly per24Hours: number | null
    readonly per7Days: number | null
  }
  readonly requireConsent: { readonly purpose: string; readonly maxAgeDays: number | null } | null
}

/** Windows of each day, as the API has them. */
export type Week = Readonly<Record<string, readonly (readonly [string, string])[]>>

export type Campaign = { readonly id: string; readonly settings: Settings }
export type Company = {
  readonly id: string
  readonly store: 'shared' | 'own'
  readonly campaigns: readonly Campaign[]
}
/** All its numbers reach it, and no other number does. */
export type Phone = { readonly spellings: readonly string[] }

export type Cast = {
  readonly startMs: number
  readonly companies: readonly Company[]
  readonly phones: readonly Phone[]
}

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const weekOf = (hours: (day: string) => readonly (readonly [string, string])[]): Week =>
  Object.fromEntries(days.map((day) => [day, hours(day)]))
const isWeekend = (day: string) => day === 'sat' || day === 'sun'

export const weeks = {
  always: weekOf(() => [['00:00', '24:00']]),
  office: weekOf((day) => (isWeekend(day) ? [] : [['09:00', '17:00']])),
  evenings: weekOf((day) => [isWeekend(day) ? ['10:00', '13:30'] : ['16:00', '21:00']]),
}

export const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', 'Asia/Kolkata', 'UTC'] as const

/** Some days of worlds. */
const dates = ['2026-10-24', '2026-10-25', '2026-10-26', '2026-10-31', '2026-11-01', '2026-11-02']

/** Fridays before a change of clocks: in Europe on Sunday, 25 October 2026, in New York a week later. */
const starts = [Date.UTC(2026, 9, 23, 11), Date.UTC(2026, 9, 24, 20), Date.UTC(2026, 9, 30, 14)]

const retriesAfter = (minutes: number | null) =>
  minutes === null
    ? {}
    : Object.fromEntries(
        ['no_answer', 'busy', 'voicemail', 'failed', 'unknown'].map((name) => [name, { minutes }]),
      )

export function drawSettings(draws: Draws): Settings {
  const isOften = () => draws.below(4) > 0
  return {
    paused: false,
    timeZone: draws.pick(zones),
    callingHours: isOften() ? weeks.always : draws.pick([weeks.office, weeks.evenings, weeks.evenings]),
    appointmentHours: isOften() ? weeks.always : weeks.evenings,
    leaseSeconds: draws.pick([30, 60, 600, 600, 7200]),
    maxAttempts: draws.pick([1, 2, 9, 9]),
    outcomes: retriesAfter(draws.pick([null, 0, 0, 0, 1])),
    maxLiveCalls: isOften() ? null : draws.pick([1, 2]),
    callsPerMinute: isOften() ? null : draws.pick([1, 6, 90]),
    numberLimits: {
      minGapMinutes: draws.pick([null, null, null, 0, 15, 60]),
      per24Hours: draws.pick([null, null, 1, 3]),
      per7Days: draws.pick([null, null, 2, 7]),
    },
    requireConsent: draws.below(3) > 0 ? null : { purpose: 'calls', maxAgeDays: draws.pick([null, 1, 30]) },
    closedDates: isOften() ? [] : [draws.pick(dates)],
  }
}

/** Of each, a key, the same phone with a marker that it may lack, and with a zero that was left in. */
const numbers = (draws: Draws): readonly string[] => {
  const digits = (count: number) => Array.from({ length: count }, () => draws.below(10)).join('')
  const kind = draws.below(4)
  const mexican = `5512${digits(6)}`
  if (kind === 0) return [`+52${mexican}`, `+521${mexican}`]
  const german = `30${digits(7)}`
  if (kind === 1) return [`+49${german}`, `+490${german}`]
  return [draws.pick([`+1415555${digits(4)}`, `+49${german}`, `+81${3}${digits(8)}`])]
}

export function drawCast(draws: Draws, isLong: boolean): Cast {
  const company = (id: string, store: Company['store']): Company => ({
    id,
    store,
    campaigns: ['spring', 'autumn'].map((campaign) => ({
      id: campaign,
      settings: drawSettings(draws.child(`${id}/${campaign}`)),
    })),
  })
  const [acme, birch, cedar] = [
    company('acme', 'shared'),
    company('birch', 'own'),
    company('cedar', 'shared'),
  ] as const
  const phones = Array.from({ length: isLong ? 6 : 1 + draws.below(3) }, (_, index) => ({
    spellings: numbers(draws.child(`phone ${index}`)),
  }))
  return {
    startMs: draws.pick(starts),
    companies: isLong
      ? [acme, birch, cedar]
      : draws.pick([[acme], [birch], [birch], [acme, birch], [acme, cedar], [acme, cedar]]),
    phones,
  }
}

export const phoneOf = ({ phones }: Cast, number: string): number =>
  phones.findIndex(({ spellings }) => spellings.includes(number))
