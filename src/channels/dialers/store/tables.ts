// The tables of dialers and of gates: what a manager set, and the object's last reported state, for alerts.
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

/** One for each campaign that has a gate. Its version is in the campaign's settings, where claims read it. */
export const gates = sqliteTable('gates', {
  campaignNumber: integer('campaign_number')
    .primaryKey()
    .references(() => campaigns.number),
  companyId: companyColumn(),
  /** JSON: what is asked, and which answers are a no, a later and a yes (../gate/gate.ts). */
  questions: text('questions').notNull(),
  keepHours: integer('keep_hours').notNull(),
  laterMinutes: integer('later_minutes').notNull(),
  whenSilent: text('when_silent', { enum: ['hold', 'call'] }).notNull(),
  suppress: text('suppress', { enum: ['none', 'campaign', 'company'] }).notNull(),
  /** Encrypted for this campaign and for what is asked. */
  sealedSecrets: text('sealed_secrets').notNull(),
  /** As in the campaign's settings: rises with each change of the questions. */
  version: integer('version').notNull(),
  /** Rises with each change. */
  revision: integer('revision').notNull(),
  changedAtMs: integer('changed_at_ms').notNull(),
  /** Since when it has had no answer that can be read. Null: the last one could. */
  silentSinceMs: integer('silent_since_ms'),
  /** Since when it asks no more, because most answers were a no. Null: it asks. */
  refusingSinceMs: integer('refusing_since_ms'),
  /** Answers before do not count towards that: the version began then, or somebody said to go on. */
  countsSinceMs: integer('counts_since_ms').notNull(),
})
