// Changing the settings of a campaign's calling, and its name. A change is seen by the next claim, and makes the openings be
// computed anew. What a change means is in ../settings.ts.
import { type SQL, sql } from 'drizzle-orm'
import { renameCampaign } from '../../access/store/campaign-name.ts'
import {
  type Access,
  accessVerdict,
  grantedCampaign,
  type Refusal,
  refusalOf,
} from '../../access/store/rights.ts'
import { runBatch, statement } from '../../database/database.ts'
import { appendAlways, entryColumns } from '../../ledger/log/append.ts'
import { waits } from '../../limits.ts'
import { type CallingSettings, changeSettings, type SettingsChange } from '../settings.ts'
import { forgetOpenings } from './openings.ts'
import { type CampaignSettings, type OneRow, readSettings, settingsOfOne, toRow } from './settings-row.ts'
import { callingSettings } from './tables.ts'

const param = sql.placeholder

/** Nothing is written over a change that came between. A row of the same version and values is this try's own. */
export const writeSettings = (granted: SQL) =>
  statement(sql`insert into ${callingSettings} (campaign_number, paused, time_zone, calling_hours,
    appointment_hours, closed_dates, max_attempts, lease_seconds, min_gap_minutes, per_24_hours, per_7_days, outcomes, retention_days,
    retention_suppresses, version)
  select granted.number, ${param('paused')}, ${param('timeZone')}, ${param('callingHours')}, ${param('appointmentHours')},
    ${param('closedDates')}, ${param('maxAttempts')}, ${param('leaseSeconds')}, ${param('minGapMinutes')},
    ${param('per24Hours')}, ${param('per7Days')}, ${param('outcomes')}, ${param('retentionDays')},
    ${param('retentionSuppresses')}, ${param('version')}
  from ${granted} as granted where true
  on conflict do update set paused = excluded.paused, time_zone = excluded.time_zone,
    calling_hours = excluded.calling_hours, appointment_hours = excluded.appointment_hours,
    closed_dates = excluded.closed_dates, max_attempts = excluded.max_attempts, lease_seconds = excluded.lease_seconds,
    min_gap_minutes = excluded.min_gap_minutes, per_24_hours = excluded.per_24_hours, per_7_days = excluded.per_7_days,
    outcomes = excluded.outcomes, retention_days = excluded.retention_days,
    retention_suppresses = excluded.retention_suppresses, version = excluded.version
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

export type ChangeResult =
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
  return async (db: D1Database, who: Who, change: CampaignChange): Promise<ChangeResult> => {
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

/** Openings follow from these (openings.ts). */
const haveOtherOpenings = (one: CallingSettings, other: CallingSettings) =>
  (['timeZone', 'callingHours', 'appointmentHours', 'closedDates'] as const).some(
    (name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]),
  )

const isSame = (one: CallingSettings, other: CallingSettings) =>
  JSON.stringify(toRow(one)) === JSON.stringify(toRow(other))
