// Requeueing a lead: the only way out of exhausted and concluded, with as many attempts as a new lead has (D40). Not
// while it is leased or its number is suppressed. A number that is listed only by its hash can be looked up only
// after it was read: a company with hashes costs a second trip.
import { sql } from 'drizzle-orm'
import type { KeyAccess, KeyNames, PepperLost } from '../../access/store/rights.ts'
import { notifyWaiting } from '../../campaigns/store/waiting.ts'
import { param, runSteps, statement } from '../../database/database.ts'
import { type LeadKey, leadIdOf, parseLeadId } from '../../leads/lead.ts'
import { isFinal, statusAfterRequeue } from '../../leads/store/lead-status.ts'
import { moveLeads } from '../../leads/store/queue.ts'
import { leadVerdict } from '../../leads/store/read.ts'
import { isErased, leadJson } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { addCounts, countColumns } from '../../ledger/hours/counts.ts'
import { type ActorNames, appendAlways, entryColumns } from '../../ledger/log/append.ts'
import { hasHashes, isHashed, isPepperLost } from '../../ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../ledger/suppression/number-hash.ts'
import { isSuppressed } from '../../ledger/suppression/numbers.ts'
import { settleStatements } from './settle.ts'

const isLeadSuppressed = isSuppressed(sql`verdict.company_id`, sql`${leads.phoneNumber}`, sql`verdict.number`)
const verdict = leadVerdict('write')
const lead = sql`${verdict} as verdict
  cross join ${leads} on ${leads.seq} = ${param('seq')}
    and ${leads.campaignNumber} = verdict.number
    and ${leads.token} = ${param('token')}
    and ${leads.createdAtMs} = ${param('createdAtMs')}
    and not ${isErased}`

const isNumberHashed = isHashed(sql`verdict.company_id`, sql`${param('numberHash')}`, sql`verdict.number`)
const isFreeOfHashes = sql`(not ${hasHashes(sql`verdict.company_id`)}
  or (${param('numberHash')} is not null
    and not ${isNumberHashed}
    and not ${isPepperLost(sql`verdict.company_id`)}))`

// An expired lease is no reason to refuse.
const settle = settleStatements(sql`(select * from ${verdict} where number is not null)`, 200, {
  isOne: true,
}).map(statement<KeyNames | 'seq'>)

const mayRequeue = sql`${leads.leaseExpiresAtMs} is null and not ${isLeadSuppressed} and ${isFreeOfHashes}
  and (${isFinal} or ${leads.dueAtMs} is not null)`

const countRequeue = statement<KeyNames | 'seq' | 'token' | 'createdAtMs' | 'numberHash' | 'pepperCheck'>(
  addCounts(
    sql`select ${countColumns({
      campaignNumber: sql`${leads.campaignNumber}`,
      statusBefore: sql`${leads.status}`,
      statusAfter: statusAfterRequeue,
    })} from ${lead}
      where ${mayRequeue}`,
  ),
)

export const requeueColumns = [
  'status',
  'queue_rank',
  'due_at_ms',
  'claim_token',
  'attempts_forgiven',
] as const

/**
 * A queued lead keeps its time: an appointment is not called early. Calls before the requeue no longer change the
 * lead.
 */
export const requeued = sql`select ${leads.seq}, ${statusAfterRequeue} as status,
  iif(${leads.dueAtMs} is null, ${leads.priority}, ${leads.queueRank}) as queue_rank,
  coalesce(${leads.dueAtMs}, ${param('nowMs')}) as due_at_ms, null as claim_token,
  ${leads.attempts} as attempts_forgiven`

/** What the log keeps of a requeue. */
export const requeuedFacts = sql`json_object('status', ${statusAfterRequeue}, 'attempts', ${leads.attempts})`

const requeue = statement<KeyNames | 'seq' | 'token' | 'createdAtMs' | 'numberHash' | 'pepperCheck'>(
  moveLeads(requeueColumns, sql`${requeued} from ${lead} where ${mayRequeue}`),
)

/** Only where the requeue makes a difference: a repeated try finds none. */
const logRequeue = statement<
  KeyNames | ActorNames | 'seq' | 'token' | 'createdAtMs' | 'numberHash' | 'pepperCheck'
>(
  appendAlways(sql`select ${entryColumns({
    type: 'lead.requeued',
    companyId: sql`verdict.company_id`,
    campaignNumber: sql`verdict.number`,
    leadSeq: sql`${leads.seq}`,
    data: requeuedFacts,
  })} from ${lead}
    where ${mayRequeue}
      and (${isFinal} or ${leads.claimToken} is not null or ${leads.attempts} <> ${leads.attemptsForgiven})`),
)

const leadAfterRequeue = statement<KeyNames | 'pepperCheck' | 'numberHash' | 'seq'>(sql`
  select ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token},
    ${leads.leaseExpiresAtMs} is not null as "isLeased", ${leads.phoneNumber} as "phoneNumber",
    ${hasHashes(sql`verdict.company_id`)} as "hasHashes", ${isPepperLost(sql`verdict.company_id`)} as "isPepperLost",
    ${isLeadSuppressed} or ${isNumberHashed} as "isSuppressed",
    ${notifyWaiting(sql`verdict.company_id`, sql`verdict.number`)}, ${leadJson(sql`verdict.id`)}
  from ${verdict} as verdict
  left join ${leads} on ${leads.seq} = ${param('seq')}
    and ${leads.campaignNumber} = verdict.number
    and not ${isErased}`)

type RequeuedRow = LeadKey & {
  readonly json: string | null
  readonly isLeased: number
  readonly phoneNumber: string
  readonly hasHashes: number
  readonly isPepperLost: number
  readonly isSuppressed: number
}

type RequeueResult =
  | PepperLost
  | { readonly kind: 'key_refused' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'leased' }
  | { readonly kind: 'suppressed' }
  /** JSON text, as the API has a lead. */
  | { readonly kind: 'requeued'; readonly json: string }

const steps = [...settle, logRequeue, countRequeue, requeue, leadAfterRequeue]

/**
 * Safe to run twice, with one accepted race: the repetition of a try whose answer was lost returns `leased` when an
 * agent has claimed the lead since. Throws DatabaseUnavailable.
 */
export async function requeueLead(
  db: D1Database,
  access: KeyAccess,
  leadId: string,
  hashes: NumberHashes,
): Promise<RequeueResult> {
  const key = parseLeadId(leadId) ?? { seq: 0, createdAtMs: 0, token: '' }
  const run = async (numberHash: string | null) => {
    const values = { ...access, ...key, numberHash, pepperCheck: hashes.pepperCheck }
    const { rows } = await runSteps(db, steps, values)
    return rows.at(-1)?.[0] as RequeuedRow | undefined
  }
  const row = await run(null)
  const mustHash = row?.hasHashes === 1 && row.json !== null
  return readRequeued(mustHash ? await run(hashes.of(row.phoneNumber)) : row, leadId)
}

function readRequeued(row: RequeuedRow | undefined, leadId: string): RequeueResult {
  if (row === undefined) return { kind: 'key_refused' }
  if (row.json === null || leadIdOf(row) !== leadId) return { kind: 'missing' }
  if (row.isPepperLost === 1) return { kind: 'pepper_lost' }
  if (row.isLeased === 1) return { kind: 'leased' }
  return row.isSuppressed === 1 ? { kind: 'suppressed' } : { kind: 'requeued', json: row.json }
}
