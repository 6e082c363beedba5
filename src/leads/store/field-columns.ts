// The columns of a lead's fields: which one each field has, and how all are read.
import { type SQL, sql } from 'drizzle-orm'
import { leadFieldNames, type NewLead } from '../fields.ts'
import type { LeadKey, LeadStatus } from '../lead.ts'
import { leads } from './tables.ts'

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
