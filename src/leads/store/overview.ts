// Leads for the command line: those of a campaign, oldest first, how many have each status, and a single one by id,
// phone number or external id. Checks no API key, and a count reads every lead of the campaign.
import { type SQL, sql } from 'drizzle-orm'
import {
  type CampaignChoice,
  type CampaignNotOne,
  chosenCampaigns,
  isChosen,
  notOne,
} from '../../access/store/named.ts'
import { campaigns } from '../../access/store/tables.ts'
import { runBatch, statement } from '../../database/database.ts'
import { waits } from '../../limits.ts'
import { type LeadStatus, leadIdOf, parseLeadId } from '../lead.ts'
import { campaignAt, isErased, type LeadRow, leadColumns, leadJson, placesOf } from './row.ts'
import { leads } from './tables.ts'

const param = sql.placeholder

const places = placesOf(sql`${campaigns.number}`)

/** `cross join` makes SQLite find the campaign first, then read its range of the table. */
const leadsOfCampaign = sql`${campaigns} cross join ${leads} on ${leads.seq} > ${places.before}
  and ${leads.seq} <= ${places.last} where ${isChosen} and not ${isErased}`

const firstLeads = statement(sql`select ${campaigns.id} as "campaignId", ${leadColumns},
    ${leadJson(sql`${campaigns.id}`)} from ${leadsOfCampaign}
    and (${param('status')} is null or ${leads.status} = ${param('status')})
  order by ${leads.seq} limit ${param('maxLeads')}`)

export type LeadSelection = CampaignChoice & {
  /** Null: of any status. */
  readonly status: LeadStatus | null
  readonly maxLeads: number
}

/** Throws DatabaseUnavailable, like every function here. */
export async function selectLeads(
  db: D1Database,
  selection: LeadSelection,
): Promise<
  | CampaignNotOne
  | { readonly kind: 'found'; readonly leads: readonly (LeadRow & { readonly json: string })[] }
> {
  const statements = [chosenCampaigns(db, selection), firstLeads(db, selection)]
  const { rows } = await runBatch(db, statements, waits.overviewMs)
  return notOne(rows[0]) ?? { kind: 'found', leads: rows[1] as (LeadRow & { json: string })[] }
}

const leadsPerStatus = statement(sql`select ${leads.status}, count(*) as "count" from ${leadsOfCampaign}
  group by ${leads.status}`)

export type StatusCount = { readonly status: LeadStatus; readonly count: number }

/** Only statuses that some lead has, in no order. */
export async function countLeads(
  db: D1Database,
  campaign: CampaignChoice,
): Promise<CampaignNotOne | { readonly kind: 'counted'; readonly counts: readonly StatusCount[] }> {
  const statements = [chosenCampaigns(db, campaign), leadsPerStatus(db, campaign)]
  const { rows } = await runBatch(db, statements, waits.overviewMs)
  return notOne(rows[0]) ?? { kind: 'counted', counts: rows[1] as StatusCount[] }
}

/** Null: any campaign or company. */
export type LeadSearch = {
  readonly name: string
  readonly campaignId: string | null
  readonly companyId: string | null
}

export type NamedLead = {
  readonly leadId: string
  readonly campaignId: string
  readonly companyId: string
  readonly phoneNumber: string
  /** The lead as the API answers it. */
  readonly json: string
}

/** More than one is returned, so that the operator can choose. */
const mostFound = 20

const isWithin = sql`(${param('campaignId')} is null or ${campaigns.id} = ${param('campaignId')})
  and (${param('companyId')} is null or ${campaigns.companyId} = ${param('companyId')})`

const namedLeads = (which: SQL) =>
  statement(sql`select ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token},
    ${campaigns.id} as "campaignId", ${campaigns.companyId} as "companyId",
    ${leads.phoneNumber} as "phoneNumber", ${leadJson(sql`${campaigns.id}`)}
  from ${campaigns} cross join ${leads} on ${leads.campaignNumber} = ${campaigns.number} and ${which}
  where ${isWithin} and not ${isErased} order by ${leads.seq} limit ${sql.raw(`${mostFound}`)}`)

const leadById = namedLeads(
  sql`${leads.seq} = ${param('seq')} and ${campaigns.number} = ${campaignAt(sql`${param('seq')}`)}`,
)
const leadsByPhoneNumber = namedLeads(sql`${leads.phoneNumber} = ${param('name')}`)
const leadsByExternalId = namedLeads(sql`${leads.externalId} = ${param('name')}`)

/** Leads by id, else by phone number, else by external id. */
export async function findNamedLeads(db: D1Database, search: LeadSearch): Promise<readonly NamedLead[]> {
  const values = { ...search, seq: parseLeadId(search.name)?.seq ?? 0 }
  const statements = [leadById, leadsByPhoneNumber, leadsByExternalId].map((step) => step(db, values))
  const { rows } = await runBatch(db, statements, waits.overviewMs)
  const [byId, ...others] = rows as (Omit<NamedLead, 'leadId'> & LeadRow)[][]
  // An id is more than the place: time and token must match too.
  const found = [byId?.filter((row) => leadIdOf(row) === search.name) ?? [], ...others]
  return (found.find((some) => some.length > 0) ?? []).map((row) => ({
    leadId: leadIdOf(row),
    campaignId: row.campaignId,
    companyId: row.companyId,
    phoneNumber: row.phoneNumber,
    json: row.json,
  }))
}
