// A campaign's pace: how many calls may begin in a time. It allows one call every T microseconds. `paced_until_us` is
// where the last begun call's T ends; a call fits up to a second early, so that a second's calls may begin at once. In
// w seconds begin at most floor(w * rate + max(1, rate)) calls. Releases and expired leases return nothing to it.
import { type SQL, sql } from 'drizzle-orm'
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
