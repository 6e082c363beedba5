// The table of leads. A new lead writes four rows: the table, the unique index on phone numbers, the calling queue (not
// when its number is suppressed), and the search index; one more with an external id, and one with an Idempotency-Key.
// Ids, lists and times of creation need no index: `seq` is the place in commit order within the campaign (leadSeqBits
// in ../lead.ts), so a campaign is one unbroken range of the table.
import { sql } from 'drizzle-orm'
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { campaignColumn } from '../../../base/access/store/tables.ts'
import { leadSeqBits, leadStatuses } from '../lead.ts'

/**
 * SQL: milliseconds of a timestamp that ../fields.ts accepts. SQLite's own parser knows neither `+01` nor offsets over
 * 14 hours. Three digits of a fraction count, as in JavaScript.
 */
function timestampMs(text: string): string {
  const offset = `ltrim(substr(${text}, 12), '0123456789:.')`
  // `+0530` of `+05:30`; of `Z`, nothing but zeros.
  const digits = `replace(replace(${offset}, ':', ''), 'Z', '+')`
  const offsetMinutes = `(substr(${digits}, 1, 1) || '1') * (60 * substr(${digits}, 2, 2) + substr(${digits}, 4, 2))`
  const local = `substr(${text}, 1, length(${text}) - length(${offset}))`
  const fractionMs = `substr(substr(${local}, 21, 3) || '000', 1, 3)`
  return `unixepoch(substr(${local}, 1, 19)) * 1000 + ${fractionMs} - ${offsetMinutes} * 60000`
}

export const leads = sqliteTable(
  'leads',
  {
    seq: integer('seq').primaryKey(),
    campaignNumber: campaignColumn(),
    phoneNumber: text('phone_number').notNull(),
    externalId: text('external_id'),
    /** JSON text exactly as the client sent it, spaces included. */
    metadata: text('metadata'),
    status: text('status', { enum: leadStatuses }).notNull().default('raw'),
    scheduledFor: text('scheduled_for'),
    priority: integer('priority').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    /** Never less than that of the campaign's previous lead. */
    createdAtMs: integer('created_at_ms').notNull(),
    /** Derived from API key and Idempotency-Key; null without that header. */
    requestKey: text('request_key'),
    /** The same for all leads of one request: a repeated request recognises its own leads by it. */
    token: text('token').notNull(),
    /** The lead's own time zone; empty: its campaign's. The leads of a lane may be called at the same hours. */
    lane: text('lane').notNull().default(''),
    /** appointmentRank or the priority. Kept while the lead is leased. */
    queueRank: integer('queue_rank').notNull().default(0),
    /** Null: not in the queue. Never before the lead's creation. */
    dueAtMs: integer('due_at_ms'),
    /** Null: not leased. */
    leaseExpiresAtMs: integer('lease_expires_at_ms'),
    /**
     * The token of the last claim; a requeue clears it. A call with another token belongs to an earlier claim (D47).
     */
    claimToken: text('claim_token'),
    /** Attempts before the last requeue, which do not count towards the maximum (D40). */
    attemptsForgiven: integer('attempts_forgiven').notNull().default(0),
    /** The ETag: raised by each statement that changes what GET shows. */
    version: integer('version').notNull().default(1),
    /** When it became exhausted or concluded; null: it is neither. */
    finishedAtMs: integer('finished_at_ms'),
    /** Not null: only place, time and token are left of the lead, so that no place is used twice. */
    erasedAtMs: integer('erased_at_ms'),
    /**
     * The due time that a claim set because the number was not free; null once the lead is leased. While the lead is
     * due at that time, the end of another call to the number may move it forward.
     */
    movedToMs: integer('moved_to_ms'),
    /**
     * Its due time while it is out of the queue because the number lacks a consent that its campaign requires, or
     * because the campaign's gate has not said yes. Null: it is not held.
     */
    heldDueAtMs: integer('held_due_at_ms'),
    /**
     * That of the phone's key, when calls of an erased lead to the same phone still count towards its limits, or may
     * still be reported with a do-not-call.
     */
    numberHash: text('number_hash'),
    /**
     * Words of the search index, as ../search-words.ts writes them: of the number, the external id and the metadata.
     */
    numberWord: text('number_word'),
    externalWord: text('external_word'),
    words: text('words'),
    /** Where it came from, as ../origin/origin.ts writes it: a letter and an id. Null: stored by a version before. */
    origin: text('origin'),
    /** What its import was called, as a file's name. Null: it is of no import. */
    importName: text('import_name'),
    /** The gate's last answer: the version that was asked, and until when it holds. Null: none, or it was requeued. */
    gateVersion: integer('gate_version'),
    gateUntilMs: integer('gate_until_ms'),
    /** Where the answer says no; null: the answer was a yes. */
    gateRefusedBy: text('gate_refused_by'),
    /** Since when the gate may be asked, while the lead is held for that. Null: it is not held for the gate. */
    gateAsksAtMs: integer('gate_asks_at_ms'),
    /** When a number was erased in its metadata (mentions/erase-mentions.ts); null: none was. */
    metadataErasedAtMs: integer('metadata_erased_at_ms'),
    /** Null: the lead is not scheduled. Every write computes it, which must cost nothing for such a lead. */
    scheduledAtMs: integer('scheduled_at_ms').generatedAlwaysAs(
      sql.raw(`iif(scheduled_for is null, null, ${timestampMs('scheduled_for')})`),
      { mode: 'virtual' },
    ),
  },
  (t) => [
    uniqueIndex('leads_campaign_phone').on(t.campaignNumber, t.phoneNumber),
    index('leads_campaign_external_id')
      .on(t.campaignNumber, t.externalId)
      .where(sql`${t.externalId} is not null`),
    // Most leads are `raw`: they cost no row here.
    index('leads_campaign_status').on(t.campaignNumber, t.status).where(sql`${t.status} <> 'raw'`),
    index('leads_request_key').on(t.requestKey).where(sql`${t.requestKey} is not null`),
    // With the due time after the rank, leads that are not due cost a claim one step for each rank.
    index('leads_queue')
      .on(t.campaignNumber, t.lane, sql`${t.queueRank} desc`, t.dueAtMs)
      .where(sql`${t.dueAtMs} is not null`),
    index('leads_leased')
      .on(t.campaignNumber, t.leaseExpiresAtMs)
      .where(sql`${t.leaseExpiresAtMs} is not null`),
    index('leads_moved').on(t.phoneNumber).where(sql`${t.movedToMs} is not null`),
    index('leads_held_number').on(t.phoneNumber).where(sql`${t.heldDueAtMs} is not null`),
    index('leads_held').on(t.campaignNumber).where(sql`${t.heldDueAtMs} is not null`),
    // As leads_queue, of those that are held until the gate has answered.
    index('leads_gate')
      .on(t.campaignNumber, t.lane, sql`${t.queueRank} desc`, t.gateAsksAtMs)
      .where(sql`${t.gateAsksAtMs} is not null`),
    index('leads_refused').on(t.campaignNumber, t.finishedAtMs).where(sql`${t.gateRefusedBy} is not null`),
    // Few have one.
    index('leads_number_hash').on(t.numberHash).where(sql`${t.numberHash} is not null`),
    index('leads_metadata_erased').on(t.metadataErasedAtMs).where(sql`${t.metadataErasedAtMs} is not null`),
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
 * Runs of consecutive erased leads, which lists skip. A campaign with any has one that begins at the place before its
 * first lead. A trigger writes them (see the migration): a missing run costs time, and loses no lead.
 */
export const erasedRuns = sqliteTable('erased_runs', {
  firstSeq: integer('first_seq').primaryKey(),
  lastSeq: integer('last_seq').notNull(),
})

/**
 * One row: up to which place the search index has leads. Those behind it no trigger indexes: so the operator takes the
 * index away and makes it again (src/admin/deploy/search.ts).
 */
export const searchPlace = sqliteTable('search_place', {
  id: integer('id').primaryKey(),
  place: integer('place').notNull(),
  /** Up to which place the words of leads have the numbers in their metadata (mentions/fill-words.ts). */
  wordsPlace: integer('words_place').notNull().default(Number.MAX_SAFE_INTEGER),
  /** Up to which place the calls of leads are in their index (src/queue/calling/table/store/calls-index.ts). */
  callsPlace: integer('calls_place').notNull().default(Number.MAX_SAFE_INTEGER),
})
