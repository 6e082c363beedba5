// Reads what is known of a number's consents, and the calls that used one. SQLite writes the JSON of both.
import { type SQL, sql } from 'drizzle-orm'
import { grantedKey, type KeyAccess, type KeyNames } from '../../../base/access/store/rights.ts'
import { pageOf, param, runSteps, statement } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { consents, consentTexts, numberLog } from '../../../base/ledger/consent/tables.ts'
import { limits } from '../../../base/limits.ts'
import { callIdText } from '../../calling/store/history.ts'
import { campaignAt } from '../../leads/store/row.ts'
import { reachesNumber } from '../../leads/store/store-consents.ts'

type KeyRefused = { readonly kind: 'key_refused' }

/** JSON of members as the API has them, but times: `usedAtMs` for `usedAt`, in Unix ms. */
export type Shown = { readonly json: string }

/** Names and values of a JSON object, of `consent`, a row, with joinText. */
const membersOf = (text: SQL) => sql`'consentId', consent.id, 'purpose', consent.purpose,
  'givenAtMs', consent.given_at_ms, 'expiresAtMs', consent.expires_at_ms, 'text', ${text},
  'textSha256', consent.text_sha256, 'source', json(iif(coalesce(consent.source_url, consent.ip,
    consent.user_agent) is null,
    'null', json_object('url', consent.source_url, 'ip', consent.ip, 'userAgent', consent.user_agent))),
  'certificateUrl', consent.certificate_url, 'reference', consent.reference, 'storedAtMs', consent.stored_at_ms`
export const joinText = sql`left join ${consentTexts} as said
  on said.company_id = consent.company_id and said.sha256 = consent.text_sha256`

export const consentMembers = membersOf(sql`said.text`)

/** The newest ones, oldest first. */
const newest = (members: SQL, from: SQL, atMs: SQL) => sql`select found.json
  from (select json_object(${members}) as json, ${atMs} as at_ms from ${from}
    order by ${atMs} desc
    limit ${sql.raw(`${limits.consentsShown}`)}) as found
  order by found.at_ms`

/** `campaign_number` is 0 for a key of the company. */
const granted = sql`(select own.company_id, coalesce(own.campaign_number, 0) as campaign_number
  from ${grantedKey('read')} as own)`
const mayFind = sql`${granted} as granted
    cross join (select ${param('phoneNumber')} as number) as wanted
    on ${reachesNumber(sql`granted`, sql`wanted.number`)}`
/** Who knows the SHA-256 of another campaign's text does not learn the text. */
const textIfSeen = sql`iif(granted.campaign_number in (0, consent.text_campaign_number), said.text, null)`
const searchSteps = [
  newest(
    membersOf(textIfSeen),
    sql`${mayFind}
    cross join ${consents} as consent on consent.company_id = granted.company_id
      and consent.phone_number = wanted.number ${joinText}`,
    sql`consent.given_at_ms`,
  ),
  // What withdrew them: a withdrawal, a suppression of the company or an erasure, which stands under the number's hash.
  newest(
    sql`'purpose', nullif(said.withdraws, '*'), 'withdrawnAtMs', said.at_ms, 'kind', said.kind, 'reason', said.reason`,
    sql`${mayFind}
    cross join ${numberLog} as said on said.company_id = granted.company_id
      and said.phone_number in (wanted.number, (select max(consent.number_hash) from ${consents} as consent
        where consent.company_id = granted.company_id and consent.phone_number = wanted.number))
      and said.withdraws <> ''`,
    sql`said.at_ms`,
  ),
].map(statement<KeyNames | 'phoneNumber'>)
const keyIsGranted = statement<KeyNames>(sql`select 1 from ${granted}`)

type SearchResult =
  | KeyRefused
  | { readonly kind: 'found'; readonly consents: readonly Shown[]; readonly withdrawals: readonly Shown[] }

/** The consents of a number and its withdrawals, oldest first. Throws DatabaseUnavailable, as every function here. */
export async function findConsents(
  db: D1Database,
  access: KeyAccess,
  phoneNumber: string,
): Promise<SearchResult> {
  const { rows } = await runSteps(db, [...searchSteps, keyIsGranted], { ...access, phoneNumber })
  if (rows[2]?.length === 0) return { kind: 'key_refused' }
  return { kind: 'found', consents: rows[0] as Shown[], withdrawals: rows[1] as Shown[] }
}

const consentById = statement<KeyNames | 'consentId'>(sql`select consent.id
  from ${granted} as granted
  left join ${consents} as consent on consent.company_id = granted.company_id and consent.id = ${param('consentId')}`)

const usesOf = statement<KeyNames | 'consentId' | 'afterMs' | 'maxRows'>(sql`
  select k.claimed_at_ms as "atMs",
    json_object('callId', ${callIdText}, 'usedAtMs', k.claimed_at_ms, 'outcome', k.outcome) as json
  from ${granted} as granted
  cross join ${calls} as k on k.company_id = granted.company_id and k.consent_id = ${param('consentId')}
    and k.claimed_at_ms > ${param('afterMs')}
    and granted.campaign_number in (0, ${campaignAt(sql`k.seq`)})
  order by k.claimed_at_ms
  limit ${param('maxRows')}`)

type UsesResult =
  | KeyRefused
  | { readonly kind: 'missing' }
  | { readonly kind: 'found'; readonly uses: readonly Shown[]; readonly endMs: number | null }

/** A page of the calls that used a consent, oldest first; `endMs`: the time of the last one, where others follow. */
export async function listUses(
  db: D1Database,
  access: KeyAccess,
  consentId: string,
  { maxUses, afterMs }: { readonly maxUses: number; readonly afterMs: number },
): Promise<UsesResult> {
  const values = { ...access, consentId, afterMs, maxRows: maxUses + 1 }
  const { rows } = await runSteps(db, [consentById, usesOf], values)
  const consent = rows[0]?.[0] as { readonly id: string | null } | undefined
  if (consent === undefined) return { kind: 'key_refused' }
  if (consent.id === null) return { kind: 'missing' }
  const { page, last } = pageOf(rows[1] as (Shown & { readonly atMs: number })[], maxUses)
  return { kind: 'found', uses: page, endMs: last?.atMs ?? null }
}
