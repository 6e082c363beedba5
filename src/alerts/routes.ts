// GET /campaigns/{campaignId}/overview: all that an operator looks at, in one request.
import type { KeyedExchange } from '../access/authenticate.ts'
import { hasRight } from '../access/scope.ts'
import { queueJson } from '../calling/campaigns.ts'
import { type Answer, success } from '../http/envelope.ts'
import { readQuestion, readStatistics } from '../statistics/routes.ts'
import { formatTimestamp } from '../timestamp.ts'
import {
  alertsOf,
  liveCalls,
  type RaisedAlert,
  readLiveCalls,
  type WebhookState,
  webhooksOf,
} from './store/overview.ts'

/** Parts that the key may not read are null. */
export async function getOverview(x: KeyedExchange): Promise<Answer> {
  const { scope } = x.apiKey
  const question = await readQuestion(x)
  const { funnel, statistics, nowMs } = await readStatistics(x, question, [liveCalls, webhooksOf, alertsOf])
  const [calls, webhooks, alerts] = funnel.more
  const mayManage = hasRight(scope, 'manage')
  return success({
    campaign: funnel.campaign,
    queue: await queueJson(x, funnel.queue),
    stats: statistics,
    liveCalls: hasRight(scope, 'agent')
      ? readLiveCalls(calls ?? []).map(({ claimedAtMs, ...call }) => ({
          ...call,
          startedAt: formatTimestamp(claimedAtMs),
        }))
      : null,
    webhooks: mayManage ? (webhooks as readonly WebhookState[]) : null,
    alerts: mayManage
      ? (alerts as readonly RaisedAlert[]).map(({ sinceMs, ...alert }) => ({
          ...alert,
          since: formatTimestamp(sinceMs),
        }))
      : null,
    asOf: formatTimestamp(nowMs),
  })
}
