// A page of a campaign's calls, newest first, by their index of campaign and time (calls-index.ts). The index is the
// outer loop; each call of it decides whether it matches, and a page looks at a bounded number of them: where few
// match, it is short, and the next one continues.
import { sql } from 'drizzle-orm'
import {
  type Access,
  type AccessNames,
  accessVerdict,
  grantedCampaign,
  isRefused,
  type Refusal,
  refusalOf,
  type Verdict,
} from '../../../../base/access/store/rights.ts'
import { DatabaseUnavailable, param, runBatch, statement } from '../../../../base/database/database.ts'
import { calls } from '../../../../base/ledger/calls/tables.ts'
import {
  type ActorNames,
  appendAlways,
  entryColumns,
  isUnlogged,
} from '../../../../base/ledger/log/append.ts'
import { hasOrigin, originJson } from '../../../leads/origin/store/origin-sql.ts'
import { idOf, isErased } from '../../../leads/store/row.ts'
import { areCallsIndexed } from '../../../leads/store/search-index.ts'
import { leads } from '../../../leads/store/tables.ts'
import { callIdText, direction } from '../../store/history.ts'
import { callDetails } from '../../store/tables.ts'
import { recordingUrl, summary, transcriptUrl } from './call-details.ts'

/** Calls that a page looks at. */
export const callsLookedAt = 1000
const lookedAt = sql.raw(`${callsLookedAt}`)

/** A place in the list. */
export type CallPlace = { readonly atMs: number; readonly seq: number }

type CallFilter = {
  readonly fromMs: number
  readonly outcome: string | null
  readonly agent: string | null
  /** A value of filterOf (leads/origin/origin.ts). */
  readonly origin: string | null
}

type Names = AccessNames | 'fromMs' | 'outcome' | 'agent' | 'origin' | 'beforeMs' | 'beforeSeq' | 'maxCalls'

/** The calls of the campaign `granted` in the range, newest first. */
const inRange = sql`cross join ${calls} as k on k.campaign_number = granted.number
    and k.claimed_at_ms >= ${param('fromMs')}
    and (k.claimed_at_ms, k.seq) < (${param('beforeMs')}, ${param('beforeSeq')})
  order by k.claimed_at_ms desc, k.seq desc`

const flag = (column: string) => sql`json(iif(k.${sql.identifier(column)}, 'true', 'false'))`
const leadId = idOf(sql`${leads.createdAtMs}`, sql`${leads.seq}`, sql`${leads.token}`)

const members = sql`json_object('callId', ${callIdText}, 'leadId', ${leadId}, 'phoneNumber', ${leads.phoneNumber},
    'externalId', ${leads.externalId}, 'direction', ${direction}, 'attempt', k.attempt, 'agent', k.agent,
    'claimedAtMs', k.claimed_at_ms, 'dialledAtMs', k.dialled_at_ms, 'endedAtMs', k.ended_at_ms,
    'durationSeconds', k.duration_seconds, 'outcome', k.outcome, 'callbackAtMs', k.callback_at_ms,
    'doNotCall', ${flag('do_not_call')}, 'isLate', ${flag('is_late')}, 'providerCallId', k.provider_call_id,
    'consentId', k.consent_id, 'costMicros', k.cost_micros, 'costCurrency', k.cost_currency,
    'recordingUrl', ${recordingUrl}, 'transcriptUrl', ${transcriptUrl}, 'summary', ${summary},
    'origin', json(${originJson(sql`${leads.origin}`, sql`${leads.importName}`)}))`

/** Of erased leads nothing is shown. */
const matches = sql`select k.claimed_at_ms as "atMs", k.seq, ${members} as json
  from (select k.* from ${grantedCampaign('read')} as granted ${inRange} limit ${lookedAt}) as k
  cross join ${leads} on ${leads.seq} = k.seq and not ${isErased}
  left join ${callDetails} as d on d.seq = k.seq and d.claimed_at_ms = k.claimed_at_ms
  where (${param('outcome')} is null or k.outcome = ${param('outcome')})
    and (${param('agent')} is null or k.agent = ${param('agent')})
    and ${hasOrigin(sql`${leads.origin}`)}`

/** Where a page that is not full ends, when it has looked at as many as it may. Read only then. */
const horizon = sql`select * from (select k.claimed_at_ms, k.seq, null
  from ${grantedCampaign('read')} as granted ${inRange} limit 1 offset ${lookedAt} - 1)`

const verdictOf = statement<AccessNames>(sql`select verdict.number, ${areCallsIndexed} as "areIndexed"
  from ${accessVerdict('read')} as verdict`)

const pageOfCalls = statement<Names>(
  sql`select * from (select * from (${matches}) union all ${horizon}) limit ${param('maxCalls')} + 1`,
)

/** As an export of leads: who took the numbers. */
const logExport = statement<AccessNames | ActorNames>(
  appendAlways(sql`select ${entryColumns({
    type: 'leads.exported',
    companyId: sql`granted.company_id`,
    campaignNumber: sql`granted.number`,
    data: sql`'{"format":"csv","of":"calls"}'`,
  })} from ${grantedCampaign('read')} as granted
    where ${areCallsIndexed} and ${isUnlogged('leads.exported', sql`granted.company_id`)}`),
)

type FoundRow = CallPlace & { readonly json: string | null }

type CallsResult =
  | Refusal
  | {
      readonly kind: 'page'
      /** Members as the API has them but times and the cost: JSON. */
      readonly calls: readonly string[]
      /** Where the next page begins; null on the last page. */
      readonly end: CallPlace | null
    }

/**
 * The calls before a place, at most so many. `isExport`: the first page of one. Throws DatabaseUnavailable, also while
 * the index is being made.
 */
export async function listCallsOfCampaign(
  db: D1Database,
  access: Access,
  filter: CallFilter,
  before: CallPlace,
  { maxCalls, isExport }: { readonly maxCalls: number; readonly isExport: boolean },
): Promise<CallsResult> {
  const values = { ...access, ...filter, beforeMs: before.atMs, beforeSeq: before.seq, maxCalls }
  const { rows } = await runBatch(db, [
    verdictOf(db, values),
    pageOfCalls(db, values),
    ...(isExport ? [logExport(db, values)] : []),
  ])
  const verdict = rows[0]?.[0] as (Verdict & { readonly areIndexed: number }) | undefined
  if (isRefused(verdict)) return refusalOf(verdict)
  if (verdict.areIndexed !== 1) throw new DatabaseUnavailable('calls are being indexed')
  const found = rows[1] as readonly FoundRow[]
  const page = found.slice(0, maxCalls).flatMap(({ json }) => json ?? [])
  const hasMore = found.length > page.length
  // Where the page has looked at as many as it may, the next one begins there; else behind the last that is shown.
  const isAtHorizon = hasMore && found[page.length]?.json === null
  const last = isAtHorizon ? found[page.length] : found[page.length - 1]
  const end = hasMore && last !== undefined ? { atMs: last.atMs, seq: last.seq } : null
  return { kind: 'page', calls: page, end }
}
