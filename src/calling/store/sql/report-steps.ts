// The statements of a report: the outcomes of calls and what follows for their leads (D40 to D42, D47, D54, D56), up
// to a hundred calls in one transaction. Who runs them and what is answered is in report.ts.
//
// A report is accepted when the call is open, or when it corrects the `unknown` of an expired lease. The calls are
// written last, so that every statement before sees which are accepted; a repeated try accepts none.
import { type SQL, sql } from 'drizzle-orm'
import {
  type AccessNames,
  grantedCampaign,
  grantedKey,
  type KeyAccess,
} from '../../../access/store/rights.ts'
import { randomBase62 } from '../../../base62.ts'
import { forbidsCalls, type ReportedOutcome } from '../../../campaigns/outcomes.ts'
import { param, statement } from '../../../database/database.ts'
import { inSlices } from '../../../database/json-slices.ts'
import { leadTokenChars } from '../../../leads/lead.ts'
import { isFinal } from '../../../leads/store/lead-status.ts'
import { dequeueSuppressed, moveLeads } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'
import { type ActorNames, appendIfListening, entryColumns, listenedTo } from '../../../ledger/log/append.ts'
import { insertNumbers } from '../../../ledger/suppression/numbers.ts'
import { suppressions } from '../../../ledger/suppression/tables.ts'
import { calls } from '../tables.ts'
import { insertDetails } from './call-details.ts'
import { callEntry, callFacts } from './call-entry.ts'
import { callItem, callKeyColumns, callsNamed, isUnreported, updateCalls } from './call-of-key.ts'
import { resultColumns } from './call-result.ts'
import { isKeyReused } from './claim-steps.ts'
import { countReports } from './count-reports.ts'
import { forbiddenLeads } from './forbidden-leads.ts'
import { bringForward } from './free-number.ts'
import {
  concludesLate,
  hasReached,
  isLatestCall,
  isUsedUp,
  leadAfterCall,
  outcomeClass,
} from './lead-after-call.ts'

export type CallReport = {
  readonly callId: string
  readonly outcome: ReportedOutcome
  readonly callbackAtMs: number | null
  readonly doNotCall: boolean
  readonly durationSeconds: number | null
  readonly providerCallId: string | null
  /** JSON text. */
  readonly details: string | null
}

// An item is [seq, claimed at, token, outcome, callback at, do not call, seconds, provider's id].
const outcome = sql`(item.value ->> 3)`
const callbackAtMs = sql`(item.value ->> 4)`
const isDone = sql`${outcomeClass(outcome)} = 'done'`
const doNotCall = sql`(item.value ->> 5)`

/**
 * When the claim in the same request is refused, or its Idempotency-Key is, nothing is recorded (D53). A lost pepper
 * refuses only the claim: outcomes and do-not-calls are recorded without any hash.
 */
export const keyWithClaim = sql`(select granted_key.* from ${grantedKey('agent')} as granted_key
  where ${param('campaignId')} is null
    or exists (select 1 from ${grantedCampaign('agent')} as granted where not ${isKeyReused}))`
const named = callsNamed(keyWithClaim)

/** The placeholders of these two. */
export type KeyWithClaimNames = AccessNames | 'requestKey' | 'requestToken'
type NamedNames = KeyWithClaimNames | 'items'

const namedForListeners = callsNamed(listenedTo(keyWithClaim))

/** A do-not-call suppresses the number at any time, even when the call was recorded before. */
const suppressesNumber = sql`${doNotCall} and (${isUnreported} or not k.do_not_call)`

const suppressNumbers = statement<NamedNames | 'reportToken'>(
  insertNumbers(sql`select k.company_id, k.phone_number, 0, 'do_not_call', ${param('reportToken')}, 0
    from ${named}
    where ${suppressesNumber}`),
)

const countCalls = statement<NamedNames>(countReports({ named, outcome, suppressesNumber }))

const recordDetails = statement<NamedNames>(
  insertDetails(sql`select k.seq, k.claimed_at_ms, item.value ->> 3
    from ${named}
    where ${isUnreported}`),
)

const reportedLeads = (columns: SQL) => sql`select ${leads.seq}, null as lease_expires_at_ms,
    ${leads.status} as status_before, ${columns}
  from ${named}
  where ${isUnreported}`
const afterLatestCall = sql`(${reportedLeads(
  leadAfterCall({ outcome, endedAtMs: sql`${param('nowMs')}`, callbackAtMs }),
)} and ${isLatestCall})`

// A retry leaves the status as it is, which costs one row less than a change of status.
const queueForRetry = statement<NamedNames>(
  moveLeads(
    ['queue_rank', 'due_at_ms', 'lease_expires_at_ms'],
    sql`select * from ${afterLatestCall}
    where status = 'attempting' and status_before = status`,
  ),
)
const changeStatus = statement<NamedNames>(
  moveLeads(
    ['status', 'queue_rank', 'due_at_ms', 'lease_expires_at_ms'],
    sql`select * from ${afterLatestCall}
    where status <> status_before`,
  ),
)

/**
 * A person who was reached is not called again, even if the report comes after a newer claim, unless that call is
 * open.
 */
const concludeLate = statement<NamedNames>(
  moveLeads(
    ['status', 'due_at_ms'],
    sql`${reportedLeads(sql`'concluded' as status, null as due_at_ms`)}
      and ${concludesLate(outcome)}
      and ${leads.leaseExpiresAtMs} is null
      and not ${isFinal}`,
  ),
)

const dequeueNumbers = statement<NamedNames>(
  dequeueSuppressed(
    forbiddenLeads(sql`select k.company_id, k.phone_number from ${named} where ${suppressesNumber}`),
  ),
)

/**
 * This request has ended the lead: it became final now, or a report concluded it by correcting the `unknown` that had
 * used up its attempts.
 */
const hasEnded = sql`${isFinal} and (${leads.finishedAtMs} = ${param('nowMs')}
  or (${leads.status} = 'concluded' and k.outcome = 'unknown' and ${isLatestCall}
    and ${isDone} and ${outcomeClass(sql`'unknown'`)} <> 'done' and not ${hasReached}))`

/**
 * Of several calls of one lead in a request, one counts as its end: one whose class fits the status, else the latest.
 */
const isEnding = sql`row_number() over (partition by ${leads.seq}
  order by (${isDone}) = (${leads.status} = 'concluded') desc, (${isLatestCall}) is true desc, item.key) = 1`

/** This request has suppressed the number, which was not suppressed before. */
const isAdded = sql`(${doNotCall} and exists (select 1 from ${suppressions} as own
  where own.company_id = k.company_id
    and own.phone_number = k.phone_number
    and own.campaign_number = 0
    and own.token = ${param('reportToken')}))`

/** Runs after the leads were moved, and before the calls are recorded. */
const logReports = statement<NamedNames | ActorNames | 'reportToken'>(
  appendIfListening(sql`select * from (select ${callEntry('call.reported')} from (
      select ${callFacts(outcome)}, ${leads.status} as status, ${isUsedUp(sql`k.attempt`)} as is_last_attempt,
        ${hasEnded} and ${isEnding} as is_end, ${isAdded} as do_not_call, item.key as place
      from ${namedForListeners}
      where ${isUnreported}) as ended
      order by ended.place)
    union all
    select ${entryColumns({
      type: 'suppression.added',
      companyId: sql`k.company_id`,
      data: sql`json_object('count', 1)`,
    })} from ${namedForListeners}
    where not ${isUnreported} and not k.do_not_call and ${isAdded}`),
)

/** The request added a do-not-call to a call that was recorded before. No request has a token of this form. */
const tokenOfDoNotCall = sql`('do_not_call:' || ${param('reportToken')})`

/** A report that is not accepted leaves the column as it is. */
const setIfAccepted = (column: string, value: SQL) =>
  sql`${sql.identifier(column)} = iif(found.is_accepted, ${value}, ${calls}.${sql.identifier(column)})`

const recordCalls = statement<NamedNames | 'reportToken'>(
  updateCalls(
    sql.join(
      [
        ...['outcome', 'is_done', 'is_late', 'callback_at_ms', 'duration_seconds', 'provider_call_id'].map(
          (column) => setIfAccepted(column, sql`found.${sql.identifier(column)}`),
        ),
        setIfAccepted('ended_at_ms', sql`${param('nowMs')}`),
        sql`do_not_call = max(${calls.doNotCall}, found.do_not_call),
          report_token = iif(found.is_accepted, ${param('reportToken')}, ${tokenOfDoNotCall})`,
      ],
      sql`, `,
    ),
    sql`select ${callKeyColumns}, ${isUnreported} as is_accepted, ${outcome} as outcome,
      ${isDone} as is_done, (${isLatestCall}) is not true as is_late,
      ${callbackAtMs} as callback_at_ms, ${doNotCall} as do_not_call, item.value ->> 6 as duration_seconds,
      item.value ->> 7 as provider_call_id
    from ${named}
    where ${isUnreported} or ${suppressesNumber}`,
  ),
)

const freeNumbers = statement<NamedNames | 'reportToken'>(bringForward(keyWithClaim))

// A do-not-call is never a conflict: the first one suppresses the number, and each later one repeats it.
const reportResults = statement<NamedNames | 'reportToken'>(sql`select ${resultColumns},
    case
      when k.report_token = ${param('reportToken')} then iif(k.is_late, 'recorded_late', 'recorded')
      when k.report_token = ${tokenOfDoNotCall} then 'do_not_call_recorded'
      when k.outcome = ${outcome} or ${doNotCall} then 'replayed'
      else 'conflict' end as result
  from ${named}`)

const reportVerdict = statement<KeyWithClaimNames>(sql`select ${param('campaignId')} is null
    or exists (select 1 from ${grantedCampaign('agent')}) as "isGranted", ${isKeyReused} as "isReused"
  from ${grantedKey('agent')} as granted_key`)

/** In the order in which they act on each other. The last two answer: for each call, and for the request. */
export function reportSteps(
  db: D1Database,
  access: KeyAccess & {
    readonly [Name in 'campaignId' | 'requestKey' | 'requestToken']: string | null
  },
  reports: readonly CallReport[],
): D1PreparedStatement[] {
  const items = reports.map((report) => [
    ...callItem(report.callId),
    report.outcome,
    report.callbackAtMs,
    report.doNotCall || forbidsCalls(report.outcome) ? 1 : 0,
    report.durationSeconds,
    report.providerCallId,
  ])
  const details = reports.flatMap((report) =>
    report.details === null ? [] : [[...callItem(report.callId), report.details]],
  )
  const values = { ...access, reportToken: randomBase62(leadTokenChars), items: JSON.stringify(items) }
  return [
    ...inSlices(details).map((slice) => recordDetails(db, { ...values, items: slice })),
    ...[
      suppressNumbers,
      countCalls,
      queueForRetry,
      changeStatus,
      concludeLate,
      dequeueNumbers,
      logReports,
      recordCalls,
      freeNumbers,
      reportResults,
      reportVerdict,
    ].map((step) => step(db, values)),
  ]
}
