// The tables of companies with a store of their own. Only those in D1 are used; every store has them, because the
// migrations are the same.
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { companies } from '../../../base/access/store/tables.ts'

/** What each store last reported. */
export const storeStates = sqliteTable('store_states', {
  companyId: text('company_id')
    .primaryKey()
    .references(() => companies.id),
  sizeBytes: integer('size_bytes').notNull(),
  leads: integer('leads').notNull(),
  /** The last migration that it has applied. */
  lastMigration: text('last_migration').notNull(),
  notedAtMs: integer('noted_at_ms').notNull(),
})

/** A move of a company to another store: what is requested, and how far it is. The row stays when it has ended. */
export const companyMoves = sqliteTable('company_moves', {
  companyId: text('company_id')
    .primaryKey()
    .references(() => companies.id),
  /** Store names; null: D1. */
  fromStore: text('from_store'),
  toStore: text('to_store'),
  requestedAtMs: integer('requested_at_ms').notNull(),
  /** `requested`, `copying`, `switched`, `done`, `aborting` or `aborted`. */
  phase: text('phase').notNull(),
  frozenAtMs: integer('frozen_at_ms'),
  switchedAtMs: integer('switched_at_ms'),
  endedAtMs: integer('ended_at_ms'),
  /** JSON: the table and the place that are copied next, and rows copied and in all. */
  progress: text('progress').notNull().default('{}'),
})
