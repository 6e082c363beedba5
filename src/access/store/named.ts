// What the operator acts on. The command line asks for no key: it names a company, or a campaign of it, and may do all
// with that. Table expressions with the columns of those in rights.ts, so that the same statements serve both. No
// endpoint may use them.
import { type SQL, sql } from 'drizzle-orm'
import { runBatch, statement } from '../../database/database.ts'
import { waits } from '../../limits.ts'
import type { Actor } from './rights.ts'
import { campaigns, companies } from './tables.ts'

const param = sql.placeholder

/** The values of the placeholders. */
export type NamedCampaign = Actor & { readonly companyId: string; readonly campaignId: string }

/** The campaign itself is in what is asked for, null for the whole company. */
export type NamedCompany = Omit<NamedCampaign, 'campaignId'>

/** One row, as of grantedCampaign and accessVerdict; none when there is no such campaign. */
export const namedCampaign: SQL = sql`(select ${campaigns.number} as number, ${campaigns.id} as id,
    ${campaigns.companyId} as company_id
  from ${campaigns} where ${campaigns.companyId} = ${param('companyId')} and ${campaigns.id} = ${param('campaignId')})`

/** As scopeVerdict: no row when there is no such company, a number of null when it has no such campaign. */
export const namedScope: SQL = sql`(select ${companies.id} as company_id,
    case when ${param('campaignId')} is null then 0 else ${campaigns.number} end as number
  from ${companies} left join ${campaigns} on ${campaigns.companyId} = ${companies.id}
    and ${campaigns.id} = ${param('campaignId')} where ${companies.id} = ${param('companyId')})`

/** As grantedKey of a key for the whole company; no row when there is no such company. */
export const namedCompany: SQL = sql`(select ${companies.id} as company_id, null as campaign_number
  from ${companies} where ${companies.id} = ${param('companyId')})`

export type CampaignChoice = {
  readonly campaignId: string
  /** Null: whichever company has it. */
  readonly companyId: string | null
}

/** An id may be of several companies' campaigns (D39): then a company has to be named. */
export type CampaignNotOne =
  | { readonly kind: 'campaign_unknown' }
  | { readonly kind: 'campaign_ambiguous'; readonly companyIds: readonly string[] }

/** Of the campaigns of a choice. */
export const isChosen = sql`${campaigns.id} = ${param('campaignId')}
  and (${param('companyId')} is null or ${campaigns.companyId} = ${param('companyId')})`

export const chosenCampaigns = statement(
  sql`select ${campaigns.companyId} as "companyId" from ${campaigns} where ${isChosen} order by 1`,
)

/** Of the rows of chosenCampaigns. Null when it is one campaign. */
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

/** What the log says of the operator's commands. */
export const asOperator = (nowMs = Date.now()): Actor => ({ actor: 'operator', requestId: null, nowMs })
