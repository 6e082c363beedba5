// Reads the request's own key.
import { sql } from 'drizzle-orm'
import { param, runBatch, statement } from '../../database/database.ts'
import type { Scope } from '../scope.ts'
import { grantedKey, type KeyAccess } from './rights.ts'
import { apiKeys, campaigns, companies } from './tables.ts'

const ownKey = statement(sql`select ${apiKeys.id}, ${apiKeys.name}, ${apiKeys.scope},
    ${campaigns.id} as "campaignId", ${apiKeys.createdAtMs} as "createdAtMs",
    ${apiKeys.expiresAtMs} as "expiresAtMs", ${companies.id} as "companyId", ${companies.name} as "companyName"
  from ${grantedKey('look')} as granted join ${apiKeys} on ${apiKeys.id} = ${param('keyId')}
  join ${companies} on ${companies.id} = granted.company_id
  left join ${campaigns} on ${campaigns.number} = granted.campaign_number`)

export type OwnKey = {
  readonly id: string
  readonly name: string
  readonly scope: Scope
  /** Null: the key is company-wide. */
  readonly campaignId: string | null
  readonly createdAtMs: number
  readonly expiresAtMs: number | null
  readonly companyId: string
  readonly companyName: string
}

/** Throws DatabaseUnavailable. */
export async function findOwnKey(
  db: D1Database,
  access: KeyAccess,
): Promise<{ readonly kind: 'key_refused' } | { readonly kind: 'found'; readonly key: OwnKey }> {
  const { rows } = await runBatch(db, [ownKey(db, access)])
  const [key] = rows[0] as [OwnKey?]
  return key === undefined ? { kind: 'key_refused' } : { kind: 'found', key }
}
