// Extending leases, which also shows an agent in the middle of a call that it should stop (D47, D49, D56). An expired
// lease cannot be extended: another campaign may have claimed the number.
import { sql } from 'drizzle-orm'
import { grantedKey, isArchived, type KeyAccess, type KeyNames } from '../../../base/access/store/rights.ts'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import { isConsentLost } from '../../../base/ledger/consent/valid-consent.ts'
import { type CampaignHours, openUntilMs, scheduleOf } from '../../campaigns/calling-hours.ts'
import { hoursJson } from '../../campaigns/store/settings-row.ts'
import { moveLeads, rankOfAppointments } from '../../leads/store/queue.ts'
import { isErased } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { callKeyColumns, updateCalls } from './sql/call-end.ts'
import { callItem, callsNamed, clearAgents } from './sql/call-of-key.ts'
import { hasReached, isInbound, isKnownDead, isLatestCall, isLeadSuppressed } from './sql/lead-after-call.ts'

const named = callsNamed()

/** The call's lease has not ended. */
export const isHeld = sql`${isLatestCall} and k.outcome is null and ${leads.leaseExpiresAtMs} > ${param('nowMs')}`

/**
 * Branches of a case: why a call should end, apart from the hours. In the order of their weight. Of a call that the
 * person made nothing else ends it: he rang himself.
 */
export const stopsWithoutHours = sql`when ${isErased} then 'erased'
      when ${isInbound} then null
      when ${isLeadSuppressed} then 'suppressed'
      when ${isConsentLost} then 'consent_withdrawn'
      when ${hasReached} or ${isKnownDead} then 'concluded'
      when s.paused or ${isArchived(sql`${leads.campaignNumber}`)} then 'paused'`

/** Never shortens a lease. It extends during a suppression or a pause, too: the agent still has to end the call. */
const extendLeases = statement<KeyNames | 'leaseSeconds' | 'items'>(
  moveLeads(
    ['lease_expires_at_ms'],
    sql`select ${leads.seq},
      cast(max(${leads.leaseExpiresAtMs},
        ${param('nowMs')} + coalesce(${param('leaseSeconds')}, s.lease_seconds) * 1000)
        as integer) as lease_expires_at_ms
    from ${named}
    where ${isHeld}`,
  ),
)

/**
 * The hours are read from the settings, since rows of openings are missing between a change of settings and the next
 * claim. They can be long, so only the first call of each campaign returns them.
 */
const extensions = statement<KeyNames | 'items'>(sql`
  select item.key as "index", ${leads.leaseExpiresAtMs} as "leaseExpiresAtMs",
    case ${stopsWithoutHours} end as stop,
    ${leads.campaignNumber} as "campaignNumber", ${leads.lane},
    ${leads.queueRank} is ${rankOfAppointments} as "isForAppointments", ${isInbound} as "isInbound",
    iif(row_number() over (partition by ${leads.campaignNumber} order by item.key) = 1, ${hoursJson}, null) as hours
  from ${callsNamed(grantedKey('agent'), sql`true`)}
  where ${isErased} or ${isHeld}
  order by item.key`)

/** The first time stays. A clock that differs puts no dial before the claim, or after now. */
const noteDialled = statement<KeyNames | 'items' | 'dialledAtMs'>(
  updateCalls(
    sql`dialled_at_ms = max(found.claimed_at_ms, min(${param('dialledAtMs')}, ${param('nowMs')}))`,
    sql`select ${callKeyColumns}
    from ${named}
    where ${isHeld} and k.dialled_at_ms is null`,
  ),
)

const clear = statement<KeyNames | 'items'>(clearAgents())

export const keyIsGranted = statement<KeyNames>(sql`select 1 from ${grantedKey('agent')}`)

/** A call with several reasons shows the first. */
export const stops = [
  'erased',
  'suppressed',
  'consent_withdrawn',
  'concluded',
  'paused',
  'outside_hours',
  'lease_lost',
] as const
export type Stop = (typeof stops)[number]

type Extension = {
  readonly callId: string
  /** Null: the lease is lost. */
  readonly leaseExpiresAtMs: number | null
  /** The end of the lease, or of the hours if that is earlier; now if they are over. Null: the lease is lost. */
  readonly dialBeforeMs: number | null
  /** Why the call should end, or not be dialled; null: it may continue. */
  readonly stop: Stop | null
}

type ExtendResult =
  | { readonly kind: 'key_refused' }
  | { readonly kind: 'extended'; readonly calls: readonly Extension[] }

export type ExtendRequest = {
  readonly callIds: readonly string[]
  /** Null: as the campaign has it. */
  readonly leaseSeconds: number | null
  /** When all of these were dialled. Null: not reported. */
  readonly dialledAtMs: number | null
}

/** Throws DatabaseUnavailable. */
export async function extendCalls(
  db: D1Database,
  access: KeyAccess,
  { callIds, leaseSeconds, dialledAtMs }: ExtendRequest,
): Promise<ExtendResult> {
  const values = { ...access, leaseSeconds, dialledAtMs, items: JSON.stringify(callIds.map(callItem)) }
  const noted = dialledAtMs === null ? [] : [noteDialled]
  const steps = [extendLeases, extensions, ...noted, clear, keyIsGranted]
  const { rows } = await runSteps(db, steps, values)
  if (rows.at(-1)?.length === 0) return { kind: 'key_refused' }
  return { kind: 'extended', calls: readExtensions(callIds, rows[1] as ExtensionRow[], access.nowMs) }
}

type ExtensionRow = {
  readonly index: number
  readonly leaseExpiresAtMs: number | null
  readonly stop: Stop | null
  readonly campaignNumber: number
  readonly lane: string
  readonly isForAppointments: 0 | 1
  readonly isInbound: 0 | 1
  readonly hours: string | null
}

function readExtensions(
  callIds: readonly string[],
  rows: readonly ExtensionRow[],
  nowMs: number,
): Extension[] {
  const found = new Map(rows.map((row) => [row.index, row]))
  const hoursOf = new Map<number, CampaignHours>()
  for (const { campaignNumber, hours } of rows)
    if (hours !== null) hoursOf.set(campaignNumber, JSON.parse(hours))
  return callIds.map((callId, index) => {
    const row = found.get(index)
    if (row === undefined) return { callId, leaseExpiresAtMs: null, dialBeforeMs: null, stop: 'lease_lost' }
    const { campaignNumber, leaseExpiresAtMs, stop } = row
    if (leaseExpiresAtMs === null) return { callId, leaseExpiresAtMs, dialBeforeMs: null, stop }
    const hours = hoursOf.get(campaignNumber) as CampaignHours
    return { callId, leaseExpiresAtMs, ...stopByHours({ ...row, leaseExpiresAtMs }, hours, nowMs) }
  })
}

export type HeldCall = {
  readonly leaseExpiresAtMs: number
  readonly stop: Stop | null
  readonly lane: string
  readonly isForAppointments: 0 | 1
  readonly isInbound: 0 | 1
}

/** Until when the call may be dialled, and why it should end, the hours included. */
export function stopByHours(
  { leaseExpiresAtMs, stop, lane, isForAppointments, isInbound }: HeldCall,
  hours: CampaignHours,
  nowMs: number,
): { readonly dialBeforeMs: number; readonly stop: Stop | null } {
  if (isInbound === 1) return { dialBeforeMs: leaseExpiresAtMs, stop }
  const dialBeforeMs = openUntilMs(scheduleOf(hours, lane, isForAppointments), nowMs, leaseExpiresAtMs)
  return dialBeforeMs === null
    ? { dialBeforeMs: nowMs, stop: stop ?? 'outside_hours' }
    : { dialBeforeMs, stop }
}
