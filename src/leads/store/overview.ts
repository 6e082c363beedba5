// What an operator sees of a campaign: its leads, oldest first, and how many are in each status. For the command
// line only: no API key is asked for, and a count reads every lead of the campaign.
import { sql } from 'drizzle-orm'
import { campaigns } from '../../access/store/tables.ts'
import { runBatch, statement } from '../../database/database.ts'
import { waits } from '../../limits.ts'
import type { LeadStatus } from '../lead.ts'
import { type LeadRow, leadColumns, leadJson, placesOf } from './row.ts'
import { leads } from './tables.ts'

/** An id may be of several companies' campaigns (D39): then a company has to be named. */
export type CampaignNotOne =
  | { readonly kind: 'campaign_unknown' }
  | { readonly kind: 'campaign_ambiguous'; readonly companyIds: readonly string[] }

const param = sql.placeholder

const places = placesOf(sql`${campaigns.number}`)

const isAskedFor = sql`${campaigns.id} = ${param('campaignId')}
  and (${param('companyId')} is null or ${campaigns.companyId} = ${param('companyId')})`

/** `cross join` makes SQLite find the campaign first, and then read its unbroken range of the table. */
const leadsOfCampaign = sql`${campaigns} cross join ${leads} on ${leads.seq} > ${places.before}
  and ${leads.seq} <= ${places.last} where ${isAskedFor}`

const campaignsAskedFor = statement(
  sql`select ${campaigns.companyId} as "companyId" from ${campaigns} where ${isAskedFor} order by 1`,
)

/** Null when it is one campaign. */
function notOne(found: readonly unknown[] | undefined): CampaignNotOne | null {
  const companyIds = (found as { companyId: string }[]).map(({ companyId }) => companyId)
  if (companyIds.length === 0) return { kind: 'campaign_unknown' }
  return companyIds.length === 1 ? null : { kind: 'campaign_ambiguous', companyIds }
}

const firstLeads = statement(sql`select ${campaigns.id} as "campaignId", ${leadColumns},
    ${leadJson(sql`${campaigns.id}`)} from ${leadsOfCampaign}
    and (${param('status')} is null or ${leads.status} = ${param('status')})
  order by ${leads.seq} limit ${param('maxLeads')}`)

export type CampaignChoice = {
  readonly campaignId: string
  /** Null: whichever company has it. */
  readonly companyId: string | null
}

export type LeadSelection = CampaignChoice & {
  /** Null: of any status. */
  readonly status: LeadStatus | null
  readonly maxLeads: number
}

/** Throws DatabaseUnavailable, as every function here. */
export async function selectLeads(
  db: D1Database,
  selection: LeadSelection,
): Promise<
  | CampaignNotOne
  | { readonly kind: 'found'; readonly leads: readonly (LeadRow & { readonly json: string })[] }
> {
  const statements = [campaignsAskedFor(db, selection), firstLeads(db, selection)]
  const { rows } = await runBatch(db, statements, waits.overviewMs)
  return notOne(rows[0]) ?? { kind: 'found', leads: rows[1] as (LeadRow & { json: string })[] }
}

const leadsPerStatus = statement(sql`select ${leads.status}, count(*) as "count" from ${leadsOfCampaign}
  group by ${leads.status}`)

export type StatusCount = { readonly status: LeadStatus; readonly count: number }

/** One entry for each status that any lead has, in no order. */
export async function countLeads(
  db: D1Database,
  campaign: CampaignChoice,
): Promise<CampaignNotOne | { readonly kind: 'counted'; readonly counts: readonly StatusCount[] }> {
  const statements = [campaignsAskedFor(db, campaign), leadsPerStatus(db, campaign)]
  const { rows } = await runBatch(db, statements, waits.overviewMs)
  return notOne(rows[0]) ?? { kind: 'counted', counts: rows[1] as StatusCount[] }
}
