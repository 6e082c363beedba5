// Which alerts about webhooks, agents, keys and a full store are to be raised or cleared: the difference between what is
// wrong now and what was raised.
import { sql } from 'drizzle-orm'
import { apiKeys, companies, keyHours } from '../../access/store/tables.ts'
import { agents } from '../../calling/store/tables.ts'
import { callingSettings } from '../../campaigns/store/tables.ts'
import { number, param, statement } from '../../database/database.ts'
import { callShownMs } from '../../dialers/dialer-status.ts'
import { dialers } from '../../dialers/store/tables.ts'
import { hourMs, thisHour } from '../../ledger/hours/counts.ts'
import { isSending, webhooks } from '../../ledger/log/tables.ts'
import { limits } from '../../limits.ts'
import { agentGraceMs, alertAfterMs, alertedStoreBytes } from '../alert-kinds.ts'
import { alerts } from './tables.ts'

/** In one look. The rest waits for the next minute. */
const mostChanges = number(500)

const isWebhookFailing = sql`${isSending(sql`w`)}
  and w.failing_since_ms <= ${param('nowMs')} - ${number(alertAfterMs)}`
const isAgentFailing = sql`g.blocked_until_ms > ${param('nowMs')} - ${number(agentGraceMs)}`

/** What a call came to, as long as it is shown. */
const shown = (
  name: string,
) => sql`iif(${sql.raw(`d.${name}_at_ms`)} > ${param('nowMs')} - ${number(callShownMs)},
      ${sql.raw(`d.${name}_reason`)}, null), ${sql.raw(`d.${name}_at_ms`)}`

/** A dialer that is off says nothing but what its calls came to. */
const dialerAlerts = sql`(select d.company_id, d.campaign_number, said.value ->> 0 as kind, said.value ->> 1 as subject,
    said.value ->> 2 as since_ms
  from ${dialers} as d
  cross join ${callingSettings} as s on s.campaign_number = d.campaign_number
  cross join json_each(json_array(
    json_array('dialer_stopped', d.stopped_reason, d.stopped_at_ms),
    json_array('dialer_resting', d.resting_reason, d.resting_since_ms),
    json_array('dialer_unmapped', ${shown('unmapped')}), json_array('dialer_failing', ${shown('failing')}))) as said
  where d.removed_at_ms is null and said.value ->> 1 is not null
    and (s.has_dialer or said.value ->> 0 in ('dialer_unmapped', 'dialer_failing')))`

const isStoreFull = sql`${param('storeBytes')} >= ${number(alertedStoreBytes)}`

const failing = sql`(
    select w.company_id, 'webhook_failing' as kind, coalesce(w.campaign_number, 0) as campaign_number, w.id as subject,
      w.failing_since_ms as since_ms
    from ${webhooks} as w
    where ${isWebhookFailing}
    union all
    select g.company_id, 'agent_failing', g.campaign_number, g.name, g.last_unknown_at_ms
    from ${agents} as g
    where ${isAgentFailing}
    union all
    select k.company_id, 'key_limit', coalesce(k.campaign_number, 0), k.id, cast(${param('nowMs')} as integer)
    from (select h.key_id from ${keyHours} as h
      where h.hour = ${thisHour}
      group by h.key_id
      having sum(h.requests) >= ${number(limits.requestsPerHourAlerted)}) as busy
    cross join ${apiKeys} as k on k.id = busy.key_id
    union all
    select d.company_id, d.kind, d.campaign_number, d.subject, d.since_ms from ${dialerAlerts} as d
    union all
    select c.id, 'store_full', 0, '', cast(${param('nowMs')} as integer)
    from ${companies} as c
    where ${isStoreFull})`

const columns = (table: string) =>
  sql.raw(
    `${table}.kind, ${table}.company_id as "companyId", ${table}.campaign_number as "campaignNumber", ${table}.subject,
    ${table}.since_ms as "sinceMs"`,
  )

/** Rows of an Alert. */
export const toRaise = statement<'nowMs' | 'storeBytes'>(sql`select ${columns('failing')}
  from ${failing} as failing
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
      where w.id = a.subject and ${isWebhookFailing}))
    or (a.kind = 'agent_failing' and not exists (select 1 from ${agents} as g
      where g.company_id = a.company_id
        and g.campaign_number = a.campaign_number
        and g.name = a.subject
        and ${isAgentFailing}))
    or (a.kind = 'dialer_stalled' and not exists (select 1 from ${dialers} as d
      cross join ${callingSettings} as s on s.campaign_number = d.campaign_number
      where d.campaign_number = a.campaign_number and d.company_id = a.company_id
        and (s.has_dialer or d.removed_at_ms is not null)))
    or (a.kind = 'webhook_stalled' and not exists (select 1 from ${webhooks} as w
      where w.id = a.subject and ${isSending(sql`w`)}))
    or a.kind = 'store_stalled'
    or (a.kind glob 'dialer_*' and a.kind <> 'dialer_stalled' and not exists (select 1 from ${dialerAlerts} as d
      where d.company_id = a.company_id and d.campaign_number = a.campaign_number and d.kind = a.kind
        and d.subject = a.subject))
    or (a.kind = 'store_full' and not ${isStoreFull})
    or (a.kind = 'key_limit' and a.since_ms < ${thisHour} * ${number(hourMs)})
  limit ${mostChanges}`)
