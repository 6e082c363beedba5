// The settings of a campaign's calling, and its name: read, listed, changed. A change is seen by the next claim, and makes the
// openings be computed anew. What a change means is in ../settings.ts.
import { type SQL, sql } from 'drizzle-orm'
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
import { appendAlways, entryColumns } from '../../events/store/log.ts'
import { leads } from '../../leads/store/tables.ts'
import { waits } from '../../limits.ts'
import { findNextOpening, isOpenAt, type WeeklyHours } from '../calling-hours.ts'
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
  s.per_7_days as "per7Days", s.outcomes, s.retention_days as "retentionDays", s.version`

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
    retentionDays: row.retentionDays,
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

/** `verdict` is a table expression like accessVerdict. */
const settingsOfOne = (verdict: SQL) =>
  statement(sql`select verdict.number, verdict.id, ${campaigns.name}, ${columns}
  from ${verdict} as verdict left join ${campaigns} on ${campaigns.number} = verdict.number
  left join ${callingSettings} as s on s.campaign_number = verdict.number`)

type OneRow = Verdict & SettingsRow & { readonly id: string; readonly name: string }

/** Queued and leased leads are counted to this many each. */
const countedLeads = 10_000

const countUpTo = (column: 'due_at_ms' | 'lease_expires_at_ms') => sql`(select count(*) from (
  select 1 from ${leads} as l where l.campaign_number = granted.number and l.${sql.identifier(column)} is not null
  limit ${sql.raw(`${countedLeads}`)} + 1))`
const queueSize = (granted: SQL) =>
  statement(sql`select ${countUpTo('due_at_ms')} as queued, ${countUpTo('lease_expires_at_ms')} as leased
  from ${granted} as granted`)

export type ReadOutcome =
  | Refusal
  | {
      readonly kind: 'found'
      readonly campaign: CampaignSettings
      readonly queue: QueueOverview
      /** Rows of each of the statements that were asked for besides. */
      readonly more: readonly (readonly unknown[])[]
    }

/** A campaign's settings, and its queue. Throws DatabaseUnavailable. */
export const readCampaign = campaignReader<Access>(accessVerdict('look'), grantedCampaign('look'))

/**
 * Whose campaign it is, is what `verdict` and `granted` say: table expressions like those of access/store/rights.ts. `more`
 * is read in the same trip.
 */
export function campaignReader<Who extends { readonly nowMs: number }>(
  verdict: SQL,
  granted: SQL,
  {
    timeoutMs = waits.storeMs,
    more = [],
  }: { readonly timeoutMs?: number; readonly more?: readonly SQL[] } = {},
) {
  const steps = [
    settingsOfOne(verdict),
    queueSize(granted),
    statement(comeBack(granted, sql`true`, dueInUnknownHours)),
    ...more.map(statement),
  ]
  return async (db: D1Database, who: Who): Promise<ReadOutcome> => {
    const { rows } = await runBatch(
      db,
      steps.map((step) => step(db, who)),
      timeoutMs,
    )
    return readOutcome(rows, who.nowMs)
  }
}

function readOutcome(rows: readonly (readonly unknown[])[], nowMs: number): ReadOutcome {
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
      reason: reasonNow(settings, back, nowMs),
      nextOpeningMs: nextOpeningMs(settings, nowMs),
    },
    more: rows.slice(3),
  }
}

type Outlook = ComeBack & { readonly dueInUnknownHours: string }

/** Null when a claim would be given something now. */
function reasonNow(settings: CallingSettings, back: Outlook | undefined, nowMs: number): WaitReason | null {
  if (back?.isConfigured !== 1 || back.isPaused !== 0) return queueStateOf(back, nowMs).reason
  if ((back.readyAtMs ?? nowMs + 1) <= nowMs || isOpenUnknown(settings, back, nowMs)) return null
  // A claim queues what came in without a place before it looks (D50), and nearly all of it is due at once.
  const isUnqueuedFirst = back.hasUnqueued === 1 && (back.firstDueAtMs ?? nowMs + 1) > nowMs
  if (!isUnqueuedFirst) return queueStateOf(back, nowMs).reason
  return isLaneOpen(settings, '', settings.callingHours, nowMs) ? null : 'outside_hours'
}

function isOpenUnknown(settings: CallingSettings, { dueInUnknownHours }: Outlook, nowMs: number): boolean {
  const { callingHours, appointmentHours } = settings
  const lanes = JSON.parse(dueInUnknownHours) as readonly (readonly [
    lane: string,
    isForAppointments: 0 | 1,
  ])[]
  return lanes.some(([lane, isForAppointments]) =>
    isLaneOpen(settings, lane, isForAppointments === 1 ? appointmentHours : callingHours, nowMs),
  )
}

function isLaneOpen(
  { timeZone, closedDates }: CallingSettings,
  lane: string,
  hours: WeeklyHours,
  nowMs: number,
): boolean {
  return isOpenAt({ timeZone: lane || (timeZone ?? ''), hours, closedDates }, nowMs)
}

function nextOpeningMs(
  { timeZone, callingHours, closedDates }: CallingSettings,
  nowMs: number,
): number | null {
  if (timeZone === null) return null
  const next = findNextOpening({ timeZone, hours: callingHours, closedDates }, nowMs)
  return next === null || next.opensAtMs === nowMs ? null : next.opensAtMs
}

/** Nothing is written over a change that came between. A row of the same version and values is this try's own. */
export const writeSettings = (granted: SQL) =>
  statement(sql`insert into ${callingSettings} (campaign_number, paused, time_zone, calling_hours,
    appointment_hours, closed_dates, max_attempts, lease_seconds, min_gap_minutes, per_24_hours, per_7_days, outcomes, retention_days, version)
  select granted.number, ${param('paused')}, ${param('timeZone')}, ${param('callingHours')}, ${param('appointmentHours')},
    ${param('closedDates')}, ${param('maxAttempts')}, ${param('leaseSeconds')}, ${param('minGapMinutes')},
    ${param('per24Hours')}, ${param('per7Days')}, ${param('outcomes')}, ${param('retentionDays')}, ${param('version')}
  from ${granted} as granted where true
  on conflict do update set paused = excluded.paused, time_zone = excluded.time_zone,
    calling_hours = excluded.calling_hours, appointment_hours = excluded.appointment_hours,
    closed_dates = excluded.closed_dates, max_attempts = excluded.max_attempts, lease_seconds = excluded.lease_seconds,
    min_gap_minutes = excluded.min_gap_minutes, per_24_hours = excluded.per_24_hours, per_7_days = excluded.per_7_days,
    outcomes = excluded.outcomes, retention_days = excluded.retention_days, version = excluded.version
  where version = excluded.version - 1`)

/** What is about to be changed, when nothing came between. Placeholder `changed`, null: it stays as it is. */
const logChange = (granted: SQL) =>
  statement(
    appendAlways(sql`select ${entryColumns({
      type: 'campaign.changed',
      companyId: sql`granted.company_id`,
      campaignNumber: sql`granted.number`,
      data: sql`${param('changed')}`,
    })} from ${granted} as granted left join ${callingSettings} as s on s.campaign_number = granted.number
    where ${param('changed')} is not null and coalesce(s.version, 0) = ${param('version')} - 1`),
  )

/** `name` absent: it keeps its own. */
export type CampaignChange = SettingsChange & { readonly name?: string | undefined }

export type ChangeOutcome =
  | Refusal
  /** Too many others changed the same settings at once. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'changed'; readonly campaign: CampaignSettings }

const maxTries = 5

/** Changes a campaign's settings; two changes at once are made one after the other. Throws DatabaseUnavailable. */
export const changeCampaign = campaignChanger<Access>(accessVerdict('manage'), grantedCampaign('manage'))

/** Whose campaign it is, as with campaignReader. */
export function campaignChanger<Who extends { readonly nowMs: number }>(
  verdict: SQL,
  granted: SQL,
  timeoutMs: number = waits.storeMs,
) {
  const settingsToChange = settingsOfOne(verdict)
  const steps = [logChange(granted), statement(renameCampaign(granted)), writeSettings(granted)]
  return async (db: D1Database, who: Who, change: CampaignChange): Promise<ChangeOutcome> => {
    let isRenamed = false
    for (let tries = 0; tries < maxTries; tries++) {
      const read = await runBatch(db, [settingsToChange(db, who)], timeoutMs)
      const before = read.rows[0]?.[0] as OneRow | undefined
      const refusal = refusalOf(before)
      if (refusal !== null || before === undefined) return refusal ?? { kind: 'key_refused' }
      const settingsBefore = readSettings(before)
      const settings = changeSettings(settingsBefore, change)
      // A try that came too late has given the name all the same.
      isRenamed ||= change.name !== undefined && change.name !== before.name
      const values = {
        ...who,
        ...toRow(settings),
        name: change.name ?? null,
        changed: describeChange(isRenamed, settingsBefore, settings),
        campaignNumber: before.number,
        version: (before.version ?? 0) + 1,
      }
      // Calls that are open ask them until when to dial: a pause takes nothing from those.
      const forgetting = haveOtherOpenings(settingsBefore, settings) ? forgetOpenings : []
      const { rows } = await runBatch(
        db,
        [...steps, ...forgetting, settingsToChange].map((step) => step(db, values)),
        timeoutMs,
      )
      const after = rows.at(-1)?.[0] as OneRow | undefined
      const refused = refusalOf(after)
      if (refused !== null || after === undefined) return refused ?? { kind: 'key_refused' }
      if (after.version === values.version && isSame(readSettings(after), settings))
        return { kind: 'changed', campaign: { id: after.id, name: after.name, ...settings } }
    }
    return { kind: 'busy' }
  }
}

/** What the log says of a change, as JSON: the names of what is different, and of what everybody asks about the value. */
function describeChange(isRenamed: boolean, before: CallingSettings, after: CallingSettings): string | null {
  const names = Object.keys(after) as (keyof CallingSettings)[]
  const changed = names.filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]))
  if (!isRenamed && changed.length === 0) return null
  const paused = changed.includes('paused') && { paused: after.paused }
  return JSON.stringify({ changed: [...(isRenamed ? ['name'] : []), ...changed], ...paused })
}

export function toRow({ numberLimits, ...settings }: CallingSettings) {
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

/** Openings follow from these (openings.ts). */
const haveOtherOpenings = (one: CallingSettings, other: CallingSettings) =>
  (['timeZone', 'callingHours', 'appointmentHours', 'closedDates'] as const).some(
    (name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]),
  )

const isSame = (one: CallingSettings, other: CallingSettings) =>
  JSON.stringify(toRow(one)) === JSON.stringify(toRow(other))
