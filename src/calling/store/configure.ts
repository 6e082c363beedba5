// The settings of a campaign's calling, and its name: read, listed, changed. A change is seen by the next claim, and makes the
// openings be computed anew. What a change means is in ../settings.ts.
import { sql } from 'drizzle-orm'
import { renameCampaign } from '../../access/store/campaign-name.ts'
import {
  type Access,
  accessVerdict,
  grantedCampaign,
  grantedCampaigns,
  grantedKey,
  type KeyAccess,
  type Refusal,
  refusalOf,
  type Verdict,
} from '../../access/store/rights.ts'
import { campaigns } from '../../access/store/tables.ts'
import { runBatch, statement } from '../../database/database.ts'
import { leads } from '../../leads/store/tables.ts'
import { findNextOpening, isOpenAt } from '../calling-hours.ts'
import { type CallingSettings, changeSettings, defaultSettings, type SettingsChange } from '../settings.ts'
import { type ComeBack, comeBack, dueInUnknownHours, queueStateOf, type WaitReason } from './come-back.ts'
import { forgetOpenings } from './openings.ts'
import { callingSettings } from './tables.ts'

export type CampaignSettings = CallingSettings & { readonly id: string; readonly name: string }

/** What is in a campaign's queue. */
export type QueueOverview = {
  readonly queued: number
  readonly leased: number
  /** True when there are more than are counted. */
  readonly isCapped: boolean
  /** Why nothing is handed out at this moment; null: something is. */
  readonly reason: WaitReason | null
  /** When business hours begin next in the campaign's own zone; null while they last, and where there are none. */
  readonly nextOpeningMs: number | null
}

const param = sql.placeholder

const columns = sql`s.paused, s.time_zone as "timeZone", s.calling_hours as "callingHours",
  s.appointment_hours as "appointmentHours", s.closed_dates as "closedDates", s.max_attempts as "maxAttempts",
  s.lease_seconds as "leaseSeconds", s.min_gap_minutes as "minGapMinutes", s.per_24_hours as "per24Hours",
  s.per_7_days as "per7Days", s.outcomes, s.version`

type SettingsRow = Omit<CallingSettings, 'paused' | 'numberLimits' | 'outcomes'> &
  CallingSettings['numberLimits'] & {
    paused: number
    callingHours: string
    appointmentHours: string
    closedDates: string
    outcomes: string
    /** Null: the campaign was never configured. */
    version: number | null
  }

function readSettings(row: SettingsRow): CallingSettings {
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
    outcomes: JSON.parse(row.outcomes),
  }
}

const keyIsGranted = statement(sql`select 1 from ${grantedKey('look')}`)

const settingsOfAll = statement(sql`select granted.id, ${campaigns.name}, ${columns}
  from ${grantedCampaigns('look')} as granted cross join ${campaigns} on ${campaigns.number} = granted.number
  left join ${callingSettings} as s on s.campaign_number = granted.number order by granted.number`)

/** The settings of all campaigns that are the key's to see, oldest first. Throws DatabaseUnavailable. */
export async function listSettings(
  db: D1Database,
  access: KeyAccess,
): Promise<
  | { readonly kind: 'key_refused' }
  | { readonly kind: 'found'; readonly campaigns: readonly CampaignSettings[] }
> {
  const { rows } = await runBatch(db, [keyIsGranted(db, access), settingsOfAll(db, access)])
  if (rows[0]?.length === 0) return { kind: 'key_refused' }
  const found = rows[1] as (SettingsRow & { id: string; name: string })[]
  return {
    kind: 'found',
    campaigns: found.map(({ id, name, ...row }) => ({ id, name, ...readSettings(row) })),
  }
}

const settingsOfOne = statement(sql`select verdict.number, verdict.id, ${campaigns.name}, ${columns}
  from ${accessVerdict('look')} as verdict left join ${campaigns} on ${campaigns.number} = verdict.number
  left join ${callingSettings} as s on s.campaign_number = verdict.number`)

type OneRow = Verdict & SettingsRow & { readonly id: string; readonly name: string }

/** Queued and leased leads are counted to this many each. */
const countedLeads = 10_000

const granted = grantedCampaign('look')
const countUpTo = (column: 'due_at_ms' | 'lease_expires_at_ms') => sql`(select count(*) from (
  select 1 from ${leads} as l where l.campaign_number = granted.number and l.${sql.identifier(column)} is not null
  limit ${sql.raw(`${countedLeads}`)} + 1))`
const queueSize =
  statement(sql`select ${countUpTo('due_at_ms')} as queued, ${countUpTo('lease_expires_at_ms')} as leased
  from ${granted} as granted`)

const whenToComeBack = statement(comeBack(granted, sql`true`, dueInUnknownHours))

export type ReadOutcome =
  | Refusal
  | { readonly kind: 'found'; readonly campaign: CampaignSettings; readonly queue: QueueOverview }

/** A campaign's settings, and its queue. Throws DatabaseUnavailable. */
export async function readCampaign(db: D1Database, access: Access): Promise<ReadOutcome> {
  const steps = [settingsOfOne, queueSize, whenToComeBack]
  const { rows } = await runBatch(
    db,
    steps.map((step) => step(db, access)),
  )
  const row = rows[0]?.[0] as OneRow | undefined
  const refusal = refusalOf(row)
  if (refusal !== null || row === undefined) return refusal ?? { kind: 'key_refused' }
  const settings = readSettings(row)
  const [size] = rows[1] as { queued: number; leased: number }[]
  const { queued = 0, leased = 0 } = size ?? {}
  const back = rows[2]?.[0] as Outlook | undefined
  return {
    kind: 'found',
    campaign: { id: row.id, name: row.name, ...settings },
    queue: {
      queued: Math.min(queued, countedLeads),
      leased: Math.min(leased, countedLeads),
      isCapped: queued > countedLeads || leased > countedLeads,
      reason: reasonNow(settings, back, access.nowMs),
      nextOpeningMs: nextOpeningMs(settings, access.nowMs),
    },
  }
}

type Outlook = ComeBack & { readonly dueInUnknownHours: string }

/** Null when a claim would be given something now. */
function reasonNow(settings: CallingSettings, back: Outlook | undefined, nowMs: number): WaitReason | null {
  const mayCall = back?.isConfigured === 1 && back.isPaused === 0
  const isReady = mayCall && ((back.readyAtMs ?? nowMs + 1) <= nowMs || isOpenUnknown(settings, back, nowMs))
  return isReady ? null : queueStateOf(back, nowMs).reason
}

function isOpenUnknown(settings: CallingSettings, { dueInUnknownHours }: Outlook, nowMs: number): boolean {
  const { timeZone, callingHours, appointmentHours, closedDates } = settings
  const lanes = JSON.parse(dueInUnknownHours) as readonly (readonly [
    lane: string,
    isForAppointments: 0 | 1,
  ])[]
  return lanes.some(([lane, isForAppointments]) => {
    const hours = isForAppointments === 1 ? appointmentHours : callingHours
    return isOpenAt({ timeZone: lane || (timeZone ?? ''), hours, closedDates }, nowMs)
  })
}

function nextOpeningMs(
  { timeZone, callingHours, closedDates }: CallingSettings,
  nowMs: number,
): number | null {
  if (timeZone === null) return null
  const next = findNextOpening({ timeZone, hours: callingHours, closedDates }, nowMs)
  return next === null || next.opensAtMs === nowMs ? null : next.opensAtMs
}

const settingsToChange = statement(sql`select verdict.number, verdict.id, ${campaigns.name}, ${columns}
  from ${accessVerdict('manage')} as verdict left join ${campaigns} on ${campaigns.number} = verdict.number
  left join ${callingSettings} as s on s.campaign_number = verdict.number`)

/** Nothing is written over a change that came between. A row of the same version and values is this try's own. */
const writeSettings =
  statement(sql`insert into ${callingSettings} (campaign_number, paused, time_zone, calling_hours,
    appointment_hours, closed_dates, max_attempts, lease_seconds, min_gap_minutes, per_24_hours, per_7_days, outcomes, version)
  select granted.number, ${param('paused')}, ${param('timeZone')}, ${param('callingHours')}, ${param('appointmentHours')},
    ${param('closedDates')}, ${param('maxAttempts')}, ${param('leaseSeconds')}, ${param('minGapMinutes')},
    ${param('per24Hours')}, ${param('per7Days')}, ${param('outcomes')}, ${param('version')}
  from ${grantedCampaign('manage')} as granted where true
  on conflict do update set paused = excluded.paused, time_zone = excluded.time_zone,
    calling_hours = excluded.calling_hours, appointment_hours = excluded.appointment_hours,
    closed_dates = excluded.closed_dates, max_attempts = excluded.max_attempts, lease_seconds = excluded.lease_seconds,
    min_gap_minutes = excluded.min_gap_minutes, per_24_hours = excluded.per_24_hours, per_7_days = excluded.per_7_days,
    outcomes = excluded.outcomes, version = excluded.version
  where version = excluded.version - 1`)

const writeName = statement(renameCampaign('manage'))

/** `name` absent: it keeps its own. */
export type CampaignChange = SettingsChange & { readonly name?: string | undefined }

export type ChangeOutcome =
  | Refusal
  /** Too many others changed the same settings at once. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'changed'; readonly campaign: CampaignSettings }

const maxTries = 5

/** Changes a campaign's settings; two changes at once are made one after the other. Throws DatabaseUnavailable. */
export async function changeCampaign(
  db: D1Database,
  access: Access,
  change: CampaignChange,
): Promise<ChangeOutcome> {
  for (let tries = 0; tries < maxTries; tries++) {
    const before = (await runBatch(db, [settingsToChange(db, access)])).rows[0]?.[0] as OneRow | undefined
    const refusal = refusalOf(before)
    if (refusal !== null || before === undefined) return refusal ?? { kind: 'key_refused' }
    const settings = changeSettings(readSettings(before), change)
    const values = {
      ...access,
      ...toRow(settings),
      name: change.name ?? null,
      campaignNumber: before.number,
      version: (before.version ?? 0) + 1,
    }
    const steps = [writeName, writeSettings, ...forgetOpenings, settingsToChange]
    const { rows } = await runBatch(
      db,
      steps.map((step) => step(db, values)),
    )
    const after = rows.at(-1)?.[0] as OneRow | undefined
    const refused = refusalOf(after)
    if (refused !== null || after === undefined) return refused ?? { kind: 'key_refused' }
    if (after.version === values.version && isSame(readSettings(after), settings))
      return { kind: 'changed', campaign: { id: after.id, name: after.name, ...settings } }
  }
  return { kind: 'busy' }
}

function toRow({ numberLimits, ...settings }: CallingSettings) {
  return {
    ...settings,
    ...numberLimits,
    paused: settings.paused ? 1 : 0,
    callingHours: JSON.stringify(settings.callingHours),
    appointmentHours: JSON.stringify(settings.appointmentHours),
    closedDates: JSON.stringify(settings.closedDates),
    outcomes: JSON.stringify(settings.outcomes),
  }
}

const isSame = (one: CallingSettings, other: CallingSettings) =>
  JSON.stringify(toRow(one)) === JSON.stringify(toRow(other))
