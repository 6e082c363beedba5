// What is small: `client.campaigns`, `client.suppressions`, `client.events` and `client.webhooks`.
import type {
  Campaign,
  CampaignSettings,
  ChangeCampaign,
  DataOf,
  EventList,
  EventQuery,
  LeadIntakeEvent,
  LiftSuppressions,
  NumbersSuppressed,
  Suppression,
  SuppressionQuery,
  SuppressionsLifted,
  SuppressNumbers,
} from './models.ts'
import { type Pages, pagesOf } from './paging.ts'
import { askerFor, type RequestOptions, type Send } from './send.ts'

export type Campaigns = ReturnType<typeof campaignsOf>
export type Suppressions = ReturnType<typeof suppressionsOf>
export type Events = ReturnType<typeof eventsOf>
export type Webhooks = ReturnType<typeof webhooksOf>

export function campaignsOf(send: Send) {
  const ask = askerFor(send)
  const base = '/api/v1/campaigns'
  const one = (campaignId: string) => `${base}/${encodeURIComponent(campaignId)}`
  return {
    /** Those of the company, oldest first; to a campaign's key, its own. */
    list: async (options?: RequestOptions): Promise<CampaignSettings[]> =>
      (await ask<DataOf<'listCampaigns'>>('GET', base, options)).campaigns,

    /** The settings of a campaign, and its queue. */
    get: (campaignId: string, options?: RequestOptions): Promise<Campaign> =>
      ask('GET', one(campaignId), options),

    /** Changes settings: what is left out stays, `null` restores the default. `{ paused: true }` pauses. */
    update: (campaignId: string, changes: ChangeCampaign, options?: RequestOptions): Promise<Campaign> =>
      ask('PATCH', one(campaignId), options, { body: changes }),
  }
}

export function suppressionsOf(send: Send) {
  const ask = askerFor(send)
  const base = '/api/v1/suppressions'
  return {
    /** No claim after it hands these numbers out. */
    add: (numbers: SuppressNumbers, options?: RequestOptions): Promise<NumbersSuppressed> =>
      ask('POST', base, options, { body: numbers }),

    /** Of exactly the company, or exactly the campaign. */
    lift: (numbers: LiftSuppressions, options?: RequestOptions): Promise<SuppressionsLifted> =>
      ask('DELETE', base, options, { body: numbers }),

    /** In the order of the numbers. */
    list: (
      query: SuppressionQuery = {},
      options?: RequestOptions,
    ): Pages<DataOf<'listSuppressions'>, Suppression> =>
      pagesOf(
        (after) => ask<DataOf<'listSuppressions'>>('GET', base, options, { query: { ...query, ...after } }),
        'suppressions',
      ),
  }
}

export function eventsOf(send: Send) {
  const ask = askerFor(send)
  return {
    /** What happened since, oldest first, until there is no more for now. Keep the last `id`, and go on `after` it. */
    list: (query: EventQuery = {}, options?: RequestOptions): Pages<EventList, LeadIntakeEvent> =>
      pagesOf(
        (after) => ask<EventList>('GET', '/api/v1/events', options, { query: { ...query, ...after } }),
        'events',
        ({ events, next }) => (events.length > 0 ? { after: next } : null),
      ),
  }
}

export function webhooksOf(send: Send) {
  const ask = askerFor(send)
  const base = '/api/v1/webhooks'
  const one = (webhookId: string) => `${base}/${encodeURIComponent(webhookId)}`
  return {
    list: (options?: RequestOptions): Promise<unknown> => ask('GET', base, options),
    get: (webhookId: string, options?: RequestOptions): Promise<unknown> =>
      ask('GET', one(webhookId), options),
  }
}
