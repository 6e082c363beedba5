// How the views of rights.ts are made. `npm run db:generate` reads it; no statement does.
import { sql } from 'drizzle-orm'
import { sqliteView } from 'drizzle-orm/sqlite-core'
import { campaignRightsColumns, keyRightsColumns } from '../rights.ts'
import { apiKeys, campaigns, isOfKey, moved, refuseAs } from '../tables.ts'

// Each statement is compiled for each request, and each use of a view with it: a function more costs all of them.
const endsAtMs = sql`case when ${apiKeys}.frozen = 2 then ${refuseAs(moved)}
  when ${apiKeys}.revoked_at_ms is null then ifnull(${apiKeys}.expires_at_ms, 9e15) else 0 end`

// What a session creates does not end with it.
const passedOnEnd = sql`case when ${apiKeys}.member_id is null then ${apiKeys}.expires_at_ms end`

export const keyRights = sqliteView('key_rights', keyRightsColumns).as(
  sql`select ${apiKeys.id}, ${apiKeys.companyId}, ${apiKeys.campaignNumber}, ${apiKeys.scope},
  ${passedOnEnd} as expires_at_ms, ${endsAtMs} as ends_at_ms, ${apiKeys.frozen} from ${apiKeys}`,
)

export const campaignRights = sqliteView('campaign_rights', campaignRightsColumns).as(
  sql`select ${apiKeys.id} as key_id, ${apiKeys.scope}, ${endsAtMs} as ends_at_ms, ${apiKeys.frozen},
  ${campaigns.number}, ${campaigns.id}, ${campaigns.companyId}, ${campaigns.archivedAtMs}
  from ${apiKeys} join ${campaigns} on ${isOfKey}`,
)
