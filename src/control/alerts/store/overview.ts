// What a campaign's overview has besides settings, queue and statistics: live calls, webhooks and alerts. Each
// statement checks the right to its part, and reads a bounded number of rows.
import { sql } from 'drizzle-orm'
import { type AccessNames, grantedCampaign, grantedKey } from '../../../base/access/store/rights.ts'
import { campaigns } from '../../../base/access/store/tables.ts'
import { number, param, statement } from '../../../base/database/database.ts'
import { calls } from '../../../base/ledger/calls/tables.ts'
import { isSending, webhooks } from '../../../base/ledger/log/tables.ts'
import { limits } from '../../../base/limits.ts'
import { logHead } from '../../../channels/webhooks/store/endpoints.ts'
import { callIdOf } from '../../../queue/calling/call.ts'
import { leadIdOf } from '../../../queue/leads/lead.ts'
import { lastSeqOf, leadJson } from '../../../queue/leads/store/row.ts'
import { leads } from '../../../queue/leads/store/tables.ts'
import { type AlertKind, alertKinds } from '../alert-kinds.ts'
import { alerts } from './tables.ts'

/** The lease that ends first is the first. */
const selectLiveCalls = (more = sql``) =>
  statement<AccessNames>(sql`
  select k.claimed_at_ms as "claimedAtMs", k.dialled_at_ms as "dialledAtMs", k.token,
    k.agent, ${leads.seq}, ${leads.createdAtMs} as "createdAtMs",
    ${leads.token} as "leadToken"${more}
  from ${grantedCampaign('agent to read')} as granted
  cross join ${leads} on ${leads.campaignNumber} = granted.number and ${leads.leaseExpiresAtMs} > ${param('nowMs')}
  cross join ${calls} as k on k.company_id = granted.company_id
    and k.phone_number = ${leads.phoneNumber}
    and k.seq = ${leads.seq}
    and k.token = ${leads.claimToken}
    and k.outcome is null
  order by ${leads.leaseExpiresAtMs}, ${leads.seq}
  limit ${number(limits.liveCallsPerOverview)}`)

export const liveCalls = selectLiveCalls()
export const liveCallsWithLeads = selectLiveCalls(sql`, ${leadJson(sql`granted.id`)}`)

/** Also when it is erased. */
export const lastLead = statement<AccessNames>(sql`
  select ${leads.createdAtMs} as "createdAtMs"
  from ${grantedCampaign('look')} as granted
  cross join ${leads} on ${leads.seq} = ${lastSeqOf(sql`granted.number`)}`)

export type LastLead = { readonly createdAtMs: number }

/** A campaign's key sees nothing of the company. */
const granted = sql`${grantedKey('manage to read')} as key
  cross join ${grantedCampaign('manage to read')} as granted`

/** Events of the company's log that the webhook has not passed, as of the last minute. */
export const webhooksOf = statement<AccessNames>(sql`
  select w.id as "webhookId", max(0, ${logHead(sql`w.company_id`)} - w.passed_number) as waiting,
    case when not ${isSending(sql`w`)} then 'disabled'
      when w.failing_since_ms is not null then 'failing'
      else 'delivering' end as state
  from ${granted}
  cross join ${webhooks} as w on w.company_id = granted.company_id
    and coalesce(w.campaign_number = granted.number, key.campaign_number is null)
  order by w.created_at_ms, w.id
  limit ${number(limits.webhooksPerCompany)}`)

const kinds = sql.raw(
  Object.keys(alertKinds)
    .map((kind) => `('${kind}')`)
    .join(', '),
)

/** In one overview. */
const mostAlerts = number(100)

export const alertsOf = statement<AccessNames>(sql`
  select a.kind, ${campaigns.id} as "campaignId", nullif(a.subject, '') as subject, a.since_ms as "sinceMs"
  from ${granted}
  cross join (select column1 as kind from (values ${kinds})) as every
  cross join (select 0 as is_campaign union all select 1) as place
  cross join ${alerts} as a on a.kind = every.kind
    and a.campaign_number = granted.number * place.is_campaign
    and a.company_id = granted.company_id
    and a.raised_at_ms is not null
  left join ${campaigns} on ${campaigns.number} = a.campaign_number
  where place.is_campaign or key.campaign_number is null
  order by a.since_ms, a.kind, a.subject
  limit ${mostAlerts}`)

type LiveRow = {
  readonly claimedAtMs: number
  readonly dialledAtMs: number | null
  readonly token: string
  readonly agent: string | null
  readonly seq: number
  readonly createdAtMs: number
  readonly leadToken: string
  /** JSON of the lead, where it was asked for. */
  readonly json?: string
}

export const readLiveCalls = (rows: readonly unknown[]) =>
  (rows as LiveRow[]).map(
    ({ claimedAtMs, dialledAtMs, token, agent, seq, createdAtMs, leadToken, json }) => ({
      callId: callIdOf({ claimedAtMs, seq, token }),
      leadId: leadIdOf({ seq, createdAtMs, token: leadToken }),
      agent,
      claimedAtMs,
      dialledAtMs,
      ...(json !== undefined && { lead: JSON.parse(json) as object }),
    }),
  )

export type WebhookState = {
  readonly webhookId: string
  readonly state: 'delivering' | 'failing' | 'disabled'
  readonly waiting: number
}

export type RaisedAlert = {
  readonly kind: AlertKind
  /** Null: the company. */
  readonly campaignId: string | null
  readonly subject: string | null
  readonly sinceMs: number
}
