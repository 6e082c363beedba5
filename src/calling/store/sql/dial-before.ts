// Until when a claimed lead may be dialled: the end of its lease, or of the opening hours in which it was claimed.
import { type SQL, sql } from 'drizzle-orm'
import { openings } from '../../../campaigns/store/tables.ts'
import { rankOfAppointments } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'

/**
 * Of the lead under the name of its table. `atMs` is a moment of those hours. When the campaign is closed then,
 * `atMs` itself.
 */
export const dialBeforeMs = (campaignNumber: SQL, atMs: SQL) => sql`coalesce(
  (select max(${atMs}, min(o.closes_at_ms, ${leads.leaseExpiresAtMs})) from ${openings} as o
    where o.campaign_number = ${campaignNumber}
      and o.lane = ${leads.lane}
      and o.is_for_appointments = (${leads.queueRank} = ${rankOfAppointments})
      and o.opens_at_ms <= ${atMs}
    order by o.opens_at_ms desc
    limit 1),
  ${atMs})`
