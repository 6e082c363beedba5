// Changing the calling settings of a campaign, and its name; and pausing all campaigns of companies. The next claim
// sees the change, and computes the openings again. How a change is applied is in ../settings.ts.
import { type SQL, sql } from 'drizzle-orm'
import { changeCampaignRow } from '../../../base/access/store/campaign-row.ts'
import {
  type Access,
  type AccessNames,
  accessVerdict,
  grantedCampaign,
  isRefused,
  type Refusal,
  refusalOf,
} from '../../../base/access/store/rights.ts'
import { campaigns } from '../../../base/access/store/tables.ts'
import { param, readRows, runSteps, statement } from '../../../base/database/database.ts'
import { type ActorNames, appendAlways, theOperator } from '../../../base/ledger/log/append.ts'
import { type CallingSettings, changeSettings, type SettingsChange } from '../settings.ts'
import { forgetOpenings } from './openings.ts'
import {
  type CampaignSettings,
  campaignEntry,
  type OneRow,
  readCampaignSettings,
  readSettings,
  type SettingsRow,
  settingColumns,
  settingsOfOne,
  toRow,
} from './settings-row.ts'
import { callingSettings } from './tables.ts'
import { notifyWaiting, setDialing } from './waiting.ts'

const columns = sql.raw(settingColumns.map(([column]) => column).join(', '))
const newValues = sql.join(
  settingColumns.map(([, name]) => sql`${param(name)}`),
  sql`, `,
)
/** Another pace begins at once: what the one before has used does not count. */
const pacedUntilUs = sql`iif(calls_per_minute is excluded.calls_per_minute, paced_until_us, null)`
/** With another requirement, held leads return to the queue, each once: from the first one on. */
const returnsHeldAfter = sql`iif(consent_purpose is excluded.consent_purpose
  and consent_max_age_days is excluded.consent_max_age_days, returns_held_after, 0)`
const excluded = sql.raw(settingColumns.map(([column]) => `${column} = excluded.${column}`).join(', '))

const granted = grantedCampaign('manage')
const settingsToChange = settingsOfOne(accessVerdict('manage'))

/**
 * Never overwrites a concurrent change. A row of the same version and values was written by this try. Placeholder
 * `callableSinceMs`; 0: the change has not made leads callable.
 */
export const writeSettings = (
  campaign: SQL,
) => sql`insert into ${callingSettings} (campaign_number, callable_since_ms, ${columns})
  select granted.number, ${param('callableSinceMs')}, ${newValues}
  from ${campaign} as granted
  where true
  on conflict do update set
    ${excluded},
    callable_since_ms = max(callable_since_ms, excluded.callable_since_ms),
    paced_until_us = ${pacedUntilUs},
    returns_held_after = ${returnsHeldAfter}
  where version = excluded.version - 1`

/** The placeholders of writeSettings, without those of `campaign`. */
export type WriteNames = keyof SettingsRow | 'callableSinceMs'

/** Logs the change, unless a concurrent one came first. Placeholder `changed`; null: nothing changes. */
const logChange = statement<AccessNames | ActorNames | 'changed' | 'version'>(
  appendAlways(sql`select ${campaignEntry('campaign.changed', sql`granted`, sql`${param('changed')}`)}
    from ${granted} as granted
    left join ${callingSettings} as s on s.campaign_number = granted.number
    where ${param('changed')} is not null and coalesce(s.version, 0) = ${param('version')} - 1`),
)

/** Not once the campaign is so. Placeholder `archived`; null: unchanged. */
const logArchived = statement<AccessNames | ActorNames | 'archived'>(
  appendAlways(sql`select ${campaignEntry(
    'campaign.archived',
    sql`granted`,
    sql`json_object('archived', json(iif(${param('archived')}, 'true', 'false')))`,
  )} from ${granted} as granted
    cross join ${campaigns} on ${campaigns.number} = granted.number
    where (${campaigns.archivedAtMs} is not null) <> ${param('archived')}`),
)

const changeSteps = [
  logChange,
  logArchived,
  statement<AccessNames | 'name' | 'archived'>(changeCampaignRow(granted)),
  statement<AccessNames | WriteNames>(writeSettings(granted)),
  // What is taken out of the archive calls nobody before its dialer is enabled again.
  statement<AccessNames | 'archived'>(
    setDialing(sql`(select own.number from ${granted} as own where ${param('archived')} = 1)`, sql`0`),
  ),
]

/** `name` absent: it keeps its own. */
export type CampaignChange = SettingsChange & {
  readonly name?: string | undefined
  /** Null: false. */
  readonly archived?: boolean | null | undefined
}

/** The value of placeholder `archived`. */
export const archivedOf = ({ archived }: CampaignChange) => (archived === undefined ? null : archived ? 1 : 0)

type ChangeResult =
  | Refusal
  /** Too many concurrent changes of the same settings. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'changed'; readonly campaign: CampaignSettings }

const campaignWaiting = statement<AccessNames>(sql`
  select ${notifyWaiting(sql`granted.company_id`, sql`granted.number`)}
  from ${granted} as granted`)

const maxTries = 5

/** Changes a campaign's settings; concurrent changes are applied one after the other. Throws DatabaseUnavailable. */
export async function changeCampaign(
  db: D1Database,
  access: Access,
  change: CampaignChange,
): Promise<ChangeResult> {
  let isRenamed = false
  for (let tries = 0; tries < maxTries; tries++) {
    const [before] = await readRows<OneRow>(db, settingsToChange(db, access))
    if (isRefused(before)) return refusalOf(before)
    const settingsBefore = readSettings(before)
    const settings = changeSettings(settingsBefore, change)
    // A try that lost the race for the settings has still changed the name.
    isRenamed ||= change.name !== undefined && change.name !== before.name
    const values = {
      ...access,
      ...toRow(settings),
      name: change.name ?? null,
      archived: archivedOf(change),
      changed: describeChange(isRenamed, settingsBefore, settings),
      campaignNumber: before.number,
      version: (before.version ?? 0) + 1,
      callableSinceMs:
        makesCallable(settingsBefore, settings) || (before.isArchived === 1 && archivedOf(change) === 0)
          ? access.nowMs
          : 0,
    }
    // Open calls read from them until when to dial: a pause does not delete them.
    const forgetting = haveOtherOpenings(settingsBefore, settings) ? forgetOpenings : []
    const steps = [...changeSteps, ...forgetting, campaignWaiting, settingsToChange]
    const { rows } = await runSteps(db, steps, values)
    const after = rows.at(-1)?.[0] as OneRow | undefined
    if (isRefused(after)) return refusalOf(after)
    if (after.version === values.version && isSame(readSettings(after), settings))
      return { kind: 'changed', campaign: readCampaignSettings(after) }
  }
  return { kind: 'busy' }
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

/**
 * Resumes the campaign, or changes its hours, as the first zone does: leads may be callable now that were not before.
 */
const makesCallable = (before: CallingSettings, after: CallingSettings) =>
  (before.paused && !after.paused) || haveOtherOpenings(before, after)

const isSame = (one: CallingSettings, other: CallingSettings) =>
  JSON.stringify(toRow(one)) === JSON.stringify(toRow(other))

/**
 * After a restore, which has brought leads back, until a person has looked. In one batch, in this order. `companies`
 * selects ids. Placeholder `nowMs`.
 */
export const pauseCampaigns = (companies: SQL): readonly SQL[] => {
  const unpaused = sql`${campaigns} as c
    cross join ${callingSettings} as s on s.campaign_number = c.number and s.paused = 0
    where c.company_id in ${companies}`
  return [
    appendAlways(
      sql`select ${campaignEntry('campaign.changed', sql`c`, sql`'{"changed":["paused"],"paused":true}'`)}
        from ${unpaused} order by c.number`,
      theOperator,
    ),
    sql`update ${callingSettings} set paused = 1, version = version + 1
      where campaign_number in (select c.number from ${unpaused})`,
  ]
}
