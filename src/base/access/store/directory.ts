// What D1 alone knows of all companies: in which store each one is, which keys it has, and the last number of a
// campaign. It grants no right.
import { type SQL, sql } from 'drizzle-orm'
import { param, readRows, runBatch, statement } from '../../database/database.ts'
import { waits } from '../../limits.ts'
import type { KeyMaterial } from '../api-key.ts'
import { nextCampaignNumber } from './campaign-row.ts'
import { campaignNumbers, campaigns, companies, memberDirectory, storeKeys } from './tables.ts'

const storeOfCompany = statement<'companyId'>(
  sql`select ${companies.store} from ${companies} where ${companies.id} = ${param('companyId')}`,
)

/** Columns of a row that is read by readInCompany; `company` is its row of companies. */
export const ofCompany = (company: SQL) => sql`${company}.id as "companyId", ${company}.store as "leftFor"`

/** `leftFor`: the store in which the company is by now. Null: it is in this one. */
export type OfCompany = { readonly companyId: string; readonly leftFor: string | null }

/** A condition: the company of this row is in this database. */
export const isInThisStore = (company: SQL) => sql`${company}.store is null`

/** Null: in D1 itself, or unknown. Throws DatabaseUnavailable, as every function here. */
export async function findStoreName(
  directory: D1Database,
  companyId: string,
  timeoutMs: number = waits.administrationMs,
): Promise<string | null> {
  const select = storeOfCompany(directory, { companyId })
  const [row] = await readRows<{ store: string | null }>(directory, select, timeoutMs)
  return row?.store ?? null
}

const companyRow = statement<'companyId'>(sql`select ${companies.id}, ${companies.name},
    ${companies.createdAtMs} as "createdAtMs", ${companies.store}, ${companies.frozenAtMs} as "frozenAtMs"
  from ${companies}
  where ${companies.id} = ${param('companyId')}`)

/** As D1 has it. */
export type DirectoryEntry = {
  readonly id: string
  readonly name: string
  readonly createdAtMs: number
  readonly store: string | null
  /** Since when a move has frozen it. Null: none has. */
  readonly frozenAtMs: number | null
}

export async function findCompany(directory: D1Database, companyId: string): Promise<DirectoryEntry | null> {
  const select = companyRow(directory, { companyId })
  return (await readRows<DirectoryEntry>(directory, select, waits.administrationMs))[0] ?? null
}

/** Returns the number of a new campaign, after the last one of its store. */
export type ReserveNumber = (lastNumber: number) => Promise<number>

const reserve = statement<'lastNumber'>(sql`insert into ${campaignNumbers} (id, last)
  values (1, max(${nextCampaignNumber}, cast(${param('lastNumber')} as integer) + 1))
  on conflict do update set last = excluded.last
  returning last`)

/**
 * For a campaign of a store of its own, after `lastNumber` there: D1 may have been restored to a time at which it was
 * not given yet. A crash wastes a number, and so does a repeated try. Null: the company is in D1, which numbers its
 * campaigns.
 */
export const reserveIn = (directory: D1Database | null): ReserveNumber | null =>
  directory &&
  (async (lastNumber) => {
    const { rows } = await runBatch(directory, [reserve(directory, { lastNumber })])
    const [row] = rows[0] as [{ last: number }]
    return row.last
  })

/** For the batch of another: no number up to `lastNumber`, the last one of a store, is given from then on. */
export const keepNumbers = statement<'lastNumber'>(sql`insert into ${campaignNumbers} (id, last)
  values (1, max(${nextCampaignNumber} - 1, cast(${param('lastNumber')} as integer)))
  on conflict do update set last = excluded.last where excluded.last > last`)

/**
 * After a restore of D1: more than are given until each store has said which is its last one (keepNumbers). Used twice,
 * it wastes some.
 */
const numbersSkipped = 10_000

const skip = statement(sql`insert into ${campaignNumbers} (id, last)
  values (1, ${nextCampaignNumber} - 1 + ${sql.raw(`${numbersSkipped}`)})
  on conflict do update set last = excluded.last`)

export async function skipNumbers(directory: D1Database): Promise<void> {
  await runBatch(directory, [skip(directory, {})], waits.administrationMs)
}

/** A row with the `number` of a campaign of another company among `numbers`, JSON; none: all may be the company's. */
export const takenNumber = statement<'companyId' | 'numbers'>(sql`select ${campaigns.number} from ${campaigns}
  where ${campaigns.number} in (select value from json_each(${param('numbers')}))
    and ${campaigns.companyId} <> ${param('companyId')}
  limit 1`)

const numbersOf = statement<'companyId'>(sql`select json_group_array(${campaigns.number}) as numbers,
    coalesce(max(${campaigns.number}), 0) as "lastNumber"
  from ${campaigns}
  where ${campaigns.companyId} = ${param('companyId')}`)

/**
 * A number of the company's campaigns in its store that another company's campaign has in D1. Null: none, and none gets
 * one.
 */
export async function findTakenNumber(
  directory: D1Database,
  own: D1Database,
  companyId: string,
): Promise<number | null> {
  const inStore = await runBatch(own, [numbersOf(own, { companyId })])
  const [{ numbers, lastNumber }] = inStore.rows[0] as [{ numbers: string; lastNumber: number }]
  const { rows } = await runBatch(directory, [
    keepNumbers(directory, { lastNumber }),
    takenNumber(directory, { companyId, numbers }),
  ])
  return (rows[1]?.[0] as { number: number } | undefined)?.number ?? null
}

const enter = statement<
  'hash' | 'id' | 'companyId' | 'sessionEndsAtMs'
>(sql`insert into ${storeKeys} (hash, key_id, company_id, session_ends_at_ms)
  values (${param('hash')}, ${param('id')}, ${param('companyId')}, ${param('sessionEndsAtMs')}) on conflict do nothing`)

/**
 * Before the store has the key: so a key that was shown is found. `sessionEndsAtMs` is null, unless it is a session.
 */
export async function enterKey(
  directory: D1Database,
  key: Pick<KeyMaterial, 'id' | 'hash'> & { readonly companyId: string },
  sessionEndsAtMs: number | null = null,
): Promise<void> {
  await runBatch(directory, [enter(directory, { ...key, sessionEndsAtMs })])
}

const enterMembersOf = statement<'companyId' | 'members'>(sql`insert into ${memberDirectory}
    (email_hash, member_id, company_id)
  select item.value ->> 'emailHash', item.value ->> 'id', ${param('companyId')}
  from json_each(${param('members')}) as item
  where true
  on conflict do nothing`)

/** Before the company has the member; one that it does not get does no harm. */
export async function enterMembers(
  directory: D1Database,
  companyId: string,
  members: readonly { readonly id: string; readonly emailHash: string }[],
): Promise<void> {
  await runBatch(directory, [enterMembersOf(directory, { companyId, members: JSON.stringify(members) })])
}

/**
 * The same in the batch that adds the member to a company of D1. `rows` selects him; placeholder `emailHash`, null
 * elsewhere.
 */
export const enterMember = (
  rows: SQL,
) => sql`insert into ${memberDirectory} (email_hash, member_id, company_id)
  select ${param('emailHash')}, m.id, m.company_id from (${rows}) as m
  where ${param('emailHash')} is not null
  on conflict do nothing`

const leave = statement<'companyId' | 'ids'>(sql`delete from ${memberDirectory}
  where company_id = ${param('companyId')} and member_id in (select value from json_each(${param('ids')}))`)

/** After the company has removed the members. */
export async function leaveDirectory(
  directory: D1Database,
  companyId: string,
  ids: readonly string[],
): Promise<void> {
  await runBatch(directory, [leave(directory, { companyId, ids: JSON.stringify(ids) })])
}

/** The same in the batch that removes them, `rows`, from a company of D1. The table of a store of its own is empty. */
export const leaveWith = (rows: SQL) => sql`delete from ${memberDirectory}
  where (company_id, member_id) in (select m.company_id, m.id from (${rows}) as m)`

/** The company of which a person may be a member: its store has the truth. */
type Membership = Pick<DirectoryEntry, 'id' | 'name' | 'store'> & { readonly memberId: string }

// The one that was chosen is among them, however many there are.
const membershipsOf = statement<
  'emailHash' | 'companyId'
>(sql`select ${companies.id}, ${companies.name}, ${companies.store},
    max(${memberDirectory.memberId}) as "memberId"
  from ${memberDirectory}
  cross join ${companies} on ${companies.id} = ${memberDirectory.companyId}
  where ${memberDirectory.emailHash} = ${param('emailHash')}
  group by ${companies.id}
  order by ${companies.id} is ${param('companyId')} desc, ${companies.name}, ${companies.id}
  limit 100`)

export const findMemberships = (
  directory: D1Database,
  emailHash: string,
  companyId: string | null,
): Promise<readonly Membership[]> =>
  readRows<Membership>(directory, membershipsOf(directory, { emailHash, companyId }), waits.keyLookUpMs)

const markRevoked = statement<'companyId' | 'ids' | 'nowMs'>(sql`update ${storeKeys}
  set revoked_at_ms = ${param('nowMs')}
  where key_id in (select value from json_each(${param('ids')})) and company_id = ${param('companyId')}
    and revoked_at_ms is null`)

/** After the store has revoked them; before, where the operator revokes one: so it is refused at once. */
export async function markKeysRevoked(
  directory: D1Database,
  companyId: string,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  await runBatch(directory, [markRevoked(directory, { companyId, ids: JSON.stringify(ids), nowMs })])
}
