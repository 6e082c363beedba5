// Numbers in metadata are words of the search index (../../search-words.ts). Leads of a version before have no such
// words: from a place on that is noted beside the index they are looked through once, a part each minute.
import { type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../../../base/access/store/tables.ts'
import { param, readRows, runBatch, runSteps, statement } from '../../../../base/database/database.ts'
import { indexOf } from '../../search-words.ts'
import { campaignAt } from '../row.ts'
import { allPlaces, leadsPerSlice, pauseFor } from '../search-index.ts'
import { leads, searchPlace } from '../tables.ts'

/** There are leads to look through. */
export const lacksNumbers = sql`exists (select 1 from ${searchPlace} as place where place.words_place < ${allPlaces})`

const leadsPerStep = sql.raw('1000')
const stepsPerMinute = 200

/** Only a text with one of these, or one that is escaped, can be a number. */
const mayHaveNumber = (metadata: SQL) => sql`(instr(${metadata}, '+') or instr(${metadata}, '＋')
  or instr(${metadata}, '\\u'))`

const nextPlace = statement(sql`select place.words_place as "afterSeq",
    (select l.seq from ${leads} as l where l.seq > place.words_place
      order by l.seq
      limit 1 offset ${leadsPerStep} - 1) as "untilSeq"
  from ${searchPlace} as place
  where place.words_place < ${allPlaces}`)

type NextPlace = {
  readonly afterSeq: number
  /** Null: there are fewer leads. */
  readonly untilSeq: number | null
}

const nextLeads = statement<'afterSeq' | 'untilSeq'>(sql`select l.seq, l.version, l.metadata, l.words,
    c.company_id as "companyId"
  from ${leads} as l
  cross join ${campaigns} as c on c.number = ${campaignAt(sql`l.seq`)}
  where l.seq > ${param('afterSeq')} and l.seq <= coalesce(${param('untilSeq')}, ${allPlaces})
    and l.metadata is not null and ${mayHaveNumber(sql`l.metadata`)}
  order by l.seq
  limit ${sql.raw(`${leadsPerSlice}`)}`)

type NextLead = {
  readonly seq: number
  readonly version: number
  readonly metadata: string
  readonly words: string | null
  readonly companyId: string
}

// A lead that was changed since it was read has got its words. While its company moves, it may be written too: then the
// words are looked for again where the company has moved to (fillAgain).
const fill = [
  statement<'items'>(sql`update ${leads} set words = found.words
    from (select l.seq, item.value ->> 2 as words from json_each(${param('items')}) as item
      cross join ${leads} as l on l.seq = item.value ->> 0 and l.version = item.value ->> 1 and l.erased_at_ms is null
      cross join ${campaigns} as c on c.number = ${campaignAt(sql`l.seq`)} and c.company_id = item.value ->> 3
      limit -1) as found
    where ${leads.seq} = found.seq`),
  statement<
    'afterSeq' | 'nextSeq'
  >(sql`update ${searchPlace} set words_place = coalesce(${param('nextSeq')}, ${allPlaces})
    where words_place = ${param('afterSeq')}`),
]

/** A minute's part. Throws DatabaseUnavailable, as every function here. */
export async function fillWordsByTheMinute(db: D1Database): Promise<void> {
  for (let step = 0; step < stepsPerMinute; step++) {
    const beganAtMs = Date.now()
    const [place] = await readRows<NextPlace>(db, nextPlace(db, {}))
    if (place === undefined) return
    const found = await readRows<NextLead>(db, nextLeads(db, place))
    const items = found.flatMap(({ seq, version, metadata, words, companyId }) => {
      const now = indexOf(companyId)({ metadata }).words
      return now === words ? [] : [[seq, version, now, companyId]]
    })
    const nextSeq = found.length < leadsPerSlice ? place.untilSeq : (found.at(-1)?.seq ?? null)
    await runSteps(db, fill, { items: JSON.stringify(items), afterSeq: place.afterSeq, nextSeq })
    await pauseFor(Date.now() - beganAtMs)
  }
}

const readLacking = statement(sql`select ${lacksNumbers} as "isLacking"`)

export async function areWordsFilled(db: D1Database): Promise<boolean> {
  const [found] = await readRows<{ isLacking: number }>(db, readLacking(db, {}))
  return found?.isLacking !== 1
}

const restart = statement(sql`update ${searchPlace} set words_place = 0`)

/** Looks through all leads once more: those of a company have come whose words were not filled. */
export async function fillAgain(db: D1Database): Promise<void> {
  await runBatch(db, [restart(db, {})])
}
