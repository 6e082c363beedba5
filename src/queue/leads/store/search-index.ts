// The search index: SQLite's FTS5 over three columns of the leads, kept by triggers (see the migration). It is in no
// schema of Drizzle's, so its names are here. A statement that changes an indexed column costs 1.3 ms a lead among
// many, so one that changes those of many leads goes in slices.
import { scheduler } from 'node:timers/promises'
import { type SQL, sql } from 'drizzle-orm'
import {
  DatabaseUnavailable,
  param,
  readRows,
  runBatch,
  searchIsOff,
  statement,
} from '../../../base/database/database.ts'
import { leads, searchPlace } from './tables.ts'

/** Leads whose indexed columns one statement changes or deletes: for longer, others would wait. */
export const leadsPerSlice = 100

/** The place when all leads are in the index. */
export const allPlaces = sql.raw(`${Number.MAX_SAFE_INTEGER}`)

/** False while the operator has switched the search off, or the index is being made again. */
export const isIndexWhole = sql`(select place.place = ${allPlaces} from ${searchPlace} as place)`

/** The same, and numbers in metadata are in it of all leads. */
export const areNumbersWhole = sql`(select place.place = ${allPlaces} and place.words_place = ${allPlaces}
  from ${searchPlace} as place)`

/**
 * The newest leads in the index that match, between two places: `seq`. Bounds must be integers of SQLite, or FTS5
 * ignores them: D1 binds numbers as REAL.
 */
export const indexedLeads = (match: SQL, after: SQL, before: SQL, limit: SQL) => sql`select rowid as seq
  from lead_search
  where lead_search match ${match} and rowid > ${after} and rowid < ${before}
  order by rowid desc
  limit ${limit}`

const indexed = [leads.numberWord, leads.externalWord, leads.words]

/** In the set clause of an update: triggers take the lead out of the index. */
export const inNoIndex = sql.join(
  indexed.map(({ name }) => sql`${sql.identifier(name)} = null`),
  sql`, `,
)

// The index as a migration has left it: with the first leads alone. Triggers act on those up to the place.

/** There are leads to put in, or the operator has switched the search off. */
export const isUnfinished = sql`exists (select 1 from ${searchPlace} as place where place.place < ${allPlaces})`

const indexedPerStep = sql.raw('1000')
const stepsPerMinute = 200

const rowColumns = sql.join(
  indexed.map(({ name }) => sql.identifier(name)),
  sql`, `,
)
const indexNext =
  statement(sql`insert into lead_search (rowid, ${rowColumns}) select seq, ${rowColumns} from ${leads}
  where seq > (select place from ${searchPlace}) order by seq limit ${indexedPerStep}`)
const movePlace =
  statement(sql`update ${searchPlace} set place = coalesce((select later.seq from ${leads} as later
    where later.seq > place order by later.seq limit 1 offset ${indexedPerStep} - 1), ${allPlaces})`)
const readUnfinished = statement(sql`select ${isUnfinished} as "isUnfinished"`)

/**
 * A minute's part. Another step may run at the same time, or after one whose answer was lost. Throws
 * DatabaseUnavailable.
 */
export async function indexByTheMinute(db: D1Database): Promise<void> {
  for (let step = 0; step < stepsPerMinute; step++) {
    const [found] = await readRows<{ isUnfinished: number }>(db, readUnfinished(db, {}))
    if (found?.isUnfinished !== 1 || !(await indexSome(db))) return
  }
}

/** False: the operator has switched the search off. */
async function indexSome(db: D1Database): Promise<boolean> {
  const beganAtMs = Date.now()
  try {
    await runBatch(db, [indexNext(db, {}), movePlace(db, {})])
  } catch (error) {
    if (error instanceof DatabaseUnavailable && error.reason === searchIsOff) return false
    throw error
  }
  await pauseFor(Date.now() - beganAtMs)
  return true
}

/** Waits for as long as the work before took, so that others have as much of the database. */
export const pauseFor = (workedMs: number): Promise<unknown> => scheduler.wait(Math.max(1, workedMs))

// The index of a campaign's calls, which is made lead by lead (queue/calling/table/store/calls-index.ts), has a place
// in the same row.

/** A value: false while calls are missing in it. */
export const areCallsIndexed = sql`(select place.calls_place = ${allPlaces} from ${searchPlace} as place)`

/** There are calls to put in. */
export const lacksCalls = sql`exists (select 1 from ${searchPlace} as place
  where place.calls_place < ${allPlaces})`

/** The next leads whose calls are put in: those behind a place, up to another, null when there are fewer. */
export const nextOfCalls = sql`select place.calls_place as "afterSeq",
    (select l.seq from ${leads} as l where l.seq > place.calls_place
      order by l.seq
      limit 1 offset ${indexedPerStep} - 1) as "untilSeq"
  from ${searchPlace} as place
  where place.calls_place < ${allPlaces}`

/** They are in. */
export const passCalls = sql`update ${searchPlace} set calls_place = coalesce(${param('untilSeq')}, ${allPlaces})
  where calls_place = ${param('afterSeq')}`
