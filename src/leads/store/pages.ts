// Reading a campaign's leads, page by page, and what they are found through. Every statement names the key's right. How
// many make a page is in page-size.ts, one lead by its id in read.ts, how a list is written in ../list-stream.ts.
import { type SQL, sql } from 'drizzle-orm'
import {
  type Access,
  accessVerdict,
  grantedCampaign,
  type Refusal,
  refusalOf,
  type Verdict,
} from '../../access/store/rights.ts'
import { campaigns } from '../../access/store/tables.ts'
import { type Bind, runBatch, statement } from '../../database/database.ts'
import { appendAlways, entryColumns, isUnlogged } from '../../ledger/log/append.ts'
import { campaignNumberOf, type LeadOrder, type LeadStatus } from '../lead.ts'
import { leadsOfAnySize, unweighedSize, weighedSize } from './page-size.ts'
import { campaignAt, isErased, type LeadRow, lastSeqOf, leadColumns, leadJson, placesOf } from './row.ts'
import { betweenRuns, whole } from './stretches.ts'
import { leads } from './tables.ts'

const param = sql.placeholder

/** Which leads of the campaign. Null: no such condition. */
export type LeadFilter = {
  readonly status: LeadStatus | null
  readonly phoneNumber: string | null
  readonly externalId: string | null
  readonly createdAfterMs: number | null
  readonly createdBeforeMs: number | null
}

/** What the leads of a list are found through: an index, or their place alone. */
type Way = {
  /** The condition that names the index. */
  readonly reach: (campaign: SQL) => SQL
  /** What is left to check of each lead. */
  readonly sift: SQL
  /** Whether the places of the times are looked up first. */
  readonly isByTime: boolean
  /** Whether it reads leads in turn, and so would read erased ones: no index leads to them. */
  readonly isByPlace: boolean
}

const isOf = (campaign: SQL) => sql`${leads.campaignNumber} = ${campaign}`
const hasStatus = sql`(${param('status')} is null or ${leads.status} = ${param('status')})`
const hasExternalId = sql`(${param('externalId')} is null or ${leads.externalId} = ${param('externalId')})`
const isInTime = sql`(${param('createdAfterMs')} is null or ${leads.createdAtMs} > ${param('createdAfterMs')})
  and (${param('createdBeforeMs')} is null or ${leads.createdAtMs} < ${param('createdBeforeMs')})`

const byPlace = { reach: () => sql`true`, sift: hasStatus, isByPlace: true }
const byStatus = {
  // SQLite takes a partial index only when the text says the condition of the index.
  reach: (campaign: SQL) =>
    sql`${isOf(campaign)} and ${leads.status} = ${param('status')} and ${leads.status} <> 'raw'`,
  sift: sql`true`,
  isByPlace: false,
}

const ways = {
  byPlace: { ...byPlace, isByTime: false },
  byPlaceInTime: { ...byPlace, isByTime: true },
  byStatus: { ...byStatus, isByTime: false },
  byStatusInTime: { ...byStatus, isByTime: true },
  byPhone: {
    reach: (campaign: SQL) => sql`${isOf(campaign)} and ${leads.phoneNumber} = ${param('phoneNumber')}`,
    sift: sql`${hasStatus} and ${hasExternalId} and ${isInTime}`,
    isByTime: false,
    isByPlace: false,
  },
  byExternalId: {
    reach: (campaign: SQL) => sql`${isOf(campaign)} and ${leads.externalId} = ${param('externalId')}`,
    sift: sql`${hasStatus} and ${isInTime}`,
    isByTime: false,
    isByPlace: false,
  },
} satisfies Record<string, Way>

const statements = { oldest: ofEachWay('oldest'), newest: ofEachWay('newest') }

function ofEachWay(order: LeadOrder) {
  const entries = Object.entries(ways).map(([name, way]) => [name, statementsOf(way, order)])
  return Object.fromEntries(entries) as Record<keyof typeof ways, ReturnType<typeof statementsOf>>
}

function wayOf(filter: LeadFilter): keyof typeof ways {
  if (filter.phoneNumber !== null) return 'byPhone'
  if (filter.externalId !== null) return 'byExternalId'
  const isInTime = filter.createdAfterMs !== null || filter.createdBeforeMs !== null
  // Leads that are still to be called are in no index of statuses.
  if (filter.status === null || filter.status === 'raw') return isInTime ? 'byPlaceInTime' : 'byPlace'
  return isInTime ? 'byStatusInTime' : 'byStatus'
}

/** The statements of a list: its verdict with the last lead that it has, and a page in either form and size. */
function statementsOf({ reach, sift, isByTime, isByPlace }: Way, order: LeadOrder) {
  const campaign = sql`verdict.number`
  const { before, last } = placesOf(campaign)
  const given = sql`with recursive verdict as ${accessVerdict('read')}${isByTime ? sql`, ${placesOfTimes(campaign)}` : sql``}`
  // max and min make one bound of several: SQLite uses only one of each for a search.
  const [after, until] = isByTime
    ? [sql`, (select max(low) from place_after)`, sql`, (select max(low) from place_before)`]
    : [sql``, sql``]
  const lowest = sql`max(${before}, ${param('afterSeq')}${after})`
  const highest = sql`min(${last}, ${param('untilSeq')}${until})`
  const range = isByPlace ? betweenRuns(before, lowest, highest) : whole(lowest, highest)
  const [inOrder, fromItsEnd] =
    order === 'oldest' ? [range.ascending, range.descending] : [range.descending, range.ascending]
  const found = sql`${range.join} and ${reach(campaign)} and ${sift} and not ${isErased} and ${isByTime ? isInTime : sql`true`}`

  const pages = (columns: SQL) => {
    const page = (sizeOf: (found: SQL, inOrder: SQL) => SQL) =>
      onDemand(
        () =>
          sql`${given} select ${columns} from verdict ${found} ${inOrder} limit ${sizeOf(sql`verdict ${found}`, inOrder)}`,
      )
    return { unweighed: page(unweighedSize), weighed: page(weighedSize) }
  }
  return {
    verdict: onDemand(
      () => sql`${given} select verdict.number,
          (select ${leads.seq} from ${campaigns} as own ${found} and own.number = verdict.number
            ${fromItsEnd} limit 1) as "lastSeq"
        from verdict`,
    ),
    json: pages(sql`${leads.seq}, ${leadJson(sql`verdict.id`)}`),
    row: pages(sql`verdict.id as "campaignId", ${leadColumns}`),
  }
}

/** Rendered when it is first used: of thirty statements most Workers need few, and all would be 10 ms of each start. */
function onDemand(query: () => SQL): Bind {
  let bind: Bind | undefined
  return (db, values) => {
    bind ??= statement(query())
    return bind(db, values)
  }
}

/**
 * Times of creation never fall from one lead of a campaign to the next, so the place of a time is found by halving,
 * in 32 steps at most, without an index that every new lead would have to be written to. What is found is the last
 * `seq` whose lead was created before, or not after, the time. A campaign whose times fall somewhere is read whole.
 */
function placesOfTimes(campaign: SQL): SQL {
  const { before, last } = placesOf(campaign)
  const hasFallingTimes = sql`(select ${campaigns.hasFallingTimes} from ${campaigns} where ${campaigns.number} = ${campaign})`
  const middle = sql`(low + high + 1) / 2`
  const placeOf = (name: SQL, isBefore: SQL, whole: SQL) => {
    const goesUp = sql`(select ${leads.createdAtMs} ${isBefore} from ${leads} where ${leads.seq} >= ${middle}
      order by ${leads.seq} limit 1)`
    return sql`${name}(low, high) as (
      select iif(${hasFallingTimes}, ${whole}, ${before}),
        iif(${hasFallingTimes}, ${whole}, coalesce(${lastSeqOf(campaign)}, ${before})) from verdict
      union all
      select iif(${goesUp}, ${middle}, low), iif(${goesUp}, high, ${middle} - 1) from ${name} where low < high)`
  }
  return sql`${placeOf(sql`place_after`, sql`<= coalesce(${param('createdAfterMs')}, -1)`, before)},
    ${placeOf(sql`place_before`, sql`< coalesce(${param('createdBeforeMs')}, 9e15)`, last)}`
}

/** That somebody takes the leads away: whose they are has to be able to find that out. */
const logExport = onDemand(() =>
  appendAlways(sql`select ${entryColumns({
    type: 'leads.exported',
    companyId: sql`granted.company_id`,
    campaignNumber: sql`granted.number`,
    data: sql`'{"format":"csv"}'`,
  })} from ${grantedCampaign('read')} as granted
    where (${param('cursorSeq')} = 0 or ${campaignAt(sql`${param('cursorSeq')}`)} = granted.number)
      and ${isUnlogged('leads.exported', sql`granted.company_id`)}`),
)

/** How a lead is read: as the JSON text of its wire form, or column by column. */
export type LeadForms = {
  readonly json: { readonly seq: number; readonly json: string }
  readonly row: LeadRow
}

export type LeadPage<Lead> = {
  readonly kind: 'page'
  readonly leads: readonly Lead[]
  /** The place of the last lead, after which the next page begins; null when there is none after it. */
  readonly endSeq: number | null
  /** Reads the next page. Leads created since the first one was read are in none. Does not hold on to this page. */
  readonly next: () => Promise<LeadPage<Lead> | Refusal | OtherCampaign>
}

/** The range begins at a place of another campaign, where going on would leave leads out. */
type OtherCampaign = { readonly kind: 'other_campaign' }

/** Which part of a campaign's list is read at once. */
export type LeadRange = {
  readonly order: LeadOrder
  readonly maxLeads: number
  /** Of the first page, when there is more than one to follow. */
  readonly firstLeads: number
  /** The place of the list after which it begins; 0: from its beginning. */
  readonly cursorSeq: number
  /** The place of its last lead; null: whichever is there. */
  readonly endSeq: number | null
  /** The log tells of it. */
  readonly isExport: boolean
}

/** The places of a range, whichever way it is read. */
function boundsOf({ order, cursorSeq, endSeq }: LeadRange) {
  return order === 'oldest'
    ? { afterSeq: cursorSeq, untilSeq: endSeq ?? Number.MAX_SAFE_INTEGER }
    : { afterSeq: (endSeq ?? 1) - 1, untilSeq: cursorSeq === 0 ? Number.MAX_SAFE_INTEGER : cursorSeq - 1 }
}

/** The campaign's leads in the range, in their order, page by page. Throws DatabaseUnavailable. */
export async function readPage<Form extends keyof LeadForms>(
  db: D1Database,
  access: Access,
  form: Form,
  filter: LeadFilter,
  range: LeadRange,
): Promise<LeadPage<LeadForms[Form]> | Refusal | OtherCampaign> {
  const values = { ...access, ...filter, ...range, ...boundsOf(range) }
  const way = statements[range.order][wayOf(filter)]
  const page = way[form][range.firstLeads <= leadsOfAnySize ? 'unweighed' : 'weighed']
  const { rows } = await runBatch(db, [
    way.verdict(db, values),
    page(db, values),
    ...(range.isExport ? [logExport(db, values)] : []),
  ])
  const verdict = rows[0]?.[0] as (Verdict & { lastSeq: number | null }) | undefined
  const refusal = refusalOf(verdict)
  if (refusal !== null) return refusal
  const { cursorSeq } = range
  if (cursorSeq !== 0 && campaignNumberOf(cursorSeq) !== verdict?.number) return { kind: 'other_campaign' }

  const leads = rows[1] as LeadForms[Form][]
  const lastSeq = verdict?.lastSeq ?? 0
  const seq = leads.at(-1)?.seq ?? 0
  const rest = {
    order: range.order,
    maxLeads: range.maxLeads,
    firstLeads: range.maxLeads,
    cursorSeq: seq,
    endSeq: lastSeq,
    // It was told with the first page.
    isExport: false,
  }
  const next = () => readPage(db, { ...access, nowMs: Date.now() }, form, filter, rest)
  return { kind: 'page', leads, endSeq: seq === lastSeq || leads.length === 0 ? null : seq, next }
}
