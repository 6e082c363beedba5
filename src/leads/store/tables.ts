// The tables, and nothing about how they are used. Times are Unix milliseconds, bound from JavaScript:
// the database's own clock is never read. Migrations are generated from this file (`npm run db:generate`).
//
// A lead costs two rows written: the table and the unique index on phone numbers; one more with an external id,
// one more when its request carried an Idempotency-Key. It needs no index for its id, for listing, or for times
// of creation, because `seq` is its place in commit order, numbered campaign by campaign (see leadSeqBits), so
// that a campaign is one unbroken range of the table.
import { sql } from 'drizzle-orm'
import { check, foreignKey, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

export const leadStatuses = ['raw', 'attempting', 'exhausted', 'concluded'] as const
export const keyScopes = ['read', 'write'] as const

/**
 * `leads.seq` is `campaigns.number << leadSeqBits` plus the lead's place in its campaign, from 1.
 * 32 bits of place leave 21 for the campaign before a JavaScript number loses exactness.
 */
export const leadSeqBits = 32

export const companies = sqliteTable('companies', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  createdAtMs: integer('created_at_ms').notNull(),
})

export const campaigns = sqliteTable(
  'campaigns',
  {
    number: integer('number').primaryKey(),
    id: text('id').notNull().unique(),
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id),
    name: text('name').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (t) => [
    // The target of api_keys' foreign key, and what lists a company's campaigns.
    uniqueIndex('campaigns_company').on(t.companyId, t.number),
    check('campaigns_number', sql`${t.number} between 1 and 2097151`),
  ],
)

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id),
    /** Null: the key is company-wide. */
    campaignNumber: integer('campaign_number'),
    scope: text('scope', { enum: keyScopes }).notNull(),
    name: text('name').notNull(),
    /** Lower-case hexadecimal SHA-256 of the key. The key itself is never stored. */
    hash: text('hash').notNull().unique(),
    hint: text('hint').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    expiresAtMs: integer('expires_at_ms'),
    revokedAtMs: integer('revoked_at_ms'),
  },
  (t) => [
    // A campaign-scoped key can only name a campaign of its own company.
    foreignKey({
      columns: [t.companyId, t.campaignNumber],
      foreignColumns: [campaigns.companyId, campaigns.number],
    }),
    index('api_keys_company').on(t.companyId, t.createdAtMs),
    check('api_keys_scope', sql`${t.scope} in ('read', 'write')`),
  ],
)

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
    /** Never less than that of the campaign's lead before it, so that times can be searched by `seq`. */
    createdAtMs: integer('created_at_ms').notNull(),
    /** Set when the request carried an Idempotency-Key: says which, for which API key. */
    requestKey: text('request_key'),
    /** The same for all leads of one request: tells a request that comes again which leads are its own. */
    token: text('token').notNull(),
  },
  (t) => [
    uniqueIndex('leads_campaign_phone').on(t.campaignNumber, t.phoneNumber),
    index('leads_campaign_external_id')
      .on(t.campaignNumber, t.externalId)
      .where(sql`${t.externalId} is not null`),
    index('leads_request_key').on(t.requestKey).where(sql`${t.requestKey} is not null`),
    check('leads_seq', sql`${t.seq} >> 32 = ${t.campaignNumber}`),
    check('leads_status', sql`${t.status} in ('raw', 'attempting', 'exhausted', 'concluded')`),
    check('leads_priority', sql`${t.priority} between 0 and 100`),
    check('leads_attempts', sql`${t.attempts} >= 0`),
  ],
)
