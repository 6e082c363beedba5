// What the calls that are known add up to, by campaign and hour.

import type { Call } from '../observed.ts'
import { type Known, type SettingsSince, settingsAt } from './known.ts'
import { isOpen } from './zones.ts'

/** Something that has happened once; `isUnsure`: it may have. */
export type Tally = {
  readonly campaign: string
  readonly hour: number
  readonly counter: string
  readonly isUnsure?: boolean
}
export type Tallies = readonly Tally[]

/** Whether so many are counted as these. */
export function fits(count: number, tallies: Tallies): boolean {
  const most = tallies.length
  return count <= most && count >= most - tallies.filter(({ isUnsure }) => isUnsure).length
}

const hourMs = 3_600_000
const minuteMs = 60_000
export const hourOf = (ms: number) => Math.floor(ms / hourMs)

/** How long a lead may have waited for its first call, the longest last. */
const waits = [
  ['pickUp1s', 1_000],
  ['pickUp5s', 5_000],
  ['pickUp30s', 30_000],
  ['pickUp5min', 300_000],
  ['pickUp1h', hourMs],
  ['pickUpLater', Number.POSITIVE_INFINITY],
] as const

const waitOf = (waitedMs: number | null) =>
  waits.find(([, mostMs]) => waitedMs !== null && waitedMs <= mostMs)?.[0]

export function talliesOf(known: Known, company: number): Tallies {
  const idOf = ({ campaign }: Call) => known.cast.companies[company]?.campaigns[campaign]?.id as string
  return known.calls
    .filter((call) => call.company === company)
    .flatMap((call) => {
      const { direction, claimedAtMs, outcome, endedAtMs } = call
      const at = (ms: number, counter: string) => ({ campaign: idOf(call), hour: hourOf(ms), counter })
      if (direction === 'inbound') return [at(claimedAtMs, 'inbound')]
      const named = (['fromMs', 'askedMs'] as const).map((since) => waitOf(waitedOf(call, known, since)))
      const wait = new Set(named.flatMap((name) => name ?? []))
      return [
        at(claimedAtMs, 'claimed'),
        ...(outcome === null ? [] : [at(endedAtMs as number, outcome)]),
        ...[...wait].map((name) => ({ ...at(claimedAtMs, name), isUnsure: wait.size > 1 })),
      ]
    })
}

/** Since it could have been called, as far as an hour. Null: an attempt counted before. */
function waitedOf(
  { waitedSinceMs, company, campaign, claimedAt, claimedAtMs, lane, isAppointment }: Call,
  known: Known,
  since: 'fromMs' | 'askedMs',
) {
  if (waitedSinceMs === null) return null
  const settings = settingsAt(known, company, campaign, claimedAt)
  let openSinceMs = claimedAtMs - (claimedAtMs % minuteMs)
  const leastMs = claimedAtMs - 61 * minuteMs
  while (openSinceMs > leastMs && isOpen(settings, lane, isAppointment, openSinceMs - minuteMs))
    openSinceMs -= minuteMs
  const sinceMs = callableSinceMs(known.settings[company]?.[campaign] ?? [], claimedAt, since)
  return claimedAtMs - Math.max(waitedSinceMs, openSinceMs, sinceMs)
}

const hoursOf = ({ settings }: SettingsSince) =>
  JSON.stringify([settings.timeZone, settings.callingHours, settings.appointmentHours, settings.closedDates])

/** When the campaign was resumed last, or got other hours. */
const callableSinceMs = (
  all: readonly SettingsSince[],
  moment: number,
  since: 'fromMs' | 'askedMs',
): number =>
  all.reduce((sinceMs, one, at) => {
    const before = all[at - 1]
    if (before === undefined || one.from > moment) return sinceMs
    const mayBegin = (before.settings.paused && !one.settings.paused) || hoursOf(before) !== hoursOf(one)
    return mayBegin ? one[since] : sinceMs
  }, 0)
