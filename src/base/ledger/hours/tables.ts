// The tables of statistics. counts.ts has the statements that count, src/control/statistics/store/recount.ts checks the
// counts against the leads.
import { index, integer, primaryKey, sqliteTable } from 'drizzle-orm/sqlite-core'
import { type PickUpTime, pickUpTimes } from './pick-up.ts'

const count = () => integer().notNull().default(0)

/**
 * What intake counts: leads stored, existing or repeated leads, invalid ones, and of the stored those that were not
 * queued.
 */
export const intakeColumns = { created: count(), skipped: count(), invalid: count(), suppressed: count() }

/**
 * How claimed calls ended, in the hour of the report or of the lease's end: each outcome of
 * queue/campaigns/outcomes.ts, and `released`.
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

/** Calls that people made to us and an agent took. How they ended is in no other count. */
export const inboundColumns = { inbound: count() }

/** How long leads could be called before they were claimed (pick-up.ts). */
const pickUpColumns = Object.fromEntries(pickUpTimes.map(({ column }) => [column, count()])) as Readonly<
  Record<PickUpTime['column'], ReturnType<typeof count>>
>

/**
 * A campaign's activity, one row for each hour, written in the transaction that it counts. Without rowid (see the
 * migration): one row written for each request, whatever it counts.
 */
export const campaignHours = sqliteTable(
  'campaign_hours',
  {
    campaignNumber: integer('campaign_number').notNull(),
    /** Hours since 1970 in UTC. */
    hour: integer('hour').notNull(),
    ...intakeColumns,
    claimed: count(),
    ...inboundColumns,
    ...outcomeColumns,
    ...pickUpColumns,
    /** Change of the number of leads of each status: the sum of all hours is how many there are. */
    d_raw: count(),
    d_attempting: count(),
    d_exhausted: count(),
    d_concluded: count(),
    /** How often the row was written: shows a recount whether anything happened meanwhile. */
    writes: count(),
  },
  (t) => [primaryKey({ columns: [t.campaignNumber, t.hour] })],
)

/** Progress of each campaign's recount, and the result of the last one. */
export const recounts = sqliteTable(
  'recounts',
  {
    campaignNumber: integer('campaign_number').primaryKey(),
    /** When the next recount is due, or since when one is running. */
    dueAtMs: integer('due_at_ms').notNull(),
    /** The last place counted; 0: no recount is running. */
    afterSeq: integer('after_seq').notNull().default(0),
    /** The sum of the campaign's `writes` when the recount began. */
    writes: count(),
    /** Leads counted so far; after the recount, the difference to the hours. */
    raw: count(),
    attempting: count(),
    exhausted: count(),
    concluded: count(),
    /** When the last recount ended; null: never. */
    countedAtMs: integer('counted_at_ms'),
    /** 1: the difference is not added to the hours yet. */
    isUnrepaired: integer('is_unrepaired').notNull().default(0),
  },
  (t) => [index('recounts_due').on(t.dueAtMs)],
)
