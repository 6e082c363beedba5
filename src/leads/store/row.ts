// A lead's row: which rows are a campaign's, and how one is read, column by column or as the wire has it. Which of them
// a request may read is decided by the statements that use these fragments.
import { type SQL, sql } from 'drizzle-orm'
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
    order by ${leads.seq} desc limit 1)`
}

/** It was stored by this request. Placeholders `token` and `formerToken` (see Origin in intake.ts). */
export const isOwn = sql`${leads.token} in (${sql.placeholder('token')}, ${sql.placeholder('formerToken')})`

/** Nothing is left of it: for all who ask, it is not there. */
export const isErased = sql`${leads.erasedAtMs} is not null`

/** A field's column has its name, but for the time zone: it is the lane of the queue, empty where the campaign's holds. */
export const columnNameOf = (field: keyof NewLead) => (field === 'timeZone' ? 'lane' : field)
export const toColumn = (field: keyof NewLead, value: SQL) =>
  field === 'timeZone' ? sql`coalesce(${value}, '')` : value
const fromColumn = (field: keyof NewLead) =>
  field === 'timeZone' ? sql`nullif(${leads.lane}, '')` : sql`${leads[field]}`

export type LeadRow = LeadKey &
  NewLead & { readonly campaignId: string; readonly status: LeadStatus; readonly attempts: number }

/** The columns of a LeadRow that are in its table. */
export const leadColumns = sql.join(
  [
    ...leadFieldNames.map((field) => sql`${fromColumn(field)} as ${sql.identifier(field)}`),
    sql`${leads.seq}, ${leads.status}, ${leads.attempts}, ${leads.createdAtMs} as "createdAtMs", ${leads.token}`,
  ],
  sql`, `,
)

const idText = sql`printf('%0${sql.raw(`${timeDigits}`)}x%0${sql.raw(`${seqDigits}`)}x', ${leads.createdAtMs}, ${leads.seq})
    || ${leads.token}`

/**
 * A lead as the wire has it: JSON text, put together by SQLite, which is a seventh faster over a list than reading
 * the columns and writing them again. Only what validation and the table's checks leave without quotes is not escaped.
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
