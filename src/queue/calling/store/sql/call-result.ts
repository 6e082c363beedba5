// The answer for each call that a request reports or releases: the result, and the state of its lead.
import { type SQL, sql } from 'drizzle-orm'
import { recordingKey } from '../../../../base/access/store/rights.ts'
import { param } from '../../../../base/database/database.ts'
import { notify } from '../../../../base/database/notices.ts'
import { callingSettings } from '../../../campaigns/store/tables.ts'
import { isWaitedFor, waitedNotice } from '../../../campaigns/store/waiting.ts'
import { type LeadStatus, leadIdOf } from '../../../leads/lead.ts'
import { leads } from '../../../leads/store/tables.ts'
import {
  type CampaignFacts,
  campaignFacts,
  findBlockers,
  type LeadFacts,
  leadFacts,
  nextCallAtMs,
} from '../blockers/lead-facts.ts'
import { callsNamed } from './call-of-key.ts'
import { placeFreeAtMsOf } from './capacity.ts'
import { isCalledAgain, outcomeClass, placeUnreported } from './lead-after-call.ts'
import { limitsOf } from './number-limits.ts'

/** `nextCallAtMs`: when the lead can be called, as its explanation says; null: nobody knows, or never. */
export type CallResult =
  /** A do-not-call is recorded although the lead is gone. */
  | {
      readonly callId: string
      readonly result: 'unknown_call' | 'do_not_call_recorded'
      readonly leadId: null
    }
  | {
      readonly callId: string
      readonly result: 'recorded' | 'recorded_late' | 'do_not_call_recorded' | 'replayed' | 'conflict'
      readonly leadId: string
      readonly status: LeadStatus
      readonly attempts: number
      readonly nextCallAtMs: number | null
    }

const companyId = sql`key.company_id`
const nowMs = sql`${param('nowMs')}`
const isOver = sql`(${leads.leaseExpiresAtMs} <= ${nowMs})`
/** Reported late, the call is one before that of the lease, and no call follows it. */
const hasEnded = sql`coalesce(k.is_late = 1 and (k.is_done = 1 or ${outcomeClass(sql`k.outcome`)} = 'dead'), false)`
/** In the queue or held, or will be once the lease that has run out is settled. */
const isAwaited = sql`(coalesce(${leads.dueAtMs}, ${leads.heldDueAtMs}) is not null
  or coalesce(${isOver} and ${isCalledAgain} and not ${hasEnded}, false))`
const settings = sql`s`

/** What the next call needs of a lead that is awaited. Which limit of its number lasts longest does not matter. */
const factsOfLead = sql`iif(not ${isAwaited}, null, ${leadFacts(
  {
    lead: sql`${leads}`,
    requirement: settings,
    companyId,
    number: sql`${leads.campaignNumber}`,
    nowMs,
    place: {
      rank: sql`iif(${isOver}, ${placeUnreported.rank}, ${leads.queueRank})`,
      dueAtMs: sql`iif(${isOver}, ${placeUnreported.dueAtMs}, coalesce(${leads.dueAtMs}, ${leads.heldDueAtMs}))`,
    },
  },
  {
    number_live: limitsOf({ lead: sql`${leads}`, settings, companyId, nowMs }).freeAfter(sql`k`),
    number_gap: sql`null`,
    number_day: sql`null`,
    number_week: sql`null`,
  },
)})`

/**
 * A table expression of one row: `results`, JSON of ResultRow for each call that was found, of the join of
 * call-of-key.ts; `campaigns`, JSON of pairs of a campaign's number and its facts; and a notice of `waiting`.
 */
export const callResults = (result: SQL) => sql`(
  select called.*, (select json_group_array(json_array(s.campaign_number,
        ${campaignFacts(sql`s.campaign_number`, placeFreeAtMsOf)}))
      from json_each(called.numbers) as item
      cross join ${callingSettings} as s on s.campaign_number = item.value) as campaigns
  from (
    select json_group_array(json_array(item.key, ${leads.seq}, ${leads.createdAtMs}, ${leads.token}, ${leads.status},
        ${leads.attempts}, ${leads.campaignNumber}, ${factsOfLead}, ${result})) as results,
      json_group_array(distinct ${leads.campaignNumber}) filter (where ${isAwaited}) as numbers,
      ${notify(
        'waiting',
        sql`json_group_array(distinct ${waitedNotice(sql`s`, sql`key.company_id`, sql`${leads.campaignNumber}`)})
          filter (where ${isWaitedFor(sql`s`)})`,
      )}
    from ${callsNamed(recordingKey)}) as called)`

type Found = Exclude<CallResult, { leadId: null }>

type ResultRow = [
  index: number,
  seq: number,
  createdAtMs: number,
  token: string,
  status: LeadStatus,
  attempts: number,
  campaign: number,
  facts: LeadFacts | null,
  result: Found['result'],
]

export type ResultsRow = {
  readonly results: string
  readonly campaigns: string
  /** JSON: the indexes of calls whose lead is gone, and whose do-not-call is recorded. */
  readonly lost?: string
}

/** One result for each id, in order. */
export function readResults(
  callIds: readonly string[],
  { results, campaigns, lost = '[]' }: ResultsRow,
  nowMs: number,
): CallResult[] {
  const factsOf = new Map(JSON.parse(campaigns) as [number, CampaignFacts][])
  const isLost = new Set(JSON.parse(lost) as number[])
  const read: CallResult[] = callIds.map((callId, index) => ({
    callId,
    result: isLost.has(index) ? 'do_not_call_recorded' : 'unknown_call',
    leadId: null,
  }))
  for (const row of JSON.parse(results) as ResultRow[]) {
    const [index, seq, createdAtMs, token, status, attempts, campaign, ofLead, result] = row
    const leadId = leadIdOf({ seq, createdAtMs, token })
    const nextMs = nextCallOf(ofLead, factsOf.get(campaign), nowMs)
    read[index] = { callId: callIds[index] as string, leadId, status, attempts, nextCallAtMs: nextMs, result }
  }
  return read
}

function nextCallOf(
  ofLead: LeadFacts | null,
  ofCampaign: CampaignFacts | undefined,
  nowMs: number,
): number | null {
  if (ofLead === null || ofCampaign === undefined) return null
  const facts = { ...ofLead, ...ofCampaign }
  return nextCallAtMs(facts, findBlockers(facts, nowMs), nowMs)
}
