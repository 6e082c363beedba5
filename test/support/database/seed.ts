// The rows that tests start with, spelled once for every database they have: statements that put in any number of
// companies, campaigns, API keys and leads. Who needs which is decided elsewhere.
import { hashApiKey, hintApiKey } from '../../../src/base/access/api-key.ts'
import type { Scope } from '../../../src/base/access/scope.ts'

export function insertCompanies(db: D1Database, ids: readonly string[]): D1PreparedStatement {
  return db
    .prepare(
      `insert into companies (id, name, created_at_ms) select value, value, 0 from json_each(?1) order by key`,
    )
    .bind(JSON.stringify(ids))
}

/**
 * Campaigns that the service creates in a store of its own have numbers from here on, and seeded ones lower numbers.
 */
export const firstReservedNumber = 2 ** 20

/** SQL: a seeded campaign takes a number after this one. */
export const lastSeededNumber = `(select coalesce(max(number), 0) from campaigns where number < ${firstReservedNumber})`

/** Returns `number` of each. In an empty database they count from 1. */
export function insertCampaigns(
  db: D1Database,
  companyId: string,
  ids: readonly string[],
): D1PreparedStatement {
  return db
    .prepare(
      `insert into campaigns (number, id, company_id, name, created_at_ms)
       select item.key + 1 + ${lastSeededNumber}, item.value, ?1, item.value, 0
       from json_each(?2) as item where true order by item.key returning number`,
    )
    .bind(companyId, JSON.stringify(ids))
}

export type SeededKey = {
  readonly id: string
  readonly key: string
  readonly companyId: string
  /** Company-wide, unless given. */
  readonly campaignNumber?: number | undefined
  readonly scope?: Scope | undefined
  readonly expiresAtMs?: number | undefined
  readonly revokedAtMs?: number | undefined
}

/** Write keys, unless given. */
export function insertKeys(db: D1Database, keys: readonly SeededKey[]): D1PreparedStatement {
  const rows = keys.map(({ key, scope = 'write', ...row }) => ({
    ...row,
    scope,
    hash: hashApiKey(key),
    hint: hintApiKey(key),
  }))
  return db
    .prepare(
      `insert into api_keys
         (id, company_id, campaign_number, scope, name, hash, hint, created_at_ms, expires_at_ms, revoked_at_ms)
       select value ->> 'id', value ->> 'companyId', value ->> 'campaignNumber', value ->> 'scope', value ->> 'id',
         value ->> 'hash', value ->> 'hint', 0, value ->> 'expiresAtMs', value ->> 'revokedAtMs'
       from json_each(?1)`,
    )
    .bind(JSON.stringify(rows))
}

export type SeededLead = {
  readonly phoneNumber: string
  readonly status?: string
  readonly attempts?: number
  readonly token?: string
}

/** Leads as other parts of the product would leave them, after those that are there. Returns `seq` of each. */
export function insertLeads(
  db: D1Database,
  campaignNumber: number,
  leads: readonly SeededLead[],
): D1PreparedStatement {
  return db
    .prepare(
      `insert into leads (seq, campaign_number, phone_number, status, attempts, created_at_ms, token, due_at_ms)
       select item.key + 1 + coalesce(
           (select max(seq) from leads where seq between ?1 << 32 and ((?1 + 1) << 32) - 1), ?1 << 32),
         ?1, item.value ->> 'phoneNumber', coalesce(item.value ->> 'status', 'raw'),
         coalesce(item.value ->> 'attempts', 0), 0, coalesce(item.value ->> 'token', 'seededlead0'),
         iif(item.value ->> 'status' in ('concluded', 'exhausted'), null, 0)
       from json_each(?2) as item where true returning seq`,
    )
    .bind(campaignNumber, JSON.stringify(leads))
}

/**
 * Leads by the million, made inside an empty campaign: phone numbers begin with +9. `from` counts from 1. `place` has
 * SQL of a lead's number `i`.
 */
export function insertLeadSeries(
  db: D1Database,
  campaignNumber: number,
  from: number,
  to: number,
  { priority, dueAtMs }: { readonly priority: string; readonly dueAtMs: string } = seriesPlace,
): D1PreparedStatement {
  return db.prepare(
    `insert into leads
       (seq, campaign_number, phone_number, external_id, metadata, priority, created_at_ms, token,
        queue_rank, due_at_ms)
     with recursive n(i) as (select ${from} union all select i + 1 from n where i < ${to})
     select (${campaignNumber} << 32) + i, ${campaignNumber}, '+9' || printf('%010d', (i * 7654321) % 10000000000),
       'crm-' || i,
       json_object('name', hex(randomblob(8)), 'company', hex(randomblob(12)), 'notes', hex(randomblob(50))),
       ${priority}, 1760000000000 + i, 'seededlead0', ${priority}, ${dueAtMs}
     from n`,
  )
}

const seriesPlace = { priority: 'i % 101', dueAtMs: '1760000000000 + i' }

/** Another of the same form: its last character is one that it was not. */
export const mistyped = (id: string) => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')

let numbers = Math.floor(Math.random() * 1e9)

/** A phone number that nobody else has. */
export function newPhone(): string {
  return `+49${String(1e10 + ++numbers)}`
}

export function newPhones(count: number): string[] {
  return Array.from({ length: count }, newPhone)
}
