// Extending leases, which also tells an agent in the middle of a call that it should stop (D47, D49, D56). A lease that
// ran out cannot be extended: another campaign may hold the number by now.
import { sql } from 'drizzle-orm'
import { grantedKey, type KeyAccess } from '../../access/store/rights.ts'
import { runBatch, statement } from '../../database/database.ts'
import { moveLeads } from '../../leads/store/queue.ts'
import { isErased } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { callItem, callsNamed } from './call-of-key.ts'
import { hasReached, isLatestCall, isLeadSuppressed } from './lead-after-call.ts'

const param = sql.placeholder

const named = callsNamed()
const isHeld = sql`${isLatestCall} and k.outcome is null and ${leads.leaseExpiresAtMs} > ${param('nowMs')}`

/** Never shortens a lease. Under a suppression or a pause it extends all the same: the agent hangs up in its own time. */
const extendLeases = statement(
  moveLeads(
    ['lease_expires_at_ms'],
    sql`select ${leads.seq}, cast(max(${leads.leaseExpiresAtMs},
        ${param('nowMs')} + coalesce(${param('leaseSeconds')}, s.lease_seconds) * 1000) as integer) as lease_expires_at_ms
      from ${named} where ${isHeld}`,
  ),
)

const extensions = statement(sql`select item.key as "index", ${leads.leaseExpiresAtMs} as "leaseExpiresAtMs",
    case when ${isErased} then 'erased' when ${isLeadSuppressed} then 'suppressed' when ${hasReached} then 'concluded'
      when s.paused then 'paused' end as stop
  from ${callsNamed(grantedKey('agent'), sql`true`)} where ${isErased} or ${isHeld}`)

const keyIsGranted = statement(sql`select 1 from ${grantedKey('agent')}`)

/** `erased`: the lead is no longer there, nor will it be. */
export type Stop = 'suppressed' | 'paused' | 'concluded' | 'erased' | 'lease_lost'

export type Extension = {
  readonly callId: string
  /** Null: the lease is lost. */
  readonly leaseExpiresAtMs: number | null
  /** Why the call should end; null: it may go on. */
  readonly stop: Stop | null
}

export type ExtendOutcome =
  | { readonly kind: 'key_refused' }
  | { readonly kind: 'extended'; readonly calls: readonly Extension[] }

/** `leaseSeconds` null: as the campaign has it. Throws DatabaseUnavailable. */
export async function extendCalls(
  db: D1Database,
  access: KeyAccess,
  callIds: readonly string[],
  leaseSeconds: number | null,
): Promise<ExtendOutcome> {
  const values = { ...access, leaseSeconds, items: JSON.stringify(callIds.map(callItem)) }
  const steps = [extendLeases, extensions, keyIsGranted]
  const { rows } = await runBatch(
    db,
    steps.map((step) => step(db, values)),
  )
  if (rows.at(-1)?.length === 0) return { kind: 'key_refused' }
  const found = new Map((rows[1] as (Extension & { index: number })[]).map((row) => [row.index, row]))
  const calls = callIds.map((callId, index): Extension => {
    const row = found.get(index)
    if (row === undefined) return { callId, leaseExpiresAtMs: null, stop: 'lease_lost' }
    return { callId, leaseExpiresAtMs: row.leaseExpiresAtMs, stop: row.stop }
  })
  return { kind: 'extended', calls }
}
