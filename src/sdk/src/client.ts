// The client: what can be called, by area. How a call is sent is in send.ts. What the constructor sets is declared only,
// here and in errors.ts: a field would be code in everybody's bundle.
import { type Calls, callsOf } from './calls.ts'
import { type Leads, leadsOf } from './leads.ts'
import type { Health, KeyList } from './models.ts'
import {
  type Campaigns,
  campaignsOf,
  type Events,
  eventsOf,
  type Suppressions,
  suppressionsOf,
  type Webhooks,
  webhooksOf,
} from './operations.ts'
import {
  type Answer,
  type Call,
  type ClientOptions,
  type RequestOptions,
  type Send,
  senderFor,
} from './send.ts'

/**
 * A client of one lead intake service, with one API key.
 *
 * ```ts
 * const apiKey = process.env.LEAD_INTAKE_KEY ?? ''
 * const client = new LeadIntake({ baseUrl: 'https://leads.example.com', apiKey })
 * const { leadId } = await client.leads.create({ campaignId: 'spring', phoneNumber: '+14155550123' })
 * ```
 */
export class LeadIntake {
  /** Leads: create, list, read, change, erase. */
  declare readonly leads: Leads
  /** Calls: claim, report, extend, release. */
  declare readonly calls: Calls
  /** Campaigns: settings, pause, queue. */
  declare readonly campaigns: Campaigns
  /** Phone numbers that must not be called. */
  declare readonly suppressions: Suppressions
  /** What happened, in order. */
  declare readonly events: Events
  /** Where to tell what happens. */
  declare readonly webhooks: Webhooks
  readonly #send: Send

  constructor(options: ClientOptions) {
    const send = senderFor(options)
    this.#send = send
    this.leads = leadsOf(send)
    this.calls = callsOf(send)
    this.campaigns = campaignsOf(send)
    this.suppressions = suppressionsOf(send)
    this.events = eventsOf(send)
    this.webhooks = webhooksOf(send)
  }

  /** Whether the service and its database answer. One that says no is an answer too: see `status`. */
  async health(options?: RequestOptions): Promise<Health> {
    const call = { ...options, method: 'GET', path: '/api/health', takesFailure: true } as const
    return (await this.#send<Health>(call)).data
  }

  /** The API keys of the company, or of the campaign that this one is for, and how they were used. Takes scope `manage`. */
  async keys(options?: RequestOptions): Promise<KeyList> {
    const call = { ...options, method: 'GET', path: '/api/v1/keys' } as const
    return (await this.#send<KeyList>(call)).data
  }

  /** Any call, also one that this version of the client does not know. Resolves to data, status and headers. */
  request<Data = unknown>(call: Call): Promise<Answer<Data>> {
    return this.#send<Data>(call)
  }
}
