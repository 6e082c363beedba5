// The table of sources: what a manager set, and what the last posts were like. A removed one keeps its row for as long
// as a restore reaches back, so that its URL does not come back to life.
import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { campaignColumn, companyColumn } from '../../../base/access/store/tables.ts'

export const sources = sqliteTable(
  'sources',
  {
    id: text('id').primaryKey(),
    companyId: companyColumn(),
    campaignNumber: campaignColumn(),
    /** The key with which it stores leads. Once that is revoked, the source is disabled. */
    keyId: text('key_id').notNull(),
    name: text('name').notNull(),
    /** JSON of an array. */
    countries: text('countries').notNull(),
    /** Null, or no longer among them: the first one. Empty: none, so each reads national numbers. */
    nationalCountry: text('national_country'),
    /** JSON of an object. */
    timeZones: text('time_zones').notNull().default('{}'),
    /** Since when leads are called by the campaign's clock because nobody has said whose counts. */
    clockAskedAtMs: integer('clock_asked_at_ms'),
    /** JSON of an object of names; null: never taken. */
    fields: text('fields').notNull(),
    /** JSON of an array. */
    ignored: text('ignored').notNull(),
    /** JSON of an array. With a default, as the version before leaves it out; so has the next one. */
    notDoNotCall: text('not_do_not_call').notNull().default('[]'),
    permissions: text('permissions', { enum: ['keep', 'suppress'] })
      .notNull()
      .default('keep'),
    /** JSON of an object; null: none. */
    consent: text('consent'),
    onExisting: text('on_existing', { enum: ['keep', 'requeue'] }).notNull(),
    redirectUrl: text('redirect_url'),
    /** Encrypted for this source (src/channels/dialers/dialer-secrets.ts). */
    sealedSecrets: text('sealed_secrets'),
    isEnabled: integer('is_enabled').notNull(),
    /** The version of the URL: it rises with each rotation. */
    version: integer('version').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    changedAtMs: integer('changed_at_ms').notNull(),
    removedAtMs: integer('removed_at_ms'),
    /** JSON of an array: names of a post. */
    lastNames: text('last_names'),
    namesAtMs: integer('names_at_ms'),
    /** JSON of `{code, message}`. */
    lastProblem: text('last_problem'),
    problemAtMs: integer('problem_at_ms'),
  },
  (t) => [
    index('sources_campaign').on(t.campaignNumber),
    index('sources_clock_asked').on(t.clockAskedAtMs).where(sql`${t.clockAskedAtMs} is not null`),
  ],
)
