// What a dialer needs of its calls besides what any agent does: which are open under its key, why they should end
// without extending them, and the note that one was started.
import { sql } from 'drizzle-orm'
import { grantedKey, type KeyAccess, type KeyNames, recordingKey } from '../../../base/access/store/rights.ts'
import { param, readRows, runBatch, runSteps, statement } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import {
  type ActorNames,
  appendIfListening,
  entryColumns,
  listenedTo,
} from '../../../base/ledger/log/append.ts'
import { moveLeads } from '../../leads/store/queue.ts'
import { leads } from '../../leads/store/tables.ts'
import { type CallKey, callIdOf } from '../call.ts'
import { isHeld, keyIsGranted, type Stop, stopsWithoutHours } from './extend.ts'
import { callKeyColumns, updateCalls } from './sql/call-end.ts'
import { callItem, callsNamed } from './sql/call-of-key.ts'

type StopWithoutHours = Exclude<Stop, 'outside_hours'>

const stops = statement<KeyNames | 'items'>(sql`select item.key as "index",
    case ${stopsWithoutHours} when not (${isHeld}) then 'lease_lost' end as stop
  from ${callsNamed(grantedKey('agent'), sql`true`)}`)

/**
 * Why each call should end, apart from the hours; null: it may continue. No map: the key is refused. Throws
 * DatabaseUnavailable, as every function here.
 */
export async function readStops(
  db: D1Database,
  access: KeyAccess,
  callIds: readonly string[],
): Promise<ReadonlyMap<string, StopWithoutHours | null> | null> {
  const items = JSON.stringify(callIds.map(callItem))
  const { rows } = await runBatch(db, [stops(db, { ...access, items }), keyIsGranted(db, access)])
  if (rows[1]?.length === 0) return null
  const found = rows[0] as { readonly index: number; readonly stop: StopWithoutHours | null }[]
  const stopAt = new Map(found.map(({ index, stop }) => [index, stop]))
  return new Map(
    callIds.map((id, index) => [id, stopAt.has(index) ? (stopAt.get(index) ?? null) : 'lease_lost']),
  )
}

const openOfKey = statement<'companyId' | 'number' | 'keyId' | 'nowMs'>(sql`
  select k.claimed_at_ms as "claimedAtMs", k.seq, k.token
  from ${leads}
  cross join ${calls} as k on k.phone_number = ${leads.phoneNumber} and k.company_id = ${param('companyId')}
    and k.seq = ${leads.seq} and k.token = ${leads.claimToken} and k.outcome is null
  where ${leads.campaignNumber} = ${param('number')} and ${leads.leaseExpiresAtMs} > ${param('nowMs')}
    and k.key_id = ${param('keyId')} and k.dialled_at_ms is null`)

/** The ids of the open calls that this key has claimed, and that nobody is known to have dialled. */
export async function listUndialledOfKey(
  db: D1Database,
  ofKey: {
    readonly companyId: string
    readonly number: number
    readonly keyId: string
    readonly nowMs: number
  },
): Promise<readonly string[]> {
  return (await readRows<CallKey>(db, openOfKey(db, ofKey))).map(callIdOf)
}

type StartedCall = {
  readonly callId: string
  readonly providerCallId: string
  readonly startedAtMs: number
}

// An item continues with the provider's id and the time.
const isUnnoted = sql`k.dialled_at_ms is null`

const noteSteps = [
  appendIfListening(
    sql`select ${entryColumns({
      type: 'call.started',
      companyId: sql`k.company_id`,
      campaignNumber: sql`${leads.campaignNumber}`,
      leadSeq: sql`${leads.seq}`,
      data: sql`json_object('claimedAtMs', k.claimed_at_ms, 'token', k.token, 'attempt', k.attempt)`,
    })} from ${callsNamed(listenedTo(grantedKey('agent')))} where ${isUnnoted}`,
  ),
  updateCalls(
    sql`dialled_at_ms = max(found.claimed_at_ms, min(found.started_at_ms, ${param('nowMs')})),
      provider_call_id = found.provider_call_id`,
    sql`select ${callKeyColumns}, item.value ->> 3 as provider_call_id, item.value ->> 4 as started_at_ms
    from ${callsNamed()}
    where ${isUnnoted}`,
  ),
].map(statement<KeyNames | ActorNames | 'items'>)

/** Logs that calls were started, and when. Repeated, it changes nothing. */
export async function noteStarted(
  db: D1Database,
  access: KeyAccess,
  started: readonly StartedCall[],
): Promise<void> {
  const items = JSON.stringify(
    started.map(({ callId, providerCallId, startedAtMs }) => [
      ...callItem(callId),
      providerCallId,
      startedAtMs,
    ]),
  )
  await runSteps(db, noteSteps, { ...access, items })
}

const endNow = statement<KeyNames | 'actor' | 'items'>(
  moveLeads(
    ['lease_expires_at_ms'],
    sql`select ${leads.seq}, cast(${param('nowMs')} as integer) as lease_expires_at_ms
    from ${callsNamed(recordingKey)}
    where ${isHeld}`,
  ),
)

/** The leases of these calls end now, and with them the calls, as `unknown`. Throws DatabaseUnavailable. */
export async function endLeases(
  db: D1Database,
  access: KeyAccess,
  callIds: readonly string[],
): Promise<void> {
  await runSteps(db, [endNow], { ...access, items: JSON.stringify(callIds.map(callItem)) })
}
