// The peer's tables as Drizzle's guide would have them. schema.sql says the same to SQLite.
import { isNotNull, sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const companies = sqliteTable('companies', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
})

export const campaigns = sqliteTable('campaigns', {
  id: text('id').primaryKey(),
  companyId: text('company_id')
    .notNull()
    .references(() => companies.id),
  name: text('name').notNull(),
})

export const apiKeys = sqliteTable('api_keys', {
  id: text('id').primaryKey(),
  companyId: text('company_id')
    .notNull()
    .references(() => companies.id),
  campaignId: text('campaign_id').references(() => campaigns.id),
  scope: text('scope', { enum: ['read', 'write'] }).notNull(),
  hash: text('hash').notNull().unique(),
  expiresAt: integer('expires_at', { mode: 'timestamp_ms' }),
  revokedAt: integer('revoked_at', { mode: 'timestamp_ms' }),
})

export const leads = sqliteTable(
  'leads',
  {
    id: text('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    campaignId: text('campaign_id')
      .notNull()
      .references(() => campaigns.id),
    phoneNumber: text('phone_number').notNull(),
    externalId: text('external_id'),
    metadata: text('metadata', { mode: 'json' }),
    status: text('status', { enum: ['raw', 'attempting', 'exhausted', 'concluded'] })
      .notNull()
      .default('raw'),
    scheduledFor: text('scheduled_for'),
    priority: integer('priority').notNull().default(0),
    attempts: integer('attempts').notNull().default(0),
    createdAt: integer('created_at', { mode: 'timestamp_ms' })
      .notNull()
      .$defaultFn(() => new Date()),
    /** Null: not in the queue. */
    dueAt: integer('due_at', { mode: 'timestamp_ms' }),
    leasedUntil: integer('leased_until', { mode: 'timestamp_ms' }),
  },
  (t) => [
    uniqueIndex('leads_campaign_phone').on(t.campaignId, t.phoneNumber),
    index('leads_campaign_created').on(t.campaignId, t.createdAt),
    index('leads_queue').on(t.campaignId, sql`${t.priority} desc`, t.dueAt).where(isNotNull(t.dueAt)),
  ],
)

export const calls = sqliteTable(
  'calls',
  {
    id: text('id')
      .primaryKey()
      .$defaultFn(() => crypto.randomUUID()),
    leadId: text('lead_id')
      .notNull()
      .references(() => leads.id),
    attempt: integer('attempt').notNull(),
    outcome: text('outcome'),
    durationSeconds: integer('duration_seconds'),
    startedAt: integer('started_at', { mode: 'timestamp_ms' })
      .notNull()
      .$defaultFn(() => new Date()),
    endedAt: integer('ended_at', { mode: 'timestamp_ms' }),
  },
  (t) => [index('calls_lead').on(t.leadId)],
)
