// The campaigns whose required consent has changed, and how far the leads that were held for it have returned to the queue.
import { type SQL, sql } from 'drizzle-orm'
import { isWritableCampaign } from '../../access/store/moving.ts'
import { param } from '../../database/database.ts'
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

/** After a restore: what is held is judged by the settings that are back. `campaigns` selects numbers of those with held leads. */
export const returnHeldOf = (campaigns: SQL) => sql`update ${callingSettings} set returns_held_after = 0
  where campaign_number in (${campaigns})`
