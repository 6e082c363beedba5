// The columns of a lead's fields: which one each field has, and how all are read.
import { type SQL, sql } from 'drizzle-orm'
import { type LeadFieldName, leadFieldNames } from '../field-table.ts'
import type { NewLead } from '../fields.ts'
import type { LeadKey, LeadStatus } from '../lead.ts'
import { leads } from './tables.ts'

/**
 * A field's column has its name, except the time zone's: that is the queue's lane, empty for the campaign's own zone.
 */
export const columnNameOf = (field: LeadFieldName) => (field === 'timeZone' ? 'lane' : field)
export const toColumn = (field: LeadFieldName, value: SQL) =>
  field === 'timeZone' ? sql`coalesce(${value}, '')` : value
export const fromColumn = (field: LeadFieldName) =>
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
