// Reads a campaign's leads page by page. Each statement checks the key's right. ways.ts chooses the index, page-size.ts
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
import { number, param, runBatch, statement } from '../../../../base/database/database.ts'
import {
  type ActorNames,
  appendAlways,
  entryColumns,
  isUnlogged,
} from '../../../../base/ledger/log/append.ts'
import { isSuppressed } from '../../../../base/ledger/suppression/numbers.ts'
import type { Included, RowWithMore } from '../../csv.ts'
import { campaignNumberOf, type LeadOrder, type LeadWithMore } from '../../lead.ts'
import { hasOrigin, originJson } from '../../origin/store/origin-sql.ts'
import { type LeadRow, leadColumns } from '../field-columns.ts'
import { campaignAt, dueAt, isErased, lastOutcomeIn, lastSeqOf, leadJson, placesOf } from '../row.ts'
import { leads } from '../tables.ts'
import { leadsOfAnySize, unweighedSize, weighedSize } from './page-size.ts'
import { betweenRuns, whole } from './stretches.ts'
import { isInTime, type LeadFilter, placesOfTimes, type Way, wayOf, ways } from './ways.ts'

/**
 * Places that a page looks at for the leads of an origin, which no index has. Where few match, it is short or empty,
 * and the next one continues.
 */
const lookedAtPerPage = number(10_000)

/** The placeholders of all statements here. */
type RangeNames = 'afterSeq' | 'untilSeq' | 'cursorSeq' | 'maxLeads' | 'firstLeads'
type ListNames = AccessNames | ActorNames | keyof LeadFilter | RangeNames | 'withCalling' | 'withOrigin'

const ifIncluded = (which: 'withCalling' | 'withOrigin', value: SQL) =>
  sql`iif(${param(which)}, ${value}, null)`
const more = sql`${ifIncluded('withCalling', lastOutcomeIn(sql`verdict.company_id`))} as "lastOutcome",
  ${dueAt} as "dueAtMs",
  ${ifIncluded('withOrigin', originJson(sql`${leads.origin}`, sql`${leads.importName}`))} as origin`
const isListed = isSuppressed(sql`verdict.company_id`, sql`${leads.phoneNumber}`, sql`verdict.number`)

const noBound = sql`9e18`

/** The places above `lowest`, up to `highest`. `horizon`: JSON of a Horizon. */
type Bounds = Readonly<Record<'lowest' | 'highest' | 'horizon', SQL>>

const unbounded = (first: SQL, end: SQL): Bounds => ({ lowest: first, highest: end, horizon: sql`null` })

/** With an origin, so many places from the beginning of the page. */
const bounded: Readonly<Record<LeadOrder, (campaign: SQL, first: SQL, end: SQL) => Bounds>> = {
  oldest: (campaign, first, end) => {
    const horizon = sql`${first} + ${lookedAtPerPage}`
    const listEnd = sql`min(${end}, ${lastSeqOf(campaign)})`
    return {
      lowest: first,
      highest: sql`min(${end}, iif(${param('origin')} is null, ${noBound}, ${horizon}))`,
      horizon: sql`json_array(iif(${horizon} < ${listEnd}, ${horizon}, null), ${listEnd})`,
    }
  },
  newest: (campaign, first, end) => {
    const horizon = sql`min(${end}, ${lastSeqOf(campaign)}) - ${lookedAtPerPage}`
    return {
      lowest: sql`max(${first}, iif(${param('origin')} is null, 0, ${horizon}))`,
      highest: end,
      horizon: sql`json_array(iif(${horizon} > ${first}, ${horizon} + 1, null), ${first} + 1)`,
    }
  },
}

const statements = { oldest: ofEachWay('oldest'), newest: ofEachWay('newest') }

function ofEachWay(order: LeadOrder) {
  const entries = Object.entries(ways).map(([name, way]) => [name, statementsOf(way, order)])
  return Object.fromEntries(entries) as Record<keyof typeof ways, ReturnType<typeof statementsOf>>
}

/**
 * The statements of a list: the verdict with the list's last lead, and a page in each form and size. Each is made when
 * it is first used: most isolates need few of a hundred.
 */
function statementsOf({ reach, sift, isByTime, isByPlace, findsFew }: Way, order: LeadOrder) {
  const campaign = sql`verdict.number`
  const { before, last } = placesOf(campaign)
  const times = isByTime ? sql`, ${placesOfTimes(campaign)}` : sql``
  const given = sql`with recursive verdict as ${accessVerdict('read')}${times}`
  // max and min join several bounds: SQLite uses only one lower and one upper bound.
  const [after, until] = isByTime
    ? [sql`, (select max(low) from place_after)`, sql`, (select max(low) from place_before)`]
    : [sql``, sql``]
  const first = sql`max(${before}, ${param('afterSeq')}${after})`
  const end = sql`min(${last}, ${param('untilSeq')}${until})`
  const { lowest, highest, horizon } = findsFew ? unbounded(first, end) : bounded[order](campaign, first, end)
  const range = isByPlace ? betweenRuns(before, lowest, highest) : whole(lowest, highest)
  const [inOrder, fromItsEnd] =
    order === 'oldest' ? [range.ascending, range.descending] : [range.descending, range.ascending]
  const found = sql`${range.join} and ${reach(campaign)} and ${sift}
    and not ${isErased} and ${isByTime ? isInTime : sql`true`} and ${hasOrigin(sql`${leads.origin}`)}`

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
            ${fromItsEnd} limit 1) as "lastSeq",
          iif(${param('origin')} is null, null, ${horizon}) as horizon
        from verdict`,
    ),
    json: pages(sql`${leads.seq}, ${leadJson(sql`verdict.id`)}`),
    withMore: pages(
      sql`${leads.seq}, ${leadJson(sql`verdict.id`)}, ${more}, ${ifIncluded('withCalling', isListed)} as "isListed"`,
    ),
    row: pages(sql`verdict.id as "campaignId", ${leadColumns}`),
    rowWithMore: pages(sql`verdict.id as "campaignId", ${leadColumns}, ${more}`),
  }
}

/** Where a page of an origin ends when it has no more leads, null on the last page; and the list's last place. */
type Horizon = readonly [endSeq: number | null, listEndSeq: number | null]

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
  readonly withMore: { readonly seq: number } & LeadWithMore
  readonly row: LeadRow
  readonly rowWithMore: RowWithMore
}

/** How the leads are read, and what else of each. */
type Reading<Form> = Included & { readonly form: Form }

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
  reading: Reading<Form>,
  filter: LeadFilter,
  range: LeadRange,
): Promise<LeadPage<LeadForms[Form]> | Refusal | OtherCampaign> {
  const { form, withCalling, withOrigin } = reading
  const included = { withCalling: withCalling ? 1 : 0, withOrigin: withOrigin ? 1 : 0 }
  const values = { ...access, ...filter, ...range, ...boundsOf(range), ...included }
  const way = statements[range.order][wayOf(filter)]
  const isExport = (form === 'row' || form === 'rowWithMore') && range.endSeq === null
  const page = way[form][range.firstLeads <= leadsOfAnySize ? 'unweighed' : 'weighed']
  const { rows } = await runBatch(db, [
    way.verdict(db, values),
    page(db, values),
    ...(isExport ? [logExport(db, values)] : []),
  ])
  const verdict = rows[0]?.[0] as (Verdict & { lastSeq: number | null; horizon: string | null }) | undefined
  if (isRefused(verdict)) return refusalOf(verdict)
  const { cursorSeq } = range
  if (cursorSeq !== 0 && campaignNumberOf(cursorSeq) !== verdict.number) return { kind: 'other_campaign' }

  const leads = rows[1] as LeadForms[Form][]
  const lastSeq = verdict.lastSeq ?? 0
  const seq = leads.at(-1)?.seq ?? 0
  const [horizonSeq, listEndSeq] = JSON.parse(verdict.horizon ?? '[null, null]') as Horizon
  const pageEndSeq = seq === lastSeq || leads.length === 0 ? horizonSeq : seq
  const rest = {
    order: range.order,
    maxLeads: range.maxLeads,
    firstLeads: range.maxLeads,
    cursorSeq: pageEndSeq ?? seq,
    endSeq: listEndSeq ?? lastSeq,
  }
  const next = () => readPage(db, { ...access, nowMs: Date.now() }, reading, filter, rest)
  return { kind: 'page', leads, endSeq: pageEndSeq, next }
}
