// Reading calls page by page: open calls, for an agent that restarts, and the calls of a lead.
import { sql } from 'drizzle-orm'
import {
  type Access,
  type AccessNames,
  accessVerdict,
  grantedCampaign,
  isRefused,
  type KeyAccess,
  type KeyNames,
  type Refusal,
  refusalOf,
  type Verdict,
} from '../../../base/access/store/rights.ts'
import { pageOf, param, runBatch, statement } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { limits } from '../../../base/limits.ts'
import type { CampaignHours } from '../../campaigns/calling-hours.ts'
import { hoursJson } from '../../campaigns/store/settings-row.ts'
import { callingSettings } from '../../campaigns/store/tables.ts'
import { type LeadKey, leadIdOf, parseLeadId } from '../../leads/lead.ts'
import { rankOfAppointments } from '../../leads/store/queue.ts'
import { leadVerdict } from '../../leads/store/read.ts'
import { idOf, isErased } from '../../leads/store/row.ts'
import { leads } from '../../leads/store/tables.ts'
import { type CallRow, type ClaimedCall, callColumns, readCall } from './claim-answer.ts'
import { type HeldCall, type Stop, stopByHours, stopsWithoutHours } from './extend.ts'
import { isInbound } from './sql/lead-after-call.ts'
import { callDetails } from './tables.ts'

/** `stop`: why it should end, as an extension of its lease says. */
type OpenCall = ClaimedCall & {
  readonly agent: string | null
  readonly stop: Stop | null
  readonly isInbound: 0 | 1
}

/** A place in the list of open calls, which is ordered by the end of the lease. */
export type OpenCallPlace = { readonly leaseExpiresAtMs: number; readonly seq: number }

type OpenCallRange = {
  /** Null: of any agent. */
  readonly agent: string | null
  readonly maxCalls: number
  /** The place before the page; null: the first page. */
  readonly after: OpenCallPlace | null
}

const agentVerdict = statement<AccessNames>(sql`select verdict.number, ${hoursJson} as hours
  from ${accessVerdict('agent to read')} as verdict
  left join ${callingSettings} as s on s.campaign_number = verdict.number`)

const openCallsOf = statement<AccessNames | 'leaseExpiresAtMs' | 'seq' | 'agent' | 'maxRows'>(sql`
  select ${callColumns(sql`${param('nowMs')}`)}, k.agent, case ${stopsWithoutHours} end as stop,
    ${leads.lane}, ${leads.queueRank} is ${rankOfAppointments} as "isForAppointments", ${isInbound} as "isInbound"
  from ${grantedCampaign('agent to read')} as granted
  cross join ${callingSettings} as s on s.campaign_number = granted.number
  cross join ${leads} on ${leads.campaignNumber} = granted.number and ${leads.leaseExpiresAtMs} > ${param('nowMs')}
    and (${leads.leaseExpiresAtMs}, ${leads.seq}) > (${param('leaseExpiresAtMs')}, ${param('seq')})
  cross join ${calls} as k on k.company_id = granted.company_id and k.phone_number = ${leads.phoneNumber}
    and k.seq = ${leads.seq} and k.token = ${leads.claimToken} and k.outcome is null
  where ${param('agent')} is null or k.agent = ${param('agent')}
  order by ${leads.leaseExpiresAtMs}, ${leads.seq}
  limit ${param('maxRows')}`)

type OpenCallsResult =
  | Refusal
  | { readonly kind: 'page'; readonly calls: readonly OpenCall[]; readonly end: OpenCallPlace | null }

/** A page of the campaign's open calls whose lease has not expired. Throws DatabaseUnavailable. */
export async function listOpenCalls(
  db: D1Database,
  access: Access,
  { agent, maxCalls, after }: OpenCallRange,
): Promise<OpenCallsResult> {
  const values = { ...access, agent, maxRows: maxCalls + 1, ...(after ?? { leaseExpiresAtMs: 0, seq: 0 }) }
  const { rows } = await runBatch(db, [agentVerdict(db, values), openCallsOf(db, values)])
  const verdict = rows[0]?.[0] as (Verdict & { readonly hours: string }) | undefined
  if (isRefused(verdict)) return refusalOf(verdict)
  const hours = JSON.parse(verdict.hours) as CampaignHours
  const { page, last } = pageOf(
    rows[1] as (CallRow & HeldCall & { readonly agent: string | null })[],
    maxCalls,
  )
  return {
    kind: 'page',
    calls: page.map(({ agent, lane, isForAppointments, isInbound, stop, ...row }) => ({
      ...readCall(row),
      ...stopByHours({ ...row, lane, isForAppointments, isInbound, stop }, hours, access.nowMs),
      agent,
      isInbound,
    })),
    end: last && { leaseExpiresAtMs: last.leaseExpiresAtMs, seq: last.seq },
  }
}

/** Both are JSON: the members as the API has them but times (withTimestamps), and the details as they were sent. */
export type PastCall = { readonly json: string; readonly details: string | null }

/** The id of a call `k`. */
export const callIdText = idOf(sql`k.claimed_at_ms`, sql`k.seq`, sql`k.token`)
const yesNo = (column: string) => sql`json(iif(k.${sql.identifier(column)}, 'true', 'false'))`
/** Who rang whom in a call `k`. */
export const direction = sql`iif(k.inbound is null, 'outbound', 'inbound')`
/** A value: the members of a call `k` as the API has them but times, without the details. */
export const pastCallJson = sql`json_object('callId', ${callIdText}, 'direction', ${direction}, 'attempt', k.attempt,
      'agent', k.agent, 'claimedAtMs', k.claimed_at_ms,
      'outcome', k.outcome, 'endedAtMs', k.ended_at_ms, 'callbackAtMs', k.callback_at_ms,
      'doNotCall', ${yesNo('do_not_call')}, 'isLate', ${yesNo('is_late')}, 'durationSeconds', k.duration_seconds,
      'providerCallId', k.provider_call_id, 'consentId', k.consent_id)`

const verdict = leadVerdict('look')

const leadBySeq = statement<KeyNames | 'seq'>(sql`
  select ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token}
  from ${verdict} as verdict
  left join ${leads} on ${leads.seq} = ${param('seq')} and ${leads.campaignNumber} = verdict.number
    and not ${isErased}`)

const callsOfLead = statement<KeyNames | 'seq' | 'afterMs' | 'maxRows'>(sql`
  select k.claimed_at_ms as "atMs", d.details, ${pastCallJson} as json
  from ${verdict} as verdict
  cross join ${leads} on ${leads.seq} = ${param('seq')} and ${leads.campaignNumber} = verdict.number
    and not ${isErased}
  cross join ${calls} as k on k.company_id = verdict.company_id and k.phone_number = ${leads.phoneNumber}
    and k.claimed_at_ms > ${param('afterMs')} and k.seq = ${leads.seq}
  left join ${callDetails} as d on d.seq = k.seq and d.claimed_at_ms = k.claimed_at_ms
  order by k.claimed_at_ms
  limit ${param('maxRows')}`)

/** Part of a lead's calls, oldest first. */
type CallRange = {
  /** At most callsPerRequest: so many calls have at most 2 MB of details, however large each is. */
  readonly maxCalls: number
  /** The time of the call before the page, which is unique for the number; 0: the first page. */
  readonly afterMs: number
}

type HistoryResult =
  | { readonly kind: 'key_refused' | 'lead_not_found' }
  | {
      readonly kind: 'found'
      readonly calls: readonly PastCall[]
      /** The time of the last call here; null: it is the last of all. */
      readonly endMs: number | null
    }

/** A page of a lead's calls. Not found also when the key has no access to it. Throws DatabaseUnavailable. */
export async function listCallsOfLead(
  db: D1Database,
  access: KeyAccess,
  leadId: string,
  { maxCalls, afterMs }: CallRange = { maxCalls: limits.callsPerRequest, afterMs: 0 },
): Promise<HistoryResult> {
  const values = { ...access, seq: parseLeadId(leadId)?.seq ?? 0, afterMs, maxRows: maxCalls + 1 }
  const { rows } = await runBatch(db, [leadBySeq(db, values), callsOfLead(db, values)])
  const lead = rows[0]?.[0] as (LeadKey & { seq: number | null }) | undefined
  if (lead === undefined) return { kind: 'key_refused' }
  if (lead.seq === null || leadIdOf(lead) !== leadId) return { kind: 'lead_not_found' }
  const { page, last } = pageOf(rows[1] as (PastCall & { readonly atMs: number })[], maxCalls)
  return { kind: 'found', calls: page, endMs: last?.atMs ?? null }
}
