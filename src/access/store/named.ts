// Access of the command line, which has no key: it names a company or a campaign, and may do everything with it. Table
// expressions with the columns of those in rights.ts, so that the same statements serve both. No endpoint may use them.
import { type SQL, sql } from 'drizzle-orm'
import { param, runBatch, statement } from '../../database/database.ts'
import { waits } from '../../limits.ts'
import type { Actor } from './rights.ts'
import { campaigns, companies } from './tables.ts'

/** The values of the placeholders. */
export type NamedCampaign = Actor & { readonly companyId: string; readonly campaignId: string }

/** Placeholder `campaignId` comes with the request itself; null: the whole company. */
export type NamedCompany = Omit<NamedCampaign, 'campaignId'>

/** Like grantedCampaign and accessVerdict; no row when there is no such campaign. */
export const namedCampaign: SQL = sql`(select ${campaigns.number} as number, ${campaigns.id} as id,
    ${campaigns.companyId} as company_id
  from ${campaigns} where ${campaigns.companyId} = ${param('companyId')} and ${campaigns.id} = ${param('campaignId')})`

/** Like scopeVerdict: no row when there is no such company, a null number when it has no such campaign. */
export const namedScope: SQL = sql`(select ${companies.id} as company_id,
    case when ${param('campaignId')} is null then 0 else ${campaigns.number} end as number
  from ${companies} left join ${campaigns} on ${campaigns.companyId} = ${companies.id}
    and ${campaigns.id} = ${param('campaignId')} where ${companies.id} = ${param('companyId')})`

/** Like grantedKey for a company-wide key; no row when there is no such company. */
export const namedCompany: SQL = sql`(select ${companies.id} as company_id, null as campaign_number
  from ${companies} where ${companies.id} = ${param('companyId')})`

export type CampaignChoice = {
  readonly campaignId: string
  /** Null: any company. */
  readonly companyId: string | null
}

/** Campaigns of several companies may have the same id (D39): then the command has to name the company. */
export type CampaignNotOne =
  | { readonly kind: 'campaign_unknown' }
  | { readonly kind: 'campaign_ambiguous'; readonly companyIds: readonly string[] }

export const isChosen = sql`${campaigns.id} = ${param('campaignId')}
  and (${param('companyId')} is null or ${campaigns.companyId} = ${param('companyId')})`

export const chosenCampaigns = statement(
  sql`select ${campaigns.companyId} as "companyId" from ${campaigns} where ${isChosen} order by 1`,
)

/** Reads the rows of chosenCampaigns. Null: exactly one campaign. */
export function notOne(found: readonly unknown[] | undefined): CampaignNotOne | null {
  const companyIds = (found as { companyId: string }[]).map(({ companyId }) => companyId)
  if (companyIds.length === 0) return { kind: 'campaign_unknown' }
  return companyIds.length === 1 ? null : { kind: 'campaign_ambiguous', companyIds }
}

/** The one campaign of a choice. Throws DatabaseUnavailable. */
export async function findCampaign(
  db: D1Database,
  choice: CampaignChoice,
  actor: Actor,
): Promise<CampaignNotOne | { readonly kind: 'found'; readonly campaign: NamedCampaign }> {
  const { rows } = await runBatch(db, [chosenCampaigns(db, choice)], waits.administrationMs)
  const [found] = rows[0] as { companyId: string }[]
  const refusal = notOne(rows[0])
  if (refusal !== null || found === undefined) return refusal ?? { kind: 'campaign_unknown' }
  return { kind: 'found', campaign: { ...found, campaignId: choice.campaignId, ...actor } }
}

export const asOperator = (nowMs = Date.now()): Actor => ({ actor: 'operator', requestId: null, nowMs })
