// The statements of a claim: pick, lease the picked leads, and postpone blocked ones; and what comes before them where
// it is needed, in a transaction of its own: settle expired leases, and queue new leads. The order of the queue is in
// queue-order.ts, the number of tries in claim.ts, the answer in claim-answer.ts.
//
// The pick is first written to a row of `claims`. The later statements act only for that row, once, and take their
// time from it: so a try that is repeated leases nothing, and a claim can be repeated after a lost answer.
import { type SQL, sql } from 'drizzle-orm'
import { type AccessNames, grantedCampaign, isTakingLeads } from '../../../../base/access/store/rights.ts'
import { param, statement } from '../../../../base/database/database.ts'
import { calls } from '../../../../base/ledger/calls/tables.ts'
import { addClaims, countColumns } from '../../../../base/ledger/hours/counts.ts'
import { isPepperLost } from '../../../../base/ledger/suppression/hashed-numbers.ts'
import {
  eachSpelling,
  keyOfSpellings,
  withSpellings,
} from '../../../../base/ledger/suppression/spellings-sql.ts'
import { advancePace, callsInPace } from '../../../campaigns/store/pace.ts'
import { callingSettings } from '../../../campaigns/store/tables.ts'
import { statusAfterClaim, statusAfterDequeue } from '../../../leads/store/lead-status.ts'
import { moveLeads, rankOfAppointments } from '../../../leads/store/queue.ts'
import { leads } from '../../../leads/store/tables.ts'
import { agentOf, callsForAgent, holdProbe } from '../agents.ts'
import { decisionOf, freeAtMs, leadConsent } from '../blockers/lead-rules.ts'
import { decided, leasedPicks, ofPick, pickMembers, pickOf, withoutTwins } from '../claim-picks.ts'
import { hasExpired, settleStatements } from '../settling/settle.ts'
import { claims } from '../tables.ts'
import { freePlaces } from './capacity.ts'
import { lanes, queueOrder } from './queue-order.ts'

/** At most so many expired leases of others does one claim settle. */
const leasesPerClaim = 200

export const granted = grantedCampaign('agent')
/** An archived campaign gives no calls, as it takes no leads. */
const notArchived = grantedCampaign('agent', isTakingLeads)

/** True when the request's Idempotency-Key has claimed something for another request. */
export const isKeyReused = sql`exists (select 1 from ${claims} as c
  where c.request_key = ${param('requestKey')} and c.request_token <> ${param('requestToken')})`

/** This try's own row in `claims`, until its leads are leased and moved. */
const own = sql`(select * from ${claims} as c
  where c.claimed_at_ms = ${param('nowMs')} and c.token = ${param('token')} and c.is_done <= 0) as c`

/** The placeholders of `granted` with `own`, or with the picks of this row. */
type OwnNames = AccessNames | 'token'

/** `more` are columns besides `number`, `company_id` and `now_ms`. One row when leads of the campaign may be leased. */
const openCampaign = (more = sql``, agent = sql``, condition = sql`true`, of = notArchived) => sql`
    select granted.number, granted.company_id, ${param('nowMs')} as now_ms${more}
    from ${of} as granted ${agent}
    cross join ${callingSettings} as s on s.campaign_number = granted.number
    where s.paused = 0
      and s.time_zone is not null
      and not ${isPepperLost(sql`granted.company_id`)}
      and ${condition}`

/** One row when leads of the campaign may be leased: `number`, `company_id`, `now_ms`. */
export const campaignOpen = sql`campaign(number, company_id, now_ms) as materialized (${openCampaign()})`

/** A claim with this Idempotency-Key has leased something: its repetition picks nothing. */
export const isRepeated = sql`exists (select 1 from ${claims} as c where c.request_key = ${param('requestKey')})`

const number = sql`(select campaign.number from campaign)`
/** `asking.cap`, but without naming a row around it (freePlaces). */
const cap = sql`(select own.max_live_calls from ${callingSettings} as own where own.campaign_number = ${number})`

const room = sql`min(asking.calls_for_agent,
      coalesce(asking.calls_in_pace, asking.calls_for_agent),
      iif(asking.cap is null, asking.calls_for_agent, ${freePlaces(number, cap)}))`

/**
 * Common table expressions: `campaign`, and `picking` with the most calls that the claim gets, no row when it gets
 * none: not while the agent is blocked, nor without room under cap and pace. SQLite compiles such an expression anew
 * wherever it is named: so the one that the queue names everywhere is short, which makes the statement ready in 2 ms
 * where it once took 80.
 */
const campaignPicking = sql`
  campaign(number, company_id, now_ms) as materialized (
    select granted.number, granted.company_id, ${param('nowMs')} from ${notArchived} as granted),
  picking(number, max_calls) as materialized (
    select fitting.number, fitting.max_calls
    from (select asking.number, ${room} as max_calls
      from (${openCampaign(
        sql`, ${callsForAgent} as calls_for_agent, ${callsInPace(sql`${param('nowMs')}`)} as calls_in_pace,
          s.max_live_calls as cap`,
        agentOf(sql`granted`),
        sql`not ${isRepeated}
          and ${callsForAgent} > 0
          and not (${param('settlesFirst')} and ${hasExpired(sql`granted.number`)})`,
        sql`campaign`,
      )}) as asking
      limit 1) as fitting
    where fitting.max_calls > 0)`

/**
 * How long the candidate could be called before this claim. Null when an attempt counted before. An opening that began
 * long ago is cut off a day before it was written, which still counts as later than an hour.
 */
const pickUpMs = sql`iif(l.attempts = l.attempts_forgiven,
        campaign.now_ms - max(candidate.due_at_ms, candidate.opens_at_ms, s.callable_since_ms), null)`

/** The key of the phone where another lead of the campaign reaches it, in another spelling; else null. */
const twinKey = withSpellings(
  sql`l.phone_number`,
  sql`iif(${sql.join(
    eachSpelling(
      (spelling) => sql`exists (select 1 from ${leads} as twin where twin.campaign_number = l.campaign_number
          and twin.phone_number = nullif(${spelling}, l.phone_number))`,
    ),
    sql` or `,
  )}, ${keyOfSpellings}, null)`,
)

/** A common table expression: the first candidates of the queue, and what blocks each. */
const judged = (limit: SQL) => sql`(
    seq, rank, due_at_ms, status, status_without_queue, blocked, free_at_ms, pick_up_ms, token,
    consent_id, twin_key) as materialized (
    select candidate.seq, candidate.rank, candidate.due_at_ms, l.status, ${statusAfterDequeue(sql`l`)},
      ${decisionOf(decided)} as blocked, ${freeAtMs} as free_at_ms,
      ${pickUpMs} as pick_up_ms, l.token, ${leadConsent}, ${twinKey}
    from (select place.seq, place.rank, place.due_at_ms, place.opens_at_ms
      from place
      cross join campaign
      where place.seq is not null and place.due_at_ms <= campaign.now_ms
      limit ${limit}) as candidate
    cross join campaign
    cross join ${callingSettings} as s on s.campaign_number = campaign.number
    cross join ${leads} as l on l.seq = candidate.seq)`

const isAnyBlocked = sql`exists (select 1 from near
        where near.blocked is not null or near.free_at_ms > ${param('nowMs')})`

const isFree = sql`(blocked is null and free_at_ms <= now_ms)`

/** The request that stored the candidate stored the lead so many places from it, too. */
const isStoredWith = (places: '- 10' | '+ 10') =>
  sql`judged.token is (select other.token from ${leads} as other where other.seq = judged.seq ${sql.raw(places)})`

/**
 * The pick-up time that counts. None for a lead of a bulk of 20 or more: an import waits for lines, whichever agents
 * are there. A blocked candidate has none either, so that its neighbours are not read.
 */
const countedPickUpMs = sql`iif(${isFree} and pick_up_ms is not null
        and not ${isStoredWith('- 10')}
        and not ${isStoredWith('+ 10')}, pick_up_ms, null)`

/**
 * The pick: candidates in queue order, what blocks each, and which are leased. Nothing when a lane's openings have
 * run out: then they are written first, and the claim tries again (`can_wait`); nor with `settlesFirst` while leases
 * have to be settled. It reads one candidate more than requested, and only when one of them is blocked `slack` more: so
 * many blocked ones are postponed.
 *
 * The row carries the Idempotency-Key only when something was leased: a claim that got nothing may be sent again.
 */
const insertClaim = statement<
  | AccessNames
  | 'maxCalls'
  | 'agentName'
  | 'pepperCheck'
  | 'requestKey'
  | 'canWait'
  | 'settlesFirst'
  | 'slack'
  | 'token'
  | 'requestToken'
>(sql`
  insert into ${claims}
    (claimed_at_ms, token, campaign_number, request_key, request_token, picks, is_done)
  with recursive ${campaignPicking}, ${lanes}, ${queueOrder},
  near${judged(sql`iif(exists (select 1 from picking), ${param('maxCalls')} + 1, 0)`)},
  far${judged(sql`iif(${isAnyBlocked}, ${param('maxCalls')} + ${param('slack')}, 0)`)},
  judged as (
    select * from near where not exists (select 1 from far)
    union all
    select * from far),
  verdict(
    seq, rank, due_at_ms, status, status_without_queue, free_at_ms, pick_up_ms, consent_id, twin_key, decision) as (
    select seq, rank, due_at_ms, status, status_without_queue, free_at_ms, ${countedPickUpMs}, consent_id, twin_key,
      coalesce(blocked, iif(free_at_ms > now_ms, ${decided.moved}, null),
        case max(0, sum(${isFree})
          over (order by rank desc, judged.due_at_ms, seq rows unbounded preceding)
          - (select picking.max_calls from picking))
          when 0 then ${decided.leased} when 1 then ${decided.more} end)
    from judged
    cross join campaign)
  select ${param('nowMs')}, ${param('token')}, picking.number,
    iif(found.has_leased, ${param('requestKey')}, null), ${param('requestToken')},
    iif(found.has_twins, ${withoutTwins(sql`found.picks`)}, found.picks), -found.has_more
  from picking
  cross join (
    select json_group_array(
        ${pickOf({
          seq: sql`seq`,
          decision: sql`decision`,
          moved_to_ms: sql`iif(decision = ${decided.moved}, free_at_ms, null)`,
          pick_up_ms: sql`pick_up_ms`,
          status_before: sql`status`,
          status: sql`case decision when ${decided.leased} then ${statusAfterClaim}
            when ${decided.dequeued} then status_without_queue else status end`,
          consent_id: sql`iif(decision = ${decided.leased}, consent_id, null)`,
          twin_key: sql`iif(decision = ${decided.leased}, twin_key, null)`,
        })}
        order by rank desc, due_at_ms, seq) filter (where decision <> ${decided.more}) as picks,
      max(decision = ${decided.leased}) as has_leased, max(decision = ${decided.more}) as has_more,
      max(twin_key is not null) as has_twins
    from verdict
    where decision is not null) as found
  where found.picks <> '[]'
    and not (${param('canWait')} and exists (select 1 from lanes where covered_until_ms <= ${param('nowMs')}))
  on conflict do nothing`)

/** The picks of this try. `limit -1` keeps SQLite from reading the JSON again for each use of a column. */
const picks = sql`(select ${sql.join(
  pickMembers.map((name) => sql`${ofPick(name)} as ${sql.raw(name)}`),
  sql`, `,
)}
    from ${own}
    cross join json_each(c.picks) as pick
    limit -1) as pick`

const isLeased = sql`pick.decision = ${decided.leased}`

/** The leads that were leased, and the claim as `c`. */
const leased = sql`${own}
    ${leasedPicks}
    cross join ${leads} on ${leads.seq} = ${ofPick('seq')}`

const countClaim = statement<OwnNames>(
  addClaims(sql`select ${countColumns({
    campaignNumber: sql`granted.number`,
    counter: sql`iif(${isLeased}, 'claimed', null)`,
    statusBefore: sql`pick.status_before`,
    statusAfter: sql`pick.status`,
  })}, iif(${isLeased}, pick.pick_up_ms, null) as pick_up_ms
    from ${granted} as granted
    cross join ${picks}`),
)

/** Leases, and moves what is blocked: it is due when its number is free, or leaves the queue. */
const movePicked = statement<OwnNames | 'leaseSeconds'>(
  moveLeads(
    [
      'status',
      'attempts',
      'due_at_ms',
      'moved_to_ms',
      'held_due_at_ms',
      'gate_asks_at_ms',
      'lease_expires_at_ms',
      'claim_token',
    ],
    sql`select ${leads.seq}, pick.status, ${leads.attempts} + (${isLeased}) as attempts,
      pick.moved_to_ms as due_at_ms, pick.moved_to_ms,
      iif(pick.decision in (${decided.held}, ${decided.asked}), ${leads.dueAtMs}, null) as held_due_at_ms,
      iif(pick.decision = ${decided.asked}, ${leads.dueAtMs}, null) as gate_asks_at_ms,
      iif(${isLeased}, ${param('nowMs')} + coalesce(${param('leaseSeconds')}, s.lease_seconds) * 1000, null)
        as lease_expires_at_ms,
      iif(${isLeased}, ${param('token')}, ${leads.claimToken}) as claim_token
    from ${granted} as granted
    cross join ${callingSettings} as s on s.campaign_number = granted.number
    cross join ${picks}
    cross join ${leads} on ${leads.seq} = pick.seq`,
  ),
)

/** `claimed_at_ms` is unique for the number, since it is a part of the call's id. */
const insertCalls = statement<OwnNames | 'agent'>(sql`insert into ${calls}
    (company_id, phone_number, claimed_at_ms, seq, token, attempt, agent, key_id, consent_id, was_appointment,
      campaign_number)
  select granted.company_id, ${leads.phoneNumber},
    max(c.claimed_at_ms, coalesce((select last.claimed_at_ms + 1 from ${calls} as last
      where last.company_id = granted.company_id and last.phone_number = ${leads.phoneNumber}
      order by last.claimed_at_ms desc
      limit 1), 0)),
    ${leads.seq}, c.token, ${leads.attempts}, ${param('agent')}, ${param('keyId')}, ${ofPick('consent_id')},
    ${leads.queueRank} = ${rankOfAppointments}, granted.number
  from ${granted} as granted
  cross join ${leased}
  where true
  on conflict do nothing`)

const holdAgentProbe = statement<OwnNames | 'leaseSeconds' | 'agentName'>(holdProbe(granted, leased))

const paceCalls = statement<OwnNames>(
  advancePace({
    number: sql`(select c.campaign_number from ${own})`,
    condition: sql`exists (select 1 from ${granted} as granted where granted.number = s.campaign_number)`,
    nowMs: sql`${param('nowMs')}`,
    calls: sql`(select count(*) from ${own} ${leasedPicks})`,
  }),
)

const endClaim = statement<OwnNames>(sql`update ${claims} set is_done = iif(is_done < 0, 2, 1)
  where ${claims.claimedAtMs} = ${param('nowMs')} and ${claims.token} = ${param('token')}
    and ${claims.campaignNumber} = (select granted.number from ${granted} as granted)
    and ${claims.isDone} <= 0`)

/** For the whole campaign, in a transaction before the pick, when leases have ended. */
export const settlingSteps = settleStatements(granted, leasesPerClaim, { isOne: true }).map(
  statement<AccessNames>,
)

/** In this order: each acts on what the ones before it did. */
export const pickSteps = [
  insertClaim,
  countClaim,
  movePicked,
  insertCalls,
  holdAgentProbe,
  paceCalls,
  endClaim,
]
