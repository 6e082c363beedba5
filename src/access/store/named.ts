// What the operator acts on. The command line asks for no key: it names a company, or a campaign of it, and may do all
// with that. Table expressions with the columns of those in rights.ts, so that the same statements serve both. No
// endpoint may use them.
import { type SQL, sql } from 'drizzle-orm'
import { campaigns, companies } from './tables.ts'

const param = sql.placeholder

/** The values of the placeholders. */
export type NamedCampaign = {
  readonly companyId: string
  readonly campaignId: string
  readonly nowMs: number
}

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
