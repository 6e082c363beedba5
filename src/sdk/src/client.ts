// The client: its methods by area. send.ts sends the requests. What the constructor sets is declared only, here and in
// errors.ts: a field would add code to every bundle.
import { type Calls, callsOf } from './calls.ts'
import { presetsOf } from './campaigns/parts.ts'
import { type Consents, consentsOf } from './consents.ts'
import { type Leads, leadsOf } from './leads.ts'
import { type Members, membersOf } from './members.ts'
import type { DialerPreset, Health } from './models.ts'
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
  /** What people have agreed to, and the record of a number. */
  declare readonly consents: Consents
  /** The event log, oldest first. */
  declare readonly events: Events
  /**
   * The API keys of the company, or of this key's campaign, and their use: needs scope `manage`. `client.keys.self()`
   * returns the rights of this key.
   */
  declare readonly keys: Keys
  /** People who sign in to the console, and what people and keys changed: needs scope `manage`. */
  declare readonly members: Members
  /** Where events are sent. */
  declare readonly webhooks: Webhooks
  /** The voice providers that a dialer knows, and what each needs. */
  declare readonly dialerPresets: (options?: RequestOptions) => Promise<DialerPreset[]>
  /** Any request, also one that this client has no method for. Resolves to data, status, headers and text. */
  declare readonly request: Send
  /** Whether the service and its database answer. An unhealthy service does not throw: see `status`. */
  declare readonly health: (options?: RequestOptions) => Promise<Health>

  constructor(options: ClientOptions) {
    const send = senderFor(options)
    const ask = askerFor(send)
    this.request = send
    this.leads = leadsOf(send, ask)
    this.calls = callsOf(ask)
    this.campaigns = campaignsOf(ask)
    this.suppressions = suppressionsOf(ask)
    this.consents = consentsOf(ask)
    this.events = eventsOf(ask)
    this.keys = keysOf(ask)
    this.members = membersOf(ask)
    this.webhooks = webhooksOf(ask)
    this.dialerPresets = presetsOf(ask)
    this.health = (options) => ask('GET', '/api/health', options, { takesFailure: true })
  }
}
