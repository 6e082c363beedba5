// A campaign's settings and queue in words: hours in the format of the options, openings in the campaign's time zone.
// Pure.

import { formatLocalTime } from '../../base/time-zone.ts'
import { waitReasons } from '../../queue/calling/reasons.ts'
import type { QueueOverview } from '../../queue/calling/store/campaign-overview.ts'
import { findNextOpening, type WeeklyHours } from '../../queue/campaigns/calling-hours.ts'
import { type OutcomeRule, outcomes } from '../../queue/campaigns/outcomes.ts'
import { type CallingSettings, defaultSettings } from '../../queue/campaigns/settings.ts'
import type { CampaignSettings } from '../../queue/campaigns/store/settings-row.ts'
import { weekdaysFromMonday } from '../api/readers.ts'

type Queue = Pick<QueueOverview, 'queued' | 'leased' | 'heldForConsent' | 'gate' | 'isCapped' | 'reason'> & {
  readonly agentsWaiting: number | null
}

export function describeCampaign(
  campaign: CampaignSettings,
  queue: Queue,
  companyId: string,
  nowMs: number,
): string[] {
  const { id, name, timeZone, callingHours, appointmentHours, closedDates, numberLimits } = campaign
  const { minGapMinutes, per24Hours, per7Days } = numberLimits
  const limits = [
    minGapMinutes === null ? 'no gap between calls' : `${duration(minGapMinutes * 60)} between calls`,
    per24Hours === null ? 'any number in 24 hours' : `${per24Hours} in 24 hours`,
    per7Days === null ? 'any number in 7 days' : `${per7Days} in 7 days`,
  ]
  const rows: [label: string, ...lines: string[]][] = [
    ['business hours', describeHours(campaign, callingHours, nowMs), ...formatHours(callingHours)],
    ['appointments', describeHours(campaign, appointmentHours, nowMs), ...formatHours(appointmentHours)],
    ['closed dates', closedDates.length === 0 ? 'none' : closedDates.join(', ')],
    ['time zone', timeZone ?? 'none'],
    ['attempts', `at most ${campaign.maxAttempts}, each leased for ${duration(campaign.leaseSeconds)}`],
    ['capacity', describeCapacity(campaign)],
    ['one number', limits.join(', ')],
    ['outcomes', describeOutcomes(campaign)],
    ['retention', describeRetention(campaign)],
    ['queue', describeQueue(queue, id)],
    ['agents waiting', `${queue.agentsWaiting ?? 'unknown'}`],
  ]
  const width = Math.max(...rows.map(([label]) => label.length))
  return [
    `Campaign ${id} of ${companyId}: ${name}${campaign.paused ? ' (paused)' : ''}`,
    ...rows.flatMap(([label, ...lines]) =>
      lines.map((line, index) => `${(index === 0 ? label : '').padEnd(width)}  ${line}`),
    ),
  ]
}

/** `closed until Monday 09:00 in Berlin (Europe/Berlin)`. */
function describeHours(
  { timeZone, closedDates }: CallingSettings,
  hours: WeeklyHours,
  nowMs: number,
): string {
  if (timeZone === null) return 'closed until a time zone is set'
  const next = findNextOpening({ timeZone, hours, closedDates }, nowMs)
  if (next === null) return 'closed, no opening within a year'
  const { opensAtMs, closesAtMs } = next
  if (opensAtMs > nowMs)
    return `closed until ${clockTime(timeZone, opensAtMs, nowMs)} in ${placeOf(timeZone)}`
  // The search ends there.
  if (closesAtMs >= nowMs + 7 * 86_400_000) return `open for at least a week in ${placeOf(timeZone)}`
  return `open until ${clockTime(timeZone, closesAtMs, nowMs)} in ${placeOf(timeZone)}`
}

function placeOf(timeZone: string): string {
  const city = timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone
  return city === timeZone ? city : `${city} (${timeZone})`
}

/** The time; with the weekday on another day, with the date beyond a week. */
export function clockTime(timeZone: string, atMs: number, nowMs: number): string {
  const [date = '', time = ''] = formatLocalTime(timeZone, atMs)
    .slice(0, 'yyyy-mm-ddThh:mm'.length)
    .split('T')
  const [today = ''] = formatLocalTime(timeZone, nowMs).split('T')
  if (date === today) return time
  const weekday = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'long' }).format(atMs)
  const daysAhead = (Date.parse(date) - Date.parse(today)) / 86_400_000
  return daysAhead > 0 && daysAhead < 7 ? `${weekday} ${time}` : `${weekday} ${date} ${time}`
}

/** In the format of --hours, one line for each run of equal days; closed days are omitted. */
export function formatHours(hours: WeeklyHours): string[] {
  const runs: { days: string[]; windows: string }[] = []
  for (const day of weekdaysFromMonday) {
    const windows = hours[day].map((window) => window.join('-')).join(' ')
    const last = runs.at(-1)
    if (last?.windows === windows) last.days.push(day)
    else runs.push({ days: [day], windows })
  }
  const open = runs.filter(({ windows }) => windows !== '')
  return open.map(({ days, windows }) => {
    const name = days.length === 1 ? days[0] : `${days[0]}-${days.at(-1)}`
    return `${name} ${windows}`
  })
}

function describeCapacity({ maxLiveCalls, callsPerMinute }: CallingSettings): string {
  const cap = maxLiveCalls === null ? 'any number of live calls' : `at most ${maxLiveCalls} live calls`
  return `${cap}, ${callsPerMinute === null ? 'at any pace' : `${callsPerMinute} a minute`}`
}

/** The changed ones, in the format of --outcome. */
function describeOutcomes({ outcomes: rules }: CallingSettings): string {
  const text = (rule: OutcomeRule) => `${rule.class}:${rule.minutes}`
  const changed = outcomes.filter((name) => text(rules[name]) !== text(defaultSettings.outcomes[name]))
  if (changed.length === 0) return 'default'
  return `${changed.map((name) => `${name}=${text(rules[name])}`).join(', ')}, others default`
}

function describeQueue(
  { queued, leased, heldForConsent, gate, isCapped, reason }: Queue,
  campaignId: string,
): string {
  const capped = isCapped ? ' (at least)' : ''
  const state = reason === null ? 'leads can be claimed' : `nothing to claim, ${waitReasons[reason]}`
  const advice = reason === 'not_configured' ? `: \`campaign set ${campaignId} --time-zone <name>\`` : ''
  const held = heldForConsent === 0 ? '' : `, ${heldForConsent} held without consent`
  const told = gate && `. Gate: checked ${gate.checked}, refused ${gate.refused}, waiting ${gate.waiting}`
  return `${queued} queued, ${leased} leased${held}${capped}: ${state}${advice}${told ?? ''}`
}

/** In the format of the options, in the largest unit without a remainder. */
function duration(seconds: number): string {
  const units = Object.entries({ d: 86_400, h: 3_600, m: 60 })
  const [unit, size] = units.find(([, unitSeconds]) => seconds % unitSeconds === 0) ?? ['s', 1]
  return `${seconds / size}${unit}`
}

function describeRetention({ retentionDays, retentionSuppresses }: CallingSettings): string {
  if (retentionDays === null) return 'leads are kept'
  const numbers = retentionSuppresses ? 'stay suppressed' : 'may be created again'
  return `final leads are erased after ${retentionDays} days; numbers that refused or were dead ${numbers}`
}
