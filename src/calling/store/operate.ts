// What the operator does to calling, for the command line only: the statements of the API, with the campaign or company
// that a command names in place of a key's right.
import {
  type NamedCampaign,
  type NamedCompany,
  namedCampaign,
  namedCompany,
  namedScope,
} from '../../access/store/named.ts'
import { runBatch } from '../../database/database.ts'
import { waits } from '../../limits.ts'
import { numberLister } from '../../suppression/store/numbers.ts'
import { changeSettings, defaultSettings, type SettingsChange } from '../settings.ts'
import { campaignChanger, writeSettings } from './configure.ts'
import { personEraser } from './erase.ts'
import { leadExplainer } from './explain.ts'
import { historyReader } from './history.ts'
import { logReader } from './read-log.ts'
import { campaignReader } from './read-settings.ts'
import { numberLifter } from './remove-suppressions.ts'
import { leadRequeuer } from './requeue.ts'
import { leadsRequeuer } from './requeue-many.ts'
import { toRow } from './settings-row.ts'
import { numberSuppressor } from './suppress.ts'

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
export const liftForCompany = numberLifter<NamedCompany>(namedScope, waitMs)
export const listForCompany = numberLister<NamedCompany>(namedScope, waitMs)

/** From a place on, or the latest. The operator's look makes nobody a listener. */
export const readLogOfCompany = logReader<NamedCompany>(namedCompany, {}, waitMs)
export const readEndOfLogOfCompany = logReader<NamedCompany>(namedCompany, { isFromEnd: true }, waitMs)

const writeFirstSettings = writeSettings(namedCampaign)

/** Gives settings to a campaign that was never configured; any other is left as it is. */
export async function configureOnce(
  db: D1Database,
  campaign: NamedCampaign,
  change: SettingsChange,
): Promise<void> {
  // A version of 1 is written over no other.
  const values = { ...campaign, ...toRow(changeSettings(defaultSettings, change)), version: 1 }
  await runBatch(db, [writeFirstSettings(db, values)], waitMs)
}
