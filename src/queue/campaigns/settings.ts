// The calling settings of a campaign, as the API has them: their shape, defaults and ranges (D44 to D46), and how a
// change is applied. Pure. Their row is in store/settings-row.ts, what a client may send in settings-input.ts.
import { defaultAppointmentHours, defaultCallingHours, type WeeklyHours } from './calling-hours.ts'
import {
  defaultOutcomes,
  type Outcome,
  type OutcomeRule,
  type OutcomeRules,
  resolveOutcomes,
} from './outcomes.ts'

/** Over all calls of the company to one number; null: no such limit. */
type NumberLimits = {
  readonly minGapMinutes: number | null
  readonly per24Hours: number | null
  readonly per7Days: number | null
}

export type CallingSettings = {
  readonly paused: boolean
  /** Null: the campaign gives no calls (D45). */
  readonly timeZone: string | null
  readonly callingHours: WeeklyHours
  readonly appointmentHours: WeeklyHours
  readonly closedDates: readonly string[]
  readonly maxAttempts: number
  readonly leaseSeconds: number
  /** Calls that may be live at once; null: no limit. */
  readonly maxLiveCalls: number | null
  /** Null: no limit. */
  readonly callsPerMinute: number | null
  readonly numberLimits: NumberLimits
  readonly outcomes: OutcomeRules
  /** A final lead is erased after so many days; null: never. */
  readonly retentionDays: number | null
  /** The number of an erased lead that ended refused or dead stays suppressed in the campaign. */
  readonly retentionSuppresses: boolean
  /** Nobody is called without such a consent; null: none is required. */
  readonly requireConsent: RequiredConsent | null
}

type RequiredConsent = {
  readonly purpose: string
  /** Since it was given; null: of any age. */
  readonly maxAgeDays: number | null
}

export const defaultSettings: CallingSettings = {
  paused: false,
  timeZone: null,
  callingHours: defaultCallingHours,
  appointmentHours: defaultAppointmentHours,
  closedDates: [],
  maxAttempts: 3,
  leaseSeconds: 600,
  maxLiveCalls: null,
  callsPerMinute: null,
  numberLimits: { minGapMinutes: 15, per24Hours: 3, per7Days: 7 },
  outcomes: defaultOutcomes,
  retentionDays: null,
  retentionSuppresses: true,
  requireConsent: null,
}

/** Whether a text is what a person consents to, and the rule in words. */
export const purposeRule = [
  (text: string) => /^[A-Za-z0-9._-]{1,64}$/.test(text),
  '1 to 64 of letters, digits, dot, underscore and hyphen',
] as const

export const settingRanges = {
  maxAttempts: { min: 1, max: 50 },
  leaseSeconds: { min: 30, max: 7_200 },
  maxLiveCalls: { min: 1, max: 10_000 },
  callsPerMinute: { min: 1, max: 60_000 },
  outcomeMinutes: { min: 0, max: 43_200 },
  releaseDelaySeconds: { min: 0, max: 86_400 },
  /** A week: the longest time over which a number's calls count. */
  minGapMinutes: { min: 0, max: 10_080 },
  callsPerNumber: { min: 1, max: 1_000 },
  maxClosedDates: 1_000,
  retentionDays: { min: 1, max: 3_650 },
  consentMaxAgeDays: { min: 1, max: 3_650 },
} as const

/**
 * A change that a client requests. An absent member stays, null restores the default. In `callingHours` and
 * `appointmentHours` a day, in `numberLimits` a limit, in `outcomes` an outcome may be absent, and stays too. Null
 * switches a number's limit off, and restores the default of an outcome.
 */
export type SettingsChange = {
  readonly [Name in keyof CallingSettings]?: ChangeOf<Name> | null | undefined
}

type ChangeOf<Name extends keyof CallingSettings> = Name extends 'callingHours' | 'appointmentHours'
  ? { readonly [Day in keyof WeeklyHours]?: WeeklyHours[Day] | undefined }
  : Name extends 'numberLimits'
    ? { readonly [Limit in keyof NumberLimits]?: NumberLimits[Limit] | undefined }
    : Name extends 'outcomes'
      ? { readonly [Each in Outcome]?: Partial<OutcomeRule> | null | undefined }
      : CallingSettings[Name]

/** A change may name some members of these only. */
const mergedSettings: readonly string[] = ['callingHours', 'appointmentHours', 'numberLimits']

export function changeSettings(settings: CallingSettings, change: SettingsChange): CallingSettings {
  const changed = (Object.keys(settings) as (keyof CallingSettings)[]).map((name) => {
    const wanted = change[name]
    if (wanted === undefined) return [name, settings[name]]
    if (wanted === null) return [name, defaultSettings[name]]
    if (name === 'outcomes') return [name, changeOutcomes(settings.outcomes, change.outcomes ?? {})]
    if (!mergedSettings.includes(name)) return [name, wanted]
    return [name, { ...(settings[name] as object), ...withoutAbsent(wanted as object) }]
  })
  return Object.fromEntries(changed)
}

function changeOutcomes(rules: OutcomeRules, change: ChangeOf<'outcomes'>): OutcomeRules {
  const changed: Partial<Record<Outcome, OutcomeRule>> = { ...rules }
  for (const [name, rule] of Object.entries(change)) {
    const outcome = name as Outcome
    if (rule === null) changed[outcome] = defaultOutcomes[outcome]
    else changed[outcome] = { ...rules[outcome], ...withoutAbsent(rule ?? {}) }
  }
  return resolveOutcomes(changed)
}

function withoutAbsent<Values extends object>(values: Values): Values {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Values
}
