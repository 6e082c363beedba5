// The table of phone numbers that must not be called, and nothing about how it is used.
import { sql } from 'drizzle-orm'
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { companies } from '../../access/store/tables.ts'

/** Without rowid (see the migration): one row written for each number, two for each number of a single campaign. */
export const suppressions = sqliteTable(
  'suppressions',
  {
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id),
    phoneNumber: text('phone_number').notNull(),
    /** 0: in all campaigns of the company. */
    campaignNumber: integer('campaign_number').notNull(),
    reason: text('reason'),
    createdAtMs: integer('created_at_ms').notNull(),
    /** The same for all numbers of one request: tells a request that comes again which rows are its own. */
    token: text('token').notNull(),
    /** How many leads left the queue for it: told again to a request whose answer was lost. */
    leadsRemoved: integer('leads_removed').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.phoneNumber, t.campaignNumber] }),
    index('suppressions_campaign').on(t.campaignNumber, t.phoneNumber).where(sql`${t.campaignNumber} <> 0`),
  ],
)

/** Numbers of people who were erased, as hashes that cannot be guessed (number-hash.ts): not to be called either. */
export const suppressedHashes = sqliteTable(
  'suppressed_hashes',
  {
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id),
    numberHash: text('number_hash').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.numberHash] })],
)

/**
 * Numbers whose lead was refused or dead when retention erased it, as hashes: not to be called in that campaign when they
 * come in again.
 */
export const retainedHashes = sqliteTable(
  'retained_hashes',
  {
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id),
    campaignNumber: integer('campaign_number').notNull(),
    numberHash: text('number_hash').notNull(),
    /** The outcome with which the lead ended. */
    reason: text('reason').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.numberHash, t.campaignNumber] })],
)

/** When erased leads were called, by the hash of their number: kept for a week, because limits of a number count them. */
export const numberCalls = sqliteTable(
  'number_calls',
  {
    companyId: text('company_id')
      .notNull()
      .references(() => companies.id),
    numberHash: text('number_hash').notNull(),
    calledAtMs: integer('called_at_ms').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.numberHash, t.calledAtMs] }),
    index('number_calls_called_at').on(t.calledAtMs),
  ],
)
