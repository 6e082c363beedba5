// The operator's statements on companies, campaigns and API keys. Never run while a client waits, and never on leads.
// The caller chooses ids and keys, so that each statement can run twice, as runBatch may do. The caller passes the
// statement that logs a change (ledger/log/audit.ts).
import { sql } from 'drizzle-orm'
import { type Bind, param, runBatch, statement } from '../../database/database.ts'
import { waits } from '../../limits.ts'
import type { KeyMaterial } from '../api-key.ts'
import { hasCampaignRoom, lastCampaignNumber, newCampaignNumber } from './campaign-row.ts'
import type { ReserveNumber } from './directory.ts'
import { firstHour, type KeyRecord, readUsedKeys, type UsedKey, usedKeyColumns } from './key-hours.ts'
import { movingCompanies } from './moving.ts'
import { isActive } from './rights.ts'
import { apiKeys, campaigns, companies } from './tables.ts'

type Company = { readonly id: string; readonly name: string; readonly createdAtMs: number }

type Campaign = Company & { readonly companyId: string }

export type CompanyUnknown = { readonly kind: 'company_unknown' }

/** Comes first in the transaction. Null: not logged, for demo and test data. */
type Log<Name extends string> = Bind<Name> | null

const logged = <Name extends string>(db: D1Database, log: Log<Name>, values: Parameters<Bind<Name>>[1]) =>
  log === null ? [] : [log(db, values)]

async function run<Row>(
  db: D1Database,
  statements: readonly D1PreparedStatement[],
): Promise<Row | undefined> {
  const { rows } = await runBatch(db, statements, waits.administrationMs)
  return rows.at(-1)?.[0] as Row | undefined
}

const insertCompany = statement<'id' | 'name' | 'createdAtMs' | 'store'>(sql`
  insert into ${companies} (id, name, created_at_ms, store)
  values (${param('id')}, ${param('name')}, ${param('createdAtMs')}, ${param('store')})
  on conflict do nothing`)

const companyById = statement<'id'>(sql`select ${companies.name}, ${companies.createdAtMs} as "createdAtMs"
  from ${companies}
  where ${companies.id} = ${param('id')}`)

/** `store`: the name of its own store; null: it is in `db`. Throws DatabaseUnavailable, like every function here. */
export async function createCompany(
  db: D1Database,
  company: Company,
  store: string | null = null,
): Promise<{ readonly kind: 'created' | 'id_taken' }> {
  const row = await run<Company>(db, [insertCompany(db, { ...company, store }), companyById(db, company)])
  return { kind: isSame(row, company) ? 'created' : 'id_taken' }
}

/** A row with the same name and millisecond is from this call's first try, whose answer was lost. */
function isSame(row: Company | undefined, wanted: Company): boolean {
  return row?.name === wanted.name && row.createdAtMs === wanted.createdAtMs
}

const allCompanies = statement(sql`select ${companies.id}, ${companies.name},
  ${companies.createdAtMs} as "createdAtMs" from ${companies}
  order by ${companies.createdAtMs}, ${companies.id}`)

export async function listCompanies(db: D1Database): Promise<Company[]> {
  const { rows } = await runBatch(db, [allCompanies(db, {})], waits.administrationMs)
  return rows[0] as Company[]
}

/** A move copies the company: nothing is added to it. */
export type CompanyMoving = { readonly kind: 'company_moving' }
const isMoving = sql`${companies.frozenAtMs} is not null as "isMoving"`

const insertCampaign = statement<'id' | 'name' | 'createdAtMs' | 'companyId' | 'reservedNumber'>(sql`
  insert into ${campaigns} (number, id, company_id, name, created_at_ms)
  select ${newCampaignNumber}, ${param('id')}, ${companies.id}, ${param('name')}, ${param('createdAtMs')}
  from ${companies}
  where ${companies.id} = ${param('companyId')} and ${companies.frozenAtMs} is null
    and ${hasCampaignRoom(sql`${companies.id}`)}
  on conflict do nothing`)

const campaignById = statement<'id' | 'companyId'>(sql`
  select ${campaigns.companyId} as "companyId", ${campaigns.name},
    ${campaigns.createdAtMs} as "createdAtMs", ${isMoving}, ${lastCampaignNumber} as "lastNumber",
    ${hasCampaignRoom(sql`${companies.id}`)} as "hasRoom"
  from ${companies}
  left join ${campaigns}
    on ${campaigns.companyId} = ${companies.id} and ${campaigns.id} = ${param('id')}
  where ${companies.id} = ${param('companyId')}`)

/**
 * Campaign ids are unique within their company: a key finds only its own company's (D39). `reserve` returns the number
 * of a campaign that does not exist yet; null: this database numbers it.
 */
export async function createCampaign(
  db: D1Database,
  campaign: Campaign,
  log: Log<keyof Campaign | 'nowMs' | 'reservedNumber'> = null,
  reserve: ReserveNumber | null = null,
): Promise<CompanyUnknown | CompanyMoving | { readonly kind: 'created' | 'id_taken' | 'too_many' }> {
  let reservedNumber: number | null = null
  if (reserve !== null) {
    const before = await run<FoundCampaign>(db, [campaignById(db, campaign)])
    if (before === undefined) return { kind: 'company_unknown' }
    if (before.companyId !== null) return { kind: isSame(before, campaign) ? 'created' : 'id_taken' }
    if (before.hasRoom === 0) return { kind: 'too_many' }
    reservedNumber = await reserve(before.lastNumber)
  }
  const row = await run<FoundCampaign>(db, [
    ...logged(db, log, { ...campaign, nowMs: campaign.createdAtMs, reservedNumber }),
    insertCampaign(db, { ...campaign, reservedNumber }),
    campaignById(db, campaign),
  ])
  if (row === undefined) return { kind: 'company_unknown' }
  if (isSame(row, campaign)) return { kind: 'created' }
  if (row.isMoving === 1) return { kind: 'company_moving' }
  return { kind: row.companyId === null ? 'too_many' : 'id_taken' }
}

/** `companyId` is null when the company has no such campaign. */
type FoundCampaign = Company & {
  readonly companyId: string | null
  readonly isMoving: number
  readonly lastNumber: number
  readonly hasRoom: number
}

const setMaxCampaigns = statement<'companyId' | 'maxCampaigns'>(sql`update ${companies}
  set max_campaigns = ${param('maxCampaigns')}
  where ${companies.id} = ${param('companyId')} and ${companies.frozenAtMs} is null`)

const companyState = statement<'companyId'>(sql`select ${isMoving} from ${companies}
  where ${companies.id} = ${param('companyId')}`)

/** How many campaigns the company may have, instead of limits.campaignsPerCompany. */
export async function limitCampaigns(
  db: D1Database,
  companyId: string,
  maxCampaigns: number,
): Promise<CompanyUnknown | CompanyMoving | { readonly kind: 'limited' }> {
  const steps = [setMaxCampaigns(db, { companyId, maxCampaigns }), companyState(db, { companyId })]
  const row = await run<{ isMoving: number }>(db, steps)
  if (row === undefined) return { kind: 'company_unknown' }
  return { kind: row.isMoving === 1 ? 'company_moving' : 'limited' }
}

const knownCompany = statement<'companyId'>(sql`select 1 from ${companies}
  where ${param('companyId')} is null or ${companies.id} = ${param('companyId')}
  limit 1`)

const keyColumns = sql`id, company_id, campaign_number, scope, name, hash, hint,
  created_at_ms, expires_at_ms, created_by`

const insertKey = statement<
  'id' | 'scope' | 'name' | 'hash' | 'hint' | 'nowMs' | 'expiresAtMs' | 'campaignId' | 'companyId'
>(sql`
  insert into ${apiKeys} (${keyColumns})
  select ${param('id')}, ${companies.id}, ${campaigns.number}, ${param('scope')}, ${param('name')},
    ${param('hash')}, ${param('hint')}, ${param('nowMs')}, ${param('expiresAtMs')}, 'operator'
  from ${companies}
  left join ${campaigns} on ${campaigns.companyId} = ${companies.id} and ${campaigns.id} = ${param('campaignId')}
  where ${companies.id} = ${param('companyId')}
    and (${param('campaignId')} is null or ${campaigns.number} is not null)
    and ${companies.frozenAtMs} is null
  on conflict do nothing`)

const keyInserted = statement<'id' | 'companyId'>(sql`select ${apiKeys.id}, ${isMoving} from ${companies}
  left join ${apiKeys} on ${apiKeys.id} = ${param('id')}
  where ${companies.id} = ${param('companyId')}`)

type NewKey = KeyMaterial &
  Pick<KeyRecord, 'name' | 'scope' | 'companyId' | 'campaignId' | 'expiresAtMs'> & { readonly nowMs: number }

export async function createKey(
  db: D1Database,
  key: NewKey,
  log: Log<keyof NewKey> = null,
): Promise<CompanyUnknown | CompanyMoving | { readonly kind: 'created' | 'campaign_unknown' }> {
  const row = await run<{ id: string | null; isMoving: number }>(db, [
    ...logged(db, log, key),
    insertKey(db, key),
    keyInserted(db, key),
  ])
  if (row === undefined) return { kind: 'company_unknown' }
  if (row.id !== null) return { kind: 'created' }
  return { kind: row.isMoving === 1 ? 'company_moving' : 'campaign_unknown' }
}

const keysOf = statement<'firstHour' | 'companyId'>(sql`select ${usedKeyColumns}
  from ${apiKeys}
  left join ${campaigns} on ${campaigns.number} = ${apiKeys.campaignNumber}
  where (${param('companyId')} is null or ${apiKeys.companyId} = ${param('companyId')}) and ${apiKeys.frozen} < 2
  order by ${apiKeys.companyId}, ${apiKeys.createdAtMs}, ${apiKeys.id}`)

/**
 * The keys of a company, or of all companies when it is null; revoked and expired ones included. Not those of a company
 * that has left this database.
 */
export async function listKeys(
  db: D1Database,
  companyId: string | null,
  nowMs: number,
): Promise<CompanyUnknown | { readonly kind: 'found'; readonly keys: readonly UsedKey[] }> {
  const statements = [knownCompany(db, { companyId }), keysOf(db, { companyId, firstHour: firstHour(nowMs) })]
  const { rows } = await runBatch(db, statements, waits.administrationMs)
  const [known, found] = rows
  if (known?.length === 0 && companyId !== null) return { kind: 'company_unknown' }
  return { kind: 'found', keys: readUsedKeys(found) }
}

const setRevoked = statement<'nowMs' | 'id'>(sql`update ${apiKeys}
  set revoked_at_ms = coalesce(revoked_at_ms, ${param('nowMs')}) where ${apiKeys.id} = ${param('id')}`)

const keyEnds = statement<'id'>(sql`
  select ${apiKeys.expiresAtMs} as "expiresAtMs", ${apiKeys.revokedAtMs} as "revokedAtMs"
  from ${apiKeys}
  where ${apiKeys.id} = ${param('id')}`)

/** Of statements that follow the end of a key. */
type EndNames = 'keyId' | 'successorId' | 'nowMs'

/** A key that was revoked before keeps its time. `after` are further statements of the same transaction. */
export async function revokeKey(
  db: D1Database,
  id: string,
  nowMs: number,
  log: Log<'id' | 'nowMs'> = null,
  after: readonly Bind<EndNames>[] = [],
): Promise<{ readonly kind: 'key_unknown' } | { readonly kind: 'revoked'; readonly revokedAtMs: number }> {
  const row = await run<{ revokedAtMs: number }>(db, [
    ...logged(db, log, { id, nowMs }),
    setRevoked(db, { id, nowMs }),
    ...after.map((step) => step(db, { keyId: id, successorId: null, nowMs })),
    keyEnds(db, { id }),
  ])
  return row === undefined ? { kind: 'key_unknown' } : { kind: 'revoked', revokedAtMs: row.revokedAtMs }
}

const insertSuccessor = statement<'id' | 'hash' | 'hint' | 'nowMs' | 'expiresAtMs' | 'oldId'>(sql`
  insert into ${apiKeys} (${keyColumns}, successor_of)
  select ${param('id')}, company_id, campaign_number, scope, name, ${param('hash')}, ${param('hint')},
    ${param('nowMs')}, coalesce(${param('expiresAtMs')}, expires_at_ms), 'operator', id
  from ${apiKeys}
  where ${apiKeys.id} = ${param('oldId')} and ${isActive} and company_id not in ${movingCompanies}
  on conflict do nothing`)

const endPredecessor = statement<'endsAtMs' | 'oldId' | 'nowMs' | 'id'>(sql`update ${apiKeys}
  set expires_at_ms = min(coalesce(expires_at_ms, ${param('endsAtMs')}), ${param('endsAtMs')})
  where ${apiKeys.id} = ${param('oldId')} and ${isActive}
    and exists (select 1 from ${apiKeys} as successor where successor.id = ${param('id')})`)

const rotation = statement<'id' | 'oldId'>(sql`select old.expires_at_ms as "oldExpiresAtMs",
    successor.expires_at_ms as "expiresAtMs", successor.id is not null as "done",
    old.company_id in ${movingCompanies} as "isMoving"
  from ${apiKeys} as old
  left join ${apiKeys} as successor on successor.id = ${param('id')}
  where old.id = ${param('oldId')}`)

const keyCreatedAt = statement<'id'>(sql`select ${apiKeys.createdAtMs} as "createdAtMs"
  from ${apiKeys}
  where ${apiKeys.id} = ${param('id')}`)

/** Null: there is no such key. So that what is carried out a second time has the time of the first. */
export async function findKeyTime(db: D1Database, id: string): Promise<number | null> {
  const row = await run<{ createdAtMs: number }>(db, [keyCreatedAt(db, { id })])
  return row?.createdAtMs ?? null
}

type Rotation = KeyMaterial & {
  readonly oldId: string
  /** When the old key expires at the latest. */
  readonly endsAtMs: number
  /** Of the successor. Null: like the old key. */
  readonly expiresAtMs: number | null
  readonly nowMs: number
}

/** Creates a successor with the same rights, and lets the old key expire. `after` as in revokeKey. */
export async function rotateKey(
  db: D1Database,
  successor: Rotation,
  log: Log<keyof Rotation> = null,
  after: readonly Bind<EndNames>[] = [],
): Promise<
  | { readonly kind: 'key_unknown' }
  | { readonly kind: 'key_inactive' }
  | CompanyMoving
  | { readonly kind: 'rotated'; readonly expiresAtMs: number | null; readonly oldExpiresAtMs: number }
> {
  const ended = { keyId: successor.oldId, successorId: successor.id, nowMs: successor.nowMs }
  const steps = [
    ...[insertSuccessor, endPredecessor].map((step) => step(db, successor)),
    ...after.map((step) => step(db, ended)),
    rotation(db, successor),
  ]
  type Row = { expiresAtMs: number | null; oldExpiresAtMs: number; done: number; isMoving: number }
  const row = await run<Row>(db, [...logged(db, log, successor), ...steps])
  if (row === undefined) return { kind: 'key_unknown' }
  const { done, isMoving: isHeld, ...ends } = row
  if (done === 1) return { kind: 'rotated', ...ends }
  return { kind: isHeld === 1 ? 'company_moving' : 'key_inactive' }
}
