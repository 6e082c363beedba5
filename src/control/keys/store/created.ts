// What a key or a member created, and how that ends when the key is revoked or rotated, or the member loses rights, on
// behalf of another: the active keys and webhooks are named, of a key the members too, and end when that is requested,
// in the transaction that ends the key. Who asks, a key or a member, never ends with another, and a campaign's key sees
// and ends what is of its campaign by now.
import { type SQL, sql } from 'drizzle-orm'
import type { Scope } from '../../../base/access/scope.ts'
import { createdKeys, isOtherKey, lineage } from '../../../base/access/store/key-row.ts'
import { grantedManager, isActiveKey, type ManagerUse } from '../../../base/access/store/rights.ts'
import { apiKeys, campaigns, members } from '../../../base/access/store/tables.ts'
import { param } from '../../../base/database/database.ts'
import { appendAlways, entryColumns } from '../../../base/ledger/log/append.ts'
import { disabledAtMs, webhooks } from '../../../base/ledger/log/tables.ts'
import { disableWebhooks } from '../../../channels/webhooks/store/endpoints.ts'
import { endMembers, type MemberMade, selectMembers } from './created-members.ts'

/** The key's id when the asker may see it, and the only campaign of the asker. */
export const seenKey = (use: ManagerUse) => sql`select k.id, asker.company_id, asker.campaign_number
  from ${grantedManager(use)} as asker
  cross join ${apiKeys} as k on ${isOtherKey(sql`k`)}`

export const logRevoked = (ids: SQL) =>
  appendAlways(
    sql`select ${entryColumns({
      type: 'key.revoked',
      companyId: sql`k.company_id`,
      campaignNumber: sql`k.campaign_number`,
      data: sql`json_object('keyId', k.id)`,
    })} from ${apiKeys} as k where k.revoked_at_ms is null and k.id in ${ids}`,
  )

const keyColumns = sql`k.id as "keyId", k.name, k.scope, k.is_dialer as "isDialer",
    k.source_id as "sourceId", ${campaigns.id} as "campaignId",
    k.expires_at_ms as "expiresAtMs", k.revoked_at_ms as "revokedAtMs"`

/** Those that are active, or ended by this request. */
const selectKeys = (ids: SQL, endedAtMs = sql`${param('nowMs')}`) => sql`select ${keyColumns}
  from ${apiKeys} as k left join ${campaigns} on ${campaigns.number} = k.campaign_number
  where k.id in (${ids}) and (${isActiveKey(sql`k`)} or k.revoked_at_ms = ${endedAtMs})
  order by k.created_at_ms, k.id`

type Request = {
  readonly use: ManagerUse
  /** Members that the key made end as well, and what they made. */
  readonly withMembers?: boolean
  /** A select like seenKey of what ends; absent: of the key `otherId`. */
  readonly seen?: SQL
  /** The key that replaces it; absent: none does. */
  readonly successor?: SQL
  /** Conditions: the request ends what the key created, and at least its own webhooks. */
  readonly endsAll: SQL
  readonly endsWebhooks: SQL
  readonly endedAtMs?: SQL
}

/** Placeholders `otherId`, and those of a request. */
export function createdBy({
  use,
  withMembers = false,
  seen = seenKey(use),
  successor,
  endsAll,
  endsWebhooks,
  endedAtMs = sql`${param('nowMs')}`,
}: Request) {
  const [asker, other] = [sql`${param('keyId')}`, sql`${param('otherId')}`]
  const askingMember = sql`${param('actor')}`
  const stops = sql.join(
    [asker, ...(successor === undefined ? [] : [successor]), ...(withMembers ? [askingMember] : [])],
    sql`, `,
  )
  // Before a member was of one campaign he may have made keys of others.
  const createdIn = (table: SQL) => sql`select made.id from (${seen}) as root
    cross join ${createdKeys(other, stops, withMembers)} as made
    cross join ${table} as own on own.id = made.id and own.company_id = root.company_id
      and (root.campaign_number is null or own.campaign_number = root.campaign_number)
    where made.id is not ${successor ?? sql`null`}`
  const created = createdIn(sql`${apiKeys}`)
  const people = sql`${createdIn(sql`${members}`)} and made.id <> ${askingMember}`
  const ofKeys = (creators: SQL) => sql`select w.id
    from ${grantedManager(use)} as asker
    cross join ${webhooks} as w on w.company_id = asker.company_id
      and (asker.campaign_number is null or w.campaign_number = asker.campaign_number)
    where w.created_by in (${creators})`
  const creators = sql`select id from (select root.id from (${seen}) as root union
    select made.id from (${created}) as made where made.id <> ${asker} ${withMembers ? sql`union ${people}` : sql``})`
  const own = sql`select line.id from (${seen}) as root cross join ${lineage(other, stops)} as line`
  return {
    /** Those that end with the key. */
    endingKeys: sql`select k.id from ${apiKeys} as k
      where ${endsAll} and k.id <> ${asker} and k.id in (${created}) and ${isActiveKey(sql`k`)}`,
    endMembers: withMembers ? endMembers(people, endsAll) : [],
    endWebhooks: disableWebhooks(sql`${ofKeys(creators)}
      and (${endsAll} or (${endsWebhooks} and w.created_by in (${own})))`),
    selects: [
      selectKeys(created, endedAtMs),
      sql`select w.id as "webhookId", w.url, ${campaigns.id} as "campaignId", ${disabledAtMs(sql`w`)} as "disabledAtMs"
      from ${webhooks} as w left join ${campaigns} on ${campaigns.number} = w.campaign_number
      where w.id in (${ofKeys(creators)}) and coalesce(${disabledAtMs(sql`w`)} = ${endedAtMs}, true)
      order by w.created_at_ms, w.id`,
      ...(withMembers ? [selectMembers(people, endedAtMs)] : []),
    ],
  }
}

type RevokedWith = {
  readonly keyId: string
  readonly name: string
  readonly scope: Scope
  /** 1: a dialer's. */
  readonly isDialer: number
  readonly sourceId: string | null
  readonly campaignId: string | null
  readonly expiresAtMs: number | null
  /** Null: it still works. */
  readonly revokedAtMs: number | null
}

type WebhookEnded = {
  readonly webhookId: string
  readonly url: string
  readonly campaignId: string | null
  readonly disabledAtMs: number | null
}

export type Created = {
  readonly keys: readonly RevokedWith[]
  readonly webhooks: readonly WebhookEnded[]
  /** What a key made. */
  readonly members: readonly MemberMade[]
}

/** From the rows of `selects`. */
export const readCreated = ([keys, hooks, people]: readonly (readonly unknown[] | undefined)[]): Created => ({
  keys: keys as RevokedWith[],
  webhooks: hooks as WebhookEnded[],
  members: (people ?? []) as MemberMade[],
})
