// Reading leads. Every function checks the key's right in its own transaction and returns rows, never an HTTP
// answer. Writing them is in leads.ts, their wire form in lead-row.ts.
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
import { runBatch, statement } from '../../database/database.ts'
import {
  campaignNumberOf,
  type LeadKey,
  type LeadStatus,
  leadIdOf,
  leadSeqBits,
  parseLeadId,
} from '../lead.ts'
import { type LeadRow, leadColumns, leadJson } from './row.ts'
import { leads } from './tables.ts'

const param = sql.placeholder
const bits = sql.raw(`${leadSeqBits}`)

const leadBySeq = statement(sql`select ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token},
    ${leadJson(sql`verdict.id`)}
  from ${accessVerdict('look', sql`${campaigns.number} = ${param('seq')} >> ${bits}`)} as verdict
  left join ${leads} on ${leads.seq} = ${param('seq')} and ${leads.campaignNumber} = verdict.number`)

export type FindOutcome =
  | { readonly kind: 'key_refused' | 'missing' }
  | { readonly kind: 'found'; readonly json: string }

/** One lead as JSON text. Missing also when it is not for this key to see. Throws DatabaseUnavailable. */
export async function findLead(
  db: D1Database,
  keyId: string,
  leadId: string,
  nowMs: number,
): Promise<FindOutcome> {
  // What cannot be an id is looked up all the same: the key is judged before the id.
  const seq = parseLeadId(leadId)?.seq ?? 0
  const { rows } = await runBatch(db, [leadBySeq(db, { keyId, seq, nowMs })])
  const row = rows[0]?.[0] as (LeadKey & { json: string | null }) | undefined
  if (row === undefined) return { kind: 'key_refused' }
  if (row.json === null || leadIdOf(row) !== leadId) return { kind: 'missing' }
  return { kind: 'found', json: row.json }
}

/** Which leads of the campaign. Null: no such condition. */
export type LeadFilter = {
  readonly status: LeadStatus | null
  readonly phoneNumber: string | null
  readonly externalId: string | null
  readonly createdAfterMs: number | null
  readonly createdBeforeMs: number | null
}

const granted = sql`with recursive granted as ${grantedCampaign('read')}`
const firstSeq = sql`granted.number << ${bits}`
const endSeq = sql`((granted.number + 1) << ${bits}) - 1`
const lastSeq = sql`(select ${leads.seq} from ${leads} where ${leads.seq} between ${firstSeq} and ${endSeq}
  order by ${leads.seq} desc limit 1)`
const isOfCampaign = sql`${leads.campaignNumber} = granted.number`
const isInRange = sql`${leads.seq} > ${param('afterSeq')} and ${leads.seq} <= ${param('untilSeq')}`

/** Whether there are too many leads for one page, so that the first one is kept short and soon on its way. */
const isLong = sql`exists (select 1 from ${leads} where ${leads.seq} between ${firstSeq} and ${endSeq}
  and ${param('firstRows')} < ${param('maxRows')} limit 1 offset ${param('maxRows')} - 1)`

/** A page of the leads that `on` finds through an index. `sift` is what is left to check of each. */
const pageFrom = (
  columns: SQL,
  on: SQL,
  sift: SQL,
) => sql`select ${columns} from granted cross join ${leads} on ${on}
  where ${sift} order by ${leads.seq}
  limit coalesce((select iif(${isLong}, ${param('firstRows')}, ${param('maxRows')}) from granted), 0)`

const hasStatus = sql`(${param('status')} is null or ${leads.status} = ${param('status')})`
const isInTime = sql`(${param('createdAfterMs')} is null or ${leads.createdAtMs} > ${param('createdAfterMs')})
  and (${param('createdBeforeMs')} is null or ${leads.createdAtMs} < ${param('createdBeforeMs')})`
const hasExternalId = sql`(${param('externalId')} is null or ${leads.externalId} = ${param('externalId')})`

// Times of creation never fall from one lead of a campaign to the next, so the place of a time is found by
// halving, in 32 steps at most, without an index that every new lead would have to be written to. What is found
// is the last `seq` whose lead was created before, or (`<=`) not after, the time.
const middle = sql`(low + high + 1) / 2`
const placeOf = (name: string, before: SQL) => {
  const isBefore = sql`(select ${leads.createdAtMs} ${before} from ${leads}
    where ${leads.seq} >= ${middle} order by ${leads.seq} limit 1)`
  return sql`${sql.raw(name)}(low, high) as (
    select ${firstSeq}, coalesce(${lastSeq}, ${firstSeq}) from granted
    union all
    select iif(${isBefore}, ${middle}, low), iif(${isBefore}, high, ${middle} - 1)
    from ${sql.raw(name)} where low < high)`
}

/** The statements of a list, by what its leads are found through. */
function pagesOf(columns: SQL) {
  return {
    // max and min make one bound of two: SQLite uses only one of each for a search.
    byPlace: statement(
      sql`${granted} ${pageFrom(
        columns,
        sql`${leads.seq} > max(${firstSeq}, ${param('afterSeq')}) and ${leads.seq} <= min(${endSeq}, ${param('untilSeq')})`,
        hasStatus,
      )}`,
    ),
    byTime: statement(sql`${granted},
      ${placeOf('place_after', sql`<= coalesce(${param('createdAfterMs')}, -1)`)},
      ${placeOf('place_before', sql`< coalesce(${param('createdBeforeMs')}, 9e15)`)}
      ${pageFrom(
        columns,
        sql`${leads.seq} > max((select max(low) from place_after), ${param('afterSeq')})
          and ${leads.seq} <= min((select max(low) from place_before), ${param('untilSeq')})`,
        hasStatus,
      )}`),
    byPhone: statement(
      sql`${granted} ${pageFrom(
        columns,
        sql`${isOfCampaign} and ${leads.phoneNumber} = ${param('phoneNumber')} and ${isInRange}`,
        sql`${hasStatus} and ${isInTime} and ${hasExternalId}`,
      )}`,
    ),
    byExternalId: statement(
      sql`${granted} ${pageFrom(
        columns,
        sql`${isOfCampaign} and ${leads.externalId} = ${param('externalId')} and ${isInRange}`,
        sql`${hasStatus} and ${isInTime}`,
      )}`,
    ),
  }
}

const pages = {
  json: pagesOf(sql`${leads.seq}, ${leadJson(sql`granted.id`)}`),
  row: pagesOf(sql`granted.id as "campaignId", ${leadColumns}`),
}

/** How a lead is read: as the JSON text of its wire form, or column by column. */
export type LeadForms = {
  readonly json: { readonly seq: number; readonly json: string }
  readonly row: LeadRow
}

const listVerdict = statement(sql`select granted.number, ${lastSeq} as "lastSeq", ${isLong} as "isLong"
  from ${accessVerdict('read')} as granted`)

export type LeadPage<Lead> = {
  readonly kind: 'page'
  readonly leads: readonly Lead[]
  /** The place of the last lead, after which the next page begins; null when there is none after it. */
  readonly endSeq: number | null
  /** Reads the next page. Leads created since the first one was read are in none. */
  readonly next: () => Promise<LeadPage<Lead> | Refusal | OtherCampaign>
}

/** The range begins at a place of another campaign, where going on would leave leads out. */
type OtherCampaign = { readonly kind: 'other_campaign' }

/** Which part of a campaign's list is read at once. */
export type LeadRange = {
  readonly maxLeads: number
  /** Of the first page, when more than maxLeads are to follow. */
  readonly firstLeads: number
  /** 0: from the beginning. */
  readonly afterSeq: number
  readonly untilSeq: number
}

/** The campaign's leads in the range, in commit order, page by page. Throws DatabaseUnavailable. */
export async function readPage<Form extends keyof LeadForms>(
  db: D1Database,
  access: Access,
  form: Form,
  filter: LeadFilter,
  range: LeadRange,
): Promise<LeadPage<LeadForms[Form]> | Refusal | OtherCampaign> {
  const { maxLeads, firstLeads, afterSeq, untilSeq } = range
  // One row more than asked for tells whether there is a next page.
  const maxRows = maxLeads + 1
  const values = {
    ...access,
    ...filter,
    afterSeq,
    untilSeq,
    maxRows,
    firstRows: Math.min(firstLeads + 1, maxRows),
  }
  const { rows } = await runBatch(db, [listVerdict(db, values), pageOf(form, filter)(db, values)])
  const verdict = rows[0]?.[0] as (Verdict & { lastSeq: number | null; isLong: number }) | undefined
  const refusal = refusalOf(verdict)
  if (refusal !== null) return refusal
  if (afterSeq !== 0 && campaignNumberOf(afterSeq) !== verdict?.number) return { kind: 'other_campaign' }

  const found = rows[1] as LeadForms[Form][]
  const leads = found.slice(0, verdict?.isLong ? firstLeads : maxLeads)
  const endSeq = found.length > leads.length ? (leads.at(-1)?.seq ?? null) : null
  const rest = {
    maxLeads,
    firstLeads: maxLeads,
    afterSeq: endSeq ?? afterSeq,
    untilSeq: Math.min(untilSeq, verdict?.lastSeq ?? 0),
  }
  const next = () => readPage(db, { ...access, nowMs: Date.now() }, form, filter, rest)
  return { kind: 'page', leads, endSeq, next }
}

function pageOf(form: keyof LeadForms, filter: LeadFilter) {
  if (filter.phoneNumber !== null) return pages[form].byPhone
  if (filter.externalId !== null) return pages[form].byExternalId
  if (filter.createdAfterMs !== null || filter.createdBeforeMs !== null) return pages[form].byTime
  return pages[form].byPlace
}
