// Requeueing a lead: the only way out of exhausted and concluded, and a grant of as many attempts as a new lead has
// (D40). Not while it is leased, and not while its number is suppressed.
import { type SQL, sql } from 'drizzle-orm'
import type { KeyAccess } from '../../access/store/rights.ts'
import { runBatch, statement } from '../../database/database.ts'
import { type LeadKey, leadIdOf, parseLeadId } from '../../leads/lead.ts'
import { isFinal, moveLeads } from '../../leads/store/queue.ts'
import { isErased, leadJson } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { waits } from '../../limits.ts'
import { isSuppressed } from '../../suppression/store/numbers.ts'
import { leadVerdict } from './history.ts'
import { settleStatements } from './settle.ts'

const param = sql.placeholder

const isLeadSuppressed = isSuppressed(sql`verdict.company_id`, sql`${leads.phoneNumber}`, sql`verdict.number`)
const lead = (verdict: SQL) => sql`${verdict} as verdict cross join ${leads} on ${leads.seq} = ${param('seq')}
  and ${leads.campaignNumber} = verdict.number and ${leads.token} = ${param('token')}
  and ${leads.createdAtMs} = ${param('createdAtMs')} and not ${isErased}`

// A lease that ran out is no reason to refuse.
const settle = (verdict: SQL) =>
  settleStatements(sql`(select * from ${verdict} where number is not null)`, 200).map(statement)

/** One that is queued keeps its time: an appointment is not called early. Calls before this one are of the past. */
const requeue = (verdict: SQL) =>
  statement(
    moveLeads(
      ['status', 'queue_rank', 'due_at_ms', 'claim_token', 'attempts_forgiven'],
      sql`select ${leads.seq}, iif(${leads.attempts} = 0, 'raw', 'attempting') as status,
      iif(${leads.dueAtMs} is null, ${leads.priority}, ${leads.queueRank}) as queue_rank,
      coalesce(${leads.dueAtMs}, ${param('nowMs')}) as due_at_ms, null as claim_token,
      ${leads.attempts} as attempts_forgiven
    from ${lead(verdict)} where ${leads.leaseExpiresAtMs} is null and not ${isLeadSuppressed}
      and (${isFinal} or ${leads.dueAtMs} is not null)`,
    ),
  )

const requeued = (verdict: SQL) =>
  statement(sql`select ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token},
    ${leads.leaseExpiresAtMs} is not null as "isLeased",
    ${isLeadSuppressed} as "isSuppressed", ${leadJson(sql`verdict.id`)}
  from ${verdict} as verdict
  left join ${leads} on ${leads.seq} = ${param('seq')} and ${leads.campaignNumber} = verdict.number
    and not ${isErased}`)

export type RequeueOutcome =
  | { readonly kind: 'key_refused' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'leased' }
  | { readonly kind: 'suppressed' }
  /** JSON text, as the API has a lead. */
  | { readonly kind: 'requeued'; readonly json: string }

/**
 * Safe to run twice, but for what comes between: a try whose answer was lost says `leased` when an agent has claimed
 * the lead since. Throws DatabaseUnavailable.
 */
export const requeueLead = leadRequeuer<KeyAccess>(leadVerdict('write'))

/** `verdict` is a table expression like leadVerdict. */
export function leadRequeuer<Who extends { readonly nowMs: number }>(
  verdict: SQL,
  timeoutMs: number = waits.storeMs,
) {
  const steps = [...settle(verdict), requeue(verdict), requeued(verdict)]
  return async (db: D1Database, who: Who, leadId: string): Promise<RequeueOutcome> => {
    const key = parseLeadId(leadId) ?? { seq: 0, createdAtMs: 0, token: '' }
    const { rows } = await runBatch(
      db,
      steps.map((step) => step(db, { ...who, ...key })),
      timeoutMs,
    )
    return readRequeued(rows, leadId)
  }
}

function readRequeued(rows: readonly (readonly unknown[])[], leadId: string): RequeueOutcome {
  const row = rows.at(-1)?.[0] as
    | (LeadKey & { json: string | null; isLeased: number; isSuppressed: number })
    | undefined
  if (row === undefined) return { kind: 'key_refused' }
  if (row.json === null || leadIdOf(row) !== leadId) return { kind: 'missing' }
  if (row.isLeased === 1) return { kind: 'leased' }
  return row.isSuppressed === 1 ? { kind: 'suppressed' } : { kind: 'requeued', json: row.json }
}
