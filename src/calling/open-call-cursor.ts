// Where a page of open calls ends: the lease's end and the lead's place, opaque to clients.
import type { OpenCallPlace } from './store/history.ts'

const timeDigits = 11
const seqDigits = 14

export function cursorOfPlace({ leaseExpiresAtMs, seq }: OpenCallPlace): string {
  return leaseExpiresAtMs.toString(16).padStart(timeDigits, '0') + seq.toString(16).padStart(seqDigits, '0')
}

/** Caller must pass 25 hexadecimal digits. */
export function placeOfCursor(cursor: string): OpenCallPlace {
  return {
    leaseExpiresAtMs: Number.parseInt(cursor.slice(0, timeDigits), 16),
    seq: Number.parseInt(cursor.slice(timeDigits), 16),
  }
}
