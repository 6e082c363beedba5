// The overview of a campaign in the API description: one request for all that an operator looks at.

import { alertKinds } from '../../alerts/alert-kinds.ts'
import { limits } from '../../limits.ts'
import { overviewQuery } from '../../statistics/input.ts'
import { callId } from '../fields/call-fields.ts'
import { alertSubject } from '../fields/event-data.ts'
import { leadId } from '../fields/lead-fields.ts'
import {
  codes,
  count,
  describeQuery,
  exactObject,
  orNull,
  reference,
  text,
  textOrNull,
  time,
  timeOrNull,
} from '../openapi/json-schema.ts'
import { type Area, keyedOperation, ok } from '../openapi/operation.ts'
import { prose } from '../openapi/prose.ts'
import { exampleIds } from '../samples/example-ids.ts'
import { exampleQueue, exampleSettings } from './describe-campaigns.ts'
import { exampleCounts, rangeParameters } from './describe-statistics.ts'

const tag = { name: 'Overview', description: 'A campaign at a glance, and what needs attention in it.' }

const listOrNull = (name: string, maxItems: number, description: string) =>
  orNull({ type: 'array', maxItems, items: reference(name), description })

const schemas = {
  LiveCall: exactObject(
    {
      callId,
      leadId: { type: 'string', pattern: leadId.pattern, description: 'The lead’s `_id`.' },
      agent: textOrNull('The agent’s name, if the claim gave one.'),
      startedAt: time('When the lead was claimed.'),
      lead: reference('Lead'),
    },
    ['lead'],
  ),
  WebhookState: exactObject({
    webhookId: text('The id of the webhook.'),
    state: codes({
      delivering: 'its receiver accepts events',
      failing: 'its receiver fails, and delivery is repeated',
      disabled: 'it sends nothing',
    }),
    waiting: count('Entries of the log that it has not passed, up to a minute ago.'),
  }),
  Alert: exactObject({
    kind: codes(alertKinds),
    campaignId: textOrNull('The id of the campaign. Null: the whole company.'),
    subject: alertSubject,
    since: time('Since when.'),
  }),
  CampaignOverview: exactObject(
    {
      campaign: reference('CampaignSettings'),
      queue: reference('Queue'),
      dialer: reference('Dialing'),
      stats: reference('OverviewStatistics'),
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
      lastLeadAt: timeOrNull('When the newest lead was created. Absent without `include=leads`.'),
      asOf: time('When all of this was read.'),
    },
    ['lastLeadAt'],
  ),
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
  getOverview: keyedOperation('GET /api/v1/campaigns/{campaignId}/overview', {
    summary: 'Read a campaign’s overview',
    description: prose`Settings, queue, dialer, statistics, live calls, webhooks and alerts in one request, for a page
      that is refreshed. Parts that the key may not read are null. \`from\`, \`to\` and \`bucket\` choose the
      statistics.`,
    right: 'look',
    cli: { noun: 'campaign', verb: 'overview' },
    parameters: describeQuery(overviewQuery, {
      ...rangeParameters,
      include: { description: '`leads`: each live call with its `lead`, and `lastLeadAt`.' },
    }),
    responses: ok('The overview.', reference('CampaignOverview'), example),
  }),
}

export const overview: Area = { tag, operations, schemas }
