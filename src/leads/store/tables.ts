// The table of leads, and nothing about how it is used.
//
// A lead costs three rows written: the table, the unique index on phone numbers, and the calling queue (not when its
// number is suppressed); one more with an external id, one more when its request carried an Idempotency-Key. It needs no index for its id, for listing, or for times
// of creation, because `seq` is its place in commit order, numbered campaign by campaign (see leadSeqBits), so
// that a campaign is one unbroken range of the table.
import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { campaigns } from '../../access/store/tables.ts'
import { leadSeqBits, leadStatuses } from '../lead.ts'

export const leads = sqliteTable(
  'leads',
  {
    seq: integer('seq').primaryKey(),
    campaignNumber: integer('campaign_number')
      .notNull()
      .references(() => campaigns.number),
    phoneNumber: text('phone_number').notNull(),
    externalId: text('external_id'),
    /** JSON text exactly as the client sent it, spaces included. */
    metadata: text('metadata'),
    status: text('status', { enum: leadStatuses }).notNull().default('raw'),
    scheduledFor: text('scheduled_for'),
    priority: integer('priority').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    /** Never less than that of the campaign's lead before it, but for campaigns that `has_falling_times` marks. */
    createdAtMs: integer('created_at_ms').notNull(),
    /** Set when the request carried an Idempotency-Key: says which, for which API key. */
    requestKey: text('request_key'),
    /** The same for all leads of one request: tells a request that comes again which leads are its own. */
    token: text('token').notNull(),
    /** The lead's own time zone; empty: its campaign's. A lane of the queue opens and closes as one. */
    lane: text('lane').notNull().default(''),
    /** 101 for an appointment, else the priority; null: not queued yet (D50). Kept while the lead is leased. */
    queueRank: integer('queue_rank'),
    /** Null: not in the queue. Never before the lead's creation, but for the 0 of a lead that is not queued yet. */
    dueAtMs: integer('due_at_ms').default(0),
    /** Null: not leased. */
    leaseExpiresAtMs: integer('lease_expires_at_ms'),
    /** Of the last claim, which a later requeue forgets: a call with another token was claimed before (D47). */
    claimToken: text('claim_token'),
    /** How many attempts do not count towards the maximum, because the lead was requeued after them (D40). */
    attemptsForgiven: integer('attempts_forgiven').notNull().default(0),
    /** Raised by every statement that changes what GET shows of the lead: its ETag. */
    version: integer('version').notNull().default(1),
    /** When it became exhausted or concluded; null: it is neither, or became so before there was this column. */
    finishedAtMs: integer('finished_at_ms'),
    /** Not null: nothing is left of the lead but its place, time and token, so that no place is used twice. */
    erasedAtMs: integer('erased_at_ms'),
    /**
     * The due time that a claim gave the lead because its number was not free; null once it is leased. While the lead is due
     * at that time, the end of another call to the number may bring it forward.
     */
    movedToMs: integer('moved_to_ms'),
    /** Of its number, where calls of an erased lead are remembered by it for the limits of the number. */
    numberHash: text('number_hash'),
  },
  (t) => [
    uniqueIndex('leads_campaign_phone').on(t.campaignNumber, t.phoneNumber),
    index('leads_campaign_external_id')
      .on(t.campaignNumber, t.externalId)
      .where(sql`${t.externalId} is not null`),
    // Leads that are still to be called are most of a campaign: they cost no row here.
    index('leads_campaign_status').on(t.campaignNumber, t.status).where(sql`${t.status} <> 'raw'`),
    index('leads_request_key').on(t.requestKey).where(sql`${t.requestKey} is not null`),
    // With the due time after the rank, a lead of the future costs a claim nothing but one step for each rank.
    index('leads_queue')
      .on(t.campaignNumber, t.lane, sql`${t.queueRank} desc`, t.dueAtMs)
      .where(sql`${t.dueAtMs} is not null`),
    index('leads_leased')
      .on(t.campaignNumber, t.leaseExpiresAtMs)
      .where(sql`${t.leaseExpiresAtMs} is not null`),
    index('leads_moved').on(t.phoneNumber).where(sql`${t.movedToMs} is not null`),
    check('leads_queued_or_leased', sql`${t.dueAtMs} is null or ${t.leaseExpiresAtMs} is null`),
    check('leads_seq', sql`${t.seq} >> ${sql.raw(String(leadSeqBits))} = ${t.campaignNumber}`),
    check(
      'leads_status',
      sql`${t.status} in (${sql.raw(leadStatuses.map((status) => `'${status}'`).join(', '))})`,
    ),
    check('leads_priority', sql`${t.priority} between 0 and 100`),
    check('leads_attempts', sql`${t.attempts} >= 0`),
  ],
)

/**
 * Runs of erased leads without any other between them, so that a list steps over each. A campaign that has any has one that
 * begins at the place before its first lead. A trigger keeps them (see the migration): a run that is missing costs time,
 * and no lead.
 */
export const erasedRuns = sqliteTable('erased_runs', {
  firstSeq: integer('first_seq').primaryKey(),
  lastSeq: integer('last_seq').notNull(),
})
