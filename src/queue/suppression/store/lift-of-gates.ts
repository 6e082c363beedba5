// Undoes what gates have done since a moment: lifts their suppressions, and requeues the leads that they have ended.
// What a person has said stays, also where a gate has said the same.
import { sql } from 'drizzle-orm'
import {
  type AccessNames,
  type KeyAccess,
  type PepperLost,
  type ScopeRefusal,
  scopeRefusalOf,
  scopeVerdict,
  type Verdict,
} from '../../../base/access/store/rights.ts'
import { campaigns } from '../../../base/access/store/tables.ts'
import { number, param, readRows, runSteps, statement } from '../../../base/database/database.ts'
import { isOfGate } from '../../../base/ledger/suppression/gate-mark.ts'
import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import { isSuppressed } from '../../../base/ledger/suppression/numbers.ts'
import { phoneKey } from '../../../base/ledger/suppression/spellings.ts'
import { suppressions } from '../../../base/ledger/suppression/tables.ts'
import { requeueSelection } from '../../calling/store/requeue.ts'
import { type LeadKey, leadIdOf } from '../../leads/lead.ts'
import { leads } from '../../leads/store/tables.ts'
import { removeSuppressions } from './remove-suppressions.ts'
import type { TooMany } from './suppress.ts'

/** In one request, of numbers and of leads: D1 allows 1,000 queries. */
const mostRows = 400
/** In one transaction. */
const numbersAtOnce = 10
const leadsAtOnce = 100

const scope = scopeVerdict('manage')
const isOfScope = sql`c.company_id = scope.company_id and (scope.number = 0 or c.number = scope.number)`
const maxRows = number(mostRows)

const readNumbers = [
  sql`select scope.number from ${scope} as scope`,
  sql`select own.phone_number as "phoneNumber", c.id as "campaignId"
    from ${scope} as scope
    cross join ${suppressions} as own on own.company_id = scope.company_id and ${isOfGate(sql`own`)}
      and own.created_at_ms >= ${param('sinceMs')} and (scope.number = 0 or own.campaign_number = scope.number)
    left join ${campaigns} as c on c.number = own.campaign_number
    order by own.created_at_ms
    limit ${maxRows} + 1`,
].map(statement<AccessNames | 'sinceMs'>)

/** After the lift: whose number is suppressed still, by a person or where the scope does not reach, stays. */
const readLeads = statement<AccessNames | 'sinceMs'>(
  sql`select l.seq, l.created_at_ms as "createdAtMs", l.token
    from ${scope} as scope
    cross join ${campaigns} as c on ${isOfScope}
    cross join ${leads} as l on l.campaign_number = c.number and l.gate_refused_by is not null
      and l.finished_at_ms >= ${param('sinceMs')} and l.gate_version is not null and l.status = 'exhausted'
      and not ${isSuppressed(sql`c.company_id`, sql`l.phone_number`, sql`c.number`)}
    limit ${maxRows} + 1`,
)

type Listed = { readonly phoneNumber: string; readonly campaignId: string | null }

type Lifted = {
  readonly kind: 'lifted'
  readonly lifted: number
  readonly requeued: number
  /** True: the same request, sent again, continues. */
  readonly more: boolean
}

const slicesOf = <Item>(items: readonly Item[], size: number): (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

/** Repeated, it continues where it was interrupted. Throws DatabaseUnavailable. */
export async function liftOfGates(
  db: D1Database,
  access: KeyAccess,
  { campaignId: wanted, sinceMs }: { readonly campaignId: string | null; readonly sinceMs: number },
  hashes: NumberHashes,
): Promise<ScopeRefusal | TooMany | PepperLost | { readonly kind: 'key_refused' } | Lifted> {
  const of = { ...access, campaignId: wanted, sinceMs }
  const { rows } = await runSteps(db, readNumbers, of)
  const refusal = scopeRefusalOf(rows[0]?.[0] as Verdict | undefined, wanted)
  if (refusal !== null) return refusal
  const listed = rows[1] as readonly Listed[]
  let lifted = 0
  for (const [campaignId, own] of Map.groupBy(listed.slice(0, mostRows), (one) => one.campaignId)) {
    // Spellings of a phone are one number, and are lifted together.
    const byPhone = new Map(own.map(({ phoneNumber }) => [phoneKey(phoneNumber), phoneNumber]))
    for (const phoneNumbers of slicesOf([...byPhone.values()], numbersAtOnce)) {
      const result = await removeSuppressions(db, access, { phoneNumbers, campaignId }, hashes, true)
      if (result.kind !== 'removed') return result
      lifted += result.removed
    }
  }
  const ended = await readRows<LeadKey>(db, readLeads(db, of))
  let requeued = 0
  for (const keys of slicesOf(ended.slice(0, mostRows), leadsAtOnce)) {
    const result = await requeueSelection(db, access, keys.map(leadIdOf), hashes)
    if (result.kind !== 'requeued') return result
    requeued += result.leads.filter((lead) => lead.result === 'requeued').length
  }
  return { kind: 'lifted', lifted, requeued, more: Math.max(listed.length, ended.length) > mostRows }
}
