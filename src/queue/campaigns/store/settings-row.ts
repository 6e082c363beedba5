// A campaign's calling settings as a row: its columns, and which of them are JSON text.
// queue/calling/store/campaign-overview.ts and campaign-pages.ts read it, configure.ts writes it.
import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { AccessNames, Verdict } from '../../../base/access/store/rights.ts'
import { campaigns } from '../../../base/access/store/tables.ts'
import { statement } from '../../../base/database/database.ts'
import { entryColumns } from '../../../base/ledger/log/append.ts'
import type { EntryType } from '../../../base/ledger/log/event-types.ts'
import { resolveOutcomes } from '../outcomes.ts'
import { type CallingSettings, defaultSettings } from '../settings.ts'
import { callingSettings } from './tables.ts'

export type CampaignSettings = CallingSettings & {
  readonly id: string
  readonly name: string
  readonly archived: boolean
}

/** What a change of the settings neither reads nor writes. */
const otherColumns: ReadonlySet<string> = new Set([
  'campaignNumber',
  'retentionSeq',
  'pacedUntilUs',
  'callableSinceMs',
  'waitedForUntilMs',
  'hasDialer',
  'gateVersion',
  'gateChecked',
  'gateRefused',
  'returnsHeldAfter',
])

/** Each column, and its name in a row, which is the name of its placeholder too. */
export const settingColumns = Object.entries(getTableColumns(callingSettings))
  .filter(([name]) => !otherColumns.has(name))
  .map(([name, column]) => [column.name, name] as const)

/** The columns of the table as `s`. */
export const selectedSettings = sql.raw(
  settingColumns.map(([column, name]) => `s.${column} as "${name}"`).join(', '),
)

export type SettingsRow = Omit<
  CallingSettings,
  'paused' | 'numberLimits' | 'outcomes' | 'retentionSuppresses' | 'requireConsent'
> &
  CallingSettings['numberLimits'] & {
    paused: number
    retentionSuppresses: number
    consentPurpose: string | null
    consentMaxAgeDays: number | null
    callingHours: string
    appointmentHours: string
    closedDates: string
    outcomes: string
    /** Null: the campaign was never configured. */
    version: number | null
  }

/** A value: JSON of CampaignHours, of the table as `s`. */
export const hoursJson = sql`json_object('timeZone', s.time_zone, 'callingHours', json(s.calling_hours),
  'appointmentHours', json(s.appointment_hours), 'closedDates', json(s.closed_dates))`

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
    maxLiveCalls: row.maxLiveCalls,
    callsPerMinute: row.callsPerMinute,
    numberLimits: {
      minGapMinutes: row.minGapMinutes,
      per24Hours: row.per24Hours,
      per7Days: row.per7Days,
    },
    // Rules that were stored before an outcome existed lack it.
    outcomes: resolveOutcomes(JSON.parse(row.outcomes)),
    retentionDays: row.retentionDays,
    retentionSuppresses: row.retentionSuppresses === 1,
    requireConsent:
      row.consentPurpose === null ? null : { purpose: row.consentPurpose, maxAgeDays: row.consentMaxAgeDays },
  }
}

/** The log entry of a campaign: `row` has its `company_id` and `number`. */
export const campaignEntry = (type: EntryType, row: SQL, data: SQL) =>
  entryColumns({ type, companyId: sql`${row}.company_id`, campaignNumber: sql`${row}.number`, data })

export const isArchivedColumn = sql`${campaigns.archivedAtMs} is not null as "isArchived"`

/**
 * `verdict` is a table expression like accessVerdict. `more` are columns of that as `granted`, and of the settings `s`.
 */
export const settingsOfOne = (verdict: SQL, more = sql``) =>
  statement<AccessNames>(sql`select granted.number, granted.id, ${campaigns.name},
    ${isArchivedColumn}, ${selectedSettings} ${more}
  from ${verdict} as granted
  left join ${campaigns} on ${campaigns.number} = granted.number
  left join ${callingSettings} as s on s.campaign_number = granted.number`)

export type CampaignRow = SettingsRow & {
  readonly id: string
  readonly name: string
  readonly isArchived: number
}

export type OneRow = Verdict & CampaignRow

export const readCampaignSettings = (row: CampaignRow): CampaignSettings => ({
  id: row.id,
  name: row.name,
  archived: row.isArchived === 1,
  ...readSettings(row),
})

export function toRow({ numberLimits, requireConsent, ...settings }: CallingSettings) {
  return {
    ...settings,
    ...numberLimits,
    consentPurpose: requireConsent?.purpose ?? null,
    consentMaxAgeDays: requireConsent?.maxAgeDays ?? null,
    paused: settings.paused ? 1 : 0,
    retentionSuppresses: settings.retentionSuppresses ? 1 : 0,
    callingHours: JSON.stringify(settings.callingHours),
    appointmentHours: JSON.stringify(settings.appointmentHours),
    closedDates: JSON.stringify(settings.closedDates),
    outcomes: JSON.stringify(settings.outcomes),
  }
}
