// Setting, reading and removing the dialer of a campaign. What the object writes is in
// run-dialer.ts.
import { type SQL, sql } from 'drizzle-orm'
import { activeDialerKey, insertDialerKey, renewDialerKey } from '../../../base/access/store/dialer-key.ts'
import {
  type Access,
  type AccessNames,
  accessVerdict,
  grantedCampaign,
  isRefused,
  type Refusal,
  refusalOf,
  type Verdict,
} from '../../../base/access/store/rights.ts'
import { param, runBatch, runSteps, statement } from '../../../base/database/database.ts'
import { type ActorNames, appendAlways } from '../../../base/ledger/log/append.ts'
import { campaignEntry } from '../../../queue/campaigns/store/settings-row.ts'
import { callingSettings } from '../../../queue/campaigns/store/tables.ts'
import { setDialing } from '../../../queue/campaigns/store/waiting.ts'
import type { Template, Texts } from '../template/template.ts'
import { dialers } from './tables.ts'

/** As it is stored: its secrets are encrypted. */
export type StoredDialer = {
  readonly campaignNumber: number
  readonly isEnabled: boolean
  /** Calls at once. */
  readonly maxLive: number
  readonly preset: string
  /** The template of the preset `custom`. Null: the preset's own. */
  readonly template: Template | null
  readonly variables: Texts
  /** The campaign's. Null: it has none yet. */
  readonly timeZone: string | null
  readonly sealedSecrets: string
  readonly origin: string
  readonly version: number
  readonly changedAtMs: number
}

/** A value: JSON of a StoredDialer, with `d` the dialer and `s` its campaign's settings. */
export const dialerAsJson = sql`json_object('campaignNumber', d.campaign_number,
    'isEnabled', json(iif(s.has_dialer, 'true', 'false')), 'maxLive', d.max_live, 'preset', d.preset,
    'template', json(d.template), 'variables', json(d.variables), 'sealedSecrets', d.sealed_secrets, 'origin', d.origin,
    'version', d.version, 'timeZone', s.time_zone, 'changedAtMs', d.changed_at_ms)`

/** Null version: there is none, not even one that is removed. */
type FoundRow = Verdict & {
  readonly version: number | null
  readonly removedAtMs: number | null
  readonly dialer: string
}

const selectDialer = (verdict: SQL) =>
  statement<AccessNames>(sql`select verdict.number, d.version, d.removed_at_ms as "removedAtMs",
      ${dialerAsJson} as dialer
    from ${verdict} as verdict
    left join ${dialers} as d on d.campaign_number = verdict.number
    left join ${callingSettings} as s on s.campaign_number = verdict.number`)
const selectToRead = selectDialer(accessVerdict('manage to read'))
const selectToWrite = selectDialer(accessVerdict('manage'))

export type Found = {
  readonly kind: 'found'
  /** The campaign's number. */
  readonly number: number
  /** The version of the row, a removed dialer's too; 0: there is none. */
  readonly version: number
  /** Null: the campaign has none, or it is removed. */
  readonly dialer: StoredDialer | null
}

function readFound(row: FoundRow | undefined): Refusal | Found {
  if (isRefused(row)) return refusalOf(row)
  const { number, version, removedAtMs, dialer } = row
  const isThere = version !== null && removedAtMs === null
  return {
    kind: 'found',
    number: number as number,
    version: version ?? 0,
    dialer: isThere ? JSON.parse(dialer) : null,
  }
}

/** Throws DatabaseUnavailable, as every function here. */
export async function findDialer(db: D1Database, access: Access): Promise<Refusal | Found> {
  const { rows } = await runBatch(db, [selectToRead(db, access)])
  return readFound(rows[0]?.[0] as FoundRow | undefined)
}

const granted = grantedCampaign('manage')

/** The campaign, unless a concurrent request has changed its dialer or archived it. Also after setDialing. */
const unchanged = sql`(select own.number, own.company_id, d.key_id, d.version from ${granted} as own
  left join ${dialers} as d on d.campaign_number = own.number
  left join ${callingSettings} as s on s.campaign_number = own.number
  where coalesce(d.version, 0) = ${param('version')} - 1
    and coalesce(s.has_dialer, 0) in (${param('wasEnabled')}, ${param('isEnabled')}))`

export const logSet = (what: 'dialer' | 'gate', campaign: SQL) =>
  appendAlways(
    sql`select ${campaignEntry(
      'campaign.changed',
      sql`own`,
      sql.raw(`json_object('changed', json_array('${what}'))`),
    )} from ${campaign} as own`,
  )

const isSame = sql.raw(`dialers.removed_at_ms is null and dialers.preset = excluded.preset
  and dialers.template is excluded.template and dialers.variables = excluded.variables`)

/** What calls came to is said of the template by which they were made, and of a dialer that is not removed. */
const keptIfSame = (column: string) =>
  sql`${sql.raw(column)} = iif(${isSame}, ${sql.raw(`dialers.${column}`)}, null)`

/**
 * Why it stopped is said until it is changed or enabled: not only switched off. It has another key in place of a
 * revoked one.
 */
const keptIfOnlyOff = (column: string) =>
  sql`${sql.raw(column)} = iif(${isSame} and dialers.max_live = excluded.max_live and ${param('hasSameSecrets')}
    and not ${param('isEnabled')} and dialers.stopped_reason <> 'key_revoked', ${sql.raw(`dialers.${column}`)}, null)`

type WrittenNames =
  | 'wasEnabled'
  | 'maxLive'
  | 'preset'
  | 'template'
  | 'variables'
  | 'sealedSecrets'
  | 'origin'

const writeSteps = [
  logSet('dialer', unchanged),
  renewDialerKey(unchanged),
  insertDialerKey(unchanged),
  setDialing(unchanged, param('isEnabled') as unknown as SQL),
  sql`insert into ${dialers} (campaign_number, company_id, key_id, max_live, preset, template, variables,
    sealed_secrets,
      origin, version, changed_at_ms)
    select own.number, own.company_id, coalesce(${activeDialerKey}, ${param('newKeyId')}), ${param('maxLive')},
      ${param('preset')}, ${param('template')}, ${param('variables')}, ${param('sealedSecrets')}, ${param('origin')},
      ${param('version')}, ${param('nowMs')}
    from ${unchanged} as own
    where true
    on conflict do update set key_id = excluded.key_id, max_live = excluded.max_live, preset = excluded.preset,
      template = excluded.template, variables = excluded.variables, sealed_secrets = excluded.sealed_secrets,
      origin = excluded.origin, version = excluded.version, changed_at_ms = excluded.changed_at_ms,
      removed_at_ms = null, ${keptIfOnlyOff('stopped_reason')}, ${keptIfOnlyOff('stopped_at_ms')},
      resting_reason = null, resting_since_ms = null,
      ${keptIfSame('unmapped_reason')}, ${keptIfSame('unmapped_at_ms')}, ${keptIfSame('failing_reason')},
      ${keptIfSame('failing_at_ms')}, ${keptIfSame('deaf_since_ms')}`,
].map(
  statement<
    AccessNames | ActorNames | 'version' | 'newKeyId' | 'hash' | 'isEnabled' | 'hasSameSecrets' | WrittenNames
  >,
)

/** `newKeyId`, `hash`: of a new key, in case it needs one. `hasSameSecrets`: as before, though sealed anew. */
type WrittenDialer = Omit<StoredDialer, 'campaignNumber' | 'changedAtMs' | 'timeZone'> & {
  readonly newKeyId: string
  readonly hash: string
  readonly wasEnabled: boolean
  readonly hasSameSecrets: boolean
}

/** `changed`: a concurrent request came first. `version` is one above that of the row before. */
export async function writeDialer(
  db: D1Database,
  access: Access,
  { wasEnabled, isEnabled, hasSameSecrets, template, variables, ...dialer }: WrittenDialer,
): Promise<Refusal | Found | { readonly kind: 'changed' }> {
  const values = {
    ...access,
    ...dialer,
    wasEnabled: wasEnabled ? 1 : 0,
    isEnabled: isEnabled ? 1 : 0,
    hasSameSecrets: hasSameSecrets ? 1 : 0,
    template: template === null ? null : JSON.stringify(template),
    variables: JSON.stringify(variables),
  }
  const { rows } = await runSteps(db, [...writeSteps, selectToWrite], values)
  const found = readFound(rows.at(-1)?.[0] as FoundRow | undefined)
  if (found.kind !== 'found') return found
  // Sealed anew in each try: no other request has written the same.
  const isOwn = found.version === dialer.version && found.dialer?.sealedSecrets === dialer.sealedSecrets
  return isOwn ? found : { kind: 'changed' }
}

const present = sql`(select own.number, own.company_id from ${granted} as own
  cross join ${dialers} as d on d.campaign_number = own.number and d.removed_at_ms is null)`

const removeSteps = [
  logSet('dialer', present),
  setDialing(present, sql`0`),
  sql`update ${dialers} set removed_at_ms = ${param('nowMs')}, version = version + 1
    where removed_at_ms is null and campaign_number in (select own.number from ${present} as own)`,
  sql`select verdict.number, d.removed_at_ms = ${param('nowMs')} as "isRemoved"
    from ${accessVerdict('manage')} as verdict left join ${dialers} as d on d.campaign_number = verdict.number`,
].map(statement<AccessNames | ActorNames>)

/** The object deletes the row once the calls that it has started have ended. */
export async function removeDialer(
  db: D1Database,
  access: Access,
): Promise<
  Refusal | { readonly kind: 'dialer_not_found' } | { readonly kind: 'removed'; readonly number: number }
> {
  const { rows } = await runSteps(db, removeSteps, access)
  const row = rows.at(-1)?.[0] as (Verdict & { readonly isRemoved: number | null }) | undefined
  if (isRefused(row)) return refusalOf(row)
  return row.isRemoved === 1
    ? { kind: 'removed', number: row.number as number }
    : { kind: 'dialer_not_found' }
}
