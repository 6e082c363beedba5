// Releasing calls that nobody dialled (D55): the attempt does not count and the lead is queued again after a delay.
// This also works after the lease has expired, unless the lead was claimed since: it corrects the `unknown`.
import { sql } from 'drizzle-orm'
import { type KeyAccess, type KeyNames, recordingKey } from '../../../base/access/store/rights.ts'
import { randomBase62 } from '../../../base/base62.ts'
import { param, runSteps, statement } from '../../../base/database/database.ts'
import { addCounts, countColumns } from '../../../base/ledger/hours/counts.ts'
import { type ActorNames, appendIfListening, listenedTo } from '../../../base/ledger/log/append.ts'
import { leadTokenChars } from '../../leads/lead.ts'
import { isFinal } from '../../leads/store/lead-status.ts'
import { moveLeads, ownPlace, rankOfAppointments, scheduledLaterThan } from '../../leads/store/queue.ts'
import { leads } from '../../leads/store/tables.ts'
import { callEntry, callFacts, callKeyColumns, updateCalls } from './sql/call-end.ts'
import { callItem, callsNamed, clearAgents, isUnreported } from './sql/call-of-key.ts'
import { type CallResult, callResults, type ResultsRow, readResults } from './sql/call-result.ts'
import { bringForward } from './sql/free-number.ts'
import {
  attemptsAfterRelease,
  dueAfterRelease,
  isInbound,
  isLatestCall,
  isLeadSuppressed,
  statusAfterRelease,
  wasFinal,
} from './sql/lead-after-call.ts'
import { correctedUnknowns } from './sql/reported-leads.ts'

type RecordingNames = KeyNames | 'actor'

// An item is [seq, claimed at, token, delay in seconds].
const named = callsNamed(recordingKey)
const isAccepted = sql`${isUnreported} and k.outcome is not 'released' and ${isLatestCall}`

const countReleases = statement<RecordingNames | 'items'>(
  addCounts(
    sql`with freed as materialized (
      select ${leads.campaignNumber} as campaign_number, ${leads.status} as status_before,
        ${statusAfterRelease} as status_after, k.outcome as outcome_before, k.ended_at_ms, ${isInbound} as is_inbound
      from ${named}
      where ${isAccepted})
    select ${countColumns({
      campaignNumber: sql`freed.campaign_number`,
      counter: sql`iif(freed.is_inbound, null, 'released')`,
      statusBefore: sql`freed.status_before`,
      statusAfter: sql`freed.status_after`,
    })} from freed
    union all ${correctedUnknowns(sql`freed`)}`,
    ['released', 'unknown'],
  ),
)

/** A change during the call may have given the lead another time. */
const laterMs = scheduledLaterThan(sql`${param('nowMs')}`)

/**
 * An appointment that was not called is still one: the lead has kept its rank. After the lease has expired, a lead
 * that was never called gets the rank of a new lead, and one that was claimed for an appointment the rank of that.
 */
const queueReleased = statement<RecordingNames | 'items'>(
  moveLeads(
    ['status', 'attempts', 'queue_rank', 'due_at_ms', 'lease_expires_at_ms'],
    sql`select seq, status, attempts, queue_rank, lease_expires_at_ms,
      iif(may_call and status in ('raw', 'attempting'), due_at_ms, null) as due_at_ms
    from (select ${leads.seq}, ${attemptsAfterRelease} as attempts,
        case
          when ${laterMs} is not null then ${rankOfAppointments}
          when k.outcome = 'unknown' and ${attemptsAfterRelease} = 0 then ${ownPlace.rank}
          when k.outcome = 'unknown' and k.was_appointment then ${rankOfAppointments}
          else ${leads.queueRank} end as queue_rank,
        null as lease_expires_at_ms, not ${isLeadSuppressed} as may_call, ${statusAfterRelease} as status,
        cast(coalesce(${laterMs}, ${dueAfterRelease(sql`(${param('nowMs')} + (item.value ->> 3) * 1000)`)}) as integer)
          as due_at_ms
      from ${named}
      where ${isAccepted})`,
  ),
)

/** Runs after the leads were moved. The attempt does not count, so it is not the last one. */
const logReleases = statement<RecordingNames | ActorNames | 'items'>(
  appendIfListening(sql`select ${callEntry('call.released')} from (
    select ${callFacts(sql`'released'`)}, ${leads.status} as status, 0 as is_last_attempt,
      ${isFinal} and ${leads.finishedAtMs} = ${param('nowMs')} and not ${wasFinal} as is_end, 0 as do_not_call
    from ${callsNamed(listenedTo(recordingKey))}
    where ${isAccepted}) as ended`),
)

const recordRelease = statement<RecordingNames | 'reportToken' | 'items'>(
  updateCalls(
    sql`outcome = 'released', is_done = 0, ended_at_ms = ${param('nowMs')},
      report_token = ${param('reportToken')}`,
    sql`select ${callKeyColumns} from ${named}
    where ${isAccepted}`,
  ),
)

const freeNumbers = statement<RecordingNames | 'items' | 'reportToken'>(bringForward(recordingKey))

/** Nothing when the key is refused. */
const answer = statement<RecordingNames | 'reportToken' | 'items'>(sql`select found.*
  from ${recordingKey} as granted_key
  cross join ${callResults(sql`case
      when k.report_token = ${param('reportToken')} then 'recorded'
      when k.outcome = 'released' then 'replayed'
      else 'conflict' end`)} as found`)

const clear = statement<RecordingNames | 'items'>(clearAgents(recordingKey))

export type Release = { readonly callId: string; readonly delaySeconds: number }

type ReleaseResult =
  | { readonly kind: 'key_refused' }
  | { readonly kind: 'released'; readonly results: readonly CallResult[] }

/** Caller must name each call once. Throws DatabaseUnavailable. */
export async function releaseCalls(
  db: D1Database,
  access: KeyAccess,
  releases: readonly Release[],
): Promise<ReleaseResult> {
  const items = JSON.stringify(
    releases.map(({ callId, delaySeconds }) => [...callItem(callId), delaySeconds]),
  )
  const values = { ...access, items, reportToken: randomBase62(leadTokenChars) }
  const steps = [clear, countReleases, queueReleased, logReleases, recordRelease, freeNumbers, answer]
  const { rows } = await runSteps(db, steps, values)
  const found = rows.at(-1)?.[0] as ResultsRow | undefined
  if (found === undefined) return { kind: 'key_refused' }
  const callIds = releases.map((release) => release.callId)
  return { kind: 'released', results: readResults(callIds, found, access.nowMs) }
}
