// A lead as its row and as the wire has it: the one place that spells `_id`, `_creationTime` and the order of a
// lead's fields.
import { type SQL, sql } from 'drizzle-orm'
import { leadSeqBits, type leadStatuses, leads } from './tables.ts'

export type LeadStatus = (typeof leadStatuses)[number]

/** A lead as it is stored: `metadata` is JSON text, exactly as sent. */
export type NewLead = {
  readonly phoneNumber: string
  readonly externalId: string | null
  readonly metadata: string | null
  readonly scheduledFor: string | null
  readonly priority: number
}

/** What an id is made of. */
export type LeadKey = { readonly seq: number; readonly createdAtMs: number; readonly token: string }

export type LeadRow = LeadKey &
  NewLead & { readonly campaignId: string; readonly status: LeadStatus; readonly attempts: number }

export const leadTokenChars = 11
const timeDigits = 11
const seqDigits = 14

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

/** The columns of a LeadRow that are in its table. */
export const leadColumns = sql`${leads.seq}, ${leads.phoneNumber} as "phoneNumber", ${leads.externalId} as "externalId",
  ${leads.metadata}, ${leads.status}, ${leads.scheduledFor} as "scheduledFor", ${leads.priority}, ${leads.attempts},
  ${leads.createdAtMs} as "createdAtMs", ${leads.token}`

/**
 * A lead as the wire has it: JSON text, put together by SQLite, which is a seventh faster over a list than reading
 * the columns and writing them again. `metadata` comes back as it was sent. Phone number, status and time need no
 * escaping: validation and a check of the table see to that.
 */
export const leadJson = (campaignId: SQL) => sql`'{"_id":"'
  || printf('%0${sql.raw(`${timeDigits}`)}x%0${sql.raw(`${seqDigits}`)}x', ${leads.createdAtMs}, ${leads.seq}) || ${leads.token}
  || '","campaignId":' || json_quote(${campaignId}) || ',"phoneNumber":"' || ${leads.phoneNumber} || '"'
  || iif(${leads.externalId} is null, '', ',"externalId":' || json_quote(${leads.externalId}))
  || coalesce(',"metadata":' || ${leads.metadata}, '') || ',"status":"' || ${leads.status} || '"'
  || coalesce(',"scheduledFor":"' || ${leads.scheduledFor} || '"', '') || ',"priority":' || ${leads.priority}
  || ',"attempts":' || ${leads.attempts} || ',"_creationTime":' || ${leads.createdAtMs} || '}' as json`

/** The columns of leadCsv (RFC 4180). */
export const leadCsvHeader =
  '_id,campaignId,phoneNumber,externalId,metadata,status,scheduledFor,priority,attempts,_creationTime\r\n'

export function leadCsv(row: LeadRow): string {
  return `${[
    leadIdOf(row),
    csvCell(row.campaignId),
    row.phoneNumber,
    csvCell(row.externalId ?? ''),
    csvCell(row.metadata ?? ''),
    row.status,
    row.scheduledFor ?? '',
    row.priority,
    row.attempts,
    row.createdAtMs,
  ].join()}\r\n`
}

/**
 * Text that a spreadsheet would take for a formula, by a full-width sign too, gets an apostrophe in front. A phone
 * number starts with `+` but is only digits from there on, and must stay diallable.
 */
export function csvCell(text: string): string {
  const harmless = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
