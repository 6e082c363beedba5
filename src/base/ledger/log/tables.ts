// The tables of the log and of webhooks.
import { type SQL, sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { companyColumn } from '../../access/store/tables.ts'
import { param } from '../../database/database.ts'

/**
 * One ordered log for each company, written in the transaction that it records. Without rowid (see the migration): one
 * row written for each entry, and one more for an entry about one lead. A trigger refuses updates; only retention
 * deletes.
 */
export const events = sqliteTable(
  'events',
  {
    companyId: companyColumn(),
    /** From 1, without gaps: the place in the company's log. */
    number: integer('number').notNull(),
    /** Never before the previous entry's. */
    atMs: integer('at_ms').notNull(),
    /** An EntryType. Events that follow from the entry are derived when it is read (channels/events/event.ts). */
    type: text('type').notNull(),
    /** An API key's id, `operator` or `system`. */
    actor: text('actor').notNull(),
    requestId: text('request_id'),
    /** Null: about the company. */
    campaignNumber: integer('campaign_number'),
    /** The place of the lead that the entry is about. */
    leadSeq: integer('lead_seq'),
    /** JSON: facts of that moment. Never a key, a phone number or metadata. */
    data: text('data').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.number] }),
    index('events_lead')
      .on(t.companyId, t.leadSeq, t.number)
      .where(sql`${t.leadSeq} is not null and ${t.type} <> 'leads.created'`),
    // What people and keys changed, apart from the many entries of leads and calls.
    index('events_activity').on(t.companyId, t.number).where(sql`${t.leadSeq} is null`),
    // The same of one of them.
    index('events_actor').on(t.companyId, t.actor, t.number).where(sql`${t.leadSeq} is null`),
  ],
)

export const webhooks = sqliteTable(
  'webhooks',
  {
    id: text('id').primaryKey(),
    companyId: companyColumn(),
    /** Null: gets events of all campaigns and of the company. */
    campaignNumber: integer('campaign_number'),
    url: text('url').notNull(),
    /** JSON: which types of events. */
    types: text('types').notNull(),
    /** JSON: which additional members events of leads and calls have. */
    include: text('include').notNull(),
    /** The secret is derived from this, the id and the Worker's WEBHOOK_ROOT: the table holds none. */
    secretVersion: integer('secret_version').notNull().default(1),
    /** Until when the previous version signs too; null: it does not. */
    previousExpiresAtMs: integer('previous_expires_at_ms'),
    /** JSON of `[version, endsAtMs]`: still older versions, each of which signs until its end. */
    olderSecrets: text('older_secrets').notNull().default('[]'),
    /** The last log entry that is delivered or needs no delivery. Its sender may be further already. */
    passedNumber: integer('passed_number').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    /** Who created it, or set its URL since: an API key's id, or `operator`. Null: unknown. */
    createdBy: text('created_by'),
    /** When it ends with a key that has an end: nothing is sent from then on. Null: never. */
    expiresAtMs: integer('expires_at_ms'),
    disabledAtMs: integer('disabled_at_ms'),
    /** `gone`, `dead`, `operator` or `key_revoked`; `key_expired` once it was changed after its end. */
    disabledReason: text('disabled_reason'),
    /** How many events were given up so far. */
    givenUp: integer('given_up').notNull().default(0),
    /** Since when its receiver is held or failing; null: it is healthy. */
    failingSinceMs: integer('failing_since_ms'),
    /** What it sends people as (channels/webhooks/format.ts); null: events as they are. */
    format: text('format'),
    /** Encrypted for the webhook and its URL; null: it has none. */
    sealedSecrets: text('sealed_secrets'),
  },
  (t) => [index('webhooks_company').on(t.companyId, t.createdAtMs)],
)

/** Of a webhook, the table or an alias: a condition, and two values, null while it sends. Placeholder `nowMs`. */
export const isSending = (w: SQL) => sql`(${w}.disabled_at_ms is null
  and (${w}.expires_at_ms is null or ${w}.expires_at_ms > ${param('nowMs')}))`
export const disabledAtMs = (w: SQL) => sql`coalesce(${w}.disabled_at_ms,
  iif(${w}.expires_at_ms <= ${param('nowMs')}, ${w}.expires_at_ms, null))`
export const disabledReason = (w: SQL) => sql`coalesce(${w}.disabled_reason,
  iif(${w}.expires_at_ms <= ${param('nowMs')}, 'key_expired', null))`
