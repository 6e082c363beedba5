// A lead's place in the calling queue: which one a new lead gets, and the statements that move it. src/calling decides
// who is called when.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../database/database.ts'
import { countColumns } from '../../ledger/hours/counts.ts'
import { hasHashes, isHashed, isPepperLost } from '../../ledger/suppression/hashed-numbers.ts'
import { isSuppressed } from '../../ledger/suppression/numbers.ts'
import { finishedAt, isFinal, statusAfterDequeue } from './lead-status.ts'
import { leads } from './tables.ts'

/** Above every priority (D43). */
export const appointmentRank = 101
export const rankOfAppointments = sql.raw(`${appointmentRank}`)

/** An appointment when the lead is scheduled for later than its creation (D43), else as soon as possible. */
export function queuePlace(lead: { scheduledAtMs: SQL; priority: SQL; createdAtMs: SQL }): {
  readonly rank: SQL
  readonly dueAtMs: SQL
} {
  const scheduledAtMs = sql`coalesce(${lead.scheduledAtMs}, 0)`
  return {
    rank: sql`iif(${scheduledAtMs} > ${lead.createdAtMs}, ${rankOfAppointments}, ${lead.priority})`,
    dueAtMs: sql`max(${scheduledAtMs}, ${lead.createdAtMs})`,
  }
}

/** The place of a stored lead. */
export const ownPlace = queuePlace({
  scheduledAtMs: sql`${leads.scheduledAtMs}`,
  priority: sql`${leads.priority}`,
  createdAtMs: sql`${leads.createdAtMs}`,
})

/** The lead's scheduled time when that is later, else null: it may be changed during a call. */
export const scheduledLaterThan = (atMs: SQL) => sql`nullif(max(${leads.scheduledAtMs}, ${atMs}), ${atMs})`

/** Leads without a place that one claim queues at most (D50). */
const queuedPerClaim = 1_000

/** `places` selects `seq` and `is_suppressed`. */
const queueAtOwnPlace = (places: SQL) => sql`update ${leads}
  set queue_rank = ${ownPlace.rank},
    due_at_ms = iif(${isFinal} or place.is_suppressed, null, ${ownPlace.dueAtMs})
  from (${places}) as place
  where ${leads.seq} = place.seq`

const isInList = isSuppressed(sql`campaign.company_id`, sql`l.phone_number`, sql`campaign.number`)

const hasNoPlace = (campaign = sql`campaign`) => sql`l.campaign_number = ${campaign}.number
  and l.lane = '' and l.queue_rank is null and l.due_at_ms is not null`

/** A value: queueNewLeads has something to do. `campaign` is an alias with `number` and `company_id`. */
export const hasNewLeads = (
  campaign: SQL,
) => sql`(exists (select 1 from ${leads} as l where ${hasNoPlace(campaign)})
  and not ${hasHashes(sql`${campaign}.company_id`)})`

/**
 * Queues leads that were stored without a place, by a version before the queue. `campaign` is a table expression with
 * `number` and `company_id`. Does nothing in a company with hashes: queueHashedLeads does it there.
 */
export const queueNewLeads = (campaign: SQL) =>
  queueAtOwnPlace(sql`select l.seq, ${isInList} as is_suppressed
    from ${campaign} as campaign
    cross join ${leads} as l on ${hasNoPlace()}
    where not ${hasHashes(sql`campaign.company_id`)}
    limit ${sql.raw(`${queuedPerClaim}`)}`)

/**
 * JSON of `[seq, number]` of the leads that the Worker has to hash before they are queued; null in a company without
 * hashes. `verdict` is an alias with `number` and `company_id`.
 */
export const leadsToHash = sql`iif(${hasHashes(sql`verdict.company_id`)}, (
  select json_group_array(json_array(unqueued.seq, unqueued.phone_number))
  from (select l.seq, l.phone_number from ${leads} as l
    where ${hasNoPlace(sql`verdict`)}
    limit ${sql.raw(`${queuedPerClaim}`)}) as unqueued), null)`

/** Placeholders: `hashedLeads`, JSON of `[seq, hash]`, and `pepperCheck`. Does nothing when the pepper is lost. */
export const queueHashedLeads = (campaign: SQL) =>
  queueAtOwnPlace(sql`select l.seq, ${isInList}
      or ${isHashed(sql`campaign.company_id`, sql`item.value ->> 1`, sql`campaign.number`)} as is_suppressed
    from ${campaign} as campaign
    cross join json_each(${param('hashedLeads')}) as item
    cross join ${leads} as l on l.seq = item.value ->> 0 and ${hasNoPlace()}
    where not ${isPepperLost(sql`campaign.company_id`)}`)

/**
 * Sets columns of leads. `next` selects `seq` and the columns; `isReopened` is a condition of it: the lead was called
 * again before it became final now (finishedAt). `status`, `due_at_ms` and `lease_expires_at_ms` cost a row of an index
 * each, others none. The version rises where GET shows a change. `limit -1` makes SQLite run `next` first instead of
 * scanning all leads.
 */
export const moveLeads = (columns: readonly QueueColumn[], next: SQL, isReopened?: SQL) => {
  const shown = columns.filter((column) => column === 'status' || column === 'attempts')
  const isOther = shown.map((column) => sql`${leads[column]} <> next.${sql.identifier(column)}`)
  const sets = [
    ...columns.map((column) => sql`${sql.identifier(column)} = next.${sql.identifier(column)}`),
    ...(columns.includes('status') ? [finishedAt(sql`next.status`, isReopened)] : []),
    ...(isOther.length > 0 ? [sql`version = ${leads.version} + (${sql.join(isOther, sql` or `)})`] : []),
  ]
  return sql`update ${leads} set ${sql.join(sets, sql`, `)}
  from (select * from (${next}) limit -1) as next
  where ${leads.seq} = next.seq`
}

type QueueColumn =
  | 'status'
  | 'attempts'
  | 'queue_rank'
  | 'due_at_ms'
  | 'lease_expires_at_ms'
  | 'claim_token'
  | 'attempts_forgiven'
  | 'moved_to_ms'

/** Removes leads with a suppressed number from the queue. */
export const dequeueSuppressed = (seqs: SQL) => sql`update ${leads}
  set due_at_ms = null, status = ${statusAfterDequeue()}, ${finishedAt(statusAfterDequeue())},
    version = ${leads.version} + (${leads.status} <> ${statusAfterDequeue()})
  where ${leads.seq} in (${seqs}) and ${leads.dueAtMs} is not null`

/** The counts of dequeueSuppressed, before it runs. */
export const dequeuedCounts = (seqs: SQL) => sql`select ${countColumns({
  campaignNumber: sql`dequeued.campaign_number`,
  statusBefore: sql`dequeued.status`,
  statusAfter: statusAfterDequeue(sql`dequeued`),
})} from ${leads} as dequeued
  where dequeued.seq in (${seqs}) and dequeued.due_at_ms is not null`

/** Returns removed leads that were never called to their first place in the queue (D48). */
export const queueAgain = (seqs: SQL) => sql`update ${leads}
  set queue_rank = ${ownPlace.rank}, due_at_ms = ${ownPlace.dueAtMs}
  where ${leads.seq} in (${seqs}) and ${leads.status} = 'raw' and ${leads.dueAtMs} is null
    and ${leads.leaseExpiresAtMs} is null`
