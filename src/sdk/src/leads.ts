// The leads of a company: `client.leads`.
import { type CreateManyOptions, createMany } from './create-many.ts'
import type * as api from './models.ts'
import { type Pages, pagesOf } from './paging.ts'
import { type Ask, type Call, pathIn, type RequestOptions, type Send } from './send.ts'

const base = '/api/v1/leads'

export type CreateOptions = RequestOptions & {
  /** Such as your own id of the lead: 1 to 255 visible ASCII characters. Random when not set. */
  readonly idempotencyKey?: string
}

export type Created = {
  readonly leadId: string
  /** An earlier request with the same `idempotencyKey` stored it. */
  readonly replayed: boolean
}

type GetOptions = RequestOptions & { readonly include?: 'origin' }

export type UpdateOptions = RequestOptions & {
  /** The `etag` of the lead as you read it: throws ChangedMeanwhileError when it was changed since. */
  readonly ifMatch?: string
}

/** A lead with its `etag`, the `ifMatch` of `update`. */
export type LeadRead = api.Lead & { readonly etag: string | null }

export type Leads = ReturnType<typeof leadsOf>

export function leadsOf(send: Send, ask: Ask) {
  const one = pathIn(base)
  const callPages = (
    leadId: string,
    query?: api.PastCallQuery,
    options?: RequestOptions,
  ): Pages<api.PastCallList, api.PastCall> =>
    pagesOf(ask, `${one(leadId)}/calls`, query, options, { member: 'calls' })
  const readLead = async (call: Call): Promise<LeadRead> => {
    const { data, headers } = await send<{ lead: api.Lead }>(call)
    return { ...data.lead, etag: headers.get('etag') }
  }
  return {
    /**
     * Creates one lead.
     * @throws LeadExistsError when its phone number is in the campaign already.
     */
    async create(
      lead: api.CreateLead,
      { idempotencyKey = crypto.randomUUID(), ...options }: CreateOptions = {},
    ): Promise<Created> {
      const call = { ...options, method: 'POST', path: base, body: lead, idempotencyKey } as const
      const { data, headers } = await send<{ leadId: string }>(call)
      return { leadId: data.leadId, replayed: headers.has('idempotent-replayed') }
    },

    /**
     * Checks one lead as `create` would, and stores nothing.
     * @throws LeadExistsError when its phone number is in the campaign already.
     */
    async check(lead: api.CreateLead, options?: RequestOptions): Promise<void> {
      await send({ ...options, method: 'POST', path: `${base}?dryRun=true`, body: lead })
    },

    /**
     * Creates any number of leads, and yields one result for each, in order. Sends them in bulk, as fast as the rate
     * limits allow. Nothing is sent before you iterate over the results.
     */
    createMany: (
      campaignId: string,
      leads: Iterable<api.NewLead> | AsyncIterable<api.NewLead>,
      options?: CreateManyOptions,
    ) => createMany(send, campaignId, leads, options),

    /** The leads of a campaign, oldest first: `for await (const lead of client.leads.list({ campaignId }))`. */
    list: (query: api.LeadQuery, options?: RequestOptions): Pages<api.LeadList, api.Lead> =>
      pagesOf(ask, base, { limit: 1000, ...query }, options, { member: 'leads' }),

    /** Leads by number, external id or words, in all campaigns of the key, newest first. */
    search: (query: api.SearchQuery, options?: RequestOptions): Pages<api.FoundLeadList, api.FoundLead> =>
      pagesOf(ask, `${base}/search`, query, options, { member: 'leads' }),

    /** One lead; with `include: 'origin'` also where it came from. */
    get: (leadId: string, { include, ...options }: GetOptions = {}): Promise<LeadRead> =>
      readLead({ ...options, method: 'GET', path: one(leadId), query: { include } }),

    /** Changes a lead: omitted fields stay, `null` clears one. The phone number and the campaign cannot change. */
    update: (
      leadId: string,
      changes: api.LeadChange,
      { ifMatch, ...options }: UpdateOptions = {},
    ): Promise<LeadRead> =>
      readLead({
        ...options,
        method: 'PATCH',
        path: one(leadId),
        body: changes,
        headers: ifMatch ? { 'if-match': ifMatch } : {},
      }),

    /** Erases one lead permanently. */
    erase: (leadId: string, options?: RequestOptions) => ask<api.Erased>('DELETE', one(leadId), options),

    /** Erases a person in all campaigns of the company. Suppresses the number unless `suppress` is false. */
    erasePerson: (person: api.Erasure, options?: RequestOptions) =>
      ask<api.Erased>('POST', '/api/v1/erasures', options, { body: person }),

    /** The calls of a lead, oldest first, page by page: `for await (const call of client.leads.callPages(leadId))`. */
    callPages,

    /** All calls of a lead, oldest first. */
    calls: async (leadId: string, options?: RequestOptions): Promise<api.PastCall[]> => {
      const calls: api.PastCall[] = []
      for await (const call of callPages(leadId, undefined, options)) calls.push(call)
      return calls
    },

    /** Everything that blocks a lead from being called, now or at another time. */
    explain: (leadId: string, { at, ...options }: RequestOptions & { readonly at?: string } = {}) =>
      ask<api.Explanation>('GET', `${one(leadId)}/calling`, options, { query: { at } }),

    /** Queues up to 100 leads again, and returns the result of each. */
    requeueMany: (leadIds: readonly string[], options?: RequestOptions) =>
      ask<api.SelectionRequeued>('POST', `${base}/requeue`, options, { body: { leadIds } }),

    /** Queues a lead again: the only way out of `exhausted` and `concluded`. */
    requeue: async (leadId: string, options?: RequestOptions): Promise<api.Lead> =>
      (await ask<api.DataOf<'requeueLead'>>('POST', `${one(leadId)}/requeue`, options)).lead,
  }
}
