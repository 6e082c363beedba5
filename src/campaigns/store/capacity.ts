// A campaign's capacity: how many calls may be live at once (the cap), and how many may begin in a time (the pace).
// A claim asks for the room that is left, in the transaction that leases; releases and expired leases free a place, and
// return nothing to the pace.
//
// The pace allows one call every T microseconds. `paced_until_us` is where the last begun call's T ends; a call fits
// up to a second early, so that a second's calls may begin at once. In w seconds begin at most
// floor(w * rate + max(1, rate)) calls.
import { type SQL, sql } from 'drizzle-orm'
import { leads } from '../../leads/store/tables.ts'
import { settleGraceMs } from '../outcomes.ts'
import { callingSettings } from './tables.ts'

const secondUs = sql.raw(`${1_000_000}`)
const minuteUs = sql.raw(`${60_000_000}`)

// `s` are the settings everywhere below. Integer division rounds down: this is rounded up. Null without a pace.
const gapUs = sql`((${minuteUs} + s.calls_per_minute - 1) / s.calls_per_minute)`
const earlyUs = sql`max(0, ${secondUs} - ${gapUs})`

/** Bound numbers are REAL, and would divide as such. */
const us = (ms: SQL) => sql`(cast(${ms} as integer) * 1000)`
const pacedUs = (nowMs: SQL) => sql`max(coalesce(s.paced_until_us, 0), ${us(nowMs)})`

/** How many calls the pace lets begin now; null without a pace. */
export const callsInPace = (nowMs: SQL) =>
  sql`max(0, (${us(nowMs)} + ${earlyUs} - ${pacedUs(nowMs)} + ${gapUs}) / ${gapUs})`

/** When the pace lets the next call begin, which may have passed; null without a pace, or before its first call. */
export const pacedUntilMs = sql`((s.paced_until_us - ${earlyUs} + 999) / 1000)`

/** `paced_until_us` after `calls` more have begun; null without a pace. */
export const pacedAfter = (nowMs: SQL, calls: SQL) => sql`${pacedUs(nowMs)} + ${calls} * ${gapUs}`

/** All are values. Writes nothing without a pace, or without a call. */
export const advancePace = (begun: {
  number: SQL
  condition: SQL
  nowMs: SQL
  calls: SQL
}) => sql`update ${callingSettings} as s
  set paced_until_us = ${pacedAfter(begun.nowMs, begun.calls)}
  where s.campaign_number = ${begun.number} and s.calls_per_minute is not null and ${begun.calls} > 0
    and ${begun.condition}`

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
