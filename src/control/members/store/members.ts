// Lists, reads and adds members on behalf of a key, of another member, or of the operator.
import { sql } from 'drizzle-orm'
import type { MemberScope } from '../../../base/access/scope.ts'
import { enterMember } from '../../../base/access/store/directory.ts'
import {
  grantedManager,
  type ManagerAccess,
  type ManagerNames,
  managerVerdict,
  type Refusal,
  type ScopeRefusal,
  scopeRefusalOf,
} from '../../../base/access/store/rights.ts'
import { insertMembers } from '../../../base/access/store/sessions.ts'
import { members } from '../../../base/access/store/tables.ts'
import { param, readRows, runBatch, runSteps, statement } from '../../../base/database/database.ts'
import type { ActorNames } from '../../../base/ledger/log/append.ts'
import { limits, waits } from '../../../base/limits.ts'
import { logMember } from '../../keys/store/created-members.ts'
import { type Member, memberColumns, seenMembers } from './member-row.ts'

export type NewMember = {
  /** In lower case. */
  readonly email: string
  readonly scope: MemberScope
  readonly campaignId: string | null
  readonly name: string | null
}

/** Absent: unchanged. A null campaign is the whole company. */
export type MemberChange = {
  readonly scope?: MemberScope
  readonly campaignId?: string | null
  readonly name?: string | null
}

const isGranted = statement<ManagerNames>(sql`select 1 from ${grantedManager('manage to read')}`)

const listed = statement<ManagerNames | 'memberId'>(sql`select ${memberColumns}
  from ${seenMembers('manage to read')}
  where m.removed_at_ms is null and (${param('memberId')} is null or m.id = ${param('memberId')})
  order by m.created_at_ms, m.id
  limit ${sql.raw(`${limits.membersPerCompany}`)}`)

type Found = { readonly kind: 'found'; readonly members: readonly Member[] }

/** All, or one. Throws DatabaseUnavailable, as every function here. */
export async function findMembers(
  db: D1Database,
  access: ManagerAccess,
  memberId: string | null,
): Promise<Found | Extract<Refusal, { kind: 'key_refused' }>> {
  const values = { ...access, memberId }
  const { rows } = await runBatch(db, [isGranted(db, values), listed(db, values)])
  return rows[0]?.length === 0 ? { kind: 'key_refused' } : { kind: 'found', members: rows[1] as Member[] }
}

const isNew = sql`not exists (select 1 from ${members} as own where own.id = ${param('memberId')})`
/** Another request with the same Idempotency-Key has added one. */
const isReused = sql`exists (select 1 from ${members} as made where made.company_id = verdict.company_id
    and made.id > ${param('idStart')} and made.id < ${param('idStart')} || '~' and made.id <> ${param('memberId')})`
const sameEmail = sql`exists (select 1 from ${members} as other where other.company_id = verdict.company_id
    and other.email = ${param('email')} and other.removed_at_ms is null and other.id <> ${param('memberId')})`
const hasRoom = sql`(select count(*) from ${members} as other where other.company_id = verdict.company_id
    and other.removed_at_ms is null) < ${sql.raw(`${limits.membersPerCompany}`)}`

// Who manages has every scope to give.
const wanted = sql`select ${param('memberId')} as id, verdict.company_id, nullif(verdict.number, 0) as campaign_number,
    ${param('scope')} as scope
  from ${managerVerdict} as verdict
  where verdict.number is not null and not ${sameEmail} and ${hasRoom} and ${isNew}
    and not ${isReused}`

const addSteps = [
  logMember('member.added', wanted),
  enterMember(wanted),
  insertMembers(wanted),
  sql`select verdict.number, ${sameEmail} as "isTaken", ${isReused} as "isReused" from ${managerVerdict} as verdict`,
  sql`select ${memberColumns} from ${seenMembers('manage')} where m.id = ${param('memberId')}`,
].map(
  statement<
    | ManagerNames
    | ActorNames
    | 'campaignId'
    | 'memberId'
    | 'idStart'
    | 'email'
    | 'scope'
    | 'name'
    | 'emailHash'
  >,
)

type Added = { readonly kind: 'added'; readonly member: Member; readonly isReplay: boolean }
type NotAdded = { readonly kind: 'member_exists' | 'too_many_members' | 'idempotency_key_reused' }

export async function addMember(
  db: D1Database,
  access: ManagerAccess,
  wanted: NewMember & {
    readonly memberId: string
    readonly idStart: string | null
    readonly emailHash: string | null
  },
): Promise<ScopeRefusal | Added | NotAdded> {
  const { rows, rowsChanged, tries } = await runSteps(db, addSteps, { ...access, ...wanted })
  type Verdict = { number: number | null; isTaken: number; isReused: number }
  const verdict = rows.at(-2)?.[0] as Verdict | undefined
  const refusal = scopeRefusalOf(verdict, wanted.campaignId)
  if (refusal !== null) return refusal
  const member = rows.at(-1)?.[0] as Member | undefined
  if (member !== undefined) return { kind: 'added', member, isReplay: rowsChanged === 0 && tries === 1 }
  if (verdict?.isReused === 1) return { kind: 'idempotency_key_reused' }
  return { kind: verdict?.isTaken === 1 ? 'member_exists' : 'too_many_members' }
}

const emails = statement(
  sql`select m.id, iif(m.removed_at_ms is null, m.email, null) as email from ${members} as m`,
)

/** Of a company's own store, for the directory in D1. Null: of a member that was removed. */
export const listEmails = (own: D1Database) =>
  readRows<{ readonly id: string; readonly email: string | null }>(
    own,
    emails(own, {}),
    waits.administrationMs,
  )
