// Pauses all campaigns of companies at once: after a restore, which has brought leads back, until a person has looked.
import { type SQL, sql } from 'drizzle-orm'
import { campaigns } from '../../access/store/tables.ts'
import { appendAlways, theOperator } from '../../ledger/log/append.ts'
import { campaignEntry } from './settings-row.ts'
import { callingSettings } from './tables.ts'

/** In one batch, in this order. `companies` selects ids. Placeholder `nowMs`. */
export const pauseCampaigns = (companies: SQL): readonly SQL[] => {
  const unpaused = sql`${campaigns} as c
    cross join ${callingSettings} as s on s.campaign_number = c.number and s.paused = 0
    where c.company_id in ${companies}`
  return [
    appendAlways(
      sql`select ${campaignEntry('campaign.changed', sql`c`, sql`'{"changed":["paused"],"paused":true}'`)}
        from ${unpaused} order by c.number`,
      theOperator,
    ),
    sql`update ${callingSettings} set paused = 1, version = version + 1
      where campaign_number in (select c.number from ${unpaused})`,
  ]
}
