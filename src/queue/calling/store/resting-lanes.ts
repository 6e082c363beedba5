// Lanes in which nothing is due for a while. To find a due lead, a claim reads each rank of each lane: 40,000 seeks
// in 400 zones with 101 priorities each, for nothing when all leads wait. So a claim that found nothing after many
// seeks notes until when each lane rests, open or closed, and later claims skip these lanes.
//
// A trigger on leads ends a rest when a lead that is due sooner enters the lane (see the migration), whichever Worker
// puts it there. The lane of the campaign's own zone never rests: a lead without a zone costs nothing more.
import { sql } from 'drizzle-orm'
import type { Access, AccessNames } from '../../../base/access/store/rights.ts'
import { runBatch, statement } from '../../../base/database/database.ts'
import { campaignOpen } from './sql/claim-steps.ts'
import { headsOf } from './sql/queue-heads.ts'
import { forever, laneKinds, lanes } from './sql/queue-order.ts'
import { restingLanes } from './tables.ts'

const noteRests = statement<AccessNames | 'pepperCheck'>(sql`
  insert into ${restingLanes} (campaign_number, lane, is_for_appointments, until_ms)
  with recursive ${campaignOpen}, ${lanes}, lane_kinds as materialized (select * from ${laneKinds}),
  ${headsOf(sql`select lane, is_for_appointments from lane_kinds where rests_until_ms is null and lane <> ''`)}
  select campaign.number, heads.lane, heads.is_for_appointments, coalesce(heads.due_at_ms, ${forever})
  from campaign
  cross join heads
  where coalesce(heads.due_at_ms, ${forever}) > campaign.now_ms
  on conflict do update set until_ms = excluded.until_ms`)

/** Notes which of the campaign's lanes rest, and until when. Throws DatabaseUnavailable. */
export async function restLanes(
  db: D1Database,
  origin: Access & { readonly pepperCheck: string | null },
): Promise<void> {
  await runBatch(db, [noteRests(db, origin)])
}
