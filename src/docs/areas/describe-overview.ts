// The overview of a campaign in the API description: one request for all that an operator looks at.

import { limits } from '../../base/limits.ts'
import { alertKinds } from '../../control/alerts/alert-kinds.ts'
import { overviewQuery } from '../../control/statistics/input.ts'
import { callId } from '../fields/call-fields.ts'
import { alertSubject } from '../fields/event-data.ts'
import { leadId } from '../fields/lead-fields.ts'
import * as s from '../openapi/json-schema.ts'
import { type Area, needs, ok } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'
import { exampleQueue, exampleSettings } from './describe-campaigns.ts'
import { exampleCounts, rangeParameters } from './describe-statistics.ts'

const tag = { name: 'Overview', description: 'A campaign at a glance, and what needs attention in it.' }

const listOrNull = (name: string, maxItems: number, description: string) =>
  s.orNull({ type: 'array', maxItems, items: s.reference(name), description })

const schemas = {
  LiveCall: s.objectWithout(['lead'], {
    callId,
    leadId: { type: 'string', pattern: leadId.pattern, description: 'The lead’s `_id`.' },
    agent: s.textOrNull('The agent’s name, if the claim gave one.'),
    startedAt: s.time('When the lead was claimed.'),
    dialledAt: s.timeOrNull('When it was dialled. Null: not reported, or not confirmed by the provider.'),
    lead: s.reference('Lead'),
  }),
  WebhookState: s.exactObject({
    webhookId: s.text('The id of the webhook.'),
    state: s.codes({
      delivering: 'its receiver accepts events',
      failing: 'its receiver fails, and delivery is repeated',
      disabled: 'it sends nothing',
    }),
    waiting: s.count('Entries of the log that it has not passed, up to a minute ago.'),
  }),
  Alert: s.exactObject({
    kind: s.codes(alertKinds),
    campaignId: s.textOrNull('The id of the campaign. Null: the whole company.'),
    subject: alertSubject,
    since: s.time('Since when.'),
  }),
  CampaignOverview: s.objectWithout(['lastLeadAt'], {
    campaign: s.reference('CampaignSettings'),
    queue: s.reference('Queue'),
    dialer: s.reference('Dialing'),
    stats: s.reference('OverviewStatistics'),
    liveCalls: listOrNull(
      'LiveCall',
      limits.liveCallsPerOverview,
      'Open calls whose lease has not expired, those with the earliest end first. Null: the key may not list calls.',
    ),
    webhooks: listOrNull(
      'WebhookState',
      limits.webhooksPerCompany,
      'Webhooks that get events of this campaign, oldest first. Null: the key may not manage webhooks.',
    ),
    alerts: listOrNull(
      'Alert',
      100,
      prose`What needs attention in the campaign and, for a company-wide key, in the company, oldest
          first. Null: the key has no \`manage\` scope.`,
    ),
    lastLeadAt: s.timeOrNull('When the newest lead was created. Absent without `include=leads`.'),
    asOf: s.time('When all of this was read.'),
  }),
}

const example = {
  campaign: exampleSettings,
  queue: exampleQueue,
  dialer: { status: 'waiting', reason: 'outside_hours' },
  stats: exampleCounts,
  liveCalls: [
    {
      callId: exampleIds.call,
      leadId: exampleIds.lead,
      agent: 'seat-7',
      startedAt: '2026-11-20T15:02:10.000Z',
      dialledAt: '2026-11-20T15:02:12.000Z',
    },
  ],
  webhooks: [{ webhookId: exampleIds.webhook, state: 'failing', waiting: 37 }],
  alerts: [
    {
      kind: 'webhook_failing',
      campaignId: null,
      subject: exampleIds.webhook,
      since: '2026-11-20T14:41:00.000Z',
    },
  ],
  asOf: '2026-11-20T15:03:00.000Z',
}

const operations = {
  getOverview: needs.look('GET /api/v1/campaigns/{campaignId}/overview', {
    summary: 'Read a campaign’s overview',
    description: prose`Settings, queue, dialer, statistics, live calls, webhooks and alerts in one request, for a page
      that is refreshed. Parts that the key may not read are null. \`from\`, \`to\` and \`bucket\` choose the
      statistics.`,
    cli: { noun: 'campaign', verb: 'overview' },
    query: s.describeQuery(overviewQuery, {
      ...rangeParameters,
      include: { description: '`leads`: each live call with its `lead`, and `lastLeadAt`.' },
    }),
    refusals: ['from must be earlier than to'],
    responses: ok('The overview.', s.reference('CampaignOverview'), example),
  }),
}

export const overview: Area = { tag, operations, schemas }
