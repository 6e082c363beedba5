// Indexes leads for the search, campaign by campaign in the order of their places, so that what was lost, what an old
// Worker stored and what was there before is found by the same step. Only JavaScript can fold words: they are read
// first, and stored in leads that are unchanged. Triggers make rows of them (see the migration).
import { type SQL, sql } from 'drizzle-orm'
import { movingCampaigns, movingCompanies } from '../../access/store/moving.ts'
import { campaigns } from '../../access/store/tables.ts'
import { param, runBatch, runSteps, statement } from '../../database/database.ts'
import { wordsOf } from '../search-words.ts'
import { isErased, placesOf } from './row.ts'
import { indexedPlaces, leads, leadWords } from './tables.ts'

/** Leads in one transaction, which no request waits for long. */
const leadsPerChunk = 200

const campaign = sql`${param('campaignNumber')}`
const number = sql`cast(${campaign} as integer)`
const { before, last } = placesOf(number)

const placeOf = sql`coalesce((select place.after_seq from ${indexedPlaces} as place
  where place.campaign_number = ${campaign}), ${before})`

const unindexed =
  statement<'campaignNumber'>(sql`select ${leads.seq}, ${placeOf} as "afterSeq", ${leads.version},
    iif(${leads.words} is null, ${leads.metadata}, null) as metadata
  from ${leads}
  where ${leads.seq} > ${placeOf} and ${leads.seq} <= ${last}
  order by ${leads.seq}
  limit ${sql.raw(`${leadsPerChunk}`)}`)

type Unindexed = {
  readonly seq: number
  readonly afterSeq: number
  readonly version: number
  readonly metadata: string | null
}

const inChunk = sql`${leads.seq} > ${param('afterSeq')} and ${leads.seq} <= ${param('untilSeq')}`

const digits = sql.join(
  Array.from({ length: 15 }, (_, index) => sql`substr(${leads.phoneNumber}, ${sql.raw(`${16 - index}`)}, 1)`),
  sql` || `,
)
const keys = sql`json_array('#' || ${digits},
  iif(length(${leads.externalId}) <= 100, '=' || lower(${leads.externalId}), null))`

/** Of leads that were there before the triggers. */
const insertKeys = statement<'campaignNumber' | 'afterSeq' | 'untilSeq'>(sql`
  insert into ${leadWords} (company_id, word, seq, campaign_number)
  select own.company_id, key.value, ${leads.seq}, ${leads.campaignNumber}
  from ${campaigns} as own
  cross join ${leads} on ${inChunk} and not ${isErased}
  cross join json_each(${keys}) as key
  where own.number = ${campaign} and own.company_id not in ${movingCompanies} and key.value is not null
  on conflict do nothing`)

/** An element of placeholder `items` is place, version and words. */
const setWords =
  statement<'items'>(sql`update ${leads} set words = json_array(item.value ->> 1, item.value -> 2)
  from json_each(${param('items')}) as item
  where ${leads.seq} = item.value ->> 0 and ${leads.version} = item.value ->> 1
    and ${leads.words} is null and not ${isErased} and ${leads.campaignNumber} not in ${movingCampaigns}`)

/** Not past a lead that has changed meanwhile, and not when another has moved the place. */
const movePlace = statement<'campaignNumber' | 'afterSeq' | 'untilSeq'>(sql`
  insert into ${indexedPlaces} (campaign_number, after_seq)
  select ${number}, coalesce((select min(${leads.seq}) - 1 from ${leads}
    where ${inChunk} and ${leads.words} is null and ${leads.metadata} is not null),
    cast(${param('untilSeq')} as integer))
  where ${number} not in ${movingCampaigns}
  on conflict do update set after_seq = excluded.after_seq where after_seq = ${param('afterSeq')}`)

/** Indexes the next leads of a campaign. False: there is none. Throws DatabaseUnavailable. */
export async function indexChunk(db: D1Database, campaignNumber: number): Promise<boolean> {
  const { rows } = await runBatch(db, [unindexed(db, { campaignNumber })])
  const found = rows[0] as readonly Unindexed[]
  const [first] = found
  if (first === undefined) return false
  const items = found.flatMap(({ seq, version, metadata }) =>
    metadata === null ? [] : [[seq, version, wordsOf(metadata)]],
  )
  const untilSeq = (found.at(-1) ?? first).seq
  const values = { campaignNumber, afterSeq: first.afterSeq, untilSeq, items: JSON.stringify(items) }
  await runSteps(db, [insertKeys, setWords, movePlace], values)
  return found.length === leadsPerChunk
}

const unfinished = (range: SQL) =>
  statement<'fromNumber' | 'maxCampaigns'>(sql`select own.number
  from (select c.number from ${campaigns} as c
    where c.number ${range} ${param('fromNumber')}
    order by c.number
    limit ${param('maxCampaigns')}) as own
  left join ${indexedPlaces} as place on place.campaign_number = own.number
  where own.number not in ${movingCampaigns} and exists (select 1 from ${leads}
    where ${leads.seq} > coalesce(place.after_seq, own.number << 32) and ${leads.seq} < (own.number + 1) << 32)`)

/** From the number on, and around to it: in a store of one company, numbers are far apart. */
const around = [unfinished(sql`>=`), unfinished(sql`<`)]

const span = statement(sql`select (select min(c.number) from ${campaigns} as c) as first,
  (select max(c.number) from ${campaigns} as c) as last`)

/** The first and the last number of a campaign; null: there is none. Throws DatabaseUnavailable. */
export async function campaignSpan(
  db: D1Database,
): Promise<{ readonly first: number; readonly last: number } | null> {
  const { rows } = await runBatch(db, [span(db, {})])
  const [found] = rows[0] as { first: number | null; last: number }[]
  return found === undefined || found.first === null ? null : { first: found.first, last: found.last }
}

/** Of the next campaigns, those with leads that are not indexed. Throws DatabaseUnavailable. */
export async function unfinishedCampaigns(
  db: D1Database,
  range: { readonly fromNumber: number; readonly maxCampaigns: number },
): Promise<number[]> {
  const { rows } = await runSteps(db, around, range)
  return (rows.flat() as { number: number }[]).map((row) => row.number)
}
