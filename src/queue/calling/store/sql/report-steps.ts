// The statements of a report: the outcomes of calls and what follows for their leads (D40 to D42, D47, D54, D56), up
// to a hundred calls in one transaction. Who runs them and what is answered is in report.ts.
//
// A report is accepted when the call is open, or when it corrects the `unknown` of an expired lease. The calls are
// written last, so that every statement before sees which are accepted; a repeated try accepts none.
import { type SQL, sql } from 'drizzle-orm'
import { grantedCampaign, type KeyAccess, recordingKey } from '../../../../base/access/store/rights.ts'
import { randomBase62 } from '../../../../base/base62.ts'
import { param, statement } from '../../../../base/database/database.ts'
import { inSlices } from '../../../../base/database/json-slices.ts'
import { calls } from '../../../../base/ledger/calls/tables.ts'
import { logSuppressed } from '../../../../base/ledger/consent/number-log.ts'
import {
  type ActorNames,
  appendIfListening,
  entryColumns,
  listenedTo,
} from '../../../../base/ledger/log/append.ts'
import { insertNumbers } from '../../../../base/ledger/suppression/numbers.ts'
import { spellings } from '../../../../base/ledger/suppression/spellings-sql.ts'
import { suppressions } from '../../../../base/ledger/suppression/tables.ts'
import { defaultOutcomes, forbidsCalls, type ReportedOutcome } from '../../../campaigns/outcomes.ts'
import { leadTokenChars } from '../../../leads/lead.ts'
import { isFinal } from '../../../leads/store/lead-status.ts'
import { dequeueSuppressed, moveLeads } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'
import { costOf } from '../../table/cost.ts'
import { callDetails } from '../tables.ts'
import { callEntry, callFacts, callKeyColumns, updateCalls } from './call-end.ts'
import { callItem, callsNamed, isUnreported } from './call-of-key.ts'
import { callResults, type ResultsRow } from './call-result.ts'
import { isKeyReused } from './claim-steps.ts'
import { forbiddenLeads } from './forbidden-leads.ts'
import { bringForward } from './free-number.ts'
import { defaultOfUnknown, hasReached, isLatestCall, isUsedUp, outcomeClass } from './lead-after-call.ts'
import { lostIndexes, lostSteps, numbersOfLost } from './lost-reports.ts'
import {
  acceptedCalls,
  callbackAtMs,
  countReports,
  doNotCall,
  finalStatusOf,
  isDone,
  type KeyWithClaimNames,
  keyWithClaim,
  movedLeads,
  outcome,
  place,
  reported,
} from './reported-leads.ts'

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

type NamedNames = KeyWithClaimNames | 'items'

const namedForListeners = callsNamed(listenedTo(keyWithClaim))

/** Select of `company_id` and `phone_number`: all spellings (D70) of the numbers of `numbers`. */
const spelled = (numbers: SQL) => sql`select numbers.company_id, spelling.value as phone_number
  from (${numbers}) as numbers
  cross join json_each(${spellings(sql`numbers.phone_number`)}) as spelling
  where spelling.value is not null`

const suppressNumbers = statement<NamedNames | 'reportToken'>(
  insertNumbers(sql`select wanted.company_id, wanted.phone_number, 0, 'do_not_call', ${param('reportToken')}, 0
    from (${spelled(sql`select k.company_id, k.phone_number from ${reported} where ${doNotCall}`)}) as wanted`),
)

/** This request has suppressed the number, which was not suppressed before. */
const isAdded = sql`(${doNotCall} and exists (select 1 from ${suppressions} as own
  where own.company_id = k.company_id
    and own.phone_number = k.phone_number
    and own.campaign_number = 0
    and own.token = ${param('reportToken')}))`

/** The request added a do-not-call to a call that was recorded before. No request has a token of this form. */
const tokenOfDoNotCall = sql`('do_not_call:' || ${param('reportToken')})`

/**
 * A do-not-call of a call that was recorded before, which takes effect: the first of the call, or one after the
 * suppression was removed. A repeated try finds none.
 */
const isLaterDoNotCall = sql`(${doNotCall} and not ${isUnreported} and (not k.do_not_call or ${isAdded})
  and coalesce(k.report_token, '') not in (${param('reportToken')}, ${tokenOfDoNotCall}))`

const forbiddenNumbers = sql`${spelled(sql`select k.company_id, k.phone_number from ${reported}
    where (${doNotCall} and ${isUnreported}) or ${isLaterDoNotCall}`)}
  union all ${numbersOfLost}`

/** Every consent is withdrawn with it. */
const withdrawConsents = statement<NamedNames | 'reportToken' | 'actor'>(
  logSuppressed(sql`select forbidden.company_id, forbidden.phone_number, 0 as campaign_number, 'do_not_call' as reason
    from (${forbiddenNumbers}) as forbidden`),
)

const countCalls = statement<NamedNames>(countReports())
const countForbidding = statement<NamedNames | 'reportToken'>(countReports(forbiddenNumbers))

const recordDetails = statement<NamedNames>(
  sql`insert into ${callDetails} (seq, claimed_at_ms, details)
    select k.seq, k.claimed_at_ms, item.value ->> 3
    from ${reported}
    where ${isUnreported}
    on conflict do nothing`,
)

/** Of the leads that are called again, most keep their status, which costs them no row here. */
const changeStatus = statement<NamedNames>(
  moveLeads(
    ['status', 'queue_rank', 'due_at_ms', 'lease_expires_at_ms'],
    sql`select moved.seq, moved.status, moved.queue_rank, null as due_at_ms, null as lease_expires_at_ms,
      moved.is_reopened
    from (${movedLeads(sql`(${acceptedCalls})`)}) as moved
    where moved.status <> moved.status_before`,
    sql`next.is_reopened`,
  ),
)

/** Runs after the statuses were changed: a lead that is final by now is not called again. */
const queueForRetry = statement<NamedNames>(
  moveLeads(
    ['queue_rank', 'due_at_ms', 'lease_expires_at_ms'],
    sql`select ${leads.seq}, ${place.rank} as queue_rank, ${place.dueAtMs} as due_at_ms,
      null as lease_expires_at_ms
    from ${reported}
    where ${isUnreported}
      and ${isLatestCall}
      and not ${isFinal}`,
  ),
)

const dequeueNumbers = statement<NamedNames | 'reportToken'>(
  dequeueSuppressed(forbiddenLeads(forbiddenNumbers)),
)

/**
 * This request has ended the lead: it became final now, or a report concluded it by correcting the `unknown` that had
 * used up its attempts.
 */
const hasEnded = sql`${isFinal} and (${leads.finishedAtMs} = ${param('nowMs')}
  or (${leads.status} = 'concluded' and k.outcome = 'unknown' and ${isLatestCall}
    and ${isDone} and ${outcomeClass(sql`'unknown'`, defaultOfUnknown)} <> 'done' and not ${hasReached}))`

/**
 * Of several calls of one lead in a request, one counts as its end: one whose outcome alone leaves it in the status,
 * else the latest.
 */
const isEnding = sql`row_number() over (partition by ${leads.seq}
  order by (${finalStatusOf}) is ${leads.status} desc, (${isLatestCall}) is true desc, item.key) = 1`

/** Runs after the leads were moved, and before the calls are recorded. */
const logReports = (isAddedByCall: SQL, more: SQL) =>
  statement<NamedNames | ActorNames | 'reportToken'>(
    appendIfListening(sql`select * from (select ${callEntry('call.reported')} from (
      select ${callFacts(outcome)}, k.consent_id, ${leads.status} as status, ${isUsedUp(sql`k.attempt`)} as
        is_last_attempt,
        ${hasEnded} and ${isEnding} as is_end, ${isAddedByCall} as do_not_call, item.key as place
      from ${namedForListeners}
      where ${isUnreported}) as ended
      order by ended.place)
    ${more}`),
  )
const logOrdinary = logReports(sql`0`, sql``)
const logForbidding = logReports(
  isAdded,
  sql`union all
    select ${entryColumns({
      type: 'suppression.added',
      companyId: sql`k.company_id`,
      data: sql`json_object('count', 1)`,
    })} from ${namedForListeners}
    where ${isLaterDoNotCall} and ${isAdded}`,
)

/** A report that is not accepted leaves the column as it is. */
const setIfAccepted = (column: string, value: SQL) =>
  sql`${sql.identifier(column)} = iif(found.is_accepted, ${value}, ${calls}.${sql.identifier(column)})`

const recordCalls = statement<NamedNames | 'reportToken'>(
  updateCalls(
    sql.join(
      [
        ...[
          'outcome',
          'is_done',
          'is_late',
          'callback_at_ms',
          'duration_seconds',
          'provider_call_id',
          'cost_micros',
          'cost_currency',
        ].map((column) => setIfAccepted(column, sql`found.${sql.identifier(column)}`)),
        setIfAccepted('ended_at_ms', sql`${param('nowMs')}`),
        sql`do_not_call = max(${calls.doNotCall}, found.do_not_call),
          report_token = iif(found.is_accepted, ${param('reportToken')}, ${tokenOfDoNotCall})`,
      ],
      sql`, `,
    ),
    sql`select ${callKeyColumns}, ${isUnreported} as is_accepted, ${outcome} as outcome,
      ${isDone} as is_done, (${isLatestCall}) is not true as is_late,
      ${callbackAtMs} as callback_at_ms, ${doNotCall} as do_not_call, item.value ->> 6 as duration_seconds,
      item.value ->> 7 as provider_call_id, item.value ->> 10 as cost_micros, item.value ->> 11 as cost_currency
    from ${reported}
    where ${isUnreported} or ${isLaterDoNotCall}`,
  ),
)

const freeNumbers = statement<NamedNames | 'reportToken'>(bringForward(keyWithClaim))

// A do-not-call is never a conflict: it suppresses the number, or repeats that it is suppressed.
const answerWith = (lost: SQL) =>
  statement<KeyWithClaimNames | 'items' | 'reportToken'>(sql`
  select ${param('campaignId')} is null or exists (select 1 from ${grantedCampaign('agent')}) as "isGranted",
    ${isKeyReused} as "isReused", ${lost} as lost, found.*
  from ${recordingKey} as granted_key
  cross join ${callResults(sql`case
      when k.report_token = ${param('reportToken')} then iif(k.is_late, 'recorded_late', 'recorded')
      when k.report_token = ${tokenOfDoNotCall} then 'do_not_call_recorded'
      when k.outcome = ${outcome} or ${doNotCall} then 'replayed'
      else 'conflict' end`)} as found`)

/** In the order in which they act on each other. The last one answers. */
const ordinarySteps = [
  countCalls,
  changeStatus,
  queueForRetry,
  logOrdinary,
  recordCalls,
  freeNumbers,
  answerWith(sql`'[]'`),
]
const forbiddingSteps = [
  ...lostSteps,
  suppressNumbers,
  withdrawConsents,
  countForbidding,
  changeStatus,
  queueForRetry,
  dequeueNumbers,
  logForbidding,
  recordCalls,
  freeNumbers,
  answerWith(lostIndexes),
]

/** What the last of these statements answers: nothing when the key is refused. */
export type ReportAnswer = ResultsRow & { readonly isGranted: number; readonly isReused: number }

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
    isForbidding(report) ? 1 : 0,
    report.durationSeconds,
    report.providerCallId,
    defaultOutcomes[report.outcome].class,
    defaultOutcomes[report.outcome].minutes,
    ...costOf(report.details),
  ])
  const details = reports.flatMap((report) =>
    report.details === null ? [] : [[...callItem(report.callId), report.details]],
  )
  const values = { ...access, reportToken: randomBase62(leadTokenChars), items: JSON.stringify(items) }
  const steps = reports.some(isForbidding) ? forbiddingSteps : ordinarySteps
  return [
    ...inSlices(details).map((slice) => recordDetails(db, { ...values, items: slice })),
    ...steps.map((step) => step(db, values)),
  ]
}

const isForbidding = ({ doNotCall, outcome }: CallReport) => doNotCall || forbidsCalls(outcome)
