// The tables of suppressed phone numbers, of hashes of erased ones, and of the calls of those.
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { companyColumn } from '../../access/store/tables.ts'

/** Without rowid (see the migration): one row written for each number, two for each number of a single campaign. */
export const suppressions = sqliteTable(
  'suppressions',
  {
    companyId: companyColumn(),
    phoneNumber: text('phone_number').notNull(),
    /** 0: in all campaigns of the company. */
    campaignNumber: integer('campaign_number').notNull(),
    reason: text('reason'),
    createdAtMs: integer('created_at_ms').notNull(),
    /**
     * The same for all numbers of one request: a repeated request recognises its own rows by it. What a gate has
     * suppressed has one of its own (gate-mark.ts).
     */
    token: text('token').notNull(),
    /** How many leads left the queue: answered again to a repeated request. */
    leadsRemoved: integer('leads_removed').notNull(),
    /**
     * JSON: the places of leads that the last request found in the queue. Null: there were none, or none was looked
     * for.
     */
    leadSeqs: text('lead_seqs'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.phoneNumber, t.campaignNumber] }),
    index('suppressions_campaign').on(t.campaignNumber, t.phoneNumber).where(sql`${t.campaignNumber} <> 0`),
    index('suppressions_gate').on(t.companyId, t.createdAtMs).where(sql`${t.token} glob 'gate:*'`),
  ],
)

/** Hashes of erased people's numbers (number-hash.ts), which must not be called. */
export const suppressedHashes = sqliteTable(
  'suppressed_hashes',
  {
    companyId: companyColumn(),
    numberHash: text('number_hash').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.numberHash] })],
)

/**
 * Hashes of numbers that must not be called in one campaign when they are stored again: those of erased people that
 * were suppressed in it, and those whose lead ended with a refusal or a dead number before retention erased it.
 */
export const retainedHashes = sqliteTable(
  'retained_hashes',
  {
    companyId: companyColumn(),
    campaignNumber: integer('campaign_number').notNull(),
    numberHash: text('number_hash').notNull(),
    /** The outcome with which the lead ended, or `suppressed`. */
    reason: text('reason').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.numberHash, t.campaignNumber] })],
)

/**
 * Calls of erased leads, by the hash of their phone's key: kept for a week, because they count towards the limits of
 * the phone.
 */
export const numberCalls = sqliteTable(
  'number_calls',
  {
    companyId: companyColumn(),
    numberHash: text('number_hash').notNull(),
    calledAtMs: integer('called_at_ms').notNull(),
    /** The end of its lease, which it had when its lead was erased. Null: it was over. */
    liveUntilMs: integer('live_until_ms'),
    /** 1: the person rang, which counts for the gap alone. */
    isInbound: integer('is_inbound'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.numberHash, t.calledAtMs] }),
    index('number_calls_called_at').on(t.calledAtMs),
  ],
)

/**
 * Calls whose lead an erasure or a restore has taken, kept for a week: who reports a do-not-call by the id of one still
 * has the number suppressed. A row for each spelling of the number. Without rowid (see the migration).
 */
export const lostCalls = sqliteTable(
  'lost_calls',
  {
    companyId: companyColumn(),
    numberHash: text('number_hash').notNull(),
    claimedAtMs: integer('claimed_at_ms').notNull(),
    seq: integer('seq').notNull(),
    token: text('token').notNull(),
    /** The lead's campaign: its keys may report. */
    campaignNumber: integer('campaign_number').notNull(),
    /** Stored with the hash when that suppresses (number-hash.ts). */
    pepperCheck: text('pepper_check').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.numberHash, t.claimedAtMs, t.seq, t.token] }),
    // By the id of a call, and by age.
    index('lost_calls_call').on(t.claimedAtMs, t.companyId, t.seq),
  ],
)
