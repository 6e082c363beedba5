// Until when agents may be waiting for a lead of a campaign: noted by claims that begin to wait, at most once a minute.
// Each commit that can make a lead callable reads it (ledger/waiting.ts).
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../database/database.ts'
import { callingSettings } from './tables.ts'

const nowMs = param('nowMs')

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
