// A lead's status, its place in its campaign, the id and cursor made of that place, and what calling says of it. Pure:
// the Worker, the command line and the API's description share it. What fields a lead has is in field-table.ts.
import { formatTimestamp } from '../../base/timestamp.ts'

export const leadStatuses = ['raw', 'attempting', 'exhausted', 'concluded'] as const
export const finalStatuses = ['exhausted', 'concluded'] as const satisfies readonly LeadStatus[]

/** By creation. */
export const leadOrders = ['oldest', 'newest'] as const
export type LeadOrder = (typeof leadOrders)[number]

export type LeadStatus = (typeof leadStatuses)[number]
export type FinalStatus = (typeof finalStatuses)[number]

/** The parts of a lead's id. */
export type LeadKey = { readonly seq: number; readonly createdAtMs: number; readonly token: string }

/**
 * `leads.seq` is `campaigns.number << leadSeqBits` plus the lead's place in its campaign, from 1.
 * 32 bits of place leave 21 for the campaign before a JavaScript number loses exactness.
 */
export const leadSeqBits = 32

export const leadTokenChars = 11
export const timeDigits = 11
export const seqDigits = 14

/** `_id`: opaque to clients, ordered by time of creation, 36 characters (D15). */
export function leadIdOf({ createdAtMs, seq, token }: LeadKey): string {
  return createdAtMs.toString(16).padStart(timeDigits, '0') + seqText(seq) + token
}

export const leadIdPattern = '[0-9a-f]{25}[0-9A-Za-z]{11}'
const leadIdForm = new RegExp(`^${leadIdPattern}$`)

/** Null when the text is not an id. */
export function parseLeadId(id: string): LeadKey | null {
  if (!leadIdForm.test(id)) return null
  return {
    createdAtMs: Number.parseInt(id.slice(0, timeDigits), 16),
    seq: Number.parseInt(id.slice(timeDigits, timeDigits + seqDigits), 16),
    token: id.slice(-leadTokenChars),
  }
}

/** Opaque to clients, like an id. */
export function cursorOf(seq: number): string {
  return seqText(seq)
}

/** The `seq` after which a list continues; null when the text is not a cursor. */
export function parseCursor(cursor: string): number | null {
  if (!/^[0-9a-f]{14}$/.test(cursor)) return null
  const seq = Number.parseInt(cursor, 16)
  return Number.isSafeInteger(seq) && seq >= 2 ** leadSeqBits ? seq : null
}

export function campaignNumberOf(seq: number): number {
  return Math.floor(seq / 2 ** leadSeqBits)
}

const seqText = (seq: number) => seq.toString(16).padStart(seqDigits, '0')

/**
 * How its last call ended, and from when on it can be called. Nulls: no call has ended, and not in the queue or leased.
 */
export type CallingOfLead = { readonly lastOutcome: string | null; readonly dueAtMs: number | null }

/**
 * `json`: as the API has a lead, with the metadata as it was sent. `isListed`: its number is on the do-not-call list.
 */
type LeadWithCalling = CallingOfLead & { readonly json: string; readonly isListed: number }

/** `origin`: where it came from, JSON text; null: unknown. */
export type LeadWithMore = LeadWithCalling & { readonly origin: string | null }

/** The lead's JSON with where it came from. */
export const jsonWithOrigin = (json: string, origin: string | null) =>
  `${json.slice(0, -1)},"origin":${origin ?? null}}`

/** The lead's JSON with these members. */
export function jsonWithCalling({ json, lastOutcome, dueAtMs, isListed }: LeadWithCalling): string {
  const suppressed = isListed === 1 && { suppressed: true }
  const members = { lastOutcome, dueAt: formatTimestamp(dueAtMs), ...suppressed }
  return `${json.slice(0, -1)},${JSON.stringify(members).slice(1)}`
}
