// A campaign's calling settings as a row: its columns, and what stands in them as JSON text. Who reads it is in
// calling/store/campaign-overview.ts, who writes it in configure.ts.
import { type SQL, sql } from 'drizzle-orm'
import type { Verdict } from '../../access/store/rights.ts'
import { campaigns } from '../../access/store/tables.ts'
import { statement } from '../../database/database.ts'
import { resolveOutcomes } from '../outcomes.ts'
import { type CallingSettings, defaultSettings } from '../settings.ts'
import { callingSettings } from './tables.ts'

export type CampaignSettings = CallingSettings & { readonly id: string; readonly name: string }

/** Of the table as `s`. */
export const settingsColumns = sql`s.paused, s.time_zone as "timeZone", s.calling_hours as "callingHours",
  s.appointment_hours as "appointmentHours", s.closed_dates as "closedDates", s.max_attempts as "maxAttempts",
  s.lease_seconds as "leaseSeconds", s.min_gap_minutes as "minGapMinutes", s.per_24_hours as "per24Hours",
  s.per_7_days as "per7Days", s.outcomes, s.retention_days as "retentionDays",
  s.retention_suppresses as "retentionSuppresses", s.version`

export type SettingsRow = Omit<
  CallingSettings,
  'paused' | 'numberLimits' | 'outcomes' | 'retentionSuppresses'
> &
  CallingSettings['numberLimits'] & {
    paused: number
    retentionSuppresses: number
    callingHours: string
    appointmentHours: string
    closedDates: string
    outcomes: string
    /** Null: the campaign was never configured. */
    version: number | null
  }

export function readSettings(row: SettingsRow): CallingSettings {
  if (row.version === null) return defaultSettings
  return {
    paused: row.paused === 1,
    timeZone: row.timeZone,
    callingHours: JSON.parse(row.callingHours),
    appointmentHours: JSON.parse(row.appointmentHours),
    closedDates: JSON.parse(row.closedDates),
    maxAttempts: row.maxAttempts,
    leaseSeconds: row.leaseSeconds,
    numberLimits: {
      minGapMinutes: row.minGapMinutes,
      per24Hours: row.per24Hours,
      per7Days: row.per7Days,
    },
    // Stored before an outcome existed, the rules lack it.
    outcomes: resolveOutcomes(JSON.parse(row.outcomes)),
    retentionDays: row.retentionDays,
    retentionSuppresses: row.retentionSuppresses === 1,
  }
}

/** `verdict` is a table expression like accessVerdict. */
export const settingsOfOne = (verdict: SQL) =>
  statement(sql`select verdict.number, verdict.id, ${campaigns.name}, ${settingsColumns}
  from ${verdict} as verdict left join ${campaigns} on ${campaigns.number} = verdict.number
  left join ${callingSettings} as s on s.campaign_number = verdict.number`)

export type OneRow = Verdict & SettingsRow & { readonly id: string; readonly name: string }

export function toRow({ numberLimits, ...settings }: CallingSettings) {
  return {
    ...settings,
    ...numberLimits,
    paused: settings.paused ? 1 : 0,
    retentionSuppresses: settings.retentionSuppresses ? 1 : 0,
    callingHours: JSON.stringify(settings.callingHours),
    appointmentHours: JSON.stringify(settings.appointmentHours),
    closedDates: JSON.stringify(settings.closedDates),
    outcomes: JSON.stringify(settings.outcomes),
  }
}
