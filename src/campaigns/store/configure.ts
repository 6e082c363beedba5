// Changing the calling settings of a campaign, and its name. The next claim sees the change, and computes the
// openings again. How a change is applied is in ../settings.ts.
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
import { waitingFor } from '../../ledger/waiting.ts'
import { waits } from '../../limits.ts'
import { type CallingSettings, changeSettings, type SettingsChange } from '../settings.ts'
import { forgetOpenings } from './openings.ts'
import {
  type CampaignSettings,
  type OneRow,
  readSettings,
  settingColumns,
  settingsOfOne,
  toRow,
} from './settings-row.ts'
import { callingSettings } from './tables.ts'

const param = sql.placeholder

const columns = sql.raw(settingColumns.map(([column]) => column).join(', '))
const newValues = sql.join(
  settingColumns.map(([, name]) => sql`${param(name)}`),
  sql`, `,
)
const excluded = sql.raw(settingColumns.map(([column]) => `${column} = excluded.${column}`).join(', '))

/** Never overwrites a concurrent change. A row of the same version and values was written by this try. */
export const writeSettings = (granted: SQL) =>
  statement(sql`insert into ${callingSettings} (campaign_number, ${columns})
  select granted.number, ${newValues}
  from ${granted} as granted
  where true
  on conflict do update set ${excluded}
  where version = excluded.version - 1`)

/** Logs the change, unless a concurrent one came first. Placeholder `changed`; null: nothing changes. */
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
  /** Too many concurrent changes of the same settings. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'changed'; readonly campaign: CampaignSettings }

const maxTries = 5

/** Changes a campaign's settings; concurrent changes are applied one after the other. Throws DatabaseUnavailable. */
export const changeCampaign = campaignChanger<Access>(accessVerdict('manage'), grantedCampaign('manage'))

/** `verdict` and `granted` as for campaignReader. */
export function campaignChanger<Who extends { readonly nowMs: number }>(
  verdict: SQL,
  granted: SQL,
  timeoutMs: number = waits.storeMs,
) {
  const settingsToChange = settingsOfOne(verdict)
  const waiting = statement(sql`select ${waitingFor(sql`granted.company_id`, sql`granted.number`)} as waiting
    from ${granted} as granted`)
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
      // A try that lost the race for the settings has still changed the name.
      isRenamed ||= change.name !== undefined && change.name !== before.name
      const values = {
        ...who,
        ...toRow(settings),
        name: change.name ?? null,
        changed: describeChange(isRenamed, settingsBefore, settings),
        campaignNumber: before.number,
        version: (before.version ?? 0) + 1,
      }
      // Open calls read from them until when to dial: a pause does not delete them.
      const forgetting = haveOtherOpenings(settingsBefore, settings) ? forgetOpenings : []
      const { rows } = await runBatch(
        db,
        [...steps, ...forgetting, waiting, settingsToChange].map((step) => step(db, values)),
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

/** The change in the log, as JSON: the names of the changed settings, and the value of `paused`. */
function describeChange(isRenamed: boolean, before: CallingSettings, after: CallingSettings): string | null {
  const names = Object.keys(after) as (keyof CallingSettings)[]
  const changed = names.filter((name) => JSON.stringify(after[name]) !== JSON.stringify(before[name]))
  if (!isRenamed && changed.length === 0) return null
  const paused = changed.includes('paused') && { paused: after.paused }
  return JSON.stringify({ changed: [...(isRenamed ? ['name'] : []), ...changed], ...paused })
}

/** The settings from which openings are computed (openings.ts). */
const haveOtherOpenings = (one: CallingSettings, other: CallingSettings) =>
  (['timeZone', 'callingHours', 'appointmentHours', 'closedDates'] as const).some(
    (name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]),
  )

const isSame = (one: CallingSettings, other: CallingSettings) =>
  JSON.stringify(toRow(one)) === JSON.stringify(toRow(other))
