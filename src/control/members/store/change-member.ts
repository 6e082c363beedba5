// Changes and removes members. In the batch that takes rights from one, his sessions end, and what he made is named;
// that ends too when it is requested. The member may be the one who asks: so his sessions end last.
import { sql } from 'drizzle-orm'
import { leaveWith } from '../../../base/access/store/directory.ts'
import { revokeKeys } from '../../../base/access/store/key-row.ts'
import {
  type ManagerAccess,
  type ManagerNames,
  managerVerdict,
  type ScopeRefusal,
  scopeRefusalOf,
} from '../../../base/access/store/rights.ts'
import { changeMembers, endSessionsBeyond, includesScopes } from '../../../base/access/store/sessions.ts'
import { members } from '../../../base/access/store/tables.ts'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import type { ActorNames } from '../../../base/ledger/log/append.ts'
import { type Created, createdBy, logRevoked, readCreated } from '../../keys/store/created.ts'
import { logMember } from '../../keys/store/created-members.ts'
import { isMemberAsking, type Member, memberColumns, otherManagers, seenMembers } from './member-row.ts'
import type { MemberChange } from './members.ts'

const removes = sql`${param('removes')}`
const seen = sql`select m.id, asker.company_id, asker.campaign_number from ${seenMembers('manage')}
  where m.id = ${param('otherId')}`

const wanted = sql`(select m.id, m.company_id, m.removed_at_ms, m.scope as old_scope,
    m.campaign_number as old_campaign, m.name as old_name, coalesce(${param('scope')}, m.scope) as scope,
    iif(${param('movesCampaign')}, nullif(verdict.number, 0), m.campaign_number) as campaign_number,
    iif(${param('movesCampaign')}, verdict.number, 0) as number
  from ${seenMembers('manage')}
  cross join ${managerVerdict} as verdict
  where m.id = ${param('otherId')})`

const hasLess = sql`(${removes} or not ${includesScopes(sql`m.scope`, sql`m.old_scope`)}
    or not (m.campaign_number is null or m.campaign_number is m.old_campaign))`
const isLastManager = sql`(${isMemberAsking} and m.removed_at_ms is null
    and m.old_scope = 'manage' and m.old_campaign is null
    and (${removes} or m.scope <> 'manage' or m.campaign_number is not null) and not exists (${otherManagers}))`
const allowed = sql`select m.* from ${wanted} as m where m.number is not null and not ${isLastManager}`

const ends = sql`(${param('withCreated')} and exists (select 1 from (${allowed}) as m where ${hasLess}))`
const created = createdBy({ use: 'manage', seen, endsAll: ends, endsWebhooks: ends })
const ending = sql`(${created.endingKeys})`
const isThere = sql`m.removed_at_ms is null`
const isRenamed = sql`(${param('setsName')} and m.old_name is not ${param('name')})`
const isChanged = sql`(m.scope <> m.old_scope or m.campaign_number is not m.old_campaign)`

const steps = [
  sql`select iif(${param('movesCampaign')}, verdict.number, 0) as number, m.id, m.removed_at_ms as "removedAtMs",
      ${isLastManager} as "isLast"
    from ${managerVerdict} as verdict left join ${wanted} as m on true`,
  logMember(
    'member.changed',
    sql`${allowed} and ${isThere} and not ${removes} and (${isChanged} or ${isRenamed})`,
    sql`, 'from', m.old_scope`,
  ),
  logMember('member.removed', sql`${allowed} and ${isThere} and ${removes}`),
  logRevoked(ending),
  revokeKeys(ending),
  ...created.endWebhooks,
  ...created.selects,
  changeMembers(
    sql`scope = m.scope, campaign_number = m.campaign_number,
      name = iif(${param('erases')}, null, iif(${param('setsName')}, ${param('name')}, ${members.name})),
      email = iif(${param('erases')}, null, ${members.email}),
      changed_at_ms = iif(${isChanged}, ${param('nowMs')}, ${members.changedAtMs}),
      removed_at_ms = iif(${removes}, coalesce(m.removed_at_ms, ${param('nowMs')}), m.removed_at_ms),
      erased_at_ms = iif(${param('erases')}, coalesce(${members.erasedAtMs}, ${param('nowMs')}),
        ${members.erasedAtMs})`,
    sql`${allowed} and (${isThere} or ${removes})`,
  ),
  leaveWith(sql`${allowed} and ${removes}`),
  sql`select ${memberColumns} from ${seenMembers('manage')} where m.id = ${param('otherId')}`,
  endSessionsBeyond,
].map(
  statement<
    | ManagerNames
    | ActorNames
    | 'campaignId'
    | 'otherId'
    | 'withCreated'
    | 'removes'
    | 'erases'
    | 'scope'
    | 'movesCampaign'
    | 'setsName'
    | 'name'
  >,
)

type Changed = { readonly kind: 'changed'; readonly member: Member; readonly created: Created }
type NotChanged = { readonly kind: 'member_not_found' | 'last_manager' }

/** What a request does: changes him, or removes him. One that was removed before keeps its time. */
type Request = MemberChange & {
  readonly withCreated: boolean
  readonly removes?: boolean
  /** His address and name are forgotten. */
  readonly erases?: boolean
}

/** Throws DatabaseUnavailable. */
export async function changeMember(
  db: D1Database,
  access: ManagerAccess,
  otherId: string,
  { scope, campaignId, name, withCreated, removes = false, erases = false }: Request,
): Promise<ScopeRefusal | Changed | NotChanged> {
  const values = {
    ...{ ...access, otherId, withCreated: Number(withCreated) },
    ...{ removes: Number(removes), erases: Number(erases) },
    ...{ scope: scope ?? null, name: name ?? null, setsName: name === undefined ? 0 : 1 },
    ...{ campaignId: campaignId ?? null, movesCampaign: campaignId === undefined ? 0 : 1 },
  }
  const { rows } = await runSteps(db, steps, values)
  type Verdict = { id: string | null; number: number | null; removedAtMs: number | null; isLast: number }
  const verdict = rows[0]?.[0] as Verdict | undefined
  if (verdict === undefined) return { kind: 'key_refused' }
  if (verdict.id === null || (verdict.removedAtMs !== null && !removes)) return { kind: 'member_not_found' }
  const refusal = scopeRefusalOf(verdict, campaignId ?? null)
  if (refusal !== null) return refusal
  if (verdict.isLast === 1) return { kind: 'last_manager' }
  const member = rows.at(-2)?.[0] as Member
  return { kind: 'changed', member, created: readCreated(rows.slice(-6, -4)) }
}
