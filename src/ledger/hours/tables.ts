// The tables of statistics, and nothing about how they are used. What is counted, and when, is in counts.ts; how the
// counts are checked against the leads is in src/statistics/store/recount.ts.
import { index, integer, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'

const count = () => integer().notNull().default(0)

/** Of intake: leads stored, existing or repeated leads, invalid ones, and of the stored those that were not queued. */
export const intakeColumns = { created: count(), skipped: count(), invalid: count(), suppressed: count() }

/**
 * How claimed calls ended, in the hour of the report or of the lease's end: each outcome of campaigns/outcomes.ts, and
 * `released`.
 */
export const outcomeColumns = {
  answered: count(),
  not_interested: count(),
  wrong_number: count(),
  invalid_number: count(),
  do_not_call: count(),
  no_answer: count(),
  busy: count(),
  voicemail: count(),
  failed: count(),
  abandoned: count(),
  callback_requested: count(),
  unknown: count(),
  released: count(),
}

/**
 * One row for each hour in which something was done in a campaign, written in the transaction that does it. Without rowid
 * (see the migration): one row written for each request, whatever it counts.
 */
export const campaignHours = sqliteTable(
  'campaign_hours',
  {
    campaignNumber: integer('campaign_number').notNull(),
    /** Hours since 1970 in UTC. */
    hour: integer('hour').notNull(),
    ...intakeColumns,
    claimed: count(),
    ...outcomeColumns,
    /** By how many the leads of each status became more, or fewer: how many there are is the sum of all hours. */
    d_raw: count(),
    d_attempting: count(),
    d_exhausted: count(),
    d_concluded: count(),
    /** How often the row was written: so a recount knows whether anything happened while it counted. */
    writes: count(),
  },
  (t) => [primaryKey({ columns: [t.campaignNumber, t.hour] })],
)

/** How far the check of each campaign's counts has come, and what the last one found. */
export const recounts = sqliteTable(
  'recounts',
  {
    campaignNumber: integer('campaign_number').primaryKey(),
    /** When it is to be counted next, or since when it is being counted. */
    dueAtMs: integer('due_at_ms').notNull(),
    /** 1: its leads were stored before anybody counted: what is found is where counting begins. 2: the last one found that. */
    isSeed: integer('is_seed').notNull().default(0),
    /** The last place that was counted; 0: it is not being counted. */
    afterSeq: integer('after_seq').notNull().default(0),
    /** Of the campaign's hours when the count began. */
    writes: count(),
    /** Counted so far; once it is done, by how many there are more than the hours say. */
    raw: count(),
    attempting: count(),
    exhausted: count(),
    concluded: count(),
    /** When the last one ended; null: none has. */
    countedAtMs: integer('counted_at_ms'),
    /** 1: what it found is yet to be added to the hours. */
    isUnrepaired: integer('is_unrepaired').notNull().default(0),
  },
  (t) => [index('recounts_due').on(t.dueAtMs)],
)
