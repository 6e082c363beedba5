// The cursor of a page of a record, opaque to clients. Base64url, since the id of an entry may name a purpose.
import type { RecordCursor } from './store/record.ts'

export const recordCursorPattern = /^[A-Za-z0-9_-]{1,255}$/

export const cursorOfRecord = ({ atMs, rank, id, usesFromMs, usesKeepUntilMs }: RecordCursor) =>
  Buffer.from(JSON.stringify([atMs, rank, id, usesFromMs, usesKeepUntilMs])).toString('base64url')

const isTimeOrNull = (value: unknown): value is number | null => value === null || Number.isSafeInteger(value)

/** Null: it is no cursor. That of a version before has three parts. */
export function recordOfCursor(cursor: string): RecordCursor | null {
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    const [atMs, rank, id, usesFromMs = null, usesKeepUntilMs = null] = parts
    if (!Number.isSafeInteger(atMs) || !Number.isSafeInteger(rank) || typeof id !== 'string') return null
    if (!isTimeOrNull(usesFromMs) || !isTimeOrNull(usesKeepUntilMs)) return null
    return { atMs: atMs as number, rank: rank as number, id, usesFromMs, usesKeepUntilMs }
  } catch {
    return null
  }
}
