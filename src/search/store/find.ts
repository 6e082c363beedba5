// Finds leads by the search index, in one statement that checks the key's right. A page reads some hundred rows however
// many leads there are and match. Few matches are read whole. Many that have few different words are read word by word,
// newest first. Else the newest leads are looked through, and a page may be short: its end says where the next begins.
import { type SQL, sql } from 'drizzle-orm'
import {
  accessVerdict,
  grantedKey,
  type KeyAccess,
  type KeyNames,
  type Refusal,
  refusalOf,
} from '../../access/store/rights.ts'
import { campaigns } from '../../access/store/tables.ts'
import { param, runBatch, statement } from '../../database/database.ts'
import type { LeadStatus } from '../../leads/lead.ts'
import type { LeadWithCalling } from '../../leads/lead-with-calling.ts'
import { rangesOf, type Search } from '../../leads/search-words.ts'
import { dueAt, isErased, lastOutcomeIn, leadJson } from '../../leads/store/row.ts'
import { leads, leadWords } from '../../leads/store/tables.ts'
import { isSuppressed } from '../../ledger/suppression/numbers.ts'

/** Matches of which the index is read whole. */
const fewMatches = sql.raw('200')
/** Different words that are read one by one. */
const fewWords = sql.raw('24')
/** Leads that a page looks at. */
const candidatesPerPage = sql.raw('50')
const campaignsPerPage = sql.raw('50')

/** `number` is the campaign, or null: all of the company. */
const key = sql`select granted.company_id,
    iif(${param('campaignId')} is null, granted.campaign_number, asked.number) as number,
    ${param('campaignId')} is not null and asked.number is null as is_denied
  from ${grantedKey('read')} as granted left join ${accessVerdict('read')} as asked on true`

/** The key's, read once: D1 counts the rows of `key` each time that a row of another table is joined to it. */
const companyId = sql`(select company_id from key)`
const firstSeq = sql`(select coalesce(number, 0) << 32 from key)`
const endSeq = sql`(select min(${param('beforeSeq')}, coalesce((number + 1) << 32, 9e18)) from key)`

/** The places of the key's leads, before the cursor and `before`. SQLite uses one lower and one upper bound. */
const isInReach = (seq: SQL, before: SQL = endSeq) =>
  sql`${seq} > ${firstSeq} and ${seq} < min(${endSeq}, ${before})`

/**
 * The rows of the index in the ranges of placeholder `ranges`, unless there are more. JSON: D1 counts the rows of a table
 * of its own each time that they are read.
 */
const near = sql`select count(*) <= ${fewMatches} as is_whole, json_group_array(hit.seq) as seqs
  from (select w.seq
    from key
    cross join json_each(${param('ranges')}) as item
    cross join ${leadWords} as w on w.company_id = key.company_id
      and w.word >= item.value ->> 0 and w.word < item.value ->> 1
    where not key.is_denied
    limit ${fewMatches} + 1) as hit`
const isNearWhole = sql`(select is_whole from near)`

const nextWord = (after: SQL, until: SQL) => sql`(select min(w.word) from ${leadWords} as w
  where w.company_id = ${companyId} and w.word ${after} and w.word < ${until})`

/** The different words of the ranges. */
const spelled = sql`select ${nextWord(sql`>= item.value ->> 0`, sql`item.value ->> 1`)} as word,
    item.value ->> 1 as until
  from json_each(${param('ranges')}) as item
  where not ${isNearWhole}
  union all
  select ${nextWord(sql`> spelled.word`, sql`spelled.until`)}, spelled.until
  from spelled where spelled.word is not null
  limit ${fewWords} + 4`

const spelledSize = sql`select count(word) <= ${fewWords} as is_few from spelled`
const areWordsFew = sql`(select is_few from spelled_size)`

const nextOfWord = (word: SQL, before?: SQL) => sql`(select max(w.seq) from ${leadWords} as w
  where w.company_id = ${companyId} and w.word = ${word} and ${isInReach(sql`w.seq`, before)})`

/** The newest leads of these words. Ordered, the recursion takes the newest of all words next. */
const walked = sql`select spelled.word, ${nextOfWord(sql`spelled.word`)} as seq
  from spelled where spelled.word is not null and ${areWordsFew}
  union all
  select walked.word, ${nextOfWord(sql`walked.word`, sql`walked.seq`)}
  from walked where walked.seq is not null
  order by 2 desc
  limit ${candidatesPerPage}`

const visited = sql`select c.number
  from key cross join ${campaigns} as c on c.company_id = key.company_id
  where not ${isNearWhole} and not ${areWordsFew}
    and c.number <= ${param('beforeSeq')} / 4294967296 and c.number = coalesce(key.number, c.number)
  order by c.number desc
  limit ${campaignsPerPage}`

const nextOfCampaign = (campaign: SQL, before: SQL) => sql`(select max(l.seq) from ${leads} as l
  where l.seq > ${campaign} << 32 and l.seq < min(${param('beforeSeq')}, ${before}, (${campaign} + 1) << 32))`

/** The newest leads of these campaigns. */
const newest = sql`select visited.number, ${nextOfCampaign(sql`visited.number`, sql`${param('beforeSeq')}`)} as seq
  from visited
  union all
  select newest.number, ${nextOfCampaign(sql`newest.number`, sql`newest.seq`)}
  from newest where newest.seq is not null
  order by 2 desc
  limit ${candidatesPerPage}`

const newestNear = sql`select distinct item.value as seq
  from near cross join json_each(near.seqs) as item
  where near.is_whole and ${isInReach(sql`item.value`)}
  order by 1 desc
  limit ${candidatesPerPage}`

/** A lead may be there twice. */
const candidates = sql`select found.seq from (${newestNear}) as found
  union all select walked.seq from walked where walked.seq is not null
  union all select newest.seq from newest where newest.seq is not null`

/** Where the candidates end; 0: there are no others. */
const horizon = sql`coalesce(
  (select iif(count(*) = ${candidatesPerPage}, min(candidates.seq), null) from candidates),
  (select iif(count(*) = ${campaignsPerPage}, min(visited.number) << 32, 0) from visited))`

const isNumber = sql`(${param('digits')} is not null
  and substr(${leads.phoneNumber}, -length(${param('digits')})) = ${param('digits')})`
const isExternalId = sql`lower(${leads.externalId}) is lower(${param('externalId')})`
/** Placeholder `words`: JSON of texts, each a quote and the start of a word, as the column has words. */
const hasWords = sql`(${param('words')} <> '[]' and not exists (
  select 1 from json_each(${param('words')}) as wanted where coalesce(instr(${leads.words}, wanted.value), 0) = 0))`

const lastOutcome = lastOutcomeIn(sql`campaigns.company_id`)
const isListed = isSuppressed(sql`campaigns.company_id`, sql`${leads.phoneNumber}`, sql`campaigns.number`)

/**
 * The index says where to look; the lead itself says whether it matches, and whose it is. Candidates are read newest
 * first, until the page is full.
 */
const matches = sql`select null, null, ${leads.seq}, ${leads.createdAtMs}, ${lastOutcome}, ${dueAt},
    ${isListed}, ${leadJson(sql`campaigns.id`)}
  from key
  cross join (select candidates.seq from candidates order by candidates.seq desc limit -1) as candidate
  cross join ${leads} on ${leads.seq} = candidate.seq
  cross join ${campaigns} on ${campaigns.number} = ${leads.campaignNumber}
    and ${campaigns.companyId} = key.company_id
  where ${isInReach(sql`${leads.seq}`)}
    and not ${isErased}
    and (${isNumber} or ${isExternalId} or ${hasWords})
    and (${param('status')} is null or ${leads.status} = ${param('status')})
    and (${param('outcome')} is null or ${lastOutcome} = ${param('outcome')})
  limit ${param('maxLeads')} + 1`

type SearchNames =
  | KeyNames
  | 'campaignId'
  | 'status'
  | 'outcome'
  | 'beforeSeq'
  | 'maxLeads'
  | 'digits'
  | 'externalId'
  | 'ranges'
  | 'words'

const search = statement<SearchNames>(sql`with recursive
  key as materialized (${key}),
  near as materialized (${near}),
  spelled(word, until) as materialized (${spelled}),
  spelled_size as materialized (${spelledSize}),
  walked(word, seq) as (${walked}),
  visited as materialized (${visited}),
  newest(number, seq) as (${newest}),
  candidates as materialized (${candidates})
  select iif(key.is_denied, null, 1) as number, ${horizon} as "horizonSeq", null as seq, null as "createdAtMs",
    null as "lastOutcome", null as "dueAtMs", null as "isListed", null as json
  from key
  union all
  select * from (${matches})`)

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
type VerdictRow = { readonly number: number | null; readonly horizonSeq: number }
type FoundRow = LeadWithCalling & { readonly seq: number; readonly createdAtMs: number }

/** Throws DatabaseUnavailable. */
export async function findLeads(
  db: D1Database,
  access: KeyAccess,
  wanted: Search,
  filter: SearchFilter,
  range: SearchRange,
): Promise<SearchResult> {
  const values = {
    ...access,
    ...filter,
    ...range,
    digits: wanted.digits,
    externalId: wanted.externalId,
    ranges: JSON.stringify(rangesOf(wanted)),
    words: JSON.stringify(wanted.words.map((word) => JSON.stringify(word).slice(0, -1))),
  }
  const { rows } = await runBatch(db, [search(db, values)])
  const [verdict, ...found] = rows[0] as unknown as [VerdictRow?, ...FoundRow[]]
  const refusal = refusalOf(verdict)
  if (refusal !== null || verdict === undefined) return refusal ?? { kind: 'key_refused' }
  const page = new Map(found.slice(0, range.maxLeads).map((row) => [row.seq, row]))
  const hasMore = found.length > range.maxLeads
  const endSeq = hasMore ? Math.min(...page.keys()) : verdict.horizonSeq || null
  // Places are in the order of time within a campaign only.
  const newestFirst = [...page.values()].sort((a, b) => b.createdAtMs - a.createdAtMs || b.seq - a.seq)
  return { kind: 'found', leads: newestFirst, endSeq }
}
