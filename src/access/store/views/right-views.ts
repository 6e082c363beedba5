// The views that check a right, as statements name them. tables.ts defines them, for migrations alone: a view of Drizzle
// brings its query builder into the Worker.
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { keyScopes } from '../../scope.ts'

export const keyRightsColumns = {
  id: text('id').notNull(),
  companyId: text('company_id').notNull(),
  campaignNumber: integer('campaign_number'),
  scope: text('scope', { enum: keyScopes }).notNull(),
  expiresAtMs: integer('expires_at_ms'),
  endsAtMs: integer('ends_at_ms').notNull(),
  frozen: integer('frozen').notNull(),
}

/**
 * Each key with its end. What checks a right reads this view or the next one (rights.ts). Once the company is elsewhere,
 * what asks for the end fails.
 */
export const keyRights = sqliteTable('key_rights', keyRightsColumns)

export const campaignRightsColumns = {
  keyId: text('key_id').notNull(),
  scope: text('scope', { enum: keyScopes }).notNull(),
  endsAtMs: integer('ends_at_ms').notNull(),
  number: integer('number').notNull(),
  id: text('id').notNull(),
  companyId: text('company_id').notNull(),
  archivedAtMs: integer('archived_at_ms'),
  frozen: integer('frozen').notNull(),
}

/** Each key with each campaign that it reaches. */
export const campaignRights = sqliteTable('campaign_rights', campaignRightsColumns)
