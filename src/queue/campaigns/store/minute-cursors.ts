// How far the work of each minute on a campaign's leads has come, in its settings: leads that were held for a consent
// and return to the queue, since the requirement has changed; and the search for leads that retention erases.
import { type SQL, sql } from 'drizzle-orm'
import { isWritableCampaign } from '../../../base/access/store/moving.ts'
import { param, readRows, statement } from '../../../base/database/database.ts'
import { callingSettings } from './tables.ts'

/** A table expression: `campaign_number` and `returns_held_after`. The others follow in a minute. */
export const returningCampaigns = sql`(select s.campaign_number, s.returns_held_after from ${callingSettings} as s
  where s.returns_held_after is not null and ${isWritableCampaign(sql`s.campaign_number`)}
  limit 50)`

/** `nextSeq` is a value; null: all have returned. Placeholders `campaignNumber` and `afterSeq`. */
export const moveReturning = (
  nextSeq: SQL,
) => sql`update ${callingSettings} set returns_held_after = ${nextSeq}
  where campaign_number = ${param('campaignNumber')} and returns_held_after = ${param('afterSeq')}
    and ${isWritableCampaign(sql`campaign_number`)}`

/**
 * After a restore: what is held is judged by the settings that are back. `campaigns` selects numbers of those with held
 * leads.
 */
export const returnHeldOf = (campaigns: SQL) => sql`update ${callingSettings} set returns_held_after = 0
  where campaign_number in (${campaigns})`

const withRetention = statement(sql`select s.campaign_number as "campaignNumber"
  from ${callingSettings} as s
  where s.retention_days is not null and ${isWritableCampaign(sql`s.campaign_number`)}
  order by random()`)

/**
 * The campaigns that keep leads for some days only, in random order: none always waits for the others. Throws
 * DatabaseUnavailable.
 */
export async function campaignsWithRetention(db: D1Database): Promise<readonly number[]> {
  const found = await readRows<{ campaignNumber: number }>(db, withRetention(db, {}))
  return found.map(({ campaignNumber }) => campaignNumber)
}

/** Placeholders `campaignNumber`, `afterSeq` and `nextSeq`. */
export const moveRetentionCursor = sql`update ${callingSettings}
  set retention_seq = ${param('nextSeq')}
  where campaign_number = ${param('campaignNumber')} and retention_seq = ${param('afterSeq')}
    and ${isWritableCampaign(sql`campaign_number`)}`
