// The calls of each number: calling writes them, and what stands below it reads how a lead's last call ended. Without
// rowid (see the migration), so that a row costs one row written. And the test calls that are live, which are no
// lead's.
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { companyColumn } from '../../access/store/tables.ts'

/** One row for each attempt. The history of a number, its limits and its open call are read from one range. */
export const calls = sqliteTable(
  'calls',
  {
    companyId: companyColumn(),
    phoneNumber: text('phone_number').notNull(),
    /** Later than the number's previous call. */
    claimedAtMs: integer('claimed_at_ms').notNull(),
    /** The lead's. */
    seq: integer('seq').notNull(),
    /** The claim's. */
    token: text('token').notNull(),
    /** Which attempt of the lead it is. After a release the next call has the same number. */
    attempt: integer('attempt').notNull(),
    agent: text('agent'),
    /** Null: open. Else the reported one, `unknown` (the lease expired) or `released` (nobody dialled). */
    outcome: text('outcome'),
    /** When the agent said that it dials. Null: it has not said so. */
    dialledAtMs: integer('dialled_at_ms'),
    /** 1: it ended in the class `done` (D42). */
    isDone: integer('is_done').notNull().default(0),
    doNotCall: integer('do_not_call').notNull().default(0),
    /** 1: reported after the lead was claimed again (D47). */
    isLate: integer('is_late').notNull().default(0),
    endedAtMs: integer('ended_at_ms'),
    /** 1: its lease ran out, and that alone ended the lead. A report may open it again. */
    endedLead: integer('ended_lead'),
    callbackAtMs: integer('callback_at_ms'),
    durationSeconds: integer('duration_seconds'),
    providerCallId: text('provider_call_id'),
    /** The last request that was recorded: so its repetition is recognized. */
    reportToken: text('report_token'),
    /** The key of the claim. Null: claimed through the Worker of a version that did not store it. */
    keyId: text('key_id'),
    /** The consent by which the number was called; null: the campaign required none. */
    consentId: text('consent_id'),
    /** 1: the lead was called at an agreed time. Null: as keyId. */
    wasAppointment: integer('was_appointment'),
    /** What it has cost, as its details say: millionths of the currency's unit. Null: they do not say. */
    costMicros: integer('cost_micros'),
    /** Three letters. Null: unknown. */
    costCurrency: text('cost_currency'),
    /** The lead's, which its place says too. Null: not in the index of calls yet. */
    campaignNumber: integer('campaign_number'),
    /**
     * The person rang (src/queue/calling/store/inbound/): JSON, how the lead was before, to which it returns without
     * a report, and whether the call is an attempt. Null: the lead was claimed.
     */
    inbound: text('inbound'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.phoneNumber, t.claimedAtMs, t.seq] }),
    // The calls of a campaign by time. Partial, to be made in steps (queue/calling/table/store/calls-index.ts).
    index('calls_campaign')
      .on(t.campaignNumber, t.claimedAtMs, t.seq)
      .where(sql`${t.campaignNumber} is not null`),
    // The uses of a consent. They outlive the lead, whose calls stay without their number.
    index('calls_consent').on(t.companyId, t.consentId, t.claimedAtMs).where(sql`${t.consentId} is not null`),
  ],
)

/**
 * Phones that a dialer rings for a test: nobody else may ring them meanwhile. A row for each spelling of the number
 * (../suppression/spellings.ts), until the call has ended. Like a lease, it is extended while the call is live.
 */
export const testCalls = sqliteTable(
  'test_calls',
  {
    companyId: companyColumn(),
    phoneNumber: text('phone_number').notNull(),
    /** The dialer's campaign. */
    campaignNumber: integer('campaign_number').notNull(),
    testId: text('test_id').notNull(),
    endsAtMs: integer('ends_at_ms').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.phoneNumber] })],
)
