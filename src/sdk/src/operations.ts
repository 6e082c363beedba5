// What is small: `client.campaigns`, `client.suppressions`, `client.events`, `client.keys` and `client.webhooks`.
import type {
  Campaign,
  CampaignSettings,
  ChangeCampaign,
  ChangeWebhook,
  CreateWebhook,
  DataOf,
  Delivery,
  EventList,
  EventQuery,
  KeyList,
  KeySelf,
  LeadIntakeEvent,
  LeadsRequeued,
  LiftSuppressions,
  NumbersSuppressed,
  ReplayWebhook,
  RequeueLeads,
  RotateWebhook,
  Statistics,
  StatisticsQuery,
  Suppression,
  SuppressionQuery,
  SuppressionsLifted,
  SuppressNumbers,
  Webhook,
  WebhookCreated,
  WebhookReplayed,
  WebhookRotated,
  WebhookTested,
} from './models.ts'
import { type EventPages, type Pages, pagesOf } from './paging.ts'
import { type Ask, pathIn, type RequestOptions } from './send.ts'

export type Campaigns = ReturnType<typeof campaignsOf>
export type Suppressions = ReturnType<typeof suppressionsOf>
export type Events = ReturnType<typeof eventsOf>
export type Keys = ReturnType<typeof keysOf>
export type Webhooks = ReturnType<typeof webhooksOf>

export function campaignsOf(ask: Ask) {
  const base = '/api/v1/campaigns'
  const one = pathIn(base)
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

    /** Calls leads again that became final since a moment. While `more` is true, the same call goes on. */
    requeue: (campaignId: string, which: RequeueLeads, options?: RequestOptions): Promise<LeadsRequeued> =>
      ask('POST', `${one(campaignId)}/requeue`, options, { body: which }),

    /** How a campaign does: leads by status, and what was counted by the hour or by the day. */
    stats: (campaignId: string, query?: StatisticsQuery, options?: RequestOptions): Promise<Statistics> =>
      ask('GET', `${one(campaignId)}/stats`, options, { query }),
  }
}

export function suppressionsOf(ask: Ask) {
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
      query?: SuppressionQuery,
      options?: RequestOptions,
    ): Pages<DataOf<'listSuppressions'>, Suppression> => pagesOf(ask, base, query, options, 'suppressions'),
  }
}

export function eventsOf(ask: Ask) {
  return {
    /**
     * What happened, oldest first, until there is no more for now. Keep `next` of the list when the loop is over, and give
     * it as `after` the next time: that goes on from where was looked last, also where no event of your types was. A
     * second loop over the same list goes on by itself.
     */
    list: (query?: EventQuery, options?: RequestOptions): EventPages => {
      const from: { after?: string | null | undefined } = { ...query }
      const pages: Pages<EventList, LeadIntakeEvent> = pagesOf(
        ask,
        '/api/v1/events',
        from,
        options,
        'events',
        ({ events, next }: EventList) => {
          // A page may be empty because its types are not those that were asked for.
          const isOver = events.length === 0 && next === from.after
          from.after = next
          return isOver ? null : {}
        },
      )
      return {
        ...pages,
        get next() {
          return from.after ?? null
        },
      }
    },
  }
}

export function keysOf(ask: Ask) {
  const list = (options?: RequestOptions): Promise<KeyList> => ask('GET', '/api/v1/keys', options)
  return Object.assign(list, {
    /** The key of this client: what it may do, and of which company. Any key may ask. */
    self: (options?: RequestOptions): Promise<KeySelf> => ask('GET', '/api/v1/keys/self', options),
  })
}

const dayMs = 86_400_000

export function webhooksOf(ask: Ask) {
  const base = '/api/v1/webhooks'
  const one = pathIn(base)
  return {
    /** Its secret is told this once. Not tried again when there is no answer: it might make a second one. */
    create: (webhook: CreateWebhook, options?: RequestOptions): Promise<WebhookCreated> =>
      ask('POST', base, options, { body: webhook, isOnce: true }),

    /** In the order in which they were made. */
    list: async (options?: RequestOptions): Promise<Webhook[]> =>
      (await ask<{ webhooks: Webhook[] }>('GET', base, options)).webhooks,

    /** With how far it is behind. */
    get: (webhookId: string, options?: RequestOptions): Promise<Webhook> =>
      ask('GET', one(webhookId), options),

    /** What is left out stays. `{ disabled: false }` has it go on where it stood. */
    update: (webhookId: string, changes: ChangeWebhook, options?: RequestOptions): Promise<Webhook> =>
      ask('PATCH', one(webhookId), options, { body: changes }),

    /** Removes it, and all that is known of its deliveries. */
    delete: (webhookId: string, options?: RequestOptions): Promise<{ deleted: true }> =>
      ask('DELETE', one(webhookId), options, { whenGone: { deleted: true } }),

    /** Gives a new secret. Both sign until `previousExpiresAt`, which is a day from now when not set. */
    rotate: (
      webhookId: string,
      { previousExpiresAt = new Date(Date.now() + dayMs).toISOString() }: RotateWebhook = {},
      options?: RequestOptions,
    ): Promise<WebhookRotated> =>
      ask('POST', `${one(webhookId)}/rotate`, options, { body: { previousExpiresAt } }),

    /** Sends an event of type `webhook.test` at once, and tells what the receiver answered. */
    test: (webhookId: string, options?: RequestOptions): Promise<WebhookTested> =>
      ask('POST', `${one(webhookId)}/test`, options, { isOnce: true }),

    /** Tells again what has happened `since`, with the same ids. */
    replay: (webhookId: string, from: ReplayWebhook, options?: RequestOptions): Promise<WebhookReplayed> =>
      ask('POST', `${one(webhookId)}/replay`, options, { body: from }),

    /** The last tries, the newest first. */
    deliveries: async (
      webhookId: string,
      { limit, ...options }: RequestOptions & { readonly limit?: number } = {},
    ): Promise<Delivery[]> =>
      (
        await ask<{ deliveries: Delivery[] }>('GET', `${one(webhookId)}/deliveries`, options, {
          query: { limit },
        })
      ).deliveries,
  }
}
