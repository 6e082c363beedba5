// The tables of alerts: what is wrong now, and how far the search for it has come. Alerts are without rowid (see the
// migration).
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { companyColumn } from '../../../base/access/store/tables.ts'

export const alerts = sqliteTable(
  'alerts',
  {
    companyId: companyColumn(),
    /** An AlertKind (../alert-kinds.ts). */
    kind: text('kind').notNull(),
    /** 0: about the company. */
    campaignNumber: integer('campaign_number').notNull(),
    /** The id of a webhook or key, or the name of an agent; empty: the campaign itself. */
    subject: text('subject').notNull(),
    sinceMs: integer('since_ms').notNull(),
    /** Null: only noted, because an agent called a short time ago. Nobody sees it. */
    raisedAtMs: integer('raised_at_ms'),
    /** Calls that were counted from the hour of `since_ms` on: more of them mean that an agent is back. */
    callsCounted: integer('calls_counted').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.kind, t.campaignNumber, t.companyId, t.subject] })],
)

/** One row: the last campaign that the cron has looked at. */
export const alertCursor = sqliteTable('alert_cursor', {
  id: integer('id').primaryKey(),
  campaignNumber: integer('campaign_number').notNull(),
})
