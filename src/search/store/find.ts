// Finds leads by the search index, in one statement that checks the key's right. The index is read newest first, and each
// lead of it decides whether it matches, whose it is and whether the filters hold. A page reads some thousand rows at most,
// however many leads there are and match: where few of those in the index match, it is short, and the next one goes on.
import { type SQL, sql } from 'drizzle-orm'
import {
  accessVerdict,
  grantedKey,
  isRefused,
  type KeyAccess,
  type KeyNames,
  type Refusal,
  refusalOf,
} from '../../access/store/rights.ts'
import { campaigns } from '../../access/store/tables.ts'
import { DatabaseUnavailable, param, runBatch, statement } from '../../database/database.ts'
import type { LeadStatus } from '../../leads/lead.ts'
import type { LeadWithCalling } from '../../leads/lead-with-calling.ts'
import { readSearch, wordsPerSearch } from '../../leads/search-words.ts'
import { dueAt, isErased, lastOutcomeIn, leadJson, placesOf } from '../../leads/store/row.ts'
import { indexedLeads, isIndexWhole } from '../../leads/store/search-index.ts'
import { leads } from '../../leads/store/tables.ts'
import { isSuppressed } from '../../ledger/suppression/numbers.ts'

/** Leads of the index that a page looks at. Each may cost four rows, with its call and the look for the last of them. */
const perPage = sql.raw('200')
const untilLast = sql.raw('1 offset 199')

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
const endSeq = sql`coalesce((select iif(is_denied, 0, min(${beforeSeq}, coalesce(${last} + 1, ${beforeSeq}))) from key), 0)`

const newest = (limit: SQL) => indexedLeads(sql`${param('match')}`, afterSeq, endSeq, limit)

const isNumber = sql`(${param('digits')} is not null
  and substr(${leads.phoneNumber}, -length(${param('digits')})) = ${param('digits')})`
/** SQLite itself knows the case of ASCII letters only. */
const isExternalId = sql`${leads.externalWord} is ${param('externalWord')}`
/** Placeholder `words`: JSON of texts, each a space and the start of a word. Not by json_each: D1 counts its rows. */
const hasWords = sql`(${param('words')} <> '[]' and ${leads.words} is not null and ${sql.join(
  Array.from(
    { length: wordsPerSearch },
    (_, place) =>
      sql`coalesce(instr(' ' || ${leads.words}, ${param('words')} ->> ${sql.raw(`${place}`)}), 1)`,
  ),
  sql` and `,
)})`

const lastOutcome = lastOutcomeIn(companyId)
const isListed = isSuppressed(companyId, sql`${leads.phoneNumber}`, sql`campaigns.number`)

const matches = sql`select null, null, ${leads.seq}, ${leads.createdAtMs}, ${lastOutcome}, ${dueAt},
    ${isListed}, ${leadJson(sql`campaigns.id`)}
  from (${newest(perPage)}) as hit
  cross join ${leads} on ${leads.seq} = hit.seq
  cross join ${campaigns} on ${campaigns.number} = ${leads.campaignNumber}
    and ${campaigns.companyId} = ${companyId}
  where not ${isErased}
    and (${isNumber} or ${isExternalId} or ${hasWords})
    and (${param('status')} is null or ${leads.status} = ${param('status')})
    and (${param('outcome')} is null or ${lastOutcome} = ${param('outcome')})`

/** Where a page that is not full ends, when it has looked at as many as it may. Read only then. */
const horizon = sql`select null, null, hit.seq, null, null, null, null, null from (${newest(untilLast)}) as hit`

type SearchNames =
  | KeyNames
  | 'campaignId'
  | 'status'
  | 'outcome'
  | 'beforeSeq'
  | 'maxLeads'
  | 'digits'
  | 'externalWord'
  | 'match'
  | 'words'

const search = statement<SearchNames>(sql`with key as materialized (${key})
  select iif(key.is_denied, null, 1) as number, ${isIndexWhole} as "isWhole", null as seq, null as "createdAtMs",
    null as "lastOutcome", null as "dueAtMs", null as "isListed", null as json
  from key
  union all
  select * from (select * from (${matches}) union all select * from (${horizon}) limit ${param('maxLeads')} + 1)`)

export type SearchFilter = {
  /** Null: all campaigns of the key. */
  readonly campaignId: string | null
  readonly status: LeadStatus | null
  readonly outcome: string | null
}

/** Leads before a place, at most so many. */
type SearchRange = { readonly beforeSeq: number; readonly maxLeads: number }

type SearchResult =
  | Refusal
  | {
      readonly kind: 'found'
      /** Newest first. */
      readonly leads: readonly LeadWithCalling[]
      /** The place before which the next page begins; null on the last page. */
      readonly endSeq: number | null
    }

/** Before all leads, of which there are none when the key is refused. */
type VerdictRow = { readonly number: number | null; readonly isWhole: number }
/** Without `json`: the horizon. */
type FoundRow = LeadWithCalling & { readonly seq: number; readonly createdAtMs: number }

/** Finds what `q` stands for. Throws DatabaseUnavailable, also while the index is not whole. */
export async function findLeads(
  db: D1Database,
  access: KeyAccess,
  q: string,
  filter: SearchFilter,
  range: SearchRange,
): Promise<SearchResult> {
  const wanted = readSearch(access.companyId, q)
  const words = JSON.stringify(wanted.words.map((word) => ` ${word}`))
  const { rows } = await runBatch(db, [search(db, { ...access, ...filter, ...range, ...wanted, words })])
  const [verdict, ...found] = rows[0] as unknown as [VerdictRow?, ...FoundRow[]]
  if (isRefused(verdict)) return refusalOf(verdict)
  if (verdict.isWhole !== 1) throw new DatabaseUnavailable('search is off')
  const [end] = found.slice(found.at(-1)?.json === null ? -1 : range.maxLeads - 1)
  const isLast = end === undefined || (end.json !== null && found.length <= range.maxLeads)
  const page = found.slice(0, range.maxLeads).filter(({ json }) => json !== null)
  // Places are in the order of time within a campaign only.
  const newestFirst = page.toSorted((a, b) => b.createdAtMs - a.createdAtMs || b.seq - a.seq)
  return { kind: 'found', leads: newestFirst, endSeq: isLast ? null : end.seq }
}
