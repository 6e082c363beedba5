// The smaller areas: `client.campaigns`, `client.suppressions`, `client.events`, `client.keys` and `client.webhooks`.
import { dialersOf, gatesOf, sourcesOf } from './campaigns/parts.ts'
import type * as api from './models.ts'
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
  const pages = (
    query?: api.CampaignQuery,
    options?: RequestOptions,
  ): Pages<api.DataOf<'listCampaigns'>, api.ListedCampaign> =>
    pagesOf(ask, base, { limit: query?.include ? 25 : 1000, ...query }, options, { member: 'campaigns' })
  return {
    /** All campaigns of the company, oldest first; for a campaign's key, its own. */
    list: async (options?: RequestOptions): Promise<api.CampaignSettings[]> => {
      const campaigns: api.CampaignSettings[] = []
      for await (const campaign of pages({}, options)) campaigns.push(campaign)
      return campaigns
    },

    /**
     * Page by page; with `archived: true` the archived ones, with `include: 'overview'` the queue and today's activity
     * of each.
     */
    pages,

    /** Creates a campaign. Needs a company-wide key. */
    create: (campaign: api.CreateCampaign, options?: RequestOptions) =>
      ask<api.Campaign>('POST', base, options, { body: campaign, isOnce: true }),

    /** The settings of a campaign, and its queue. */
    get: (campaignId: string, options?: RequestOptions) => ask<api.Campaign>('GET', one(campaignId), options),

    /**
     * Updates settings: omitted ones stay, `null` resets one to its default. `{ paused: true }` pauses, `{ archived:
     * true }` archives.
     */
    update: (campaignId: string, changes: api.ChangeCampaign, options?: RequestOptions) =>
      ask<api.Campaign>('PATCH', one(campaignId), options, { body: changes }),

    /** Queues leads again that became final since a time. While `more` is true, call it again for the rest. */
    requeue: (campaignId: string, which: api.RequeueLeads, options?: RequestOptions) =>
      ask<api.LeadsRequeued>('POST', `${one(campaignId)}/requeue`, options, { body: which }),

    /** Statistics: leads by status, and activity by the hour or by the day. */
    stats: (campaignId: string, query?: api.StatisticsQuery, options?: RequestOptions) =>
      ask<api.Statistics>('GET', `${one(campaignId)}/stats`, options, { query }),

    /** Leads, calls and costs by day, hour, outcome, origin or agent. */
    statsBy: (campaignId: string, query: api.GroupedQuery, options?: RequestOptions) =>
      ask<api.GroupedStatistics>('GET', `${one(campaignId)}/stats`, options, { query }),

    /** The calls of a campaign, newest first. */
    calls: (
      campaignId: string,
      query?: api.CampaignCallQuery,
      options?: RequestOptions,
    ): Pages<api.CampaignCallList, api.CampaignCall> =>
      pagesOf(ask, `${one(campaignId)}/calls`, query, options, { member: 'calls' }),

    /** Settings, queue, statistics, live calls, webhooks and alerts in one request. */
    overview: (campaignId: string, query?: api.OverviewQuery, options?: RequestOptions) =>
      ask<api.CampaignOverview>('GET', `${one(campaignId)}/overview`, options, { query }),

    /**
     * What the queue's first leads would do if the campaign called now; with a `query` as if it required that consent.
     * Do not poll it.
     */
    preview: (campaignId: string, options?: RequestOptions, query?: api.PreviewQuery) =>
      ask<api.CampaignPreview>('GET', `${one(campaignId)}/preview`, options, { query }),

    /** The dialer of a campaign: the service starts its calls at a voice provider. */
    dialer: dialersOf(ask, (campaignId) => `${one(campaignId)}/dialer`),

    /** The gate of a campaign: who is asked before a lead is called. */
    gate: gatesOf(ask, (campaignId) => `${one(campaignId)}/gate`),

    /** The sources of a campaign: URLs to which forms, ads and CRMs post. */
    sources: sourcesOf(ask, (campaignId) => `${one(campaignId)}/sources`),
  }
}

export function suppressionsOf(ask: Ask) {
  const base = '/api/v1/suppressions'
  return {
    /** Suppresses numbers: no later claim returns their leads. */
    add: (numbers: api.SuppressNumbers, options?: RequestOptions) =>
      ask<api.NumbersSuppressed>('POST', base, options, { body: numbers }),

    /** Removes suppressions of exactly the company, or exactly the campaign. */
    lift: (numbers: api.LiftSuppressions, options?: RequestOptions) =>
      ask<api.SuppressionsLifted>('DELETE', base, options, { body: numbers }),

    /** Suppressed numbers, sorted by number. */
    list: (
      query?: api.SuppressionQuery,
      options?: RequestOptions,
    ): Pages<api.DataOf<'listSuppressions'>, api.Suppression> =>
      pagesOf(ask, base, query, options, { member: 'suppressions' }),
  }
}

export function eventsOf(ask: Ask) {
  return {
    /**
     * Events, oldest first, up to the newest. Store `next` of the list when the loop ends, and pass it as `after` the
     * next time: it continues where the service stopped reading, even when no event matched your types. A second loop
     * over the same list continues by itself.
     */
    list: (query?: api.EventQuery, options?: RequestOptions): EventPages => {
      const from: { after?: string | null | undefined } = { ...query }
      const pages: Pages<api.EventList, api.LeadIntakeEvent> = pagesOf(ask, '/api/v1/events', from, options, {
        member: 'events',
        nextOf: ({ events, next }: api.EventList) => {
          // A page may be empty because none of its events have the requested types.
          const isOver = events.length === 0 && next === from.after
          from.after = next
          return isOver ? null : {}
        },
      })
      return {
        ...pages,
        get next() {
          return from.after ?? null
        },
      }
    },
  }
}

type WithCreated = RequestOptions & { readonly withCreated?: boolean }

export function keysOf(ask: Ask) {
  const base = '/api/v1/keys'
  const one = pathIn(base)
  const list = (options?: RequestOptions) => ask<api.KeyList>('GET', base, options)
  return Object.assign(list, {
    /** The rights of this client's own key, and its company. Needs no scope. */
    self: (options?: RequestOptions) => ask<api.KeySelf>('GET', one('self'), options),

    /** Returns the key, this once. Not retried when there is no answer: that could create a second key. */
    create: (key: api.CreateKey, options?: RequestOptions) =>
      ask<api.KeyCreated>('POST', base, options, { body: key, isOnce: true }),

    /**
     * Returns a new key with the same rights, this once. The old one works for `graceSeconds`, a day when not set. What
     * it created is named, and ends with `withCreated`.
     */
    rotate: (keyId: string, body?: api.RotateKey, { withCreated, ...options }: WithCreated = {}) =>
      ask<api.KeyRotated>('POST', `${one(keyId)}/rotate`, options, {
        body,
        query: { withCreated },
        isOnce: true,
      }),

    /**
     * Revokes a key, and with `withCreated` the keys, webhooks and members that it created, with what these created:
     * the answer names them in any case, and says when no manager is left.
     */
    revoke: (keyId: string, { withCreated, ...options }: WithCreated = {}) =>
      ask<api.KeyRevoked>('DELETE', one(keyId), options, { query: { withCreated } }),
  })
}

const dayMs = 86_400_000

export function webhooksOf(ask: Ask) {
  const base = '/api/v1/webhooks'
  const one = pathIn(base)
  return {
    /** Returns its secret, this once. Not retried when there is no answer: that could create a second webhook. */
    create: (webhook: api.CreateWebhook, options?: RequestOptions) =>
      ask<api.WebhookCreated>('POST', base, options, { body: webhook, isOnce: true }),

    /** All webhooks, oldest first. */
    list: async (options?: RequestOptions): Promise<api.Webhook[]> =>
      (await ask<{ webhooks: api.Webhook[] }>('GET', base, options)).webhooks,

    /** One webhook, with its lag. */
    get: (webhookId: string, options?: RequestOptions) => ask<api.Webhook>('GET', one(webhookId), options),

    /** Changes a webhook: omitted members stay. `{ disabled: false }` resumes where it stopped. */
    update: (webhookId: string, changes: api.ChangeWebhook, options?: RequestOptions) =>
      ask<api.Webhook>('PATCH', one(webhookId), options, { body: changes }),

    /** Removes a webhook and its deliveries. */
    delete: (webhookId: string, options?: RequestOptions) =>
      ask<{ deleted: true }>('DELETE', one(webhookId), options, { whenGone: { deleted: true } }),

    /** Rotates the secret. The old one also signs until `previousExpiresAt`, a day from now when not set. */
    rotate: (
      webhookId: string,
      { previousExpiresAt = new Date(Date.now() + dayMs).toISOString() }: api.RotateWebhook = {},
      options?: RequestOptions,
    ) =>
      ask<api.WebhookRotated>('POST', `${one(webhookId)}/rotate`, options, { body: { previousExpiresAt } }),

    /** Sends an event of type `webhook.test` now, and returns the receiver's answer. */
    test: (webhookId: string, options?: RequestOptions) =>
      ask<api.WebhookTested>('POST', `${one(webhookId)}/test`, options, { isOnce: true }),

    /** Resends past events from `since` on, with the same ids. */
    replay: (webhookId: string, from: api.ReplayWebhook, options?: RequestOptions) =>
      ask<api.WebhookReplayed>('POST', `${one(webhookId)}/replay`, options, { body: from }),

    /** The last delivery attempts, newest first. */
    deliveries: async (
      webhookId: string,
      { limit, ...options }: RequestOptions & { readonly limit?: number } = {},
    ): Promise<api.Delivery[]> => {
      const more = { query: { limit } }
      const path = `${one(webhookId)}/deliveries`
      return (await ask<{ deliveries: api.Delivery[] }>('GET', path, options, more)).deliveries
    },
  }
}
