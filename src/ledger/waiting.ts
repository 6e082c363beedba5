// Which campaigns agents wait for. Each batch that can make a lead callable sooner returns them in a column `waiting`,
// JSON of `[companyId, campaignNumber]`: the request collects them (database/collect-listeners.ts), and rings after its
// commit (calling/bell/ring-campaigns.ts). The time is a column of the campaign's settings (campaigns/store/tables.ts),
// named here as text because leads stand below campaigns. Placeholder `nowMs`.
import { type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../access/store/tables.ts'
import { param } from '../database/database.ts'

const waitedFor = sql`calling_settings as waited`
const isWaitedFor = sql`waited.waited_for_until_ms > ${param('nowMs')}`

/** In one batch. The others lose at most the rest of a wait. */
const maxCampaigns = sql.raw('50')

/** A value: the campaign, or null when nobody waits for it. Costs one row read. */
export const waitingFor = (companyId: SQL, campaignNumber: SQL) => sql`(
    select json_array(json_array(${companyId}, waited.campaign_number)) from ${waitedFor}
    where waited.campaign_number = ${campaignNumber} and ${isWaitedFor})`

/** A value: all campaigns of the company that are waited for. */
export const waitingInCompany = (companyId: SQL) => sql`(
    select json_group_array(json_array(found.company_id, found.number)) from (
      select c.company_id, c.number from ${campaigns} as c
      cross join ${waitedFor} on waited.campaign_number = c.number and ${isWaitedFor}
      where c.company_id = ${companyId}
      limit ${maxCampaigns}) as found)`

/** For the end of an update of leads: the campaign of each row that it changes. */
export const returningWaiting = (campaignNumber: SQL) =>
  sql`returning ${waitingFor(
    sql`(select c.company_id from ${campaigns} as c where c.number = waited.campaign_number)`,
    campaignNumber,
  )} as waiting`
