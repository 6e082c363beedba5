// The answer for each call that a request reports or releases: the result, and the state of its lead.
import { sql } from 'drizzle-orm'
import { param } from '../../../database/database.ts'
import { type LeadKey, type LeadStatus, leadIdOf } from '../../../leads/lead.ts'
import { leads } from '../../../leads/store/tables.ts'

/** `nextCallAtMs`: when the lead is due again; null: it is not in the queue. */
export type CallResult =
  | { readonly callId: string; readonly result: 'unknown_call' }
  | {
      readonly callId: string
      readonly result: 'recorded' | 'recorded_late' | 'do_not_call_recorded' | 'replayed' | 'conflict'
      readonly leadId: string
      readonly status: LeadStatus
      readonly attempts: number
      readonly nextCallAtMs: number | null
    }

/**
 * The columns of a ResultRow but `result`, of the join of call-of-key.ts, and `waiting` (ledger/waiting.ts), for which
 * that join has read the settings anyway.
 */
export const resultColumns = sql`item.key as "index", ${leads.seq}, ${leads.createdAtMs} as "createdAtMs",
  ${leads.token}, ${leads.status}, ${leads.attempts}, ${leads.dueAtMs} as "nextCallAtMs",
  iif(s.waited_for_until_ms > ${param('nowMs')},
    json_array(json_array(key.company_id, ${leads.campaignNumber})), null) as waiting`

export type ResultRow = LeadKey &
  Omit<Exclude<CallResult, { result: 'unknown_call' }>, 'callId' | 'leadId'> & { readonly index: number }

/** One result for each id, in order. `rows` are those of the calls that were found. */
export function readResults(callIds: readonly string[], rows: readonly unknown[] | undefined): CallResult[] {
  const found = new Map((rows as readonly ResultRow[]).map((row) => [row.index, row]))
  return callIds.map((callId, index) => {
    const row = found.get(index)
    if (row === undefined) return { callId, result: 'unknown_call' }
    const { status, attempts, nextCallAtMs, result } = row
    return { callId, leadId: leadIdOf(row), status, attempts, nextCallAtMs, result }
  })
}
