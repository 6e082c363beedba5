// The tables of calling, without the calls themselves (base/ledger/calls/tables.ts). A lead's place in the queue is in
// the table of leads. All are without rowid (see the migration), so that a row costs one row written.
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { campaignColumn, companyColumn } from '../../../base/access/store/tables.ts'

/**
 * Until when no lead of a lane is due: noted by claims that read many heads, kept true by triggers (see the
 * migration).
 */
export const restingLanes = sqliteTable(
  'resting_lanes',
  {
    campaignNumber: integer('campaign_number').notNull(),
    lane: text('lane').notNull(),
    /** 1: of appointments. 0: of all other leads. */
    isForAppointments: integer('is_for_appointments').notNull(),
    untilMs: integer('until_ms').notNull(),
  },
  (t) => [primaryKey({ columns: [t.campaignNumber, t.lane, t.isForAppointments] })],
)

/** The picks of a claim. Kept for a day, so that the claim can be repeated (D59). */
export const claims = sqliteTable(
  'claims',
  {
    claimedAtMs: integer('claimed_at_ms').notNull(),
    /** The same for all of the claim's calls; chosen before the first try. */
    token: text('token').notNull(),
    campaignNumber: integer('campaign_number').notNull(),
    /** Names the Idempotency-Key of the request for its API key, if it has one and something was leased. */
    requestKey: text('request_key'),
    /** Derived from that and the body: another request with the same key has another one. */
    requestToken: text('request_token').notNull(),
    /** JSON: one element for each candidate, in queue order (sql/claim-steps.ts). */
    picks: text('picks').notNull(),
    /**
     * 1: the claim has leased and moved its leads, and a repeated try does nothing. When its limit left a lead to
     * others, it is -1 before and 2 after.
     */
    isDone: integer('is_done').notNull().default(0),
  },
  (t) => [
    primaryKey({ columns: [t.claimedAtMs, t.token] }),
    uniqueIndex('claims_request_key').on(t.requestKey).where(sql`${t.requestKey} is not null`),
  ],
)

/**
 * Agents that have leases which ended as `unknown` since they last reported, released or extended a call. The next of
 * these deletes the row.
 */
export const agents = sqliteTable(
  'agents',
  {
    companyId: companyColumn(),
    campaignNumber: campaignColumn(),
    /** As claims give it, else `key:` and the key's id. */
    name: text('name').notNull(),
    unknownInARow: integer('unknown_in_a_row').notNull(),
    /** Different claims, counted up to the number that blocks. */
    claimsInARow: integer('claims_in_a_row').notNull(),
    /** JSON: the tokens of these. */
    claimTokens: text('claim_tokens').notNull(),
    /** Null: not blocked. Once it is past, one claim may lease one lead, the probe. */
    blockedUntilMs: integer('blocked_until_ms'),
    /** 1: the probe is being called, and blocks the agent until its lease would be settled. */
    isProbing: integer('is_probing').notNull().default(0),
    lastUnknownAtMs: integer('last_unknown_at_ms').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.campaignNumber, t.name] }),
    index('agents_blocked')
      .on(t.campaignNumber, t.blockedUntilMs)
      .where(sql`${t.blockedUntilMs} is not null`),
    index('agents_last_unknown').on(t.lastUnknownAtMs),
  ],
)

/** Apart from the calls: with the details in their rows, a number's limits would cost a hundred times as much. */
export const callDetails = sqliteTable(
  'call_details',
  {
    seq: integer('seq').notNull(),
    claimedAtMs: integer('claimed_at_ms').notNull(),
    /** JSON text. */
    details: text('details').notNull(),
  },
  (t) => [primaryKey({ columns: [t.seq, t.claimedAtMs] })],
)

/**
 * The place that requests to requeue many leads have reached: the next one with the same body continues behind it.
 */
export const requeues = sqliteTable(
  'requeues',
  {
    campaignNumber: integer('campaign_number').notNull(),
    status: text('status').notNull(),
    sinceMs: integer('since_ms').notNull(),
    afterSeq: integer('after_seq').notNull(),
    /** The time of the last request. */
    atMs: integer('at_ms').notNull(),
  },
  (t) => [primaryKey({ columns: [t.campaignNumber, t.status, t.sinceMs] })],
)
