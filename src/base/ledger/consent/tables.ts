// The tables of consents, of their texts, and of what was said about a number since: withdrawals, suppressions,
// removals of these, and erasures. All are without rowid (see the migration), so that a row costs one row written.
// Nothing in them is ever changed, except what an erasure takes out, and the time of a no that is said again.
import { integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { companyColumn } from '../../access/store/tables.ts'

/** Two rows written for each: the table, and the index by id. */
export const consents = sqliteTable(
  'consents',
  {
    companyId: companyColumn(),
    /** Once the number's last lead is gone: the hash of the number (../suppression/number-hash.ts). */
    phoneNumber: text('phone_number').notNull(),
    purpose: text('purpose').notNull(),
    givenAtMs: integer('given_at_ms').notNull(),
    /** Begins with the time of its giving. */
    id: text('id').notNull(),
    /**
     * The hash of the number: an erasure before may have left a withdrawal under it. Null: not hashed, or hashed above.
     */
    numberHash: text('number_hash'),
    /** HMAC of number and content: the same consent again is the same record. Null after an erasure. */
    contentHmac: text('content_hmac'),
    expiresAtMs: integer('expires_at_ms'),
    /** Lower-case hexadecimal. The text is in consent_texts, if it was sent. */
    textSha256: text('text_sha256'),
    /**
     * The campaign whose lead or key brought the text; 0: a key of the company. Null: the text was not sent with it.
     */
    textCampaignNumber: integer('text_campaign_number'),
    sourceUrl: text('source_url'),
    ip: text('ip'),
    userAgent: text('user_agent'),
    certificateUrl: text('certificate_url'),
    reference: text('reference'),
    storedAtMs: integer('stored_at_ms').notNull(),
    /** When its number was replaced by the hash. Null: it is plain. */
    hashedAtMs: integer('hashed_at_ms'),
  },
  (t) => [
    primaryKey({ columns: [t.companyId, t.phoneNumber, t.purpose, t.givenAtMs, t.id] }),
    uniqueIndex('consents_id').on(t.companyId, t.id),
  ],
)

/** What people agreed to, each text once for a company. */
export const consentTexts = sqliteTable(
  'consent_texts',
  {
    companyId: companyColumn(),
    sha256: text('sha256').notNull(),
    text: text('text').notNull(),
    storedAtMs: integer('stored_at_ms').notNull(),
  },
  (t) => [primaryKey({ columns: [t.companyId, t.sha256] })],
)

/** One row written for each entry. */
export const numberLog = sqliteTable(
  'number_log',
  {
    companyId: companyColumn(),
    /** As in consents. */
    phoneNumber: text('phone_number').notNull(),
    /** `*`: consents of every purpose. Else the purpose; empty: none. */
    withdraws: text('withdraws').notNull(),
    /** Consents given until then are withdrawn. */
    atMs: integer('at_ms').notNull(),
    /** See NumberLogKind in number-log.ts. */
    kind: text('kind').notNull(),
    /** 0: of the company. */
    campaignNumber: integer('campaign_number').notNull(),
    /** An API key's id, `operator` or `system`. */
    actor: text('actor').notNull(),
    reason: text('reason'),
    storedAtMs: integer('stored_at_ms').notNull(),
    hashedAtMs: integer('hashed_at_ms'),
  },
  (t) => [
    primaryKey({
      columns: [t.companyId, t.phoneNumber, t.withdraws, t.atMs, t.kind, t.campaignNumber],
    }),
  ],
)
