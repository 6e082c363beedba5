// Creating, changing and removing sources. read-source.ts reads them; what a post reads and writes is in
// open-source.ts.
import { type SQL, sql } from 'drizzle-orm'
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
import {
  hasActiveKey,
  insertSourceKey,
  nameSourceKeys,
  revokeSourceKeys,
} from '../../../base/access/store/source-key.ts'
import { number, param, runSteps, statement } from '../../../base/database/database.ts'
import { type ActorNames, appendAlways, isUnlogged } from '../../../base/ledger/log/append.ts'
import { limits } from '../../../base/limits.ts'
import { campaignEntry } from '../../../queue/campaigns/store/settings-row.ts'
import type { SourceSettings } from '../source-settings.ts'
import { type Found, isRequested, type NotFound, readFound, selectWritten, valuesOf } from './read-source.ts'
import { sources } from './tables.ts'

const granted = grantedCampaign('manage')

/** Once for a request, also when a try is repeated. */
const logChange = (campaign: SQL, changed: SQL, name: SQL) =>
  appendAlways(
    sql`select ${campaignEntry(
      'campaign.changed',
      sql`own`,
      sql`json_object('changed', json_array('sources'), 'sourceId', ${param('sourceId')}, 'sourceName', ${name},
        'sourceChanged', ${changed})`,
    )} from ${campaign} as own where ${isUnlogged('campaign.changed', sql`own.company_id`)}`,
  )

/** Another request with the same Idempotency-Key has made one. */
const isReused = (company: SQL) => sql`exists (select 1 from ${sources} as made
  where made.id > ${param('idStart')} and made.id < ${param('idStart')} || '~' and made.id <> ${param('sourceId')}
    and made.company_id = ${company}.company_id)`

const wanted = sql`(select own.number, own.company_id from ${granted} as own
  where not exists (select 1 from ${sources} as made where made.id = ${param('sourceId')}) and not ${isReused(sql`own`)}
    and (select count(*) from ${sources} as other
      where other.campaign_number = own.number and other.removed_at_ms is null) < ${number(limits.sourcesPerCampaign)})`

/** So far back may a database be restored. */
const restorableMs = 30 * limits.dayMs

type SettingNames =
  | 'name'
  | 'countries'
  | 'nationalCountry'
  | 'timeZones'
  | 'fields'
  | 'ignored'
  | 'notDoNotCall'
  | 'permissions'
  | 'consent'
  | 'onExisting'
  | 'redirectUrl'
  | 'sealedSecrets'
  | 'enabled'
type ChangeNames = AccessNames | ActorNames | 'sourceId'
type WriteNames = ChangeNames | 'newKeyId' | 'hash'

const createSteps = [
  logChange(wanted, sql`json_array('created')`, sql`${param('name')}`),
  insertSourceKey(wanted, sql`${param('name')}`),
  sql`insert into ${sources} (id, company_id, campaign_number, key_id, name, countries, national_country,
    time_zones, fields, ignored,
      not_do_not_call, permissions, consent, on_existing, redirect_url, sealed_secrets, is_enabled, version,
      created_at_ms, changed_at_ms)
    select ${param('sourceId')}, own.company_id, own.number, ${param('newKeyId')}, ${param('name')},
      ${param('countries')}, ${param('nationalCountry')}, ${param('timeZones')}, ${param('fields')},
      ${param('ignored')}, ${param('notDoNotCall')}, ${param('permissions')},
      ${param('consent')}, ${param('onExisting')}, ${param('redirectUrl')}, ${param('sealedSecrets')},
      ${param('enabled')}, 1, ${param('nowMs')}, ${param('nowMs')}
    from ${wanted} as own`,
  sql`delete from ${sources} where removed_at_ms < ${param('nowMs')} - ${number(restorableMs)}
    and campaign_number in (select own.number from ${granted} as own)`,
  sql`select ${isReused(sql`own`)} as "isReused", made.removed_at_ms as "removedAtMs", made.key_id as "keyId"
    from ${granted} as own
    left join ${sources} as made on made.id = ${param('sourceId')} and made.company_id = own.company_id`,
].map(statement<WriteNames | SettingNames | 'idStart'>)

/** A new key, in case that it needs one, of which the database keeps the hash. */
type NewKey = { readonly newKeyId: string; readonly hash: string }
type Sealed = { readonly sealedSecrets: string | null }

const toColumns = ({ enabled, nationalCountry, ...settings }: Partial<SourceSettings & Sealed>) => ({
  ...Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    ]),
  ),
  ...(nationalCountry !== undefined && { nationalCountry: nationalCountry ?? '' }),
  ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
})

type Created = Found & { readonly isReplay: boolean }

/** A repeated request has the id of the first one, and finds what that has made. */
export async function createSource(
  db: D1Database,
  access: Access,
  source: SourceSettings & Sealed & NewKey & { readonly sourceId: string; readonly idStart: string | null },
): Promise<Refusal | Created | NotFound | { readonly kind: 'too_many_sources' | 'idempotency_key_reused' }> {
  const own = toColumns(source) as Record<SettingNames, string | number | null>
  const { sourceId, idStart, newKeyId, hash } = source
  const values = { ...valuesOf(access, sourceId), ...own, idStart, newKeyId, hash }
  const { rows } = await runSteps(db, [...createSteps, selectWritten], values)
  const found = readFound(rows)
  type Made = {
    readonly isReused: number
    readonly removedAtMs: number | null
    readonly keyId: string | null
  }
  const made = rows.at(-2)?.[0] as Made | undefined
  if (found.kind === 'found') return { ...found, isReplay: made?.keyId !== newKeyId }
  if (found.kind !== 'source_not_found' || made?.removedAtMs) return found
  return { kind: made?.isReused === 1 ? 'idempotency_key_reused' : 'too_many_sources' }
}

const present = sql`(select own.number, own.company_id, s.id, s.name from ${granted} as own
  cross join ${sources} as s on s.campaign_number = own.number and s.company_id = own.company_id
    and s.removed_at_ms is null and ${isRequested})`
/** It is switched on, and has no key that works. */
const keyless = sql`(select own.* from ${present} as own
  cross join ${sources} as s on s.id = own.id and not ${hasActiveKey(sql`s`)}
  where ${param('change')} ->> 'enabled')`
const isPresent = sql`id in (select own.id from ${present} as own)`

const columnsOfSettings: Readonly<Record<SettingNames, string>> = {
  name: 'name',
  countries: 'countries',
  nationalCountry: 'national_country',
  timeZones: 'time_zones',
  fields: 'fields',
  ignored: 'ignored',
  notDoNotCall: 'not_do_not_call',
  permissions: 'permissions',
  consent: 'consent',
  onExisting: 'on_existing',
  redirectUrl: 'redirect_url',
  sealedSecrets: 'sealed_secrets',
  enabled: 'is_enabled',
}
const setChanged = Object.entries(columnsOfSettings).map(
  ([
    name,
    column,
  ]) => sql`${sql.raw(column)} = iif(json_type(${param('change')}, ${sql.raw(`'$.${name}'`)}) is null,
      ${sql.raw(column)}, ${param('change')} ->> ${sql.raw(`'${name}'`)})`,
)

/** Of the members that are sent. */
const namesChanged = sql`(select json_group_array(iif(sent.key = 'sealedSecrets', 'turnstile', sent.key))
  from json_each(${param('change')}) as sent)`

const changeSteps = [
  logChange(present, namesChanged, sql`coalesce(${param('name')}, own.name)`),
  insertSourceKey(keyless, sql`coalesce(${param('name')}, own.name)`),
  sql`update ${sources} set key_id = ${param('newKeyId')} where id in (select own.id from ${keyless} as own)`,
  nameSourceKeys(present),
  // A request that sends either of them answers for all countries.
  sql`update ${sources} set ${sql.join(setChanged, sql`, `)}, changed_at_ms = ${param('nowMs')},
      clock_asked_at_ms = iif(coalesce(json_type(${param('change')}, '$.countries'),
      json_type(${param('change')}, '$.timeZones'))
        is null, clock_asked_at_ms, null)
    where ${isPresent}`,
].map(statement<WriteNames | 'change' | 'name'>)

const rotateSteps = [
  logChange(present, sql`json_array('url')`, sql`own.name`),
  sql`update ${sources} set version = version + 1, changed_at_ms = ${param('nowMs')} where ${isPresent}`,
].map(statement<ChangeNames>)

/** Sets the members that are given. */
export async function changeSource(
  db: D1Database,
  access: Access,
  sourceId: string,
  change: Partial<SourceSettings & Sealed>,
  key: NewKey,
): Promise<Refusal | Found | NotFound> {
  const own = { change: JSON.stringify(toColumns(change)), name: change.name ?? null }
  const values = { ...valuesOf(access, sourceId), ...key, ...own }
  const { rows } = await runSteps(db, [...changeSteps, selectWritten], values)
  return readFound(rows)
}

/** A new URL: the one before is none from then on. A repeated try may skip a version. */
export async function rotateSource(
  db: D1Database,
  access: Access,
  sourceId: string,
): Promise<Refusal | Found | NotFound> {
  const { rows } = await runSteps(db, [...rotateSteps, selectWritten], valuesOf(access, sourceId))
  return readFound(rows)
}

const removeSteps = [
  logChange(present, sql`json_array('removed')`, sql`own.name`),
  revokeSourceKeys(present),
  sql`update ${sources} set removed_at_ms = ${param('nowMs')}, changed_at_ms = ${param('nowMs')}, sealed_secrets = null,
      last_names = null, last_problem = null
    where ${isPresent}`,
  sql`select verdict.number, s.removed_at_ms = ${param('nowMs')} as "isRemoved"
    from ${accessVerdict('manage')} as verdict
    left join ${sources} as s on s.campaign_number = verdict.number and ${isRequested}`,
].map(statement<ChangeNames>)

export async function removeSource(
  db: D1Database,
  access: Access,
  sourceId: string,
): Promise<Refusal | NotFound | { readonly kind: 'removed' }> {
  const { rows } = await runSteps(db, removeSteps, { ...access, sourceId })
  const row = rows.at(-1)?.[0] as (Verdict & { readonly isRemoved: number | null }) | undefined
  if (isRefused(row)) return refusalOf(row)
  return { kind: row.isRemoved === 1 ? 'removed' : 'source_not_found' }
}
