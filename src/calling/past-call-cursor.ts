// Where a page of a lead's calls ends: the time of its last call, opaque to clients.
const timeDigits = 11

export const pastCallCursorPattern = /^[0-9a-f]{11}$/

export const cursorOfTime = (claimedAtMs: number) => claimedAtMs.toString(16).padStart(timeDigits, '0')

/** Caller must pass what the pattern takes. */
export const timeOfCursor = (cursor: string) => Number.parseInt(cursor, 16)
