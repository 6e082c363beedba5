// Creates and changes companies, for the operator. D1 has a row of each; a company with a store of its own has one
// there too, which its keys and campaigns refer to.
import { sql } from 'drizzle-orm'
import { param, runBatch, runSteps, statement } from '../../database/database.ts'
import { waits } from '../../limits.ts'
import { type CompanySetting, companySettingNames } from '../company-settings.ts'
import { grantedManager, type ManagerAccess, type ManagerNames } from './rights.ts'
import { companies } from './tables.ts'

type NewCompany = {
  readonly id: string
  readonly name: string
  /** The name of its own store. Null: D1. */
  readonly store: string | null
  readonly createdAtMs: number
  /** From the Idempotency-Key, or for this request alone. */
  readonly requestKey: string
  /** For the request; it begins with `requestKey`. */
  readonly requestToken: string
}

// A token has letters and digits only, which all stand before `~`.
const isOfRequestKey = sql`${companies.requestToken} between ${param('requestKey')} and ${param('requestKey')} || '~'`

const insert = statement<
  'id' | 'name' | 'createdAtMs' | 'store' | 'requestKey' | 'requestToken'
>(sql`insert into ${companies} (id, name, created_at_ms, store, request_token)
  select ${param('id')}, ${param('name')}, ${param('createdAtMs')}, ${param('store')}, ${param('requestToken')}
  where not exists (select 1 from ${companies} where ${isOfRequestKey})
  on conflict do nothing`)

const alike = statement<'id' | 'requestKey'>(sql`select ${companies.name},
    ${companies.createdAtMs} as "createdAtMs", ${companies.store}, ${companies.requestToken} as "requestToken"
  from ${companies} where ${companies.id} = ${param('id')}
  union all
  select ${companies.name}, ${companies.createdAtMs}, ${companies.store}, ${companies.requestToken}
  from ${companies} where ${isOfRequestKey}`)

type Row = Pick<NewCompany, 'name' | 'createdAtMs' | 'store'> & { readonly requestToken: string | null }

type Created = {
  readonly kind: 'created'
  readonly store: string | null
  readonly createdAtMs: number
  readonly isReplay: boolean
}

/** Throws DatabaseUnavailable, as every function here. */
export async function createCompanyOnce(
  directory: D1Database,
  company: NewCompany,
): Promise<Created | { readonly kind: 'company_exists' | 'idempotency_key_reused' }> {
  const { requestKey, requestToken } = company
  const { rows, rowsChanged, tries } = await runBatch(directory, [
    insert(directory, company),
    alike(directory, company),
  ])
  const found = rows[1] as Row[]
  const own = found.find((row) => row.requestToken === requestToken)
  if (own !== undefined) {
    const { store, createdAtMs } = own
    // An earlier try of this request may have been committed.
    return { kind: 'created', store, createdAtMs, isReplay: rowsChanged === 0 && tries === 1 }
  }
  const isReused = found.some((row) => row.requestToken?.startsWith(requestKey))
  return { kind: isReused ? 'idempotency_key_reused' : 'company_exists' }
}

const enter = statement<'id' | 'name' | 'createdAtMs'>(sql`insert into ${companies} (id, name, created_at_ms)
  values (${param('id')}, ${param('name')}, ${param('createdAtMs')})
  on conflict do nothing`)

/** For health: fails where the table is missing, and reads no row. */
export const noCompany = statement(sql`select 1 from ${companies} where ${companies.id} = ''`)

/** Enters a company in its own store. */
export async function enterCompany(
  own: D1Database,
  company: { readonly id: string; readonly name: string; readonly createdAtMs: number },
): Promise<void> {
  await runBatch(own, [enter(own, company)], waits.administrationMs)
}

/** Undefined: unchanged. Null: the default. */
export type CompanyChange = { readonly name?: string | undefined } & {
  readonly [Name in CompanySetting]?: number | null | undefined
}

/** `settings`: JSON of those that change. */
type ChangeNames = 'name' | 'settings'
const columnOf = (name: CompanySetting) => sql.raw(companies[name].name)
const set = sql`set name = coalesce(${param('name')}, name), ${sql.join(
  companySettingNames.map((name) => {
    const path = sql.raw(`'$.${name}'`)
    return sql`${columnOf(name)} = iif(json_type(${param('settings')}, ${path}) is null, ${columnOf(name)},
      ${param('settings')} ->> ${path})`
  }),
  sql`, `,
)}`

const change = [
  sql`update ${companies} ${set}
    where ${companies.id} in (select granted.company_id from ${grantedManager('manage')} as granted)`,
  sql`select 1 from ${grantedManager('manage')}`,
].map(statement<ManagerNames | ChangeNames>)

const changeEntry = statement<ChangeNames | 'operated'>(sql`update ${companies} ${set}
  where ${companies.id} = ${param('operated')} and ${companies.store} is not null`)

/** `directory` is D1 for a company with a store of its own, else null. */
export async function changeCompany(
  own: D1Database,
  directory: D1Database | null,
  access: ManagerAccess,
  { name, ...settings }: CompanyChange,
): Promise<{ readonly kind: 'changed' } | { readonly kind: 'key_refused' }> {
  const values = { ...access, name: name ?? null, settings: JSON.stringify(settings) }
  const { rows } = await runSteps(own, change, values)
  if (rows[1]?.length === 0) return { kind: 'key_refused' }
  if (directory !== null) await runBatch(directory, [changeEntry(directory, values)])
  return { kind: 'changed' }
}
