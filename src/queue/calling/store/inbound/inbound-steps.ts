// The statements of a call that comes in: find the leads of its phone, and open a call of the first of them in the
// transaction that leases it. Who runs them is in answer-caller.ts. No hours, gap or limit applies, since the person
// rang; but a phone has one live call.
//
// The call keeps how its lead was before (`calls.inbound`): without a report it is so again
// (../sql/lead-after-call.ts). It is written first, and the lead moved last, so that a repeated try finds its own call
// and does nothing.
import { sql } from 'drizzle-orm'
import { isOfDialer } from '../../../../base/access/store/dialer-key.ts'
import { grantedCampaign, grantedKey, type KeyNames, type Use } from '../../../../base/access/store/rights.ts'
import { campaigns } from '../../../../base/access/store/tables.ts'
import { number, param, statement, unionAll } from '../../../../base/database/database.ts'
import { calls, testCalls } from '../../../../base/ledger/calls/tables.ts'
import { addCounts, countColumns } from '../../../../base/ledger/hours/counts.ts'
import {
  type ActorNames,
  appendIfListening,
  entryColumns,
  listenedTo,
} from '../../../../base/ledger/log/append.ts'
import {
  isHashed,
  isHashedForCompany,
  isPepperLost,
  isRetained,
} from '../../../../base/ledger/suppression/hashed-numbers.ts'
import { erasureMark, insertNumbers, isSuppressed } from '../../../../base/ledger/suppression/numbers.ts'
import { numberCalls } from '../../../../base/ledger/suppression/tables.ts'
import { limits } from '../../../../base/limits.ts'
import { settleGraceMs } from '../../../campaigns/outcomes.ts'
import { type WriteNames, writeSettings } from '../../../campaigns/store/configure.ts'
import { callingSettings } from '../../../campaigns/store/tables.ts'
import type { LeadKey } from '../../../leads/lead.ts'
import { isFinalStatus, statusAfterClaim } from '../../../leads/store/lead-status.ts'
import { moveLeads } from '../../../leads/store/queue.ts'
import { isErased, leadJson } from '../../../leads/store/row.ts'
import { leads } from '../../../leads/store/tables.ts'
import { callColumns } from '../claim-answer.ts'
import { pastCallJson } from '../history.ts'
import { callDetails } from '../tables.ts'

const nowMs = param('nowMs')
const grace = number(settleGraceMs)
type Names = KeyNames | 'campaignId' | 'phones'

/** The campaigns whose leads are looked for. */
const reached = (use: Use) =>
  grantedCampaign(use, sql`(${param('campaignId')} is null or ${campaigns.id} = ${param('campaignId')})`)

/** The phone in all its spellings, as `phone`. */
const phones = sql`json_each(${param('phones')}) as phone`

const key = (use: Use) => sql`${grantedKey(use)} as key`

/** Leads in the order in which they are meant: one that is called still before a final one, the latest call first. */
const found = (
  use: Use,
  most: number,
) => sql`(select ${leads.seq}, granted.number, granted.company_id, granted.id,
    (select max(k.claimed_at_ms) from ${calls} as k where k.company_id = granted.company_id
      and k.phone_number = ${leads.phoneNumber} and k.seq = ${leads.seq}) as last_ms
  from ${reached(use)} as granted
  cross join ${phones}
  cross join ${leads} on ${leads.campaignNumber} = granted.number and ${leads.phoneNumber} = phone.value
    and not ${isErased}
  order by ${isFinalStatus(sql`${leads.status}`)}, last_ms desc, ${leads.createdAtMs} desc, ${leads.seq}
  limit ${number(most)})`

/** The open calls of a phone in the company, other than that of placeholder `token`, as `live`. */
const liveCalls = (use: Use) =>
  sql`(${unionAll([
    sql`select k.claimed_at_ms, k.seq, k.token, o.campaign_number, o.lease_expires_at_ms, k.agent, k.dialled_at_ms,
      k.key_id, k.inbound is not null as is_inbound, ${isOfDialer} as is_dialer
    from ${key(use)}
    cross join ${phones}
    cross join ${calls} as k on k.company_id = key.company_id and k.phone_number = phone.value and k.outcome is null
    cross join ${leads} as o on o.seq = k.seq and o.claim_token = k.token and k.token <> ${param('token')}`,
    sql`select null, null, null, null, t.ends_at_ms, null, null, null, 0, 0
    from ${key(use)}
    cross join ${phones}
    cross join ${testCalls} as t on t.company_id = key.company_id and t.phone_number = phone.value
      and t.ends_at_ms > ${nowMs}`,
    sql`select null, null, null, null, kept.live_until_ms, null, null, null, coalesce(kept.is_inbound, 0), 0
    from ${key(use)}
    cross join ${numberCalls} as kept on kept.company_id = key.company_id and kept.number_hash = ${param('keyHash')}`,
  ])}) as live`
const isLive = sql`live.lease_expires_at_ms > ${nowMs} - ${grace}`

/** The lead that this try takes: the first, when nobody is on the phone with it. */
const toTake = sql`(select own.* from ${found('agent', 1)} as own
  where not exists (select 1 from ${liveCalls('agent')} where ${isLive})
    and not exists (select 1 from ${phones} cross join ${calls} as k on k.company_id = own.company_id
      and k.phone_number = phone.value and k.token = ${param('token')})) as own
  cross join ${leads} on ${leads.seq} = own.seq and ${leads.leaseExpiresAtMs} is null`

/** The call that this try has opened, before its lead is leased. */
const opened = (granted = grantedKey('agent')) => sql`${granted} as key
  cross join ${phones}
  cross join ${calls} as k on k.company_id = key.company_id and k.phone_number = phone.value
    and k.token = ${param('token')} and k.outcome is null and k.inbound is not null
  cross join ${leads} on ${leads.seq} = k.seq and ${leads.claimToken} is not k.token`

/**
 * The number is suppressed by its hash alone, and the lead was never queued. What the call comes to would queue it, and
 * sees numbers in plain only: the number is listed so, as after an erasure; in the company and in the campaign where
 * both hold, since each is lifted by itself.
 */
const listHashed = insertNumbers(sql`select distinct key.company_id, spelling.value, scope.value,
    ${erasureMark} as reason, ${erasureMark} as mark, 0
  from ${opened()}
  cross join json_each(${param('phones')}) as spelling
  cross join json_each(json_array(0, ${leads.campaignNumber})) as scope
  where ${param('numberHash')} <> '' and iif(scope.value = 0,
    ${isHashedForCompany(sql`key.company_id`, sql`${param('numberHash')}`)},
    ${isRetained(sql`key.company_id`, sql`${param('numberHash')}`, sql`${leads.campaignNumber}`)})`)

type TakeNames = Names | ActorNames | 'token' | 'keyHash' | 'numberHash' | 'takenSeconds' | 'counts'

/** Before readSteps, in this order. */
export const takeSteps = [
  // A campaign that nobody has set up: its calls need settings.
  statement<Names | 'token' | 'keyHash' | WriteNames>(
    writeSettings(sql`(select own.number from ${toTake} where not exists (select 1 from ${callingSettings} as s
      where s.campaign_number = own.number))`),
  ),
  ...[
    addCounts(
      sql`select ${countColumns({
        campaignNumber: sql`own.number`,
        counter: sql`'inbound'`,
        statusBefore: sql`${leads.status}`,
        statusAfter: statusAfterClaim,
      })} from ${toTake}`,
    ),
    sql`insert into ${calls}
        (company_id, phone_number, claimed_at_ms, seq, token, attempt, key_id, dialled_at_ms, was_appointment, inbound)
      select taken.company_id, taken.phone_number, taken.at_ms, taken.seq, ${param('token')}, taken.attempt,
        ${param('keyId')}, taken.at_ms, 0, taken.inbound
      from (select own.company_id, ${leads.phoneNumber}, own.seq, ${leads.attempts} + ${param('counts')} as attempt,
          max(${nowMs}, coalesce((select last.claimed_at_ms + 1 from ${calls} as last
            where last.company_id = own.company_id and last.phone_number = ${leads.phoneNumber}
            order by last.claimed_at_ms desc
            limit 1), 0)) as at_ms,
          json_object('status', ${leads.status}, 'dueAtMs', coalesce(${leads.dueAtMs}, ${leads.heldDueAtMs}),
            'counts', cast(${param('counts')} as integer)) as inbound
        from ${toTake}
        limit -1) as taken
      where true
      on conflict do nothing`,
    listHashed,
    appendIfListening(
      sql`select ${entryColumns({
        type: 'call.started',
        companyId: sql`k.company_id`,
        campaignNumber: sql`${leads.campaignNumber}`,
        leadSeq: sql`${leads.seq}`,
        data: sql`json_object('claimedAtMs', k.claimed_at_ms, 'token', k.token, 'attempt', k.attempt, 'isInbound', 1)`,
      })} from ${opened(listenedTo(grantedKey('agent')))}`,
    ),
    moveLeads(
      ['status', 'attempts', 'due_at_ms', 'lease_expires_at_ms', 'claim_token'],
      sql`select ${leads.seq}, ${statusAfterClaim} as status, k.attempt as attempts, null as due_at_ms,
        cast(${nowMs} + coalesce(${param('takenSeconds')}, s.lease_seconds) * 1000 as integer)
          as lease_expires_at_ms, k.token as claim_token
      from ${opened()}
      cross join ${callingSettings} as s on s.campaign_number = ${leads.campaignNumber}`,
    ),
  ].map(statement<TakeNames>),
]

/** What is asked of the first lead, which a take leaves the first. */
const stateOf = (use: Use) => {
  const campaign = sql`coalesce((select own.number from ${found(use, 1)} as own), key.campaign_number, 0)`
  return sql`select (${param('campaignId')} is null or exists (select 1 from ${reached(use)})) as "isGranted",
    (${isPepperLost(sql`key.company_id`)} or ${isHashed(sql`key.company_id`, sql`${param('numberHash')}`, campaign)}
      or exists (select 1 from ${phones} where ${isSuppressed(sql`key.company_id`, sql`phone.value`, campaign)}))
      as "isSuppressed"
  from ${key(use)}`
}

const firstLead = sql`select ${leadJson(sql`own.id`)}, own.id as "campaignId", ${campaigns.name} as "campaignName",
    ${leads.leaseExpiresAtMs} <= ${nowMs} - ${grace} as "mustSettle",
    iif(k.seq is null, null, ${pastCallJson}) as "lastCall", d.details
  from ${found('agent to read', 1)} as own
  cross join ${leads} on ${leads.seq} = own.seq
  cross join ${campaigns} on ${campaigns.number} = own.number
  left join ${calls} as k on k.company_id = own.company_id and k.phone_number = ${leads.phoneNumber}
    and k.seq = own.seq and k.claimed_at_ms = (select max(last.claimed_at_ms) from ${calls} as last
      where last.company_id = own.company_id and last.phone_number = ${leads.phoneNumber} and last.seq = own.seq
        and last.outcome <> 'released')
  left join ${callDetails} as d on d.seq = k.seq and d.claimed_at_ms = k.claimed_at_ms`

const candidates = sql`select ${leads.seq}, ${leads.createdAtMs} as "createdAtMs", ${leads.token},
    ${leads.externalId} as "externalId", ${leads.status}, own.id as "campaignId", ${campaigns.name} as "campaignName",
    own.last_ms as "lastCallAtMs"
  from ${found('agent to read', limits.callersPerPhone)} as own
  cross join ${leads} on ${leads.seq} = own.seq
  cross join ${campaigns} on ${campaigns.number} = own.number`

/** A campaign's key learns of a call in another campaign that there is one, and nothing more. */
const openCall = sql`select live.claimed_at_ms as "claimedAtMs", live.seq, live.token,
    live.lease_expires_at_ms as "leaseExpiresAtMs", live.agent, live.dialled_at_ms as "dialledAtMs",
    live.key_id as "keyId", live.is_inbound as "isInbound", live.is_dialer as "isOfDialer",
    live.campaign_number as "campaignNumber", ${campaigns.id} as "campaignId", o.created_at_ms as "createdAtMs",
    o.token as "leadToken", coalesce(key.campaign_number, live.campaign_number) is live.campaign_number as "isShown"
  from ${key('agent to read')}
  cross join ${liveCalls('agent to read')}
  left join ${leads} as o on o.seq = live.seq
  left join ${campaigns} on ${campaigns.number} = live.campaign_number
  where ${isLive}
  order by live.lease_expires_at_ms desc
  limit 1`

/** After them. */
export const ownCall = statement<Names | 'token'>(sql`
  select ${callColumns(sql`${nowMs}`, sql`${leads.leaseExpiresAtMs}`)}
  from ${reached('agent')} as granted
  cross join ${phones}
  cross join ${calls} as k on k.company_id = granted.company_id and k.phone_number = phone.value
    and k.token = ${param('token')} and k.outcome is null and k.inbound is not null
  cross join ${leads} on ${leads.seq} = k.seq and ${leads.campaignNumber} = granted.number
    and ${leads.claimToken} = k.token and ${leads.leaseExpiresAtMs} > ${nowMs}
  cross join ${callingSettings} as s on s.campaign_number = granted.number`)

export const readSteps = [stateOf('agent to read'), firstLead, candidates, openCall].map(
  statement<Names | 'token' | 'keyHash' | 'numberHash' | 'pepperCheck'>,
)

type CampaignName = { readonly campaignId: string; readonly campaignName: string }

export type Candidate = LeadKey &
  CampaignName & {
    readonly externalId: string | null
    readonly status: string
    readonly lastCallAtMs: number | null
  }

/** A lead and its last call with its details: JSON texts. */
export type FirstLead = CampaignName & {
  readonly json: string
  readonly mustSettle: number | null
  readonly lastCall: string | null
  readonly details: string | null
}

/** Without a place: a test call, or that of a lead that was erased since. */
export type LiveCall = Readonly<Record<'isInbound' | 'isOfDialer' | 'isShown', number>> & {
  readonly seq: number | null
  readonly claimedAtMs: number
  readonly token: string
  readonly leaseExpiresAtMs: number
  readonly agent: string | null
  readonly dialledAtMs: number | null
  readonly keyId: string
  readonly campaignNumber: number
  readonly campaignId: string
  readonly createdAtMs: number
  readonly leadToken: string
}
