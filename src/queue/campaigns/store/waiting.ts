// Until when agents may be waiting for a lead of a campaign: noted by claims that begin to wait, at most once a minute.
// And whether the campaign has a dialer or a gate, which always wait. Each batch that can make a lead callable sooner
// gives notice of the campaigns that are waited for (../waited-campaign.ts): after its commit the request rings their
// bells (queue/calling/bell/ring-campaigns.ts), and wakes their dialers and gates (channels/dialers/wake-dialers.ts).
// Placeholder `nowMs`.
import { type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../../base/access/store/tables.ts'
import { param } from '../../../base/database/database.ts'
import { notify } from '../../../base/database/notices.ts'
import { callingSettings } from './tables.ts'

const nowMs = param('nowMs')

const agentsWait = (settings: SQL) => sql`${settings}.waited_for_until_ms > ${nowMs}`

const gateWaits = (settings: SQL) => sql`coalesce(${settings}.gate_version, 0) > 0`

/** A condition on a row of settings: by agents, a dialer, or a gate that is to be asked. */
export const isWaitedFor = (settings: SQL) =>
  sql`(${agentsWait(settings)} or ${settings}.has_dialer or ${gateWaits(settings)})`

/** A value: the notice of a campaign that is waited for. `fromMs` null: at once. */
export const waitedNotice = (settings: SQL, companyId: SQL, campaignNumber: SQL, fromMs = sql`null`) =>
  sql`json_array(${companyId}, ${campaignNumber}, ${fromMs}, ${agentsWait(settings)}, ${settings}.has_dialer,
    ${gateWaits(settings)})`

/** A value: a notice for the gate of a campaign alone, since nothing was leased; null: it has none. */
export const askedNotice = (settings: SQL, companyId: SQL) => sql`iif(${gateWaits(settings)},
  json_array(json_array(${companyId}, ${settings}.campaign_number, null, 0, 0, 1)), null)`

const waited = sql`waited`

/** In one batch. The others lose at most the rest of a wait. */
const maxCampaigns = sql.raw('50')

/** A value: the campaign, or null when nobody waits for it. Costs one row read. */
export const waitingFor = (companyId: SQL, campaignNumber: SQL) => sql`(
    select json_array(${waitedNotice(waited, companyId, sql`waited.campaign_number`)})
    from ${callingSettings} as waited
    where waited.campaign_number = ${campaignNumber} and ${isWaitedFor(waited)})`

/** A value: all campaigns of the company that are waited for. */
export const waitingInCompany = (companyId: SQL) => sql`(
    select json_group_array(json(found.notice)) from (
      select ${waitedNotice(waited, sql`c.company_id`, sql`c.number`)} as notice from ${campaigns} as c
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

/** `granted` is a table expression of the campaign. */
export const setDialing = (granted: SQL, hasDialer: SQL) => sql`update ${callingSettings}
  set has_dialer = ${hasDialer}
  where campaign_number in (select granted.number from ${granted} as granted) and has_dialer <> ${hasDialer}`

/** A gate is set, changed or, with a version below 0, removed. Another gate begins to count. */
export const setGateVersion = (campaigns: SQL, version: SQL) => sql`update ${callingSettings}
  set gate_checked = iif(gate_version > 0, gate_checked, 0), gate_refused = iif(gate_version > 0, gate_refused, 0),
    gate_version = ${version}
  where campaign_number in (select own.number from ${campaigns} as own)`

/** `told` is a select of one row: `number`, `checked` and `refused`. */
export const countGateAnswers = (told: SQL) => sql`update ${callingSettings} as s
  set gate_checked = s.gate_checked + told.checked, gate_refused = s.gate_refused + told.refused
  from (${told}) as told
  where s.campaign_number = told.number and told.checked > 0`
