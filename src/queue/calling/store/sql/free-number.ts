// What the end of a call does to other leads of its phone. Those that a claim has postponed because the phone was
// not free become due as soon as its limits allow it, and never later than before. A lead that waits for
// anything else stays: its due time is not the one to which it was postponed.
import { type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../../../base/access/store/tables.ts'
import { param } from '../../../../base/database/database.ts'
import { calls } from '../../../../base/ledger/calls/tables.ts'
import {
  allSpellings,
  eachSpelling,
  withSpellings,
} from '../../../../base/ledger/suppression/spellings-sql.ts'
import { callingSettings } from '../../../campaigns/store/tables.ts'
import { returningWaiting } from '../../../campaigns/store/waiting.ts'
import { moveLeads } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'
import { numberLimits } from './number-limits.ts'

const nowMs = param('nowMs')

const isPostponed = (lead: SQL) => sql`${lead}.moved_to_ms is not null
  and ${lead}.due_at_ms = ${lead}.moved_to_ms and ${lead}.due_at_ms > ${nowMs}`

/** A value: JSON, the spellings of the phone if any lead of it was postponed: mostly there is none. */
const postponedOf = (phoneNumber: SQL) =>
  withSpellings(
    phoneNumber,
    sql`iif(${sql.join(
      eachSpelling(
        (number) => sql`exists (select 1 from ${leads} as other where other.phone_number = ${number}
          and ${isPostponed(sql`other`)})`,
      ),
      sql` or `,
    )}, ${allSpellings}, '[]')`,
  )

/**
 * `phones`: a select of `company_id`, `now_ms`, and `numbers`, JSON, whose leads are looked for. `limit -1` computes a
 * phone's limits once.
 */
const bringForwardLeadsOf = (phones: SQL, condition = sql``) =>
  sql`${moveLeads(
    ['due_at_ms', 'moved_to_ms'],
    sql`select moved.seq, moved.free_at_ms as due_at_ms,
      iif(moved.free_at_ms > ${nowMs}, moved.free_at_ms, null) as moved_to_ms
    from (select l.seq, l.due_at_ms, cast(max(${nowMs}, ${numberLimits.freeAtMs}) as integer) as free_at_ms
      from (${phones}) as campaign
      cross join json_each(campaign.numbers) as item
      cross join ${leads} as l on l.phone_number = item.value and ${isPostponed(sql`l`)}
      ${condition}
      cross join ${campaigns} as c on c.number = l.campaign_number and c.company_id = campaign.company_id
      cross join ${callingSettings} as s on s.campaign_number = l.campaign_number
      limit -1) as moved
    where moved.free_at_ms < moved.due_at_ms`,
  )} ${returningWaiting(sql`${leads.campaignNumber}`)}`

/**
 * Runs after the calls were recorded, in the same batch: those carry the request's token. `key` and placeholder
 * `items` are those of callsNamed.
 */
export const bringForward = (key: SQL) =>
  bringForwardLeadsOf(
    sql`select key.company_id, ${leads.phoneNumber}, ${leads.seq}, item.value, ${nowMs} as now_ms,
        ${postponedOf(sql`${leads.phoneNumber}`)} as numbers
      from ${key} as key
      cross join json_each(${param('items')}) as item
      cross join ${leads} on ${leads.seq} = item.value ->> 0
        and (key.campaign_number is null or key.campaign_number = ${leads.campaignNumber})`,
    sql`cross join ${calls} as ended on ended.company_id = campaign.company_id
        and ended.phone_number = campaign.phone_number and ended.claimed_at_ms = campaign.value ->> 1
        and ended.seq = campaign.seq and ended.token = campaign.value ->> 2
        and ended.report_token = ${param('reportToken')}`,
  )

/** The same after a test call has ended. `phones`: a select of `company_id` and `phone_number`, in each spelling. */
export const bringForwardTested = (phones: SQL) =>
  bringForwardLeadsOf(
    sql`select tested.company_id, json_array(tested.phone_number) as numbers, ${nowMs} as now_ms
      from (${phones}) as tested`,
  )
