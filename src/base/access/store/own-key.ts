// Reads the request's own key.
import { sql } from 'drizzle-orm'
import { number, param, readRows, statement } from '../../database/database.ts'
import { limits } from '../../limits.ts'
import { type KeyRecord, keyColumns } from './key-hours.ts'
import { grantedKey, type KeyAccess, type KeyNames } from './rights.ts'
import { apiKeys, campaigns, companies, members } from './tables.ts'

const ownKey = statement<KeyNames>(sql`select ${keyColumns}, ${companies.name} as "companyName",
    coalesce(${companies.consentYears}, ${number(limits.consentYears)}) as "consentYears",
    ${members.id} as "memberId", ${members.email}, ${members.name} as "memberName"
  from ${grantedKey('look')} as granted
  join ${apiKeys} on ${apiKeys.id} = ${param('keyId')}
  join ${companies} on ${companies.id} = granted.company_id
  left join ${campaigns} on ${campaigns.number} = granted.campaign_number
  left join ${members} on ${members.id} = ${apiKeys.memberId}`)

export type OwnKey = Omit<KeyRecord, 'hint' | 'revokedAtMs' | 'createdBy'> & {
  readonly companyName: string
  /** For so long its consents are kept. */
  readonly consentYears: number
  /** The member whose session it is; null: it is a key. */
  readonly memberId: string | null
  readonly email: string | null
  readonly memberName: string | null
}

/** Throws DatabaseUnavailable. */
export async function findOwnKey(
  db: D1Database,
  access: KeyAccess,
): Promise<{ readonly kind: 'key_refused' } | { readonly kind: 'found'; readonly key: OwnKey }> {
  const [key] = await readRows<OwnKey>(db, ownKey(db, access))
  return key === undefined ? { kind: 'key_refused' } : { kind: 'found', key }
}
