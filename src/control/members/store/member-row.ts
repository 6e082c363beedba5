// Fragments on the rows of members, and how they are shown.
import { sql } from 'drizzle-orm'
import type { MemberScope } from '../../../base/access/scope.ts'
import { actorName } from '../../../base/access/store/actor-name.ts'
import { grantedManager, type ManagerUse } from '../../../base/access/store/rights.ts'
import { campaigns, keyHours, members } from '../../../base/access/store/tables.ts'
import { param } from '../../../base/database/database.ts'
import { isManager } from '../../keys/store/created-members.ts'

export type Member = {
  readonly memberId: string
  /** Null, as is the name: forgotten. */
  readonly email: string | null
  readonly name: string | null
  readonly scope: MemberScope
  readonly campaignId: string | null
  readonly createdAtMs: number
  readonly createdBy: string
  /** The member that added him. */
  readonly actorName: string | null
  /** When he last signed in or sent a request. */
  readonly lastSeenAtMs: number | null
  readonly removedAtMs: number | null
}

export const memberColumns = sql`m.id as "memberId", m.email, m.name, m.scope,
  (select ${campaigns.id} from ${campaigns} where ${campaigns.number} = m.campaign_number) as "campaignId",
  m.created_at_ms as "createdAtMs", m.created_by as "createdBy", ${actorName(sql`m.created_by`)} as "actorName",
  nullif(max(coalesce(m.signed_in_at_ms, 0), coalesce((select max(h.last_used_at_ms) from ${keyHours} as h
    where h.key_id = m.id), 0)), 0) as "lastSeenAtMs",
  m.removed_at_ms as "removedAtMs"`

/** Members that the asker sees: a campaign's key or member only those of its campaign. */
export const seenMembers = (use: ManagerUse) => sql`${grantedManager(use)} as asker
  cross join ${members} as m on m.company_id = asker.company_id
    and (asker.campaign_number is null or m.campaign_number = asker.campaign_number)`

/** Company-wide managers other than the member `m`. */
export const otherManagers = sql`select 1 from ${members} as other
  where other.company_id = m.company_id and other.id <> m.id and ${isManager(sql`other`)}`

/** A condition: a session asks. Placeholder `actor`. */
export const isMemberAsking = sql`substr(${param('actor')}, 1, 4) = 'mem_'`
