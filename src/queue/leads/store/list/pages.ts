// Reads a campaign's leads page by page, and chooses the index. Each statement checks the key's right. page-size.ts
// limits a page, read.ts reads one lead, ../../list-stream.ts writes the list.
import { type SQL, sql } from 'drizzle-orm'
import {
  type Access,
  type AccessNames,
  accessVerdict,
  grantedCampaign,
  isRefused,
  type Refusal,
  refusalOf,
  type Verdict,
} from '../../../../base/access/store/rights.ts'
import { campaigns } from '../../../../base/access/store/tables.ts'
import { param, runBatch, statement } from '../../../../base/database/database.ts'
import {
  type ActorNames,
  appendAlways,
  entryColumns,
  isUnlogged,
} from '../../../../base/ledger/log/append.ts'
import { isSuppressed } from '../../../../base/ledger/suppression/numbers.ts'
import type { CallingOfLead, LeadWithCalling } from '../../lead.ts'
import { campaignNumberOf, type LeadOrder, type LeadStatus } from '../../lead.ts'
import { type LeadRow, leadColumns } from '../field-columns.ts'
import { campaignAt, dueAt, isErased, lastOutcomeIn, lastSeqOf, leadJson, placesOf } from '../row.ts'
import { leads } from '../tables.ts'
import { leadsOfAnySize, unweighedSize, weighedSize } from './page-size.ts'
import { betweenRuns, whole } from './stretches.ts'

/** Which leads of the campaign. Null: no such condition. */
export type LeadFilter = {
  readonly status: LeadStatus | null
  readonly phoneNumber: string | null
  readonly externalId: string | null
  readonly createdAfterMs: number | null
  readonly createdBeforeMs: number | null
}

/** The placeholders of all statements here. */
type RangeNames = 'afterSeq' | 'untilSeq' | 'cursorSeq' | 'maxLeads' | 'firstLeads'
type ListNames = AccessNames | ActorNames | keyof LeadFilter | RangeNames

/** How the leads of a list are found: by an index, or by place alone. */
type Way = {
  /** The condition that uses the index. */
  readonly reach: (campaign: SQL) => SQL
  /** Conditions checked on each lead. */
  readonly sift: SQL
  /** Whether the places of the filter's times are looked up first. */
  readonly isByTime: boolean
  /** Whether it scans places, erased leads included: no index has those. */
  readonly isByPlace: boolean
}

const isOf = (campaign: SQL) => sql`${leads.campaignNumber} = ${campaign}`
const hasStatus = sql`(${param('status')} is null or ${leads.status} = ${param('status')})`
const hasExternalId = sql`(${param('externalId')} is null or ${leads.externalId} = ${param('externalId')})`
const isInTime = sql`(${param('createdAfterMs')} is null or ${leads.createdAtMs} > ${param('createdAfterMs')})
  and (${param('createdBeforeMs')} is null or ${leads.createdAtMs} < ${param('createdBeforeMs')})`

const byPlace = { reach: () => sql`true`, sift: hasStatus, isByPlace: true }
const byStatus = {
  // SQLite uses a partial index only when the query repeats its condition.
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

const calling = sql`${lastOutcomeIn(sql`verdict.company_id`)} as "lastOutcome", ${dueAt} as "dueAtMs"`
const isListed = isSuppressed(sql`verdict.company_id`, sql`${leads.phoneNumber}`, sql`verdict.number`)

const statements = { oldest: ofEachWay('oldest'), newest: ofEachWay('newest') }

function ofEachWay(order: LeadOrder) {
  const entries = Object.entries(ways).map(([name, way]) => [name, statementsOf(way, order)])
  return Object.fromEntries(entries) as Record<keyof typeof ways, ReturnType<typeof statementsOf>>
}

function wayOf(filter: LeadFilter): keyof typeof ways {
  if (filter.phoneNumber !== null) return 'byPhone'
  if (filter.externalId !== null) return 'byExternalId'
  const isInTime = filter.createdAfterMs !== null || filter.createdBeforeMs !== null
  // The index of statuses leaves raw leads out.
  if (filter.status === null || filter.status === 'raw') return isInTime ? 'byPlaceInTime' : 'byPlace'
  return isInTime ? 'byStatusInTime' : 'byStatus'
}

/**
 * The statements of a list: the verdict with the list's last lead, and a page in each form and size. Each is made when
 * it is first used: most isolates need few of a hundred.
 */
function statementsOf({ reach, sift, isByTime, isByPlace }: Way, order: LeadOrder) {
  const campaign = sql`verdict.number`
  const { before, last } = placesOf(campaign)
  const times = isByTime ? sql`, ${placesOfTimes(campaign)}` : sql``
  const given = sql`with recursive verdict as ${accessVerdict('read')}${times}`
  // max and min join several bounds: SQLite uses only one lower and one upper bound.
  const [after, until] = isByTime
    ? [sql`, (select max(low) from place_after)`, sql`, (select max(low) from place_before)`]
    : [sql``, sql``]
  const lowest = sql`max(${before}, ${param('afterSeq')}${after})`
  const highest = sql`min(${last}, ${param('untilSeq')}${until})`
  const range = isByPlace ? betweenRuns(before, lowest, highest) : whole(lowest, highest)
  const [inOrder, fromItsEnd] =
    order === 'oldest' ? [range.ascending, range.descending] : [range.descending, range.ascending]
  const found = sql`${range.join} and ${reach(campaign)} and ${sift}
    and not ${isErased} and ${isByTime ? isInTime : sql`true`}`

  const pages = (columns: SQL) => {
    const page = (sizeOf: (found: SQL, inOrder: SQL) => SQL) =>
      statement<ListNames>(
        () =>
          sql`${given} select ${columns} from verdict ${found} ${inOrder}
            limit ${sizeOf(sql`verdict ${found}`, inOrder)}`,
      )
    return { unweighed: page(unweighedSize), weighed: page(weighedSize) }
  }
  return {
    verdict: statement<ListNames>(
      () => sql`${given} select verdict.number,
          (select ${leads.seq} from ${campaigns} as own ${found} and own.number = verdict.number
            ${fromItsEnd} limit 1) as "lastSeq"
        from verdict`,
    ),
    json: pages(sql`${leads.seq}, ${leadJson(sql`verdict.id`)}`),
    withCalling: pages(
      sql`${leads.seq}, ${leadJson(sql`verdict.id`)}, ${calling}, ${isListed} as "isListed"`,
    ),
    row: pages(sql`verdict.id as "campaignId", ${leadColumns}`),
    rowWithCalling: pages(sql`verdict.id as "campaignId", ${leadColumns}, ${calling}`),
  }
}

/**
 * Creation times never fall from one lead of a campaign to the next, so a binary search of at most 32 steps finds the
 * place of a time, without an index that each new lead would write to. It finds the last `seq` whose lead was created
 * before, or not after, the time.
 */
function placesOfTimes(campaign: SQL): SQL {
  const { before } = placesOf(campaign)
  const middle = sql`(low + high + 1) / 2`
  const placeOf = (name: SQL, isBefore: SQL) => {
    const isLower = sql`(select ${leads.createdAtMs} ${isBefore} from ${leads} where ${leads.seq} >= ${middle}
      order by ${leads.seq}
      limit 1)`
    return sql`${name}(low, high) as (
      select ${before}, coalesce(${lastSeqOf(campaign)}, ${before}) from verdict
      union all
      select iif(${isLower}, ${middle}, low), iif(${isLower}, high, ${middle} - 1) from ${name}
      where low < high)`
  }
  return sql`${placeOf(sql`place_after`, sql`<= coalesce(${param('createdAfterMs')}, -1)`)},
    ${placeOf(sql`place_before`, sql`< coalesce(${param('createdBeforeMs')}, 9e15)`)}`
}

/** An export is logged with its first page, so that its owner can find out who took the leads. */
const logExport = statement<ListNames>(() =>
  appendAlways(sql`select ${entryColumns({
    type: 'leads.exported',
    companyId: sql`granted.company_id`,
    campaignNumber: sql`granted.number`,
    data: sql`'{"format":"csv"}'`,
  })} from ${grantedCampaign('read')} as granted
    where (${param('cursorSeq')} = 0 or ${campaignAt(sql`${param('cursorSeq')}`)} = granted.number)
      and ${isUnlogged('leads.exported', sql`granted.company_id`)}`),
)

/** How a lead is read: as the JSON text of its wire form, with its calling or without, or column by column. */
export type LeadForms = {
  readonly json: { readonly seq: number; readonly json: string }
  readonly withCalling: { readonly seq: number } & LeadWithCalling
  readonly row: LeadRow
  readonly rowWithCalling: LeadRow & CallingOfLead
}

export type LeadPage<Lead> = {
  readonly kind: 'page'
  readonly leads: readonly Lead[]
  /** The last lead's place, after which the next page begins; null on the last page. */
  readonly endSeq: number | null
  /** Reads the next page. Leads created since the first page was read are left out. Keeps no reference to this page. */
  readonly next: () => Promise<LeadPage<Lead> | Refusal | OtherCampaign>
}

/** The cursor is of another campaign: continuing would leave leads out. */
type OtherCampaign = { readonly kind: 'other_campaign' }

/** Which part of the list is read. */
type LeadRange = {
  readonly order: LeadOrder
  readonly maxLeads: number
  /** Size of the first page, when more than one page follows. */
  readonly firstLeads: number
  /** The place after which the range begins; 0: at the list's start. */
  readonly cursorSeq: number
  /** The place of the list's last lead; null: not known yet. */
  readonly endSeq: number | null
}

function boundsOf({ order, cursorSeq, endSeq }: LeadRange) {
  return order === 'oldest'
    ? { afterSeq: cursorSeq, untilSeq: endSeq ?? Number.MAX_SAFE_INTEGER }
    : { afterSeq: (endSeq ?? 1) - 1, untilSeq: cursorSeq === 0 ? Number.MAX_SAFE_INTEGER : cursorSeq - 1 }
}

/** Reads the range's first page. Throws DatabaseUnavailable. */
export async function readPage<Form extends keyof LeadForms>(
  db: D1Database,
  access: Access,
  form: Form,
  filter: LeadFilter,
  range: LeadRange,
): Promise<LeadPage<LeadForms[Form]> | Refusal | OtherCampaign> {
  const values = { ...access, ...filter, ...range, ...boundsOf(range) }
  const way = statements[range.order][wayOf(filter)]
  const isExport = (form === 'row' || form === 'rowWithCalling') && range.endSeq === null
  const page = way[form][range.firstLeads <= leadsOfAnySize ? 'unweighed' : 'weighed']
  const { rows } = await runBatch(db, [
    way.verdict(db, values),
    page(db, values),
    ...(isExport ? [logExport(db, values)] : []),
  ])
  const verdict = rows[0]?.[0] as (Verdict & { lastSeq: number | null }) | undefined
  if (isRefused(verdict)) return refusalOf(verdict)
  const { cursorSeq } = range
  if (cursorSeq !== 0 && campaignNumberOf(cursorSeq) !== verdict.number) return { kind: 'other_campaign' }

  const leads = rows[1] as LeadForms[Form][]
  const lastSeq = verdict.lastSeq ?? 0
  const seq = leads.at(-1)?.seq ?? 0
  const rest = {
    order: range.order,
    maxLeads: range.maxLeads,
    firstLeads: range.maxLeads,
    cursorSeq: seq,
    endSeq: lastSeq,
  }
  const next = () => readPage(db, { ...access, nowMs: Date.now() }, form, filter, rest)
  return { kind: 'page', leads, endSeq: seq === lastSeq || leads.length === 0 ? null : seq, next }
}
