// The tables of companies with a store of their own. Only those in D1 are used; every store has them, because the
// migrations are the same.
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { companies, companyColumn } from '../../access/store/tables.ts'

/** What the operator wants of a store that the command line cannot reach: the store carries it out within a minute. */
export const operatorRequests = sqliteTable(
  'operator_requests',
  {
    id: text('id').primaryKey(),
    companyId: companyColumn(),
    /** An OperatorRequest's kind. */
    kind: text('kind').notNull(),
    /** JSON of the rest of it. Holds a key's hash and hint, never the key. */
    data: text('data').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    /** Null: not yet. */
    doneAtMs: integer('done_at_ms'),
    /** JSON of what the store returned. */
    result: text('result'),
  },
  (t) => [index('operator_requests_pending').on(t.companyId).where(sql`${t.doneAtMs} is null`)],
)

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
