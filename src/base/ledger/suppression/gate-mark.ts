// What tells a suppression by a gate from a person's no: its token, and the actor of its entry in the log of the
// number. It can be lifted by itself. A person's no takes its place (numbers.ts).
import { type SQL, sql } from 'drizzle-orm'

/** A condition on a row of suppressions. An index has these alone. */
export const isOfGate = (suppression: SQL) => sql`${suppression}.token glob 'gate:*'`

/** A value. No request has a token of this form. */
export const gateMark = (campaignNumber: SQL, version: SQL) =>
  sql`('gate:' || ${campaignNumber} || ':' || cast(${version} as integer))`

/** Columns of a JSON object: `source` and `gateVersion` by the mark, null where a gate has not said it. */
export const gateMembers = (mark: SQL) => sql`'source', iif(${mark} glob 'gate:*', 'gate', null),
  'gateVersion', iif(${mark} glob 'gate:*', cast(substr(${mark}, instr(substr(${mark}, 6), ':') + 6) as integer), null)`
