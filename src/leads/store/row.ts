// Fragments of SQL for a lead's row: which rows are a campaign's, and how one is read, as columns or as JSON. The
// statements that use them check the key's right.
import { type SQL, sql } from 'drizzle-orm'
import { param } from '../../database/database.ts'
import { calls } from '../../ledger/calls/tables.ts'
import { formatTimestamp } from '../../timestamp.ts'
import { leadFieldNames, type NewLead } from '../fields.ts'
import { type LeadKey, type LeadStatus, leadSeqBits, seqDigits, timeDigits } from '../lead.ts'
import { leads } from './tables.ts'

const bits = sql.raw(`${leadSeqBits}`)

/** A campaign's range of the table, by its number: `seq` is above `before`, and at most `last`. */
export const placesOf = (campaign: SQL) => ({
  before: sql`(${campaign} << ${bits})`,
  last: sql`((${campaign} + 1) << ${bits}) - 1`,
})

/** The number of the campaign whose lead has this place. */
export const campaignAt = (seq: SQL) => sql`${seq} >> ${bits}`

/** The place of the campaign's last lead, or null. */
export function lastSeqOf(campaign: SQL): SQL {
  const { before, last } = placesOf(campaign)
  return sql`(select ${leads.seq} from ${leads} where ${leads.seq} > ${before} and ${leads.seq} <= ${last}
    order by ${leads.seq} desc
    limit 1)`
}

/** Stored by this request. Placeholder `token` (Origin in intake.ts). */
export const isOwn = sql`${leads.token} = ${param('token')}`

/** An erased lead does not exist for any request. */
export const isErased = sql`${leads.erasedAtMs} is not null`

/**
 * A field's column has its name, but for the time zone: that is the queue's lane, empty for the campaign's own zone.
 */
export const columnNameOf = (field: keyof NewLead) => (field === 'timeZone' ? 'lane' : field)
export const toColumn = (field: keyof NewLead, value: SQL) =>
  field === 'timeZone' ? sql`coalesce(${value}, '')` : value
const fromColumn = (field: keyof NewLead) =>
  field === 'timeZone' ? sql`nullif(${leads.lane}, '')` : sql`${leads[field]}`

export type LeadRow = LeadKey &
  NewLead & { readonly campaignId: string; readonly status: LeadStatus; readonly attempts: number }

/** The columns of a LeadRow but `campaignId`. */
export const leadColumns = sql.join(
  [
    ...leadFieldNames.map((field) => sql`${fromColumn(field)} as ${sql.identifier(field)}`),
    sql`${leads.seq}, ${leads.status}, ${leads.attempts}, ${leads.createdAtMs} as "createdAtMs", ${leads.token}`,
  ],
  sql`, `,
)

const idFormat = sql.raw(`'%0${timeDigits}x%0${seqDigits}x'`)
const idText = sql`printf(${idFormat}, ${leads.createdAtMs}, ${leads.seq}) || ${leads.token}`

/**
 * A lead as JSON, written by SQLite: a seventh faster over a list than reading columns and writing JSON here. What is
 * not escaped cannot hold a quote: validation and the table's checks see to that. `metadata` is as it was sent.
 */
export const leadJson = (campaignId: SQL) => sql`'{"_id":"' || ${idText} || '"'
  || ',"campaignId":' || json_quote(${campaignId})
  || ',"phoneNumber":"' || ${leads.phoneNumber} || '"'
  || iif(${leads.externalId} is null, '', ',"externalId":' || json_quote(${leads.externalId}))
  || coalesce(',"metadata":' || ${leads.metadata}, '')
  || ',"status":"' || ${leads.status} || '"'
  || coalesce(',"scheduledFor":"' || ${leads.scheduledFor} || '"', '')
  || iif(${leads.lane} = '', '', ',"timeZone":"' || ${leads.lane} || '"')
  || ',"priority":' || ${leads.priority}
  || ',"attempts":' || ${leads.attempts}
  || ',"_creationTime":' || ${leads.createdAtMs} || '}' as json`

/** How a lead's last call ended. Null: no call has ended. */
export const lastOutcomeIn = (companyId: SQL) => sql`(select k.outcome
  from ${calls} as k
  where k.company_id = ${companyId} and k.phone_number = ${leads.phoneNumber} and k.seq = ${leads.seq}
    and k.outcome <> 'released'
  order by k.claimed_at_ms desc limit 1)`

/** From when on it can be called. Null: not in the queue, or leased. */
export const dueAt = sql`${leads.dueAtMs}`

export type CallingOfLead = { readonly lastOutcome: string | null; readonly dueAtMs: number | null }

/** `json`: as the API has a lead, with the metadata as it was sent. `isListed`: its number is on the do-not-call list. */
export type LeadWithCalling = CallingOfLead & { readonly json: string; readonly isListed: number }

/** The lead's JSON with these members. */
export function jsonWithCalling({ json, lastOutcome, dueAtMs, isListed }: LeadWithCalling): string {
  const suppressed = isListed === 1 && { suppressed: true }
  const members = { lastOutcome, dueAt: formatTimestamp(dueAtMs), ...suppressed }
  return `${json.slice(0, -1)},${JSON.stringify(members).slice(1)}`
}
