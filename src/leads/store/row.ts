// A lead as it is read from its row: column by column, or as the wire has it.
import { type SQL, sql } from 'drizzle-orm'
import { type LeadKey, type LeadStatus, type NewLead, seqDigits, timeDigits } from '../lead.ts'
import { leads } from './tables.ts'

export type LeadRow = LeadKey &
  NewLead & { readonly campaignId: string; readonly status: LeadStatus; readonly attempts: number }

/** The columns of a LeadRow that are in its table. */
export const leadColumns = sql`${leads.seq}, ${leads.phoneNumber} as "phoneNumber", ${leads.externalId} as "externalId",
  ${leads.metadata}, ${leads.status}, ${leads.scheduledFor} as "scheduledFor", nullif(${leads.lane}, '') as "timeZone", ${leads.priority}, ${leads.attempts},
  ${leads.createdAtMs} as "createdAtMs", ${leads.token}`

/**
 * A lead as the wire has it: JSON text, put together by SQLite, which is a seventh faster over a list than reading
 * the columns and writing them again. `metadata` comes back as it was sent. Phone number, status, time and time zone need no
 * escaping: validation and a check of the table see to that.
 */
export const leadJson = (campaignId: SQL) => sql`'{"_id":"'
  || printf('%0${sql.raw(`${timeDigits}`)}x%0${sql.raw(`${seqDigits}`)}x', ${leads.createdAtMs}, ${leads.seq}) || ${leads.token}
  || '","campaignId":' || json_quote(${campaignId}) || ',"phoneNumber":"' || ${leads.phoneNumber} || '"'
  || iif(${leads.externalId} is null, '', ',"externalId":' || json_quote(${leads.externalId}))
  || coalesce(',"metadata":' || ${leads.metadata}, '') || ',"status":"' || ${leads.status} || '"'
  || coalesce(',"scheduledFor":"' || ${leads.scheduledFor} || '"', '')
  || iif(${leads.lane} = '', '', ',"timeZone":"' || ${leads.lane} || '"') || ',"priority":' || ${leads.priority}
  || ',"attempts":' || ${leads.attempts} || ',"_creationTime":' || ${leads.createdAtMs} || '}' as json`
