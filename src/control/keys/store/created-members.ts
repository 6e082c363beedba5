// The members that a key has made, and how they end with it: each is removed, and his sessions end.
import { type SQL, sql } from 'drizzle-orm'
import type { MemberScope } from '../../../base/access/scope.ts'
import { leaveWith } from '../../../base/access/store/directory.ts'
import { changeMembers, endSessions } from '../../../base/access/store/sessions.ts'
import { apiKeys, campaigns, members } from '../../../base/access/store/tables.ts'
import { param } from '../../../base/database/database.ts'
import { appendAlways, type By, entryColumns } from '../../../base/ledger/log/append.ts'
import type { EntryType } from '../../../base/ledger/log/event-types.ts'

/** `rows` has `company_id`, `campaign_number`, `id` and `scope`. An address or a name is never logged. */
/** `more`: further members of its data, such as `, 'from', m.old_scope`. */
export const logMember = (type: EntryType, rows: SQL, more = sql``, by?: By) =>
  appendAlways(
    sql`select ${entryColumns({
      type,
      companyId: sql`m.company_id`,
      campaignNumber: sql`m.campaign_number`,
      data: sql`json_object('memberId', m.id, 'scope', m.scope${more})`,
    })} from (${rows}) as m`,
    by,
  )

const managesCompany = (m: SQL) => sql`(${m}.scope = 'manage' and ${m}.campaign_number is null)`

/** He is there, and manages the whole company. An alias. */
export const isManager = (m: SQL) => sql`(${managesCompany(m)} and ${m}.removed_at_ms is null)`

/** In one batch. `made` selects the ids of members, of whom those end that are there. */
export const endMembers = (made: SQL, condition: SQL): readonly SQL[] => {
  const ending = sql`select m.* from ${members} as m
    where ${condition} and m.id in (${made}) and m.removed_at_ms is null`
  return [
    logMember('member.removed', ending),
    endSessions(sql`select k.id from (${ending}) as m cross join ${apiKeys} as k on k.member_id = m.id`),
    leaveWith(ending),
    changeMembers(sql`removed_at_ms = ${param('nowMs')}`, ending),
  ]
}

/** Those that are there, or ended at that time. */
export const selectMembers = (
  made: SQL,
  endedAtMs: SQL,
) => sql`select m.id as "memberId", m.email, m.name, m.scope,
    ${campaigns.id} as "campaignId", m.removed_at_ms as "removedAtMs",
    ${managesCompany(sql`m`)} and not exists (select 1 from ${members} as other
      where other.company_id = m.company_id and ${isManager(sql`other`)}) as "wasLastManager"
  from ${members} as m left join ${campaigns} on ${campaigns.number} = m.campaign_number
  where m.id in (${made}) and coalesce(m.removed_at_ms = ${endedAtMs}, true)
  order by m.created_at_ms, m.id`

export type MemberMade = {
  readonly memberId: string
  readonly email: string | null
  readonly name: string | null
  readonly scope: MemberScope
  readonly campaignId: string | null
  /** Null: he is there. */
  readonly removedAtMs: number | null
  /** 1: he was a manager of the company, and none is left. */
  readonly wasLastManager: number
}
