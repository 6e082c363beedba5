// Until when agents may be waiting for a lead of a campaign: noted by claims that begin to wait, at most once a minute.
// Each batch that can make a lead callable sooner gives notice of the campaigns that are waited for, each as
// `[companyId, campaignNumber]`: the request rings after its commit (calling/bell/ring-campaigns.ts). Placeholder `nowMs`.
import { type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../access/store/tables.ts'
import { param } from '../../database/database.ts'
import { notify } from '../../database/notices.ts'
import { callingSettings } from './tables.ts'

const nowMs = param('nowMs')

/** A condition on a row of settings. */
export const isWaitedFor = (settings: SQL) => sql`${settings}.waited_for_until_ms > ${nowMs}`

const waited = sql`waited`

/** In one batch. The others lose at most the rest of a wait. */
const maxCampaigns = sql.raw('50')

/** A value: the campaign, or null when nobody waits for it. Costs one row read. */
export const waitingFor = (companyId: SQL, campaignNumber: SQL) => sql`(
    select json_array(json_array(${companyId}, waited.campaign_number)) from ${callingSettings} as waited
    where waited.campaign_number = ${campaignNumber} and ${isWaitedFor(waited)})`

/** A value: all campaigns of the company that are waited for. */
export const waitingInCompany = (companyId: SQL) => sql`(
    select json_group_array(json_array(found.company_id, found.number)) from (
      select c.company_id, c.number from ${campaigns} as c
      cross join ${callingSettings} as waited on waited.campaign_number = c.number and ${isWaitedFor(waited)}
      where c.company_id = ${companyId}
      limit ${maxCampaigns}) as found)`

/** A column. */
export const notifyWaiting = (companyId: SQL, campaignNumber: SQL) =>
  notify('waiting', waitingFor(companyId, campaignNumber))

/** For the end of an update of leads: the campaign of each row that it changes. */
export const returningWaiting = (campaignNumber: SQL) =>
  sql`returning ${notifyWaiting(
    sql`(select c.company_id from ${campaigns} as c where c.number = waited.campaign_number)`,
    campaignNumber,
  )}`

/** Longer than any wait that may begin before it is noted again. */
const notedMs = sql.raw('90000')
const notedAgainMs = sql.raw('60000')

/** Neither the version nor the log changes. `granted` is a table expression of the campaign. */
export const setWaitedFor = (granted: SQL, condition: SQL) => sql`update ${callingSettings}
  set waited_for_until_ms = cast(${nowMs} + ${notedMs} as integer)
  where campaign_number = (select granted.number from ${granted} as granted)
    and waited_for_until_ms < ${nowMs} + ${notedAgainMs}
    and time_zone is not null
    and ${condition}`
