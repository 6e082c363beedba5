// A lead's place in the calling queue: which one a new lead gets, and the statements that move it. src/queue/calling
// decides who is called when.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../../base/database/database.ts'
import { countColumns } from '../../../base/ledger/hours/counts.ts'
import { finishedAt, statusAfterDequeue } from './lead-status.ts'
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

/**
 * Sets columns of leads. `next` selects `seq` and the columns; `isReopened` is a condition of it: the lead was called
 * again before it became final now (finishedAt). `status`, `due_at_ms` and `lease_expires_at_ms` cost a row of an index
 * each, others none. A lead that gets a due time is no longer held. The version rises where GET
 * shows a change. `limit -1` makes SQLite run `next` first instead of
 * scanning all leads.
 */
export const moveLeads = (columns: readonly QueueColumn[], next: SQL, isReopened?: SQL) => {
  const shown = columns.filter((column) => column === 'status' || column === 'attempts')
  const isOther = shown.map((column) => sql`${leads[column]} <> next.${sql.identifier(column)}`)
  const isPlaced = columns.includes('due_at_ms') && !columns.includes('held_due_at_ms')
  const sets = [
    ...(isPlaced ? [sql`held_due_at_ms = null`, sql`gate_asks_at_ms = null`] : []),
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
  | 'held_due_at_ms'
  | 'gate_asks_at_ms'
  | 'gate_version'
  | 'gate_until_ms'
  | 'gate_refused_by'

/** It is in the queue, or would be with a consent or a yes of the gate. `lead` is the table or an alias. */
export const isQueuedOrHeld = (lead: SQL = sql`${leads}`) =>
  sql`(${lead}.due_at_ms is not null or ${lead}.held_due_at_ms is not null)`

// Whether the gate of a campaign lets a lead be called. The lead has until when its last answer holds, so that nothing
// is joined for it. What asks the gate is channels/dialers/gate/.

/** A condition on a row of settings: the campaign has a gate. */
const hasGate = (settings: SQL) => sql`coalesce(${settings}.gate_version, 0) > 0`

/** The answer of the lead is one of the gate as it is now, and not too old. */
const isAnswered = (lead: SQL, settings: SQL, nowMs: SQL) =>
  sql`${lead}.gate_version is ${settings}.gate_version and ${lead}.gate_until_ms > ${nowMs}`

/** A condition: the campaign has a gate, and the lead no fresh yes of it. `lead` and `settings` are rows. */
export const lacksYes = (lead: SQL, settings: SQL, nowMs: SQL) => sql`(${hasGate(settings)}
  and not (${isAnswered(lead, settings, nowMs)} and ${lead}.gate_refused_by is null))`

/** Leads that wait for a gate are counted to so many, in the queue and of those that are held. */
const waitingCounted = 1_000
const mostWaiting = sql.raw(`${waitingCounted}`)
const upToMost = (rows: SQL) => sql`(${rows} limit ${mostWaiting})`

/**
 * A value, JSON: how often the gate has answered, how often it was a no, and how many leads wait for a yes of it, in
 * the queue or held for it. Null: there is none. Placeholder `nowMs`.
 */
export const gateCounts = (campaignNumber: SQL, settings: SQL) => sql`iif(${hasGate(settings)},
  json_object('checked', ${settings}.gate_checked, 'refused', ${settings}.gate_refused,
    'waiting', min(${mostWaiting},
    (select count(*) from ${upToMost(sql`select 1 from ${leads} as l where l.campaign_number = ${campaignNumber}
      and l.gate_asks_at_ms is not null`)})
    + (select coalesce(sum(lacks_yes), 0)
      from ${upToMost(sql`select ${lacksYes(sql`l`, settings, sql`${param('nowMs')}`)} as lacks_yes from ${leads} as l
        where l.campaign_number = ${campaignNumber} and l.due_at_ms is not null`)}))), null)`

/** `gate_until_ms` of a lead that was requeued: no answer to another lead of its phone serves it. */
export const askedAnew = sql.raw('0')

/** A yes of leads at these places is none from now on: a claim finds that it has aged. Placeholder `nowMs`. */
export const endYes = (seqs: SQL) => sql`update ${leads} set gate_until_ms = ${param('nowMs')}
  where ${leads.seq} in (${seqs}) and ${leads.gateUntilMs} > ${param('nowMs')} and ${leads.gateRefusedBy} is null`

/** Removes leads with a suppressed number from the queue. */
export const dequeueSuppressed = (seqs: SQL) => sql`update ${leads}
  set due_at_ms = null, held_due_at_ms = null, gate_asks_at_ms = null, status = ${statusAfterDequeue()},
    ${finishedAt(statusAfterDequeue())},
    version = ${leads.version} + (${leads.status} <> ${statusAfterDequeue()})
  where ${leads.seq} in (${seqs}) and ${isQueuedOrHeld()}`

/** The counts of dequeueSuppressed, before it runs. */
export const dequeuedCounts = (seqs: SQL) => sql`select ${countColumns({
  campaignNumber: sql`dequeued.campaign_number`,
  statusBefore: sql`dequeued.status`,
  statusAfter: statusAfterDequeue(sql`dequeued`),
})} from ${leads} as dequeued
  where dequeued.seq in (${seqs}) and ${isQueuedOrHeld(sql`dequeued`)}`

/** Returns removed leads that were never called to their first place in the queue (D48). */
export const queueAgain = (seqs: SQL) => sql`update ${leads}
  set queue_rank = ${ownPlace.rank}, due_at_ms = ${ownPlace.dueAtMs}, held_due_at_ms = null, gate_asks_at_ms = null
  where ${leads.seq} in (${seqs}) and ${leads.status} = 'raw' and ${leads.dueAtMs} is null
    and ${leads.leaseExpiresAtMs} is null`

/**
 * Held leads return to the queue: they are due at once, or when they were. One that also lacks a yes of its campaign's
 * gate stays held for that. `found` selects places and `lacks_yes`. Placeholder `nowMs`. The plus keeps SQLite from
 * scanning the index of all that are held.
 */
export const returnHeld = (found: SQL) => sql`update ${leads}
  set due_at_ms = iif(found.lacks_yes, null, cast(max(${leads.heldDueAtMs}, ${param('nowMs')}) as integer)),
    gate_asks_at_ms = iif(found.lacks_yes, coalesce(${leads.gateAsksAtMs}, ${leads.heldDueAtMs}), null),
    held_due_at_ms = iif(found.lacks_yes, ${leads.heldDueAtMs}, null)
  from (select * from (${found}) limit -1) as found
  where ${leads.seq} = found.seq and +${leads.heldDueAtMs} is not null`

/**
 * What a silence of the gate has put off is asked about at once, the first thousand of each campaign. `campaigns` is a
 * table expression with `number`.
 */
export const askHeldAgain = (campaigns: SQL) => sql`update ${leads} set gate_asks_at_ms = held_due_at_ms
  where ${leads.seq} in (select l.seq from ${campaigns} as own
    cross join ${leads} as l on l.campaign_number = own.number and l.gate_asks_at_ms is not null
      and l.gate_asks_at_ms > l.held_due_at_ms
    limit 1000)`
