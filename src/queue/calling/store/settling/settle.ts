// Settling leases that expired without a report: the phone may have rung, so the call counts as an attempt with the
// outcome `unknown`, and the lead waits before the next attempt; a call that the person made ends as `released`. A
// claim that finds some settles its campaign, settle-all.ts all.
import { type SQL, sql } from 'drizzle-orm'
import { isOfDialer } from '../../../../base/access/store/dialer-key.ts'
import { param } from '../../../../base/database/database.ts'
import { calls } from '../../../../base/ledger/calls/tables.ts'
import { addCounts, countColumns, hourOf } from '../../../../base/ledger/hours/counts.ts'
import { appendIfListening, listenedTo, theSystem } from '../../../../base/ledger/log/append.ts'
import { settleGraceMs } from '../../../campaigns/outcomes.ts'
import { callingSettings } from '../../../campaigns/store/tables.ts'
import { isFinalStatus } from '../../../leads/store/lead-status.ts'
import { moveLeads } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'
import { agentOfCall, countUnknown } from '../agents.ts'
import { callEntry, callFacts, callKeyColumns, updateCalls } from '../sql/call-end.ts'
import {
  attemptsUnreported,
  defaultOfUnknown,
  isCalledAgain,
  isInbound,
  isLeadSuppressed,
  isUsedUp,
  outcomeClass,
  outcomeUnreported,
  placeUnreported,
  statusUnreported,
  wasFinal,
} from '../sql/lead-after-call.ts'

const isExpired = sql`l.lease_expires_at_ms <= ${param('nowMs')} - ${sql.raw(`${settleGraceMs}`)}`

/** A value: leases of the campaign have to be settled. One seek. */
export const hasExpired = (campaignNumber: SQL) => sql`exists (select 1 from ${leads} as l
  where l.campaign_number = ${campaignNumber} and ${isExpired})`

/**
 * The expired leases, at most so many, with their leads, and their calls as `k`: `expired` in all statements below. The
 * limit is the same in each, and only the last one changes leads: so all see the same leases.
 */
const expiredCalls = (from: SQL, maxLeases: number) => sql`
  (select l.seq as lead_seq, campaign.company_id
    from ${from} as campaign
    cross join ${leads} as l on l.campaign_number = campaign.number and ${isExpired}
    order by campaign.number, l.lease_expires_at_ms, l.seq
    limit ${sql.raw(`${maxLeases}`)}) as expired
  cross join ${leads} on ${leads.seq} = expired.lead_seq
  cross join ${calls} as k on k.company_id = expired.company_id
    and k.phone_number = ${leads.phoneNumber}
    and k.seq = ${leads.seq}
    and k.token = ${leads.claimToken}`
const ofCampaign = sql`cross join ${callingSettings} as s on s.campaign_number = ${leads.campaignNumber}`

const dueUnreportedMs = sql`iif(${isCalledAgain}, ${placeUnreported.dueAtMs}, null)`

/**
 * A table expression: leads, with all their columns, as a claim finds them at `campaign.now_ms`: those whose lease has
 * run out by then are settled. `which` joins them to `campaign`.
 */
export function leadsAsSettled(which: SQL): SQL {
  const isOver = sql`(${leads.leaseExpiresAtMs} <= campaign.now_ms)`
  const settled = {
    status: statusUnreported,
    queue_rank: placeUnreported.rank,
    attempts: attemptsUnreported,
    due_at_ms: dueUnreportedMs,
    lease_expires_at_ms: sql`null`,
  }
  // Of two columns with one name the first keeps it.
  const columns = Object.entries(settled).map(([name, value]) => {
    const column = sql.identifier(name)
    return sql`iif(${isOver}, ${value}, ${leads}.${column}) as ${column}`
  })
  return sql`(select ${sql.join(columns, sql`, `)}, ${leads}.*
    from campaign
    left join ${callingSettings} as s on s.campaign_number = campaign.number
    ${which}
    left join ${calls} as k on ${isOver} and k.company_id = campaign.company_id
      and k.phone_number = ${leads.phoneNumber} and k.seq = ${leads.seq} and k.token = ${leads.claimToken})`
}

/** The system ends these calls, whichever request finds them. */
const logExpired = (expired: SQL) =>
  appendIfListening(
    sql`select ${callEntry('call.expired')} from (
      select ended.*, ${isFinalStatus(sql`ended.status`)} and not ended.was_final as is_end, 0 as do_not_call from (
        select ${callFacts(outcomeUnreported, attemptsUnreported)}, ${statusUnreported} as status,
          ${isUsedUp(sql`k.attempt`)} and not ${isInbound} as is_last_attempt, ${wasFinal} as was_final
        from ${expired} ${ofCampaign}
        where k.outcome is null) as ended) as ended`,
    theSystem,
  )

/**
 * In the hour in which the lease ended: a late report finds the `unknown` there, and corrects it. Without `limit -1`
 * SQLite would find out the status again for each status that is counted.
 */
const countExpired = (expired: SQL) =>
  addCounts(
    sql`select * from (select ${countColumns({
      campaignNumber: sql`${leads.campaignNumber}`,
      hour: hourOf(sql`${leads.leaseExpiresAtMs}`),
      counter: sql`iif(k.outcome is null and not ${isInbound}, 'unknown', null)`,
      statusBefore: sql`${leads.status}`,
      statusAfter: statusUnreported,
    })} from ${expired} ${ofCampaign})
      limit -1`,
  )

const classOfUnknown = outcomeClass(sql`'unknown'`, defaultOfUnknown)

/** As countUnknown needs them. A dialer rests instead of being blocked (channels/dialers/rounds/dialer-health.ts). */
const endedOf = (expired: SQL) => sql`select expired.company_id, ${leads.campaignNumber} as campaign_number,
    ${agentOfCall} as name, k.token
  from ${expired}
  where k.outcome is null and not ${isOfDialer} and not ${isInbound}`

/**
 * `from` is a table expression with `number` and `company_id`. All statements belong in one batch, in order. `isOne`:
 * it is one campaign, and nothing is read for the log when no webhook listens to it.
 */
export function settleStatements(
  from: SQL,
  maxLeases: number,
  { isOne }: { readonly isOne: boolean },
): SQL[] {
  const expired = expiredCalls(from, maxLeases)
  const endCalls = updateCalls(
    sql`outcome = found.outcome, inbound = json_set(${calls.inbound}, '$.counts', 0,
      '$.returned', ${calls.inbound} ->> 'counts'), ended_at_ms = found.ended_at_ms,
      is_done = found.is_done, ended_lead = found.ended_lead`,
    sql`select ${callKeyColumns}, ${outcomeUnreported} as outcome, ${leads.leaseExpiresAtMs} as ended_at_ms,
        ${classOfUnknown} = 'done' and not ${isInbound} as is_done,
        (not ${isInbound} and (${classOfUnknown} in ('done', 'dead') or ${isUsedUp()}) and not ${isLeadSuppressed})
          as ended_lead
      from ${expired} ${ofCampaign}
      where k.outcome is null`,
  )
  const endLeases = moveLeads(
    ['status', 'attempts', 'queue_rank', 'due_at_ms', 'lease_expires_at_ms'],
    sql`select ${leads.seq}, null as lease_expires_at_ms, ${statusUnreported} as status,
      ${attemptsUnreported} as attempts, ${placeUnreported.rank} as queue_rank, ${dueUnreportedMs} as due_at_ms
    from ${expired} ${ofCampaign}`,
  )
  return [
    logExpired(isOne ? expiredCalls(listenedTo(from), maxLeases) : expired),
    countExpired(expired),
    ...countUnknown(endedOf(expired)),
    endCalls,
    endLeases,
  ]
}
