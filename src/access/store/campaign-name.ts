// Renames a campaign, as part of another area's transaction.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../database/database.ts'
import { campaigns } from './tables.ts'

/** `granted` is a table expression with `number`. Placeholder `name`; null: unchanged. */
export const renameCampaign = (granted: SQL) => sql`update ${campaigns} set name = ${param('name')}
  where ${param('name')} is not null
    and ${campaigns.number} in (select granted.number from ${granted} as granted)`
