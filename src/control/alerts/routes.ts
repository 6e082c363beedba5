// GET /campaigns/{campaignId}/overview: all that an operator looks at, in one request.
import type { KeyedExchange } from '../../base/access/granted.ts'
import { hasRight } from '../../base/access/scope.ts'
import { type Answer, success } from '../../base/http/envelope.ts'
import { readQueryOf } from '../../base/http/validate.ts'
import { formatTimestamp } from '../../base/timestamp.ts'
import { queueAndDialer } from '../../channels/dialers/dialer-answer.ts'
import { overviewQuery } from '../statistics/input.ts'
import { questionOf, readStatistics } from '../statistics/routes.ts'
import {
  alertsOf,
  type LastLead,
  lastLead,
  liveCalls,
  liveCallsWithLeads,
  type RaisedAlert,
  readLiveCalls,
  type WebhookState,
  webhooksOf,
} from './store/overview.ts'

const readOverviewQuery = readQueryOf(overviewQuery)

/** Parts that the key may not read are null. */
export async function getOverview(x: KeyedExchange): Promise<Answer> {
  const { scope } = x.apiKey
  const query = await readOverviewQuery(x)
  const isWithLeads = query.include === 'leads'
  const { funnel, statistics, nowMs } = await readStatistics(x, questionOf(query), [
    isWithLeads ? liveCallsWithLeads : liveCalls,
    webhooksOf,
    alertsOf,
    ...(isWithLeads ? [lastLead] : []),
  ])
  const [calls, webhooks, alerts, last] = funnel.more
  const mayManage = hasRight(scope, 'manage')
  return success({
    campaign: funnel.campaign,
    ...(await queueAndDialer(x, funnel.queue)),
    stats: statistics,
    liveCalls: hasRight(scope, 'agent')
      ? readLiveCalls(calls ?? []).map(({ claimedAtMs, dialledAtMs, ...call }) => ({
          ...call,
          startedAt: formatTimestamp(claimedAtMs),
          dialledAt: formatTimestamp(dialledAtMs),
        }))
      : null,
    webhooks: mayManage ? (webhooks as readonly WebhookState[]) : null,
    alerts: mayManage
      ? (alerts as readonly RaisedAlert[]).map(({ sinceMs, ...alert }) => ({
          ...alert,
          since: formatTimestamp(sinceMs),
        }))
      : null,
    ...(isWithLeads && {
      lastLeadAt: formatTimestamp((last as readonly LastLead[])[0]?.createdAtMs ?? null),
    }),
    asOf: formatTimestamp(nowMs),
  })
}
