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
} from './access.ts'
import { runBatch, statement } from './database.ts'
import { type LeadRow, type LeadStatus, leadIdOf, parseLeadId } from './lead-row.ts'
import { campaigns, leadSeqBits, leads } from './schema.ts'

const param = sql.placeholder
const bits = sql.raw(`${leadSeqBits}`)

export const leadColumns = sql`${leads.seq}, ${leads.phoneNumber} as "phoneNumber", ${leads.externalId} as "externalId",
  ${leads.metadata}, ${leads.status}, ${leads.scheduledFor} as "scheduledFor", ${leads.priority}, ${leads.attempts},
  ${leads.createdAtMs} as "createdAtMs", ${leads.token}`

const leadBySeq = statement(sql`select verdict.id as "campaignId", ${leadColumns}
  from ${accessVerdict('read', sql`${campaigns.number} = ${param('seq')} >> ${bits}`)} as verdict
  left join ${leads} on ${leads.seq} = ${param('seq')} and ${leads.campaignNumber} = verdict.number`)

export type GetOutcome =
  | { readonly kind: 'key_refused' | 'missing' }
  | { readonly kind: 'found'; readonly lead: LeadRow }

/** One lead. Missing also when it is not for this key to see. Throws DatabaseUnavailable. */
export async function getLead(
  db: D1Database,
  keyId: string,
  leadId: string,
  nowMs: number,
): Promise<GetOutcome> {
  // What cannot be an id is looked up all the same: the key is judged before the id.
  const seq = parseLeadId(leadId)?.seq ?? 0
  const { rows } = await runBatch(db, [leadBySeq(db, { keyId, seq, nowMs })])
  const row = rows[0]?.[0] as (LeadRow & { seq: number | null }) | undefined
  if (row === undefined) return { kind: 'key_refused' }
  return row.seq !== null && leadIdOf(row) === leadId ? { kind: 'found', lead: row } : { kind: 'missing' }
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

/** A page of the leads that `on` finds through an index. The other conditions only sift them. */
const pageFrom = (on: SQL) => sql`select ${leadColumns} from granted cross join ${leads} on ${on}
  where (${param('status')} is null or ${leads.status} = ${param('status')})
    and (${param('phoneNumber')} is null or ${leads.phoneNumber} = ${param('phoneNumber')})
    and (${param('externalId')} is null or ${leads.externalId} = ${param('externalId')})
    and (${param('createdAfterMs')} is null or ${leads.createdAtMs} > ${param('createdAfterMs')})
    and (${param('createdBeforeMs')} is null or ${leads.createdAtMs} < ${param('createdBeforeMs')})
  order by ${leads.seq} limit ${param('maxRows')}`

// max and min make one bound of two: SQLite uses only one of each for a search.
const pageByPlace = statement(
  sql`${granted} ${pageFrom(sql`${leads.seq} > max(${firstSeq}, ${param('afterSeq')})
    and ${leads.seq} <= min(${endSeq}, ${param('untilSeq')})`)}`,
)
const pageByPhone = statement(
  sql`${granted} ${pageFrom(sql`${isOfCampaign} and ${leads.phoneNumber} = ${param('phoneNumber')} and ${isInRange}`)}`,
)
const pageByExternalId = statement(
  sql`${granted} ${pageFrom(sql`${isOfCampaign} and ${leads.externalId} = ${param('externalId')} and ${isInRange}`)}`,
)

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
const pageByTime = statement(sql`${granted},
  ${placeOf('place_after', sql`<= coalesce(${param('createdAfterMs')}, -1)`)},
  ${placeOf('place_before', sql`< coalesce(${param('createdBeforeMs')}, 9e15)`)}
  ${pageFrom(sql`${leads.seq} > max((select max(low) from place_after), ${param('afterSeq')})
    and ${leads.seq} <= min((select max(low) from place_before), ${param('untilSeq')})`)}`)

const listVerdict = statement(
  sql`select granted.number, ${lastSeq} as "lastSeq" from ${accessVerdict('read')} as granted`,
)

export type LeadPage = {
  readonly kind: 'page'
  readonly leads: readonly LeadRow[]
  /** The place of the last lead, after which the next page begins; null when there is none after it. */
  readonly endSeq: number | null
  /** Reads the next page. Leads created since the first one was read are in none. */
  readonly next: () => Promise<LeadPage | Refusal>
}

/** At most `maxLeads` of the campaign's leads behind `afterSeq`, in commit order. Throws DatabaseUnavailable. */
export function listLeads(
  db: D1Database,
  access: Access,
  filter: LeadFilter,
  { maxLeads, afterSeq }: { maxLeads: number; afterSeq: number },
): Promise<LeadPage | Refusal> {
  return readPage(db, access, filter, maxLeads, afterSeq, Number.MAX_SAFE_INTEGER)
}

async function readPage(
  db: D1Database,
  access: Access,
  filter: LeadFilter,
  maxLeads: number,
  afterSeq: number,
  untilSeq: number,
): Promise<LeadPage | Refusal> {
  // One row more than asked for tells whether there is a next page.
  const values = { ...access, ...filter, afterSeq, untilSeq, maxRows: maxLeads + 1 }
  const { rows } = await runBatch(db, [listVerdict(db, values), pageFor(filter)(db, values)])
  const verdict = rows[0]?.[0] as (Verdict & { lastSeq: number | null }) | undefined
  const refusal = refusalOf(verdict)
  if (refusal !== null) return refusal

  const found = (rows[1] as Omit<LeadRow, 'campaignId'>[]).slice(0, maxLeads)
  const hasMore = (rows[1]?.length ?? 0) > maxLeads
  const reachedSeq = found.at(-1)?.seq ?? afterSeq
  const lastSeq = Math.min(untilSeq, verdict?.lastSeq ?? 0)
  return {
    kind: 'page',
    leads: found.map((row) => ({ ...row, campaignId: access.campaignId })),
    endSeq: hasMore ? reachedSeq : null,
    next: () => readPage(db, { ...access, nowMs: Date.now() }, filter, maxLeads, reachedSeq, lastSeq),
  }
}

function pageFor(filter: LeadFilter) {
  if (filter.phoneNumber !== null) return pageByPhone
  if (filter.externalId !== null) return pageByExternalId
  if (filter.createdAfterMs !== null || filter.createdBeforeMs !== null) return pageByTime
  return pageByPlace
}
