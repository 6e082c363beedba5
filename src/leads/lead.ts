// What a lead is: its states, its place among the leads of its campaign, and the id and cursor that are made of it.
// Pure, and the same for the Worker, the command line and the API's description.

export const leadStatuses = ['raw', 'attempting', 'exhausted', 'concluded'] as const
export const finalStatuses = ['exhausted', 'concluded'] as const satisfies readonly LeadStatus[]

/** How lists are ordered: as the leads came in, or the other way round. */
export const leadOrders = ['oldest', 'newest'] as const
export type LeadOrder = (typeof leadOrders)[number]

export type LeadStatus = (typeof leadStatuses)[number]
export type FinalStatus = (typeof finalStatuses)[number]

/** What a client may say of a lead: the fields of NewLead. */
export const newLeadFields = [
  'phoneNumber',
  'externalId',
  'metadata',
  'scheduledFor',
  'priority',
  'timeZone',
] as const

/** A lead as it is stored: `metadata` is JSON text, exactly as sent. */
export type NewLead = {
  readonly phoneNumber: string
  readonly externalId: string | null
  readonly metadata: string | null
  readonly scheduledFor: string | null
  readonly priority: number
  /** The lead's own time zone; null or absent: its campaign's. */
  readonly timeZone?: string | null
}

export const changeableFields = ['externalId', 'metadata', 'scheduledFor', 'priority', 'timeZone'] as const

/** The values that a lead is to have, of the fields that were named. */
export type LeadChange = { readonly [Field in (typeof changeableFields)[number]]?: NewLead[Field] }

/** What an id is made of. */
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

/** The form of an id, for paths and for the API's description. */
export const leadIdPattern = '[0-9a-f]{25}[0-9A-Za-z]{11}'
const leadIdForm = new RegExp(`^${leadIdPattern}$`)

/** What is in an id, or null when it cannot be one. */
export function parseLeadId(id: string): LeadKey | null {
  if (!leadIdForm.test(id)) return null
  return {
    createdAtMs: Number.parseInt(id.slice(0, timeDigits), 16),
    seq: Number.parseInt(id.slice(timeDigits, timeDigits + seqDigits), 16),
    token: id.slice(-leadTokenChars),
  }
}

/** A place in a campaign's list: opaque to clients, like an id. */
export function cursorOf(seq: number): string {
  return seqText(seq)
}

/** The `seq` after which a list goes on, or null when the text is not a cursor. */
export function parseCursor(cursor: string): number | null {
  if (!/^[0-9a-f]{14}$/.test(cursor)) return null
  const seq = Number.parseInt(cursor, 16)
  return Number.isSafeInteger(seq) && seq >= 2 ** leadSeqBits ? seq : null
}

/** Of the campaign that a lead's place is in. */
export function campaignNumberOf(seq: number): number {
  return Math.floor(seq / 2 ** leadSeqBits)
}

const seqText = (seq: number) => seq.toString(16).padStart(seqDigits, '0')
