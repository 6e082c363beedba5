// The 400 messages of campaign settings, from invalid inputs as in leads.ts. Messages that repeat what the
// client sent are patterns.

import { findWindowsProblem, maxWindowsPerDay, weekdays } from '../../campaigns/calling-hours.ts'
import { outcomes } from '../../campaigns/outcomes.ts'
import { settingRanges } from '../../campaigns/settings.ts'
import { readCampaignChange, readNewCampaign } from '../../campaigns/settings-input.ts'
import { limits } from '../../limits.ts'
import { bodyMessages, literal } from '../openapi/failures.ts'

const isFields = (value: unknown): value is Record<string, unknown> => !Array.isArray(value)

const read = (json: string) => readCampaignChange(json, 'demo')

const wrongSettings: readonly unknown[] = [
  [],
  { id: 'another' },
  { name: '' },
  { name: 'x'.repeat(limits.campaignNameMaxChars + 1) },
  { name: '\0' },
  { archived: 'yes' },
  { paused: 'yes' },
  { timeZone: 'Berlin' },
  { callingHours: [] },
  { appointmentHours: [] },
  { closedDates: Array(settingRanges.maxClosedDates + 1).fill('2026-12-25') },
  { maxAttempts: 0 },
  { leaseSeconds: 0 },
  { maxLiveCalls: 0 },
  { callsPerMinute: 0 },
  { numberLimits: [] },
  { numberLimits: { minGapMinutes: -1 } },
  { numberLimits: { per24Hours: 0 } },
  { numberLimits: { per7Days: 0 } },
  { outcomes: [] },
  { retentionDays: 0 },
  { retentionSuppresses: 'yes' },
]

export const settingMessages = bodyMessages(wrongSettings, read)

const named = { id: 'spring', name: 'Spring' }
export const newCampaignMessages = bodyMessages(
  [
    [],
    { name: 'Spring' },
    { id: '..', name: 'Spring' },
    { id: 'spring' },
    ...wrongSettings
      .filter(isFields)
      .map((fields) => ({ ...named, ...fields }))
      .filter(({ id }) => id === named.id),
  ],
  readNewCampaign,
)

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

/** The message about an unknown member. It repeats the name only if that looks like a name. */
const unknownSetting = (parent: string, body: unknown) => {
  const [message = ''] = bodyMessages([body], read)
  const ending = literal(message.slice(message.indexOf(' is not ')))
  const name = '[A-Za-z_]\\w{0,39}'
  const pattern =
    parent === ''
      ? `^(?:${name}|A member)${ending}$`
      : `^(?:(?:${parent})\\.${name}|A member of (?:${parent}))${ending}$`
  return { pattern, description: 'An unknown member.' }
}

const anOutcome = `outcomes\\.(?:${outcomes.join('|')})`

/** The message about an invalid rule of one outcome. */
const invalidOutcome = (rule: unknown) => {
  const [message = ''] = bodyMessages([{ outcomes: { busy: rule } }], read)
  const pattern = `^${anOutcome}${literal(message.slice('outcomes.busy'.length))}$`
  return { pattern, description: 'The first invalid outcome.' }
}

export const settingPatterns = [
  {
    pattern: `^(?:callingHours|appointmentHours)\\.(?:${weekdays.join('|')}) (?:${dayProblems})$`,
    description: 'The first invalid day.',
  },
  {
    pattern: '^closedDates\\[\\d+\\] must be a date such as 2026-12-25$',
    description: 'The first invalid date, by its index.',
  },
  invalidOutcome(7),
  invalidOutcome({ class: 'later' }),
  invalidOutcome({ minutes: -1 }),
  unknownSetting('', { colour: 'red' }),
  unknownSetting('callingHours|appointmentHours', { callingHours: { monday: [] } }),
  unknownSetting('numberLimits', { numberLimits: { perHour: 1 } }),
  unknownSetting('outcomes', { outcomes: { rang: {} } }),
  unknownSetting(anOutcome, { outcomes: { busy: { hours: 1 } } }),
]
