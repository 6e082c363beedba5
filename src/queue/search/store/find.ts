// Finds leads by the search index, in statements that check the key's right: first those with the number, the external
// id or the whole words, then those with words that begin so. The index is read newest first, and each lead of it
// decides whether it matches, whose it is and whether the filters hold. A page reads some thousand rows at most,
// however many leads there are and match: where few of those in the index match, it is short, and the next one
// continues.
import { type SQL, sql } from 'drizzle-orm'
import {
  accessVerdict,
  grantedKey,
  isRefused,
  type KeyAccess,
  type KeyNames,
  type Refusal,
  refusalOf,
} from '../../../base/access/store/rights.ts'
import { campaigns } from '../../../base/access/store/tables.ts'
import { DatabaseUnavailable, number, param, runBatch, statement } from '../../../base/database/database.ts'
import { isSuppressed } from '../../../base/ledger/suppression/numbers.ts'
import type { LeadStatus, LeadWithMore } from '../../leads/lead.ts'
import { hasOrigin, originJson } from '../../leads/origin/store/origin-sql.ts'
import { readSearch, wordsPerSearch } from '../../leads/search-words.ts'
import { dueAt, isErased, lastOutcomeIn, leadJson, placesOf } from '../../leads/store/row.ts'
import { indexedLeads, isIndexWhole } from '../../leads/store/search-index.ts'
import { leads } from '../../leads/store/tables.ts'

/**
 * Leads of the index that a page looks at. Each may cost four rows, with its call and the look for the last of them.
 */
const lookedAtPerPage = 200

/** `number` is the campaign, or null: all of the company. */
const key = sql`select granted.company_id,
    iif(${param('campaignId')} is null, granted.campaign_number, asked.number) as number,
    ${param('campaignId')} is not null and asked.number is null as is_denied
  from ${grantedKey('read')} as granted left join ${accessVerdict('read')} as asked on true`

/** The key's, read once: D1 counts the rows of `key` each time that a row of another table is joined to it. */
const companyId = sql`(select company_id from key)`
const { before, last } = placesOf(sql`number`)
const afterSeq = sql`(select coalesce(${before}, 0) from key)`
/** 0, not null, when nothing is granted: FTS5 ignores a null bound. */
const beforeSeq = sql`cast(${param('beforeSeq')} as integer)`
const endSeq = sql`coalesce((select iif(is_denied, 0, min(${beforeSeq}, coalesce(${last} + 1, ${beforeSeq})))
  from key), 0)`

const newest = (limit: SQL) => indexedLeads(sql`${param('match')}`, afterSeq, endSeq, limit)

/** Its own, or one in its metadata. */
const isNumber = sql`(${param('digits')} is not null
  and (substr(${leads.phoneNumber}, -length(${param('digits')})) = ${param('digits')}
    or coalesce(instr(' ' || ${leads.words}, ${param('numberStart')}), 0)))`
/** SQLite itself knows the case of ASCII letters only. */
const isExternalId = sql`${leads.externalWord} is ${param('externalWord')}`
/** Not by json_each: D1 counts its rows. */
const hasWords = (words: SQL) =>
  sql`(${words} <> '[]' and ${leads.words} is not null and ${sql.join(
    Array.from(
      { length: wordsPerSearch },
      (_, place) => sql`coalesce(instr(' ' || ${leads.words} || ' ', ${words} ->> ${number(place)}), 1)`,
    ),
    sql` and `,
  )})`
const isWhole = sql`(${isNumber} or ${isExternalId} or ${hasWords(sql`${param('wholeWords')}`)})`
/** Placeholder `startWords`: null while those with whole words are looked for. */
const isWanted = sql`iif(${param('startWords')} is null, ${isWhole},
  ${hasWords(sql`${param('startWords')}`)} and not ${isWhole})`

const lastOutcome = lastOutcomeIn(companyId)
const isListed = isSuppressed(companyId, sql`${leads.phoneNumber}`, sql`campaigns.number`)

const matches = sql`select null, null, ${leads.seq}, ${leads.createdAtMs}, ${lastOutcome}, ${dueAt},
    ${isListed}, ${leadJson(sql`campaigns.id`)},
    iif(${param('withOrigin')}, ${originJson(sql`${leads.origin}`, sql`${leads.importName}`)}, null)
  from (${newest(sql`${param('lookedAt')}`)}) as hit
  cross join ${leads} on ${leads.seq} = hit.seq
  cross join ${campaigns} on ${campaigns.number} = ${leads.campaignNumber}
    and ${campaigns.companyId} = ${companyId}
  where not ${isErased}
    and ${isWanted}
    and (${param('status')} is null or ${leads.status} = ${param('status')})
    and ${hasOrigin(sql`${leads.origin}`)}
    and (${param('outcome')} is null or ${lastOutcome} = ${param('outcome')})`

/** Where a page that is not full ends, when it has looked at as many as it may. Read only then. */
const horizon = sql`select null, null, hit.seq, null, null, null, null, null, null
  from (${newest(sql`1 offset ${param('lookedAt')} - 1`)}) as hit`

type SearchNames =
  | KeyNames
  | 'campaignId'
  | 'status'
  | 'outcome'
  | 'origin'
  | 'withOrigin'
  | 'beforeSeq'
  | 'maxLeads'
  | 'digits'
  | 'numberStart'
  | 'externalWord'
  | 'match'
  | 'wholeWords'
  | 'startWords'
  | 'lookedAt'

const search = statement<SearchNames>(sql`with key as materialized (${key})
  select iif(key.is_denied, null, 1) as number, ${isIndexWhole} as "isWhole", null as seq, null as "createdAtMs",
    null as "lastOutcome", null as "dueAtMs", null as "isListed", null as json,
    null as origin
  from key
  union all
  select * from (select * from (${matches}) union all select * from (${horizon}) limit ${param('maxLeads')} + 1)`)

export type Search = {
  readonly q: string
  /** Null: all campaigns of the key. */
  readonly campaignId: string | null
  readonly status: LeadStatus | null
  readonly outcome: string | null
  /** A value of filterOf (leads/origin/origin.ts). */
  readonly origin: string | null
  /** Also reads where each lead came from. */
  readonly withOrigin: boolean
}

/** Where a page begins: among the leads with the whole words, or among those whose words begin so. */
export type SearchPlace = { readonly beforeSeq: number; readonly isOfStarts: boolean }

export const searchBegin: SearchPlace = { beforeSeq: Number.MAX_SAFE_INTEGER, isOfStarts: false }
const startsBegin: SearchPlace = { ...searchBegin, isOfStarts: true }

type SearchResult =
  | Refusal
  | {
      readonly kind: 'found'
      /** Those with the whole words first; newest first. */
      readonly leads: readonly LeadWithMore[]
      /** Where the next page begins; null on the last page. */
      readonly end: SearchPlace | null
    }

/** Before all leads, which are empty when the key is refused. */
type VerdictRow = { readonly number: number | null; readonly isWhole: number }
/** Without `json`: the horizon. */
type FoundRow = LeadWithMore & { readonly seq: number; readonly createdAtMs: number }

/** Finds what `q` stands for, at most so many. Throws DatabaseUnavailable, also while the index is not whole. */
export async function findLeads(
  db: D1Database,
  access: KeyAccess,
  { q, withOrigin, ...filter }: Search,
  place: SearchPlace,
  maxLeads: number,
): Promise<SearchResult> {
  const { whole, starts, ...wanted } = readSearch(access.companyId, q)
  const both = {
    ...access,
    ...filter,
    ...wanted,
    wholeWords: whole.words,
    maxLeads,
    withOrigin: withOrigin ? 1 : 0,
  }
  const { beforeSeq, isOfStarts } = place
  // Two looks share what a page may look at.
  const isTwo = !isOfStarts && starts !== null
  const lookedAt = isTwo ? lookedAtPerPage / 2 : lookedAtPerPage
  const ofWhole = { ...both, lookedAt, beforeSeq, match: whole.match, startWords: null }
  const ofStarts = starts && {
    ...both,
    lookedAt,
    beforeSeq: isTwo ? startsBegin.beforeSeq : beforeSeq,
    match: starts.match,
    startWords: starts.words,
  }
  const looks = [...(isOfStarts ? [] : [ofWhole]), ...(ofStarts ? [ofStarts] : [])]
  const { rows } = await runBatch(
    db,
    looks.map((look) => search(db, look)),
  )
  const [verdict] = (rows[0] ?? []) as readonly VerdictRow[]
  if (isRefused(verdict)) return refusalOf(verdict)
  if (verdict.isWhole !== 1) throw new DatabaseUnavailable('search is off')
  const found = rows.map((each) => each.slice(1) as readonly FoundRow[])
  const first = pageOf(found[0] ?? [], maxLeads, isOfStarts)
  if (!isTwo || first.end !== null) return { kind: 'found', ...first }
  const left = maxLeads - first.leads.length
  const second = pageOf(found[1] ?? [], left, true)
  return { kind: 'found', leads: [...first.leads, ...second.leads], end: second.end }
}

/** At most so many of the rows that a look has found. */
function pageOf(found: readonly FoundRow[], maxLeads: number, isOfStarts: boolean) {
  const leads = found.slice(0, maxLeads).filter(({ json }) => json !== null)
  const hasMore = found.length > leads.length
  const horizon = found.find(({ json }) => json === null)
  const endSeq = horizon !== undefined && leads.length === found.length - 1 ? horizon.seq : leads.at(-1)?.seq
  // Places are in the order of time within a campaign only.
  const newestFirst = leads.toSorted((a, b) => b.createdAtMs - a.createdAtMs || b.seq - a.seq)
  const end = hasMore ? { beforeSeq: endSeq ?? startsBegin.beforeSeq, isOfStarts } : null
  return { leads: newestFirst, end }
}
