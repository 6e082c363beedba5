// The answer for each call that a request reports or releases: the result, and the state of its lead.
import { type SQL, sql } from 'drizzle-orm'
import { isWaitedFor, waitedNotice } from '../../../campaigns/store/waiting.ts'
import { notify } from '../../../database/notices.ts'
import { type LeadStatus, leadIdOf } from '../../../leads/lead.ts'
import { leads } from '../../../leads/store/tables.ts'
import { callsNamed } from './call-of-key.ts'

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
 * A table expression of one row: `results`, JSON of ResultRow for each call that was found, of the join of
 * call-of-key.ts; and a notice of `waiting`, for which that join has read the settings anyway.
 */
export const callResults = (result: SQL) => sql`(
  select json_group_array(json_array(item.key, ${leads.seq}, ${leads.createdAtMs}, ${leads.token}, ${leads.status},
      ${leads.attempts}, ${leads.dueAtMs}, ${result})) as results,
    ${notify(
      'waiting',
      sql`json_group_array(distinct ${waitedNotice(sql`s`, sql`key.company_id`, sql`${leads.campaignNumber}`)})
        filter (where ${isWaitedFor(sql`s`)})`,
    )}
  from ${callsNamed()})`

type Found = Exclude<CallResult, { result: 'unknown_call' }>

type ResultRow = [
  index: number,
  seq: number,
  createdAtMs: number,
  token: string,
  status: LeadStatus,
  attempts: number,
  nextCallAtMs: number | null,
  result: Found['result'],
]

/** One result for each id, in order. */
export function readResults(callIds: readonly string[], results: string): CallResult[] {
  const read: CallResult[] = callIds.map((callId) => ({ callId, result: 'unknown_call' }))
  for (const row of JSON.parse(results) as ResultRow[]) {
    const [index, seq, createdAtMs, token, status, attempts, nextCallAtMs, result] = row
    const leadId = leadIdOf({ seq, createdAtMs, token })
    read[index] = { callId: callIds[index] as string, leadId, status, attempts, nextCallAtMs, result }
  }
  return read
}
