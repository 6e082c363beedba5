// The client: what can be called, by area. How a call is sent is in send.ts. What the constructor sets is declared only,
// here and in errors.ts: a field would be code in everybody's bundle.
import { type Calls, callsOf } from './calls.ts'
import { type Leads, leadsOf } from './leads.ts'
import type { Health } from './models.ts'
import {
  type Campaigns,
  campaignsOf,
  type Events,
  eventsOf,
  type Keys,
  keysOf,
  type Suppressions,
  suppressionsOf,
  type Webhooks,
  webhooksOf,
} from './operations.ts'
import { askerFor, type ClientOptions, type RequestOptions, type Send, senderFor } from './send.ts'

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
  /**
   * The API keys of the company, or of the campaign that this one is for, and how they were used: takes scope `manage`.
   * `client.keys.self()` says what this one may do.
   */
  declare readonly keys: Keys
  /** Where to tell what happens. */
  declare readonly webhooks: Webhooks
  /** Any call, also one that this version of the client does not know. Resolves to data, status and headers. */
  declare readonly request: Send
  /** Whether the service and its database answer. One that says no is an answer too: see `status`. */
  declare readonly health: (options?: RequestOptions) => Promise<Health>

  constructor(options: ClientOptions) {
    const send = senderFor(options)
    const ask = askerFor(send)
    this.request = send
    this.leads = leadsOf(send, ask)
    this.calls = callsOf(ask)
    this.campaigns = campaignsOf(ask)
    this.suppressions = suppressionsOf(ask)
    this.events = eventsOf(ask)
    this.keys = keysOf(ask)
    this.webhooks = webhooksOf(ask)
    this.health = (options) => ask('GET', '/api/health', options, { takesFailure: true })
  }
}
