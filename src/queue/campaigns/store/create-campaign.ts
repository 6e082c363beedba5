// Creates a campaign with its settings. configure.ts changes them.
import { sql } from 'drizzle-orm'
import {
  hasCampaignRoom,
  insertCampaign,
  lastCampaignNumber,
  newCampaignNumber,
} from '../../../base/access/store/campaign-row.ts'
import type { ReserveNumber } from '../../../base/access/store/directory.ts'
import { grantedKey, type KeyAccess, type KeyNames } from '../../../base/access/store/rights.ts'
import { campaigns } from '../../../base/access/store/tables.ts'
import { param, runBatch, runSteps, statement } from '../../../base/database/database.ts'
import { type ActorNames, appendAlways, entryColumns } from '../../../base/ledger/log/append.ts'
import { changeSettings, defaultSettings } from '../settings.ts'
import { archivedOf, type CampaignChange, type WriteNames, writeSettings } from './configure.ts'
import { toRow } from './settings-row.ts'

export type NewCampaign = CampaignChange & { readonly id: string; readonly name: string }

/** The key's company, when the key is company-wide. */
const granted = sql`(select k.company_id from ${grantedKey('manage')} as k where k.campaign_number is null)`

/** The same, while it may have one more campaign. */
const room = sql`(select k.company_id from ${granted} as k where ${hasCampaignRoom(sql`k.company_id`)})`

const isOwn = sql`${campaigns.companyId} = granted.company_id and ${campaigns.id} = ${param('id')}`

const logCreated = appendAlways(sql`select ${entryColumns({
  type: 'campaign.created',
  companyId: sql`granted.company_id`,
  campaignNumber: newCampaignNumber,
})} from ${room} as granted
  where not exists (select 1 from ${campaigns} where ${isOwn})`)

/** Version 1 replaces no other version: a campaign that existed keeps its settings. */
const writeFirst = writeSettings(sql`(select ${campaigns.number} as number
  from ${granted} as granted
  cross join ${campaigns} on ${isOwn}
  where ${campaigns.createdAtMs} = ${param('nowMs')} and ${campaigns.name} = ${param('name')})`)

const created = sql`select k.campaign_number is null as "isCompanyWide",
    ${campaigns.createdAtMs} = ${param('nowMs')} and ${campaigns.name} = ${param('name')} as "isSame",
    ${lastCampaignNumber} as "lastNumber", ${hasCampaignRoom(sql`k.company_id`)} as "hasRoom"
  from ${grantedKey('manage')} as k
  left join ${campaigns} on ${campaigns.companyId} = k.company_id and ${campaigns.id} = ${param('id')}`

const readCreated = statement<KeyNames | 'id' | 'name'>(created)

const createSteps = [
  statement<KeyNames | ActorNames | 'id' | 'reservedNumber'>(logCreated),
  statement<KeyNames | 'id' | 'name' | 'archived' | 'reservedNumber'>(insertCampaign(room)),
  statement<KeyNames | WriteNames | 'id' | 'name'>(writeFirst),
  readCreated,
]

type Created = {
  readonly isCompanyWide: number
  readonly isSame: number | null
  readonly lastNumber: number
  readonly hasRoom: number
}

/**
 * `reserve` returns the number of a campaign that does not exist yet; null: this database numbers it. Throws
 * DatabaseUnavailable.
 */
export async function createCampaign(
  db: D1Database,
  access: KeyAccess,
  campaign: NewCampaign,
  reserve: ReserveNumber | null = null,
): Promise<{
  readonly kind: 'created' | 'key_refused' | 'company_denied' | 'campaign_exists' | 'too_many_campaigns'
}> {
  const values = {
    ...access,
    ...toRow(changeSettings(defaultSettings, campaign)),
    id: campaign.id,
    name: campaign.name,
    archived: archivedOf(campaign) ?? 0,
    version: 1,
    callableSinceMs: 0,
  }
  let reservedNumber: number | null = null
  if (reserve !== null) {
    const { rows } = await runBatch(db, [readCreated(db, values)])
    const before = judge(rows[0]?.[0] as Created | undefined)
    if (before.kind !== 'missing') return before
    reservedNumber = await reserve(before.lastNumber)
  }
  const { rows, tries } = await runSteps(db, createSteps, { ...values, reservedNumber })
  const found = rows.at(-1)?.[0] as Created | undefined
  // A try whose answer was lost has stored the same.
  if (rows[1]?.length === 1 || (tries > 1 && found?.isSame === 1)) return { kind: 'created' }
  const { kind } = judge(found)
  return { kind: kind === 'missing' ? 'too_many_campaigns' : kind }
}

/** Missing: the key may create it. */
function judge(found: Created | undefined) {
  if (found === undefined) return { kind: 'key_refused' } as const
  if (found.isCompanyWide === 0) return { kind: 'company_denied' } as const
  if (found.isSame !== null) return { kind: 'campaign_exists' } as const
  if (found.hasRoom === 0) return { kind: 'too_many_campaigns' } as const
  return { kind: 'missing', lastNumber: found.lastNumber } as const
}
