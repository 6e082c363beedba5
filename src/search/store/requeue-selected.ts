// Requeueing leads by their ids, each as requeue.ts does with one, in one transaction. The ids that the key has no
// access to are missing, as if they did not exist. A company with suppressed hashes costs a second trip.
import { sql } from 'drizzle-orm'
import {
  grantedCampaigns,
  grantedKey,
  type KeyAccess,
  type KeyNames,
  type PepperLost,
} from '../../access/store/rights.ts'
import { requeueColumns, requeued, requeuedFacts } from '../../calling/store/requeue.ts'
import { settleStatements } from '../../calling/store/settle.ts'
import { notifyWaiting } from '../../campaigns/store/waiting.ts'
import { param, runSteps, statement } from '../../database/database.ts'
import { parseLeadId } from '../../leads/lead.ts'
import { isFinal, statusAfterRequeue } from '../../leads/store/lead-status.ts'
import { moveLeads } from '../../leads/store/queue.ts'
import { campaignAt, isErased } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { addCounts, countColumns } from '../../ledger/hours/counts.ts'
import { type ActorNames, appendAlways, entryColumns } from '../../ledger/log/append.ts'
import { hasHashes, isHashed, isPepperLost } from '../../ledger/suppression/hashed-numbers.ts'
import type { NumberHashes } from '../../ledger/suppression/number-hash.ts'
import { isSuppressed } from '../../ledger/suppression/numbers.ts'

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

const mayRequeue = sql`${leads.leaseExpiresAtMs} is null and ${isFree} and (${isFinal} or ${leads.dueAtMs} is not null)`
const isOther = sql`(${isFinal} or ${leads.claimToken} is not null or ${leads.attempts} <> ${leads.attemptsForgiven})`

/** An expired lease is no reason to refuse. */
const campaignsOfItems = sql`(select distinct granted.number, granted.company_id
  from ${items} cross join ${grantedCampaigns('write')} as granted on ${isOfItem})`

const steps = [
  ...settleStatements(campaignsOfItems, 200, { isOne: false }),
  appendAlways(
    sql`select ${entryColumns({
      type: 'lead.requeued',
      companyId: company,
      campaignNumber: sql`granted.number`,
      leadSeq: sql`${leads.seq}`,
      data: requeuedFacts,
    })} from ${named} where ${mayRequeue} and ${isOther} order by ${leads.seq}`,
  ),
  addCounts(
    sql`select ${countColumns({
      campaignNumber: sql`${leads.campaignNumber}`,
      statusBefore: sql`${leads.status}`,
      statusAfter: statusAfterRequeue,
    })} from ${named} where ${mayRequeue}`,
  ),
  moveLeads(requeueColumns, sql`${requeued} from ${named} where ${mayRequeue}`),
  sql`select 1 from ${grantedKey('write')} as granted`,
  sql`select item.key as "index", ${leads.phoneNumber} as "phoneNumber",
      ${leads.leaseExpiresAtMs} is not null as "isLeased", ${isNumberSuppressed} as "isSuppressed",
      ${hasHashes(company)} as "hasHashes", ${isPepperLost(company)} as "isPepperLost",
      ${notifyWaiting(company, sql`granted.number`)}
    from ${named}`,
].map(statement<KeyNames | ActorNames | 'items' | 'pepperCheck'>)

type NamedRow = {
  readonly index: number
  readonly phoneNumber: string
  readonly isLeased: number
  readonly isSuppressed: number
  readonly hasHashes: number
  readonly isPepperLost: number
}

/** The codes of the endpoint that requeues one lead. */
export const selectionResults = ['requeued', 'lead_not_found', 'lead_leased', 'number_suppressed'] as const
export type SelectionResult = (typeof selectionResults)[number]

/** Safe to run twice, with the accepted race of requeueLead. Results in the order of ids. Throws DatabaseUnavailable. */
export async function requeueSelection(
  db: D1Database,
  access: KeyAccess,
  leadIds: readonly string[],
  hashes: NumberHashes,
): Promise<
  | PepperLost
  | { readonly kind: 'key_refused' }
  | { readonly kind: 'requeued'; readonly results: readonly SelectionResult[] }
> {
  const keys = leadIds.map((id) => parseLeadId(id) ?? { seq: 0, createdAtMs: 0, token: '' })
  const run = async (hashOf: (index: number) => string | null) => {
    const itemsJson = keys.map(({ seq, createdAtMs, token }, index) => [
      seq,
      createdAtMs,
      token,
      hashOf(index),
    ])
    const values = { ...access, items: JSON.stringify(itemsJson), pepperCheck: hashes.pepperCheck }
    const { rows } = await runSteps(db, steps, values)
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
  return { kind: 'requeued', results: leadIds.map((_, index) => resultOf(found.get(index))) }
}

function resultOf(row: NamedRow | undefined): SelectionResult {
  if (row === undefined) return 'lead_not_found'
  if (row.isLeased === 1) return 'lead_leased'
  return row.isSuppressed === 1 ? 'number_suppressed' : 'requeued'
}
