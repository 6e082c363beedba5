// Requeueing leads by their ids: the only way out of exhausted and concluded, with as many attempts as a new lead has
// (D40). Not while a lead is leased or its number is suppressed. All in one transaction. The ids that the key has no
// access to are missing, as if they did not exist. A number that is listed only by its hash can be looked up only after
// it was read: a company with hashes costs a second trip.
import { type SQL, sql } from 'drizzle-orm'
import {
  grantedCampaigns,
  grantedKey,
  type KeyAccess,
  type KeyNames,
  type PepperLost,
} from '../../../base/access/store/rights.ts'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import { addCounts, countColumns } from '../../../base/ledger/hours/counts.ts'
import { type ActorNames, appendAlways, entryColumns } from '../../../base/ledger/log/append.ts'
import { hasHashes, isHashed, isPepperLost } from '../../../base/ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import { isSuppressed } from '../../../base/ledger/suppression/numbers.ts'
import { notifyWaiting } from '../../campaigns/store/waiting.ts'
import { parseLeadId } from '../../leads/lead.ts'
import { isFinal, statusAfterRequeue } from '../../leads/store/lead-status.ts'
import {
  askedAnew,
  isQueuedOrHeld,
  moveLeads,
  rankOfAppointments,
  scheduledLaterThan,
} from '../../leads/store/queue.ts'
import { campaignAt, isErased, leadJson } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { settleStatements } from './settling/settle.ts'

/** An element of placeholder `items` is place, time of creation, token and, once it is known, the number's hash. */
const items = sql`json_each(${param('items')}) as item`
const isOfItem = sql`granted.number = ${campaignAt(sql`(item.value ->> 0)`)}`
const isNamed = sql`${leads.seq} = item.value ->> 0
  and ${leads.campaignNumber} = granted.number
  and ${leads.createdAtMs} = item.value ->> 1
  and ${leads.token} = item.value ->> 2
  and not ${isErased}`
const named = sql`${items}
  cross join ${grantedCampaigns('write')} as granted on ${isOfItem}
  cross join ${leads} on ${isNamed}`

const company = sql`granted.company_id`
const hash = sql`(item.value ->> 3)`
const isNumberSuppressed = sql`(${isSuppressed(company, sql`${leads.phoneNumber}`, sql`granted.number`)}
  or ${isHashed(company, hash, sql`granted.number`)})`
const isFree = sql`not ${isNumberSuppressed}
  and (not ${hasHashes(company)} or (${hash} is not null and not ${isPepperLost(company)}))`

const mayRequeue = sql`${leads.leaseExpiresAtMs} is null and ${isFree} and (${isFinal} or ${isQueuedOrHeld()})`
const isOther = sql`(${isFinal} or ${leads.claimToken} is not null or ${leads.attempts} <> ${leads.attemptsForgiven})`

const campaignsOfItems = sql`(select distinct granted.number, granted.company_id
  from ${items} cross join ${grantedCampaigns('write')} as granted on ${isOfItem})`

const requeueColumns = [
  ...(['status', 'queue_rank', 'due_at_ms', 'claim_token', 'attempts_forgiven'] as const),
  ...(['gate_version', 'gate_until_ms'] as const),
] as const

const laterMs = scheduledLaterThan(sql`${param('nowMs')}`)

/**
 * A queued lead keeps its time: an appointment is not called early. One that is scheduled for later waits for that.
 * Calls before the requeue no longer change the lead, and the gate is asked again, whatever it has said of the phone.
 */
const requeued = sql`select ${leads.seq}, ${statusAfterRequeue} as status,
  case when ${leads.dueAtMs} is not null then ${leads.queueRank}
    when ${laterMs} is not null then ${rankOfAppointments}
    else iif(${isQueuedOrHeld()}, ${leads.queueRank}, ${leads.priority}) end as queue_rank,
  coalesce(${leads.dueAtMs}, ${laterMs}, ${param('nowMs')}) as due_at_ms, null as claim_token,
  ${leads.attempts} as attempts_forgiven, null as gate_version, ${askedAnew} as gate_until_ms`

/** What the log keeps of a requeue. */
const requeuedFacts = sql`json_object('status', ${statusAfterRequeue}, 'attempts', ${leads.attempts})`

/** Logs, counts and moves the leads of `free`, a condition included. With `andLogged` only those are logged. */
export const requeueSteps = (free: SQL, append: (entries: SQL) => SQL, andLogged = sql``): readonly SQL[] => [
  append(
    sql`select ${entryColumns({
      type: 'lead.requeued',
      companyId: company,
      campaignNumber: sql`granted.number`,
      leadSeq: sql`${leads.seq}`,
      data: requeuedFacts,
    })} from ${free} ${andLogged} order by ${leads.seq}`,
  ),
  addCounts(
    sql`select ${countColumns({
      campaignNumber: sql`${leads.campaignNumber}`,
      statusBefore: sql`${leads.status}`,
      statusAfter: statusAfterRequeue,
    })} from ${free}`,
  ),
  moveLeads(requeueColumns, sql`${requeued} from ${free}`),
]

const steps = [
  // An expired lease is no reason to refuse.
  ...settleStatements(campaignsOfItems, 200, { isOne: false }),
  // Logged only where the requeue makes a difference: a repeated try finds none.
  ...requeueSteps(sql`${named} where ${mayRequeue}`, appendAlways, sql`and ${isOther}`),
  sql`select 1 from ${grantedKey('write')} as granted`,
  sql`select item.key as "index", ${leads.phoneNumber} as "phoneNumber",
      ${leads.leaseExpiresAtMs} is not null as "isLeased", ${isNumberSuppressed} as "isSuppressed",
      ${hasHashes(company)} as "hasHashes", ${isPepperLost(company)} as "isPepperLost",
      ${notifyWaiting(company, sql`granted.number`)},
      (select ${leadJson(sql`granted.id`)} where ${param('withLeads')}) as json
    from ${named}`,
].map(statement<KeyNames | ActorNames | 'items' | 'pepperCheck' | 'withLeads'>)

type NamedRow = {
  readonly index: number
  readonly phoneNumber: string
  readonly isLeased: number
  readonly isSuppressed: number
  readonly hasHashes: number
  readonly isPepperLost: number
  readonly json: string | null
}

export const selectionResults = ['requeued', 'lead_not_found', 'lead_leased', 'number_suppressed'] as const
export type SelectionResult = (typeof selectionResults)[number]

/** `json` is the lead as the API answers it, if the request asks for leads. */
type Requeued = { readonly result: SelectionResult; readonly json: string | null }

type RequeueOutcome =
  | PepperLost
  | { readonly kind: 'key_refused' }
  | { readonly kind: 'requeued'; readonly leads: readonly Requeued[] }

/**
 * Safe to run twice, with one accepted race: the repetition of a try whose answer was lost finds a lead leased when an
 * agent has claimed it since. `leads` are in the order of ids. Throws DatabaseUnavailable.
 */
export async function requeueSelection(
  db: D1Database,
  access: KeyAccess,
  leadIds: readonly string[],
  hashes: NumberHashes,
  { withLeads = false } = {},
): Promise<RequeueOutcome> {
  const keys = leadIds.map((id) => parseLeadId(id) ?? { seq: 0, createdAtMs: 0, token: '' })
  const run = async (hashOf: (index: number) => string | null) => {
    const itemsJson = keys.map(({ seq, createdAtMs, token }, index) => [
      seq,
      createdAtMs,
      token,
      hashOf(index),
    ])
    const own = { items: JSON.stringify(itemsJson), withLeads: withLeads ? 1 : 0 }
    const { rows } = await runSteps(db, steps, { ...access, ...own, pepperCheck: hashes.pepperCheck })
    const found = new Map((rows.at(-1) as readonly NamedRow[]).map((row) => [row.index, row]))
    return rows.at(-2)?.length === 0 ? null : found
  }
  const first = await run(() => null)
  const mustHash = first !== null && [...first.values()].some((row) => row.hasHashes === 1)
  const found = mustHash
    ? await run((index) => {
        const row = first.get(index)
        return row === undefined ? null : hashes.of(row.phoneNumber)
      })
    : first
  if (found === null) return { kind: 'key_refused' }
  if ([...found.values()].some((row) => row.isPepperLost === 1)) return { kind: 'pepper_lost' }
  const requeuedLeads = leadIds.map((_, index) => {
    const row = found.get(index)
    return { result: resultOf(row), json: row?.json ?? null }
  })
  return { kind: 'requeued', leads: requeuedLeads }
}

function resultOf(row: NamedRow | undefined): SelectionResult {
  if (row === undefined) return 'lead_not_found'
  if (row.isLeased === 1) return 'lead_leased'
  return row.isSuppressed === 1 ? 'number_suppressed' : 'requeued'
}
