// Retention in the settings of campaigns: the campaigns that have it, and the cursor of the search for leads to
// erase.
import { sql } from 'drizzle-orm'
import { isWritableCampaign } from '../../access/store/moving.ts'
import { param, readRows, statement } from '../../database/database.ts'
import { callingSettings } from './tables.ts'

const withRetention = statement(sql`select s.campaign_number as "campaignNumber"
  from ${callingSettings} as s
  where s.retention_days is not null and ${isWritableCampaign(sql`s.campaign_number`)}
  order by random()`)

/** The campaigns that keep leads for some days only, in random order: none always waits for the others. Throws DatabaseUnavailable. */
export async function campaignsWithRetention(db: D1Database): Promise<readonly number[]> {
  const found = await readRows<{ campaignNumber: number }>(db, withRetention(db, {}))
  return found.map(({ campaignNumber }) => campaignNumber)
}

/** Placeholders `campaignNumber`, `afterSeq` and `nextSeq`. */
export const moveRetentionCursor = sql`update ${callingSettings}
  set retention_seq = ${param('nextSeq')}
  where campaign_number = ${param('campaignNumber')} and retention_seq = ${param('afterSeq')}
    and ${isWritableCampaign(sql`campaign_number`)}`
