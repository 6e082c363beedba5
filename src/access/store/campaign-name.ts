// Giving a campaign another name, as a part of a transaction of whoever has the right to.
import { sql } from 'drizzle-orm'
import type { Right } from '../scope.ts'
import { grantedCampaign } from './rights.ts'
import { campaigns } from './tables.ts'

/** Placeholder `name`, null: it keeps its own. */
export const renameCampaign = (right: Right) => sql`update ${campaigns} set name = ${sql.placeholder('name')}
  where ${sql.placeholder('name')} is not null
    and ${campaigns.number} in (select granted.number from ${grantedCampaign(right)} as granted)`
