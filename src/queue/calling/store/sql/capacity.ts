// What keeps a campaign from beginning a call: its cap on live calls, and its pace (queue/campaigns/store/pace.ts). A
// claim asks for the room that is left, in the transaction that leases; releases and expired leases free a place.
import { type SQL, sql } from 'drizzle-orm'
import { settleGraceMs } from '../../../campaigns/outcomes.ts'
import { pacedUntilMs } from '../../../campaigns/store/pace.ts'
import { callingSettings } from '../../../campaigns/store/tables.ts'
import { leads } from '../../../leads/store/tables.ts'

const leased = (number: SQL) => sql`${leads} as l
  where l.campaign_number = ${number} and l.lease_expires_at_ms is not null`

/**
 * How many more calls may be live. A lease counts until it is settled, never by its time. `number` and `cap` are values
 * that name no row around them: SQLite allows no other in a limit.
 */
export const freePlaces = (number: SQL, cap: SQL) =>
  sql`max(0, ${cap} - (select count(*) from (select 1 from ${leased(number)} limit ${cap})))`

/** When a place is free at the latest, if no lease is extended; null: one is free, or there is no cap. */
export const placeFreeAtMs = (number: SQL) => sql`iif(s.max_live_calls is null, null,
  (select l.lease_expires_at_ms + ${sql.raw(`${settleGraceMs}`)} from ${leased(number)}
    order by l.lease_expires_at_ms desc
    limit 1
    offset (select coalesce(own.max_live_calls, 1) - 1 from ${callingSettings} as own
      where own.campaign_number = ${number})))`

/** The same for the settings `s` of each row of a statement. */
export const placeFreeAtMsOf = sql`iif(s.max_live_calls is null, null,
  (select place.lease_expires_at_ms + ${sql.raw(`${settleGraceMs}`)} from (
      select l.lease_expires_at_ms, row_number() over (order by l.lease_expires_at_ms desc) as n
      from ${leased(sql`s.campaign_number`)}) as place
    where place.n = s.max_live_calls))`

/** Columns of a row: CapacityRow. */
export const capacityColumns = (number: SQL) =>
  sql`${pacedUntilMs} as "pacedUntilMs", ${placeFreeAtMs(number)} as "placeFreeAtMs"`

export type CapacityRow = { readonly pacedUntilMs: number | null; readonly placeFreeAtMs: number | null }

/** What keeps a campaign from beginning a call, and until when at the latest: the one that lasts longer. */
export type Held = { readonly by: 'cap' | 'pace'; readonly untilMs: number }

/** Null: the next call may begin now. */
export function heldAt({ pacedUntilMs, placeFreeAtMs }: CapacityRow, atMs: number): Held | null {
  const cap = { by: 'cap', untilMs: placeFreeAtMs ?? 0 } as const
  const pace = { by: 'pace', untilMs: pacedUntilMs ?? 0 } as const
  const longer = pace.untilMs > cap.untilMs ? pace : cap
  return longer.untilMs > atMs ? longer : null
}
