// Failing agents (failing-agents.ts): counts the leases that ended as `unknown`, blocks an agent, and lets one
// lead through as a probe. Once the agent reports, releases or extends a call, the count is forgotten (clearAgents in
// sql/call-of-key.ts). An agent has a row only while its count is above zero, so that all others cost one seek.
import { type SQL, sql } from 'drizzle-orm'
import { number, param } from '../../../base/database/database.ts'
import { appendAlways, entryColumns, theSystem } from '../../../base/ledger/log/append.ts'
import { settleGraceMs } from '../../campaigns/outcomes.ts'
import { callingSettings } from '../../campaigns/store/tables.ts'
import { notifyWaiting } from '../../campaigns/store/waiting.ts'
import { blockMs, failingClaims, failingLeases, probeRetrySeconds } from '../failing-agents.ts'
import type { NoCalls } from './sql/queue-state.ts'
import { agents } from './tables.ts'

/** An agent without a name is named by its key. */
const keyPrefix = 'key:'

/** The agent that leased the call `k`; null: it was claimed through a Worker that stored no key. */
export const agentOfCall = sql`coalesce(k.agent, ${sql.raw(`'${keyPrefix}'`)} || k.key_id)`

/** The value of placeholder `agentName`. */
export const agentNameOf = (agent: string | null, keyId: string) => agent ?? `${keyPrefix}${keyId}`

/** Placeholder `agentName`. Both arguments are aliases; `campaign` has `company_id` and `number`. */
const isAgentOf = (agent: SQL, campaign: SQL) => sql`${agent}.company_id = ${campaign}.company_id
  and ${agent}.campaign_number = ${campaign}.number and ${agent}.name = ${param('agentName')}`

/** A join: the row of the claiming agent, as `agent`. */
export const agentOf = (campaign: SQL) =>
  sql`left join ${agents} as agent on ${isAgentOf(sql`agent`, campaign)}`

/** The most calls that the agent gets; 0 while it is blocked, or while its probe is being called. */
export const callsForAgent = sql`case when agent.blocked_until_ms is null then ${param('maxCalls')}
  when agent.blocked_until_ms <= ${param('nowMs')} then 1 else 0 end`

/**
 * Lets no second lead through before the lease of the first would be settled. `leased` is a join of the leads that
 * were just leased.
 */
export const holdProbe = (granted: SQL, leased: SQL) => sql`update ${agents}
  set blocked_until_ms = cast(held.until_ms as integer), is_probing = 1
  from (select granted.company_id, granted.number,
      c.claimed_at_ms + coalesce(${param('leaseSeconds')}, s.lease_seconds) * 1000 + ${number(settleGraceMs)}
        as until_ms
    from ${granted} as granted
    cross join ${agents} as a on ${isAgentOf(sql`a`, sql`granted`)} and a.blocked_until_ms is not null
    cross join ${callingSettings} as s on s.campaign_number = granted.number
    cross join ${leased}
    limit 1) as held
  where ${agents.companyId} = held.company_id
    and ${agents.campaignNumber} = held.number
    and ${agents.name} = ${param('agentName')}`

export type AgentState = { readonly blockedUntilMs: number | null; readonly isProbing: number | null }

export const agentState = sql`agent.blocked_until_ms as "blockedUntilMs", agent.is_probing as "isProbing"`

/** Why the agent gets no calls; null: it is not blocked. */
export function blockOf({ blockedUntilMs, isProbing }: AgentState, nowMs: number): NoCalls | null {
  if (blockedUntilMs === null || blockedUntilMs <= nowMs) return null
  const seconds = Math.ceil((blockedUntilMs - nowMs) / 1000)
  const retryAfterSeconds = isProbing === 1 ? Math.min(seconds, probeRetrySeconds) : seconds
  return { reason: 'agent_failing', retryAfterSeconds }
}

/**
 * Each agent with its new count. `ended` is a select of `company_id`, `campaign_number`, `name` and `token` of calls
 * that are about to end as `unknown`. Claims are distinguished by their tokens, as many as a block needs: several
 * transactions may settle the leases of one claim. Once a block is over, one more unknown blocks the agent again.
 */
const counted = (ended: SQL) => sql`(select agent.*, json_array_length(agent.claim_tokens) as claims_in_a_row,
    coalesce(agent.blocked_until_ms, 0) <= ${param('nowMs')} and (agent.blocked_until_ms is not null
      or (agent.unknown_in_a_row >= ${number(failingLeases)}
        and json_array_length(agent.claim_tokens) >= ${number(failingClaims)})) as begins
  from (select counted.company_id, counted.campaign_number, counted.name, a.blocked_until_ms,
      coalesce(a.is_probing, 0) as is_probing, coalesce(a.unknown_in_a_row, 0) + counted.leases as unknown_in_a_row,
      (select json_group_array(item.value) from (
        select item.value from json_each(a.claim_tokens) as item
        union
        select item.value from json_each(counted.tokens) as item
        limit ${number(failingClaims)}) as item) as claim_tokens
    from (select ended.company_id, ended.campaign_number, ended.name, count(*) as leases,
        json_group_array(distinct ended.token) as tokens
      from (${ended}) as ended
      where ended.name is not null
      group by ended.company_id, ended.campaign_number, ended.name) as counted
    left join ${agents} as a on a.company_id = counted.company_id
      and a.campaign_number = counted.campaign_number
      and a.name = counted.name) as agent)`

/** The row that is written. */
const ofRow = sql.identifier('agents')

/**
 * In one batch, in this order, before the calls are ended: a repeated try finds none of them. Returns the campaigns
 * of these calls that agents wait for: a settled lease frees its lead and its number.
 */
export const countUnknown = (ended: SQL): readonly [SQL, SQL] => [
  appendAlways(
    sql`select ${entryColumns({
      type: 'agent.failing',
      companyId: sql`agent.company_id`,
      campaignNumber: sql`agent.campaign_number`,
      data: sql`json_object('agent', agent.name)`,
    })} from ${counted(ended)} as agent
      where agent.begins`,
    theSystem,
  ),
  sql`insert into ${agents} (company_id, campaign_number, name, unknown_in_a_row, claims_in_a_row, claim_tokens,
      blocked_until_ms, is_probing, last_unknown_at_ms)
    select agent.company_id, agent.campaign_number, agent.name, agent.unknown_in_a_row, agent.claims_in_a_row,
      agent.claim_tokens,
      cast(iif(agent.begins, ${param('nowMs')} + ${number(blockMs)}, agent.blocked_until_ms) as integer),
      iif(agent.begins, 0, agent.is_probing), ${param('nowMs')}
    from ${counted(ended)} as agent
    where true
    on conflict do update set
      unknown_in_a_row = excluded.unknown_in_a_row,
      claims_in_a_row = excluded.claims_in_a_row,
      claim_tokens = excluded.claim_tokens,
      blocked_until_ms = excluded.blocked_until_ms,
      is_probing = excluded.is_probing,
      last_unknown_at_ms = excluded.last_unknown_at_ms
    returning ${notifyWaiting(sql`${ofRow}.company_id`, sql`${ofRow}.campaign_number`)}`,
]

/** A value: JSON of the agents that are blocked now in the campaign `granted`, at most ten. */
export const failingAgents = sql`(select
    json_group_array(json_object('agent', failing.name, 'untilMs', failing.blocked_until_ms))
  from (select a.name, a.blocked_until_ms from ${agents} as a
    where a.campaign_number = granted.number and a.blocked_until_ms > ${param('nowMs')}
    order by a.blocked_until_ms desc
    limit 10) as failing)`
