// Which alerts about webhooks, agents, calls, keys, sources and a full store are to be raised or cleared: the
// difference between what is wrong now and what was raised.
import { type SQL, sql } from 'drizzle-orm'
import { isArchived } from '../../../base/access/store/rights.ts'
import { hasActiveKey } from '../../../base/access/store/source-key.ts'
import { apiKeys, campaigns, companies, keyHours } from '../../../base/access/store/tables.ts'
import { number, param, statement, unionAll } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { hourMs, thisHour } from '../../../base/ledger/hours/counts.ts'
import { isSending, webhooks } from '../../../base/ledger/log/tables.ts'
import { limits } from '../../../base/limits.ts'
import { callShownMs } from '../../../channels/dialers/dialer-status.ts'
import { isWorking } from '../../../channels/dialers/store/run-dialer.ts'
import { dialers, gates } from '../../../channels/dialers/store/tables.ts'
import { defaultMaxCallSeconds } from '../../../channels/dialers/template/template-uses.ts'
import { otherPosts } from '../../../channels/sources/post-problem.ts'
import { sources } from '../../../channels/sources/store/tables.ts'
import { agentOfCall } from '../../../queue/calling/store/agents.ts'
import { agents } from '../../../queue/calling/store/tables.ts'
import { callingSettings } from '../../../queue/campaigns/store/tables.ts'
import { leads } from '../../../queue/leads/store/tables.ts'
import {
  agentGraceMs,
  alertAfterMs,
  alertedStoreBytes,
  endlessCallMs,
  endlessFactor,
  refusedPostsAlerted,
} from '../alert-kinds.ts'
import { alerts } from './tables.ts'

/** In one look. The rest waits for the next minute. */
const mostChanges = number(500)

const isWebhookFailing = sql`${isSending(sql`w`)}
  and w.failing_since_ms <= ${param('nowMs')} - ${number(alertAfterMs)}`
/** An alert is of the campaign that the webhook had when it was raised. */
const isWebhookOfAlert = sql`w.id = a.subject and w.company_id = a.company_id
  and coalesce(w.campaign_number, 0) = a.campaign_number`
/** It takes posts. */
const isSourceOpen = sql`s.removed_at_ms is null and s.is_enabled and ${hasActiveKey(sql`s`)}
  and not ${isArchived(sql`s.campaign_number`)}`
/** Its leads are called by a clock that nobody has chosen. */
const isClockAsked = sql`s.clock_asked_at_ms is not null and ${isSourceOpen}`
const isAgentFailing = sql`g.blocked_until_ms > ${param('nowMs')} - ${number(agentGraceMs)}`

/** In milliseconds. A dialer is known by its key. */
const longestLive = sql`iif(d.key_id is null, ${number(endlessCallMs)}, ${number(endlessFactor * 1000)}
      * coalesce(d.variables ->> 'maxCallSeconds', ${number(defaultMaxCallSeconds)}))`

const endlessAgent = sql`coalesce(${agentOfCall}, '')`
/** A number has one live call, the last one: one seek for each lead that is leased. `which` is of the lead `l`. */
const endlessCalls = (which: SQL) => sql`${leads} as l indexed by ${sql.identifier('leads_leased')}
  cross join ${campaigns} as c on c.number = l.campaign_number
  cross join ${calls} as k on k.company_id = c.company_id
    and k.phone_number = l.phone_number
    and k.claimed_at_ms = (select max(last.claimed_at_ms) from ${calls} as last
      where last.company_id = c.company_id and last.phone_number = l.phone_number)
    and k.seq = l.seq
    and k.token = l.claim_token
    and k.outcome is null
  left join ${dialers} as d on d.campaign_number = l.campaign_number and d.key_id = k.key_id
  where ${which} and l.lease_expires_at_ms > ${param('nowMs')}
    and k.claimed_at_ms < ${param('nowMs')} - ${longestLive}`

/** A source is known by its keys. Once it has stored a post in this hour it does not fail. */
const failingSources = sql`(select s.company_id, s.campaign_number, s.id as source_id
  from ${keyHours} as h
  cross join ${apiKeys} as k on k.id = h.key_id and k.source_id is not null
  cross join ${sources} as s on s.id = k.source_id and ${isSourceOpen}
  where h.hour = ${thisHour}
  group by s.id
  having max(h.code = '') = 0
    and sum(iif(h.code in (${sql.raw(otherPosts.map((code) => `'${code}'`).join(', '))}), 0, h.requests))
      >= ${number(refusedPostsAlerted)})`

/** What a call came to, as long as it is shown. */
const shown = (
  name: string,
) => sql`iif(${sql.raw(`d.${name}_at_ms`)} > ${param('nowMs')} - ${number(callShownMs)},
      ${sql.raw(`d.${name}_reason`)}, null), ${sql.raw(`d.${name}_at_ms`)}`

/** A dialer that is off says what its calls came to, and why it had stopped. */
const dialerAlerts = sql`(select d.company_id, d.campaign_number, said.value ->> 0 as kind, said.value ->> 1 as subject,
    said.value ->> 2 as since_ms
  from ${dialers} as d
  cross join ${callingSettings} as s on s.campaign_number = d.campaign_number
  cross join json_each(json_array(
    json_array('dialer_stopped', d.stopped_reason, d.stopped_at_ms),
    json_array('dialer_resting', d.resting_reason, d.resting_since_ms),
    json_array('dialer_hears_nothing', iif(d.deaf_since_ms is null, null, ''), d.deaf_since_ms),
    json_array('dialer_unmapped', ${shown('unmapped')}), json_array('dialer_failing', ${shown('failing')}))) as said
  where d.removed_at_ms is null and said.value ->> 1 is not null
    and (s.has_dialer or said.value ->> 0 in ('dialer_stopped', 'dialer_unmapped', 'dialer_failing')))`

/** What is wrong with gates that may be asked. */
const gateAlerts = sql`(select g.company_id, g.campaign_number, said.value ->> 0 as kind, said.value ->> 1 as since_ms
  from ${gates} as g
  cross join json_each(json_array(json_array('gate_refusing', g.refusing_since_ms),
    json_array('gate_silent', iif(g.silent_since_ms <= ${param('nowMs')} - ${number(alertAfterMs)},
      g.silent_since_ms, null)))) as said
  where said.value ->> 1 is not null and not ${isArchived(sql`g.campaign_number`)})`

const hasStoredSince = (sinceMs: SQL) => sql`exists (select 1 from ${apiKeys} as k
  cross join ${keyHours} as h on h.key_id = k.id and h.code = '' and h.last_used_at_ms >= ${sinceMs}
  where k.source_id = s.id)`

const isStoreFull = sql`${param('storeBytes')} >= ${number(alertedStoreBytes)}`

/** What is wrong now: one select for each thing that is looked at. */
const failing = unionAll([
  sql`select w.company_id, 'webhook_failing' as kind, coalesce(w.campaign_number, 0) as campaign_number,
      w.id as subject, w.failing_since_ms as since_ms
    from ${webhooks} as w
    where ${isWebhookFailing}`,
  sql`select g.company_id, 'agent_failing', g.campaign_number, g.name, g.last_unknown_at_ms
    from ${agents} as g
    where ${isAgentFailing}`,
  // For each agent, since its first.
  sql`select k.company_id, 'call_never_ends', l.campaign_number, ${endlessAgent}, min(k.claimed_at_ms)
    from ${endlessCalls(sql`true`)}
    group by 1, 3, 4`,
  sql`select k.company_id, 'key_limit', coalesce(k.campaign_number, 0), k.id, cast(${param('nowMs')} as integer)
    from (select h.key_id from ${keyHours} as h
      where h.hour = ${thisHour}
      group by h.key_id
      having sum(h.requests) >= ${number(limits.requestsPerHourAlerted)}) as busy
    cross join ${apiKeys} as k on k.id = busy.key_id`,
  sql`select d.company_id, d.kind, d.campaign_number, d.subject, d.since_ms from ${dialerAlerts} as d`,
  sql`select g.company_id, g.kind, g.campaign_number, '', g.since_ms from ${gateAlerts} as g`,
  sql`select f.company_id, 'source_failing', f.campaign_number, f.source_id, ${thisHour} * ${number(hourMs)}
    from ${failingSources} as f`,
  sql`select s.company_id, 'source_clock', s.campaign_number, s.id, s.clock_asked_at_ms
    from ${sources} as s indexed by ${sql.identifier('sources_clock_asked')}
    where ${isClockAsked}`,
  sql`select c.id, 'store_full', 0, '', cast(${param('nowMs')} as integer)
    from ${companies} as c
    where ${isStoreFull}`,
])

const columns = (table: string) =>
  sql.raw(
    `${table}.kind, ${table}.company_id as "companyId", ${table}.campaign_number as "campaignNumber", ${table}.subject,
    ${table}.since_ms as "sinceMs"`,
  )

/** Rows of an Alert. */
export const toRaise = statement<'nowMs' | 'storeBytes'>(sql`select ${columns('failing')}
  from (${failing}) as failing
  left join ${alerts} as a on a.kind = failing.kind
    and a.campaign_number = failing.campaign_number
    and a.company_id = failing.company_id
    and a.subject = failing.subject
  where a.kind is null
  limit ${mostChanges}`)

/** Rows of an Alert. */
export const raisedStalled = statement(sql`select ${columns('a')} from ${alerts} as a
  where a.kind in ('dialer_stalled', 'webhook_stalled')`)

// The limit of a key begins again with each hour. A store whose alarm looks is no longer stalled.
/** Rows of an Alert. */
export const toClear = statement<'nowMs' | 'storeBytes'>(sql`select ${columns('a')}
  from ${alerts} as a
  where (a.kind = 'webhook_failing' and not exists (select 1 from ${webhooks} as w
      where ${isWebhookOfAlert} and ${isWebhookFailing}))
    or (a.kind = 'agent_failing' and not exists (select 1 from ${agents} as g
      where g.company_id = a.company_id
        and g.campaign_number = a.campaign_number
        and g.name = a.subject
        and ${isAgentFailing}))
    or (a.kind = 'call_never_ends' and not exists (select 1
      from ${endlessCalls(sql`l.campaign_number = a.campaign_number`)}
        and k.company_id = a.company_id and ${endlessAgent} = a.subject))
    or (a.kind = 'dialer_stalled' and not exists (select 1 from ${dialers} as d
      cross join ${callingSettings} as s on s.campaign_number = d.campaign_number
      cross join ${campaigns} as c on c.number = d.campaign_number
      where d.campaign_number = a.campaign_number and d.company_id = a.company_id and ${isWorking}))
    or (a.kind = 'webhook_stalled' and not exists (select 1 from ${webhooks} as w
      where ${isWebhookOfAlert} and ${isSending(sql`w`)}))
    or (a.kind = 'source_failing' and not exists (select 1 from ${sources} as s
      where s.id = a.subject and ${isSourceOpen} and not ${hasStoredSince(sql`a.since_ms`)}))
    or (a.kind = 'source_clock' and not exists (select 1 from ${sources} as s
      where s.id = a.subject and ${isClockAsked}))
    or a.kind = 'store_stalled'
    or (a.kind glob 'dialer_*' and a.kind <> 'dialer_stalled' and not exists (select 1 from ${dialerAlerts} as d
      where d.company_id = a.company_id and d.campaign_number = a.campaign_number and d.kind = a.kind
        and d.subject = a.subject))
    or (a.kind glob 'gate_*' and not exists (select 1 from ${gateAlerts} as g
      where g.company_id = a.company_id and g.campaign_number = a.campaign_number and g.kind = a.kind))
    or (a.kind = 'store_full' and not ${isStoreFull})
    or (a.kind = 'key_limit' and a.since_ms < ${thisHour} * ${number(hourMs)})
  limit ${mostChanges}`)
