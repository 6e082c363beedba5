// The tables of the log and of webhooks, and nothing about how they are used.
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { companies } from '../../access/store/tables.ts'

/**
 * One ordered log for each company, written in the transaction of what it tells. Without rowid (see the migration): one
 * row written for each entry, and one more for each that is about one lead. A trigger refuses every update; retention alone removes.
 */
export const events = sqliteTable(
  'events',
  {
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id),
    /** From 1, without gaps: the place in the company's log. */
    number: integer('number').notNull(),
    /** Never before that of the entry before. */
    atMs: integer('at_ms').notNull(),
    /** What is told first of it; what follows from it is told when it is read (../../events/event.ts). */
    type: text('type').notNull(),
    /** An API key's id, `operator` or `system`. */
    actor: text('actor').notNull(),
    requestId: text('request_id'),
    /** Null: it concerns the company. */
    campaignNumber: integer('campaign_number'),
    /** The place of the lead that it is about. */
    leadSeq: integer('lead_seq'),
    /** JSON: facts of that moment. Never a key, a phone number or metadata. */
    data: text('data').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.number] }),
    index('events_lead')
      .on(t.companyId, t.leadSeq, t.number)
      .where(sql`${t.leadSeq} is not null and ${t.type} <> 'leads.created'`),
  ],
)

export const webhooks = sqliteTable(
  'webhooks',
  {
    id: text('id').primaryKey(),
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id),
    /** Null: it is told of all campaigns, and of what concerns the company. */
    campaignNumber: integer('campaign_number'),
    url: text('url').notNull(),
    /** JSON: which types of events. */
    types: text('types').notNull(),
    /** JSON: what else is told of leads and calls. */
    include: text('include').notNull(),
    /** The secret follows from this, the id and the Worker's root: nothing to steal here. */
    secretVersion: integer('secret_version').notNull().default(1),
    /** Until when the version before signs as well; null: it does not. */
    previousExpiresAtMs: integer('previous_expires_at_ms'),
    /** JSON of `[version, endsAtMs]`: versions before that one, each of which signs as well until its end. */
    olderSecrets: text('older_secrets').notNull().default('[]'),
    /** The last entry of the log that it need not be told of, or has been. Its sender may be further already. */
    passedNumber: integer('told_number').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    /** An API key's id, or `operator`. Null: unknown, made before this was kept. */
    createdBy: text('created_by'),
    disabledAtMs: integer('disabled_at_ms'),
    /** `gone`, `dead`, `operator` or `key_revoked`. */
    disabledReason: text('disabled_reason'),
    /** Events so far. */
    givenUp: integer('given_up').notNull().default(0),
    /** Since when its receiver is held or at fault; null: it is well. */
    failingSinceMs: integer('failing_since_ms'),
  },
  (t) => [index('webhooks_company').on(t.companyId, t.createdAtMs)],
)
