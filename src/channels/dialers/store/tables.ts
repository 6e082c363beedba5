// The table of dialers: what a manager set, and the object's last reported state, for alerts.
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { campaigns, companyColumn } from '../../../base/access/store/tables.ts'

/** One for each campaign that has a dialer. Whether it is enabled is in the campaign's settings. */
export const dialers = sqliteTable('dialers', {
  campaignNumber: integer('campaign_number')
    .primaryKey()
    .references(() => campaigns.number),
  companyId: companyColumn(),
  /** The key with which it claims and reports. */
  keyId: text('key_id').notNull(),
  maxLive: integer('max_live').notNull(),
  preset: text('preset').notNull(),
  /** JSON; null: the preset's own. */
  template: text('template'),
  /** JSON of an object of texts. */
  variables: text('variables').notNull(),
  /** Encrypted for this campaign and template (../dialer-secrets.ts). */
  sealedSecrets: text('sealed_secrets').notNull(),
  /** The host of the request that last wrote it: where nudges arrive. */
  origin: text('origin').notNull(),
  /** Rises with each change, from which on the object rests and stops no longer. */
  version: integer('version').notNull(),
  changedAtMs: integer('changed_at_ms').notNull(),
  /** Since when it is removed, and only follows the calls that it has started. Null: it is not. */
  removedAtMs: integer('removed_at_ms'),
  /** Null: it has not stopped by itself, or was changed since. */
  stoppedReason: text('stopped_reason'),
  stoppedAtMs: integer('stopped_at_ms'),
  /** Null: it does not rest. */
  restingReason: text('resting_reason'),
  restingSinceMs: integer('resting_since_ms'),
  /** The last end of a call that its template has no outcome for. Null: none. */
  unmappedReason: text('unmapped_reason'),
  unmappedAtMs: integer('unmapped_at_ms'),
  /** The last error for which a call was set aside. Null: none. */
  failingReason: text('failing_reason'),
  failingAtMs: integer('failing_at_ms'),
  /** Since when none of its calls with talk was understood. Null: some were, or there were few. */
  deafSinceMs: integer('deaf_since_ms'),
})
