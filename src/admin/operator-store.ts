// The store functions of the API for the command line, with the campaign or company that a command names in place of a
// key's rights.
import {
  type NamedCampaign,
  type NamedCompany,
  namedCampaign,
  namedCompany,
  namedScope,
} from '../access/store/named.ts'
import { campaignReader } from '../calling/store/campaign-overview.ts'
import { leadExplainer } from '../calling/store/explain.ts'
import { historyReader } from '../calling/store/history.ts'
import { leadRequeuer } from '../calling/store/requeue.ts'
import { leadsRequeuer } from '../calling/store/requeue-many.ts'
import { changeSettings, defaultSettings, type SettingsChange } from '../campaigns/settings.ts'
import { campaignChanger, writeSettings } from '../campaigns/store/configure.ts'
import { toRow } from '../campaigns/store/settings-row.ts'
import { runBatch } from '../database/database.ts'
import { personEraser } from '../erasure/store/erase.ts'
import { logReader } from '../events/store/read-log.ts'
import { numberLister } from '../ledger/suppression/numbers.ts'
import { waits } from '../limits.ts'
import { suppressionRemover } from '../suppression/store/remove-suppressions.ts'
import { numberSuppressor } from '../suppression/store/suppress.ts'

const waitMs = waits.administrationMs

/** Each throws DatabaseUnavailable. `key_refused` means that there is no such campaign, or company. */
export const readNamedCampaign = campaignReader<NamedCampaign>(namedCampaign, namedCampaign, {
  timeoutMs: waits.overviewMs,
})
export const changeNamedCampaign = campaignChanger<NamedCampaign>(namedCampaign, namedCampaign, waitMs)

export const explainNamedLead = leadExplainer<NamedCampaign>(namedCampaign, waitMs)
export const listCallsOfNamedLead = historyReader<NamedCampaign>(namedCampaign, waitMs)
export const requeueNamedLead = leadRequeuer<NamedCampaign>(namedCampaign, waitMs)
export const requeueNamedLeads = leadsRequeuer<NamedCampaign>(namedCampaign, namedCampaign, waitMs)

export const eraseForCompany = personEraser<NamedCompany>(namedScope, waitMs)

export const suppressForCompany = numberSuppressor<NamedCompany>(namedScope, waitMs)
export const removeSuppressionsForCompany = suppressionRemover<NamedCompany>(namedScope, waitMs)
export const listForCompany = numberLister<NamedCompany>(namedScope, waitMs)

/** From a place on, or the latest. Reading as the operator makes nobody a listener. */
export const readLogOfCompany = logReader<NamedCompany>(namedCompany, {}, waitMs)
export const readEndOfLogOfCompany = logReader<NamedCompany>(namedCompany, { isFromEnd: true }, waitMs)

const writeFirstSettings = writeSettings(namedCampaign)

/** Configures a campaign that has no settings yet; any other stays as it is. */
export async function configureOnce(
  db: D1Database,
  campaign: NamedCampaign,
  change: SettingsChange,
): Promise<void> {
  // Version 1 replaces no other version.
  const settings = toRow(changeSettings(defaultSettings, change))
  const values = { ...campaign, ...settings, version: 1, callableSinceMs: campaign.nowMs }
  await runBatch(db, [writeFirstSettings(db, values)], waitMs)
}
