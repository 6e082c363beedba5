// The tables of companies, campaigns and API keys. In every table, times are Unix milliseconds bound from JavaScript,
// never from the database's clock. `npm run db:generate` derives migrations from the files named tables.
import { type SQL, sql } from 'drizzle-orm'
import {
  check,
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'
import { storeFrozen, storeMoved } from '../../database/database.ts'
import { keyScopes, memberScopes } from '../scope.ts'

export const companies = sqliteTable(
  'companies',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    /** Since when a webhook or client reads the company's log. Null: never, so leads and calls are not logged. */
    listensSinceMs: integer('listens_since_ms'),
    /** JSON of `[epoch, firstNumber, restoredToMs]`, in order: the log's epochs since restores. */
    logEpochs: text('log_epochs').notNull().default('[]'),
    /** The name of the company's own store (base/database/company-store.ts). Null: D1. Only a move changes it. */
    store: text('store'),
    /** Since when a move has frozen it: nothing writes to the company until the move has ended. Null: no move. */
    frozenAtMs: integer('frozen_at_ms'),
    /** How many campaigns it may have, archived ones included. Null: limits.campaignsPerCompany. */
    maxCampaigns: integer('max_campaigns'),
    /** For so many years after its giving and its last use a consent is kept. Null: limits.consentYears. */
    consentYears: integer('consent_years'),
    /** What the request with an Idempotency-Key has that created it: a digest of that key, then one of the request. */
    requestToken: text('request_token'),
  },
  (t) => [
    // So that the cron looks for nothing where no company has a store of its own, and none moves.
    index('companies_store').on(t.store).where(sql`${t.store} is not null`),
    index('companies_frozen').on(t.frozenAtMs).where(sql`${t.frozenAtMs} is not null`),
    index('companies_request').on(t.requestToken).where(sql`${t.requestToken} is not null`),
  ],
)

/** For a table of companies' rows. */
export const companyColumn = () =>
  text('company_id')
    .notNull()
    .references(() => companies.id)

/** In D1 alone: keys of the operator, who may act on every company (endpoints with the right `operate`). */
export const operatorKeys = sqliteTable('operator_keys', {
  id: text('id').primaryKey(),
  /** Lower-case hexadecimal SHA-256 of the key. The key itself is never stored. */
  hash: text('hash').notNull().unique(),
  hint: text('hint').notNull(),
  createdAtMs: integer('created_at_ms').notNull(),
  /** A year later. */
  expiresAtMs: integer('expires_at_ms').notNull(),
  revokedAtMs: integer('revoked_at_ms'),
})

/** In D1 alone: where the key of a company with a store of its own is looked up. Grants nothing. Without rowid. */
export const storeKeys = sqliteTable(
  'store_keys',
  {
    hash: text('hash').primaryKey(),
    keyId: text('key_id').notNull(),
    companyId: companyColumn(),
    /** Every look-up refuses it from then on. Its store has the truth. */
    revokedAtMs: integer('revoked_at_ms'),
    /** When a session ends at the latest. Null: it is a key. */
    sessionEndsAtMs: integer('session_ends_at_ms'),
  },
  (t) => [
    index('store_keys_key').on(t.keyId),
    index('store_keys_sessions').on(t.sessionEndsAtMs).where(sql`${t.sessionEndsAtMs} is not null`),
  ],
)

/** In D1 alone: of which companies the person with an e-mail address may be a member. Grants nothing. Without rowid. */
export const memberDirectory = sqliteTable(
  'member_directory',
  {
    /**
     * A keyed hash (control/members/email.ts): D1 does not have the addresses of companies with a store of their own.
     */
    emailHash: text('email_hash').notNull(),
    memberId: text('member_id').notNull(),
    companyId: companyColumn(),
  },
  (t) => [
    primaryKey({ columns: [t.emailHash, t.memberId] }),
    index('member_directory_company').on(t.companyId, t.memberId),
  ],
)

/** In D1 alone, one row: the last number of a campaign of any store. */
export const campaignNumbers = sqliteTable('campaign_numbers', {
  id: integer('id').primaryKey(),
  last: integer('last').notNull(),
})

/** A lead's place holds its campaign's number in 21 bits. */
export const maxCampaignNumber = sql.raw(`${2 ** 21 - 1}`)

export const campaigns = sqliteTable(
  'campaigns',
  {
    number: integer('number').primaryKey(),
    /** Unique within the company: two customers may both have `spring` (D39). */
    id: text('id').notNull(),
    companyId: companyColumn(),
    name: text('name').notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    /** Null: not archived. An archived campaign gives no calls and takes no new leads. */
    archivedAtMs: integer('archived_at_ms'),
  },
  (t) => [
    uniqueIndex('campaigns_company_id').on(t.companyId, t.id),
    // The target of api_keys' foreign key, and what lists a company's campaigns.
    uniqueIndex('campaigns_company').on(t.companyId, t.number),
    // List the one kind without reading the other. SQLite prefers the later of equal indexes, so they come last.
    index('campaigns_current').on(t.companyId, t.number).where(sql`${t.archivedAtMs} is null`),
    index('campaigns_archived').on(t.companyId, t.number).where(sql`${t.archivedAtMs} is not null`),
    check('campaigns_number', sql`${t.number} between 1 and ${maxCampaignNumber}`),
  ],
)

export const campaignColumn = () =>
  integer('campaign_number')
    .notNull()
    .references(() => campaigns.number)

export const apiKeys = sqliteTable(
  'api_keys',
  {
    id: text('id').primaryKey(),
    companyId: companyColumn(),
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
    /** The id of an API key, a member or an operator's key, or `operator`; null: unknown. */
    createdBy: text('created_by'),
    /** The token of the request with an Idempotency-Key that created it; its id follows from that key. */
    requestToken: text('request_token'),
    /** The key whose rotation made it; null: none. */
    successorOf: text('successor_of'),
    /** 0: as always. 1: a move has frozen the company: the key may only read. 2: the company is in another store. */
    frozen: integer('frozen').notNull().default(0),
    /** 1: a campaign's dialer works with it, and nobody has the key itself. */
    isDialer: integer('is_dialer').notNull().default(0),
    /** The source that works with it, and nobody has the key itself. Null: none does. */
    sourceId: text('source_id'),
    /** The member whose session it is. Null: it is a key. */
    memberId: text('member_id'),
  },
  (t) => [
    // A campaign-scoped key can only name a campaign of its own company.
    foreignKey({
      columns: [t.companyId, t.campaignNumber],
      foreignColumns: [campaigns.companyId, campaigns.number],
    }),
    index('api_keys_company').on(t.companyId, t.createdAtMs),
    index('api_keys_created_by').on(t.createdBy).where(sql`${t.createdBy} is not null`),
    index('api_keys_successor_of').on(t.successorOf).where(sql`${t.successorOf} is not null`),
    index('api_keys_source').on(t.sourceId).where(sql`${t.sourceId} is not null`),
    index('api_keys_member').on(t.memberId, t.createdAtMs).where(sql`${t.memberId} is not null`),
    index('api_keys_sessions').on(t.expiresAtMs).where(sql`${t.memberId} is not null`),
    check(
      'api_keys_scope',
      sql`${t.scope} in (${sql.raw(keyScopes.map((scope) => `'${scope}'`).join(', '))})`,
    ),
  ],
)

/** Nobody has the key itself: it is a dialer's or a source's. `key` is the table or an alias. */
export const isOfService = (key: SQL) => sql`(${key}.is_dialer or ${key}.source_id is not null)`

/** People who sign in to the console. One who was removed stays, so that a restore does not bring him back. */
export const members = sqliteTable(
  'members',
  {
    id: text('id').primaryKey(),
    companyId: companyColumn(),
    /** Null: of the whole company. */
    campaignNumber: integer('campaign_number'),
    /** In lower case. Null, as is the name: forgotten. */
    email: text('email'),
    name: text('name'),
    scope: text('scope', { enum: memberScopes }).notNull(),
    createdAtMs: integer('created_at_ms').notNull(),
    createdBy: text('created_by').notNull(),
    /** When his scope or campaign was last changed. */
    changedAtMs: integer('changed_at_ms'),
    /** When he last signed in. */
    signedInAtMs: integer('signed_in_at_ms'),
    removedAtMs: integer('removed_at_ms'),
    /** When his e-mail address and name were forgotten. */
    erasedAtMs: integer('erased_at_ms'),
  },
  (t) => [
    foreignKey({
      columns: [t.companyId, t.campaignNumber],
      foreignColumns: [campaigns.companyId, campaigns.number],
    }),
    uniqueIndex('members_email').on(t.companyId, t.email).where(sql`${t.removedAtMs} is null`),
    index('members_created_by').on(t.createdBy),
    check('members_scope', sql`${t.scope} in ('read', 'write', 'manage')`),
  ],
)

/** When a key ends: it is active while that is later than now. 0: it is revoked. `key` is the table or an alias. */
export const keyEndsAtMs = (key: SQL) =>
  sql`iif(${key}.revoked_at_ms is null and ${key}.frozen < 2, ifnull(${key}.expires_at_ms, 9e15), 0)`
/** Raises `reason` as an SQL error, which saves a second query. */
export const refuseAs = (reason: SQL) => sql`json_extract('{}', ${reason})`
export const moved = sql.raw(`'${storeMoved}'`)
export const frozen = sql.raw(`'${storeFrozen}'`)

/** A condition on `frozen` of a view: it fails while a move has frozen the company, and once it is elsewhere. */
export const mayWrite = sql`iif(frozen = 0, 1, ${refuseAs(sql`iif(frozen = 1, ${frozen}, ${moved})`)})`

/** The same for the operator, of a row of companies: in a store of its own the company's row names no store. */
export const isHere = sql`iif(${companies.store} is null, 1, ${refuseAs(moved)})`
export const mayOperate = sql`${isHere} and iif(${companies.frozenAtMs} is null, 1, ${refuseAs(frozen)})`

/** A campaign of the key's company, and the key's own where it has one. */
export const isOfKey = sql`${campaigns.companyId} = ${apiKeys.companyId}
  and (${apiKeys.campaignNumber} is null or ${apiKeys.campaignNumber} = ${campaigns.number})`

/** Use of each key, one row for each hour and each code of an answer. Without rowid (see the migration). */
export const keyHours = sqliteTable(
  'key_hours',
  {
    keyId: text('key_id').notNull(),
    /** Hours since 1970 in UTC. */
    hour: integer('hour').notNull(),
    /** `X-Error-Code`; empty for a success. */
    code: text('code').notNull(),
    requests: integer('requests').notNull(),
    lastUsedAtMs: integer('last_used_at_ms').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.keyId, t.hour, t.code] }),
    // Which keys were used in an hour.
    index('key_hours_hour').on(t.hour),
  ],
)
