// Every message that invalid settings of a campaign can get (400). Those that name what was sent are patterns; the
// others are asked of what reads settings, as in invalid-leads.ts.

import { findWindowsProblem, maxWindowsPerDay, weekdays } from '../../campaigns/calling-hours.ts'
import { outcomes } from '../../campaigns/outcomes.ts'
import { settingRanges } from '../../campaigns/settings.ts'
import { readCampaignChange } from '../../campaigns/settings-input.ts'
import { limits } from '../../limits.ts'
import { literal, messagesOf } from '../openapi/failures.ts'

const read = (body: unknown) => readCampaignChange(JSON.stringify(body), 'demo')

const wrongSettings: readonly unknown[] = [
  [],
  { id: 'another' },
  { name: '' },
  { name: 'x'.repeat(limits.campaignNameMaxChars + 1) },
  { name: '\0' },
  { paused: 'yes' },
  { timeZone: 'Berlin' },
  { callingHours: [] },
  { appointmentHours: [] },
  { closedDates: Array(settingRanges.maxClosedDates + 1).fill('2026-12-25') },
  { maxAttempts: 0 },
  { leaseSeconds: 0 },
  { numberLimits: [] },
  { numberLimits: { minGapMinutes: -1 } },
  { numberLimits: { per24Hours: 0 } },
  { numberLimits: { per7Days: 0 } },
  { outcomes: [] },
  { retentionDays: 0 },
  { retentionSuppresses: 'yes' },
]

export const settingMessages = messagesOf(wrongSettings, read)

const window = ['09:00', '17:00']
const wrongDays: readonly unknown[] = [
  null,
  Array(maxWindowsPerDay + 1).fill(window),
  [[]],
  [['9', '17']],
  [['17:00', '09:00']],
  [window, window],
]
const dayProblems = wrongDays.map((day) => literal(findWindowsProblem(day) ?? '')).join('|')

/** What is said of a member that there is not; where its name does not read like one, it is not repeated. */
const unknown = (of: string, body: unknown) => {
  const [message = ''] = messagesOf([body], read)
  const said = literal(message.slice(message.indexOf(' is not ')))
  const name = '[A-Za-z_]\\w{0,39}'
  const pattern =
    of === '' ? `^(?:${name}|A member)${said}$` : `^(?:(?:${of})\\.${name}|A member of (?:${of}))${said}$`
  return { pattern, description: 'A member that there is not.' }
}

const anOutcome = `outcomes\\.(?:${outcomes.join('|')})`

/** What is said of a part of one outcome. */
const ofOutcome = (rule: unknown) => {
  const [message = ''] = messagesOf([{ outcomes: { busy: rule } }], read)
  const pattern = `^${anOutcome}${literal(message.slice('outcomes.busy'.length))}$`
  return { pattern, description: 'The first outcome with something wrong.' }
}

export const settingPatterns = [
  {
    pattern: `^(?:callingHours|appointmentHours)\\.(?:${weekdays.join('|')}) (?:${dayProblems})$`,
    description: 'The first day with something wrong.',
  },
  {
    pattern: '^closedDates\\[\\d+\\] must be a date such as 2026-12-25$',
    description: 'The first invalid date, by its place.',
  },
  ofOutcome(7),
  ofOutcome({ class: 'later' }),
  ofOutcome({ minutes: -1 }),
  unknown('', { colour: 'red' }),
  unknown('callingHours|appointmentHours', { callingHours: { monday: [] } }),
  unknown('numberLimits', { numberLimits: { perHour: 1 } }),
  unknown('outcomes', { outcomes: { rang: {} } }),
  unknown(anOutcome, { outcomes: { busy: { hours: 1 } } }),
]
