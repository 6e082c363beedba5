// Where pages of calls end, opaque to clients: of open calls the lease's end and the lead's place, of past ones the
// time, of a campaign's the time and the lead's place.
import { cursorOf, timeDigits } from '../leads/lead.ts'
import type { OpenCallPlace } from './store/history.ts'
import type { CallPlace } from './table/store/list-calls.ts'

const numberOf = (digits: string) => Number.parseInt(digits, 16)

export const timeCursorPattern = /^[0-9a-f]{11}$/
export const cursorOfTime = (ms: number) => ms.toString(16).padStart(timeDigits, '0')
/** Caller must pass what the pattern takes, as to placeOfCursor. */
export const timeOfCursor = numberOf

export const openCallCursorPattern = /^[0-9a-f]{25}$/
export const cursorOfPlace = ({ leaseExpiresAtMs, seq }: OpenCallPlace) =>
  cursorOfTime(leaseExpiresAtMs) + cursorOf(seq)
export const placeOfCursor = (cursor: string): OpenCallPlace => ({
  leaseExpiresAtMs: numberOf(cursor.slice(0, timeDigits)),
  seq: numberOf(cursor.slice(timeDigits)),
})

export const callCursorPattern = openCallCursorPattern
export const cursorOfCall = ({ atMs, seq }: CallPlace) => cursorOfTime(atMs) + cursorOf(seq)
export function placeOfCallCursor(cursor: string): CallPlace {
  const { leaseExpiresAtMs: atMs, seq } = placeOfCursor(cursor)
  return { atMs, seq }
}
