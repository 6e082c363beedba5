// Leads that hold a number in their metadata, whose own number is another's: found by the search index, in every
// spelling of the phone. Erasing the number takes the value out of the metadata, and the lead stays.
import { type SQL, sql } from 'drizzle-orm'
import { type AccessNames, type KeyAccess, scopeVerdict } from '../../../../base/access/store/rights.ts'
import { campaigns } from '../../../../base/access/store/tables.ts'
import {
  DatabaseUnavailable,
  number,
  param,
  runBatch,
  runSteps,
  searchIsOff,
  statement,
} from '../../../../base/database/database.ts'
import { type ActorNames, appendIfListening, entryColumns } from '../../../../base/ledger/log/append.ts'
import { mostSpellings, spellingsOf } from '../../../../base/ledger/suppression/spellings.ts'
import { limits } from '../../../../base/limits.ts'
import { type LeadKey, leadIdOf } from '../../lead.ts'
import { indexOf, matchOf, numberWordsOf } from '../../search-words.ts'
import { isErased } from '../row.ts'
import { allPlaces, areNumbersWhole, indexedLeads, pauseFor } from '../search-index.ts'
import { leads } from '../tables.ts'
import { withoutNumbers } from './without-numbers.ts'

export type Mentions = {
  /** Newest campaign first. */
  readonly leadIds: readonly string[]
  /** There may be more: there are more than so many, or the index is off, or does not have all leads yet. */
  readonly isPartial: boolean
}

export const noMentions: Mentions = { leadIds: [], isPartial: false }
const unknown: Mentions = { leadIds: [], isPartial: true }

/** A bind value has at most 2 MB, and metadata 16 KiB. */
const leadsPerStep = 50

const scope = scopeVerdict('manage')

const isOwn = sql`${leads.phoneNumber} in (select item.value from json_each(${param('ownNumbers')}) as item)`
const hasWord = sql`(${sql.join(
  Array.from(
    { length: mostSpellings },
    (_, place) =>
      sql`coalesce(instr(' ' || ${leads.words} || ' ', ${param('words')} ->> ${number(place)}), 0)`,
  ),
  sql` or `,
)})`

/** The placeholders of mentionValues. */
export type MentionNames = AccessNames | 'match' | 'words' | 'ownNumbers'

const foundBefore = (beforeSeq: SQL, limit: SQL) =>
  indexedLeads(sql`${param('match')}`, sql`0`, beforeSeq, limit)

/** Joins them to `granted`, by the alias `hit`, and their campaigns as `c`. */
const joined = (found: SQL) => sql`(${found}) as hit
    cross join ${leads} on ${leads.seq} = hit.seq
    cross join ${campaigns} as c on c.number = ${leads.campaignNumber} and c.company_id = granted.company_id`

/** A word of the index may be that of a lead's own number: the lead decides. */
const isMention = sql`(${hasWord} and not ${isOwn} and not ${isErased})`

/** The newest of a number with more. */
const newest = (limit: number) => foundBefore(allPlaces, sql.raw(`${limit}`))

/** Joins the leads, newest first at most so many, to `granted`, a row of the company; their campaigns are `c`. */
export const joinMentions = sql`${joined(newest(limits.mentionsMax))} and ${isMention}`

/** A row: whether there may be more than joinMentions finds. */
export const areMentionsPartial = statement<AccessNames | 'match'>(sql`select (not ${areNumbersWhole}
      or (select count(*) from (${newest(limits.mentionsMax + 1)})) > ${sql.raw(`${limits.mentionsMax}`)}) as
      "isPartial"
    from ${scope} as granted
    where granted.number = 0`)

const somePage = statement<
  MentionNames | 'beforeSeq'
>(sql`select ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token}, ${leads.version}, ${leads.metadata},
      ${isMention} as "isMention"
    from ${scope} as granted
    cross join ${joined(foundBefore(sql`cast(${param('beforeSeq')} as integer)`, sql.raw(`${leadsPerStep}`)))}
    where granted.number = 0`)

const isWhole = statement<AccessNames>(sql`select ${areNumbersWhole} as "isWhole" from ${scope} as granted`)

type Found = LeadKey & {
  readonly version: number
  readonly metadata: string
  readonly isMention: number
}

/** `next` selects `seq` of leads, their `metadata` and `words` from now on, and `at_ms`. */
export const clearMetadata = (
  next: SQL,
) => sql`update ${leads} set metadata = next.metadata, words = next.words,
    metadata_erased_at_ms = next.at_ms, version = ${leads.version} + 1
  from (${next}
    limit -1) as next
  where ${leads.seq} = next.seq`

const changed = sql`${scope} as granted
  cross join json_each(${param('items')}) as item
  cross join ${leads} as l on l.seq = item.value ->> 0 and l.version = item.value ->> 1 and l.erased_at_ms is null
  cross join ${campaigns} as c on c.number = l.campaign_number and c.company_id = granted.company_id
  where granted.number = 0`

const change = [
  appendIfListening(sql`select ${entryColumns({
    type: 'lead.changed',
    companyId: sql`granted.company_id`,
    campaignNumber: sql`l.campaign_number`,
    leadSeq: sql`l.seq`,
    data: sql`json_object('status', l.status, 'attempts', l.attempts, 'changed', json_array('metadata'))`,
  })} from ${changed}
    order by l.seq`),
  clearMetadata(
    sql`select l.seq, item.value ->> 2 as metadata, item.value ->> 3 as words, ${param('nowMs')} as at_ms
      from ${changed}`,
  ),
].map(statement<AccessNames | ActorNames | 'items'>)

/** Leads whose own number is one of `ownNumbers` are left out. */
export function mentionValues(companyId: string, phoneNumber: string, ownNumbers: readonly string[]) {
  const words = numberWordsOf(companyId, spellingsOf(phoneNumber))
  return {
    match: matchOf(words),
    words: JSON.stringify(words.map((word) => ` ${word} `)),
    ownNumbers: JSON.stringify(ownNumbers),
  }
}

/**
 * Takes the number out of the metadata of leads of others, and returns those. One that is changed meanwhile is read
 * again. Throws DatabaseUnavailable.
 */
export function eraseMentions(db: D1Database, access: KeyAccess, phoneNumber: string): Promise<Mentions> {
  const spellings = spellingsOf(phoneNumber)
  const values = { ...access, campaignId: null, ...mentionValues(access.companyId, phoneNumber, spellings) }
  const ofCompany = indexOf(access.companyId)
  return unlessSearchIsOff(async () => {
    const leadIds = new Set<string>()
    let beforeSeq = Number.MAX_SAFE_INTEGER
    while (leadIds.size < limits.mentionsMax) {
      const beganAtMs = Date.now()
      const { rows } = await runBatch(db, [isWhole(db, values), somePage(db, { ...values, beforeSeq })])
      const page = (rows[1] as readonly Found[]).toSorted((a, b) => b.seq - a.seq)
      const found = page.filter(isOfMention).map((lead) => ({
        ...lead,
        next: withoutNumbers(lead.metadata, (each) => spellings.includes(each)),
      }))
      // Whatever the index says, a lead from which nothing can be taken is passed by.
      const holding = found.filter(({ metadata, next }) => next !== metadata)
      if (holding.length === 0) {
        if (page.length < leadsPerStep) return { leadIds: [...leadIds], isPartial: !readWhole(rows[0]) }
        beforeSeq = (page.at(-1) as Found).seq
        continue
      }
      const items = holding.map(({ seq, version, next }) => [
        seq,
        version,
        next,
        ofCompany({ metadata: next }).words,
      ])
      await runSteps(db, change, { ...values, items: JSON.stringify(items) })
      for (const lead of holding) leadIds.add(leadIdOf(lead))
      await pauseFor(Date.now() - beganAtMs)
    }
    return { leadIds: [...leadIds], isPartial: true }
  }, unknown)
}

const isOfMention = ({ isMention }: Found) => isMention === 1
/** No row: the key has no right, which the erasure itself says. */
const readWhole = (rows: readonly unknown[] | undefined) =>
  (rows?.[0] as { isWhole: number } | undefined)?.isWhole !== 0

/** While the operator has switched the search off, nobody knows. */
export async function unlessSearchIsOff<Result>(work: () => Promise<Result>, isOff: Result): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DatabaseUnavailable && error.reason === searchIsOff) return isOff
    throw error
  }
}
