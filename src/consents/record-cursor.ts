// The cursor of a page of a record: its last entry, opaque to clients. Base64url, since the id of an entry may name a purpose.
import type { RecordPlace } from './store/record.ts'

export const recordCursorPattern = /^[A-Za-z0-9_-]{1,255}$/

export const cursorOfEntry = ({ atMs, rank, id }: RecordPlace) =>
  Buffer.from(JSON.stringify([atMs, rank, id])).toString('base64url')

/** Null: it is no cursor. */
export function entryOfCursor(cursor: string): RecordPlace | null {
  try {
    const [atMs, rank, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (!Number.isSafeInteger(atMs) || !Number.isSafeInteger(rank) || typeof id !== 'string') return null
    return { atMs: atMs as number, rank: rank as number, id }
  } catch {
    return null
  }
}
