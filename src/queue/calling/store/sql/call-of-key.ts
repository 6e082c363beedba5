// Finds the calls that a request names by their ids, if its key may act on them: any agent's key of the campaign or
// of the company may (D51), so that rotating a key loses nothing.
import { type SQL, sql } from 'drizzle-orm'
import { grantedKey } from '../../../../base/access/store/rights.ts'
import { param } from '../../../../base/database/database.ts'
import { calls } from '../../../../base/ledger/calls/tables.ts'
import { callingSettings } from '../../../campaigns/store/tables.ts'
import { isErased } from '../../../leads/store/row.ts'
import { leads } from '../../../leads/store/tables.ts'
import { parseCallId } from '../../call.ts'
import { agentOfCall } from '../agents.ts'
import { agents } from '../tables.ts'

/**
 * A join: `item` (an element of the JSON array in placeholder `items`, whose value begins with seq, time and token),
 * `k` the call, the lead under the name of its table, and `s` the settings. `key` is a select of the key's row, with
 * `company_id` and `campaign_number`; without a row, no call is found. `leadCondition` leaves out calls of erased
 * leads unless the caller says otherwise. The company is that of the call. Every campaign with calls has settings:
 * a `left join`, which SQLite leaves out where no column of it is read.
 */
export const callsNamed = (
  key: SQL = grantedKey('agent'),
  leadCondition: SQL = sql`not ${isErased}`,
) => sql`${key} as key
  cross join json_each(${param('items')}) as item
  cross join ${leads} on ${leads.seq} = item.value ->> 0
    and (key.campaign_number is null or key.campaign_number = ${leads.campaignNumber})
    and ${leadCondition}
  cross join ${calls} as k on k.company_id = key.company_id
    and k.phone_number = ${leads.phoneNumber}
    and k.claimed_at_ms = item.value ->> 1
    and k.seq = ${leads.seq}
    and k.token = item.value ->> 2
  left join ${callingSettings} as s on s.campaign_number = ${leads.campaignNumber}`

/** The first elements of an item. A text that is no id finds no call. */
export function callItem(callId: string): readonly [number, number, string] {
  const key = parseCallId(callId)
  return [key?.seq ?? 0, key?.claimedAtMs ?? 0, key?.token ?? '']
}

/** The call is open, or its lease expired without a report: what came of that can be corrected. */
export const isUnreported = sql`(k.outcome is null or k.outcome = 'unknown'
  or (k.outcome = 'released' and k.inbound is not null and k.report_token is null))`

/**
 * Forgets the counts of the agents of the calls that a request names (placeholder `items`): they work. While the
 * company has no agent with a count, it reads no call; with `exists` SQLite would test that for each call.
 */
export const clearAgents = (key: SQL = grantedKey('agent')) => sql`delete from ${agents}
  where (company_id, campaign_number, name) in (
    select key.company_id, ${leads.campaignNumber}, ${agentOfCall}
    from ${callsNamed(sql`(select own.* from ${key} as own
      where (select 1 from ${agents} as a where a.company_id = own.company_id limit 1))`)})`
