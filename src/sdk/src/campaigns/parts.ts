// What belongs to a campaign: `client.campaigns.dialer`, `client.campaigns.gate` and `client.campaigns.sources`; and
// `client.dialerPresets`.
import type { CreateOptions } from '../leads.ts'
import type * as api from '../models.ts'
import { type Ask, pathIn, type RequestOptions } from '../send.ts'

export function sourcesOf(ask: Ask, all: (campaignId: string) => string) {
  const one = (campaignId: string, sourceId: string) => pathIn(all(campaignId))(sourceId)
  return {
    /** Returns it with its URL. The same request with the same `idempotencyKey` returns the same source. */
    create: (
      campaignId: string,
      source: api.CreateSource,
      { idempotencyKey = crypto.randomUUID(), ...options }: CreateOptions = {},
    ) => ask<api.Source>('POST', all(campaignId), options, { body: source, idempotencyKey }),

    /** All sources of the campaign, oldest first. */
    list: async (campaignId: string, options?: RequestOptions): Promise<api.Source[]> =>
      (await ask<{ sources: api.Source[] }>('GET', all(campaignId), options)).sources,

    /** Settings, URL, and what it has received. */
    get: (campaignId: string, sourceId: string, options?: RequestOptions) =>
      ask<api.Source>('GET', one(campaignId, sourceId), options),

    /** Changes a source: omitted members stay, `null` resets one to its default. */
    update: (campaignId: string, sourceId: string, changes: api.ChangeSource, options?: RequestOptions) =>
      ask<api.Source>('PATCH', one(campaignId, sourceId), options, { body: changes }),

    /** Its URL is none from then on. */
    remove: (campaignId: string, sourceId: string, options?: RequestOptions) =>
      ask<{ deleted: true }>('DELETE', one(campaignId, sourceId), options, { whenGone: { deleted: true } }),

    /** Returns it with a new URL. The old one is none from then on. */
    rotate: (campaignId: string, sourceId: string, options?: RequestOptions) =>
      ask<api.Source>('POST', `${one(campaignId, sourceId)}/rotate`, options, { isOnce: true }),

    /** What would become of a post. Stores nothing. */
    try: (campaignId: string, sourceId: string, post: api.TrySource, options?: RequestOptions) =>
      ask<api.SourceTried>('POST', `${one(campaignId, sourceId)}/try`, options, { body: post }),
  }
}

export function gatesOf(ask: Ask, one: (campaignId: string) => string) {
  return {
    /** What it asks, and its state. A campaign without a gate: 404. */
    get: (campaignId: string, options?: RequestOptions) => ask<api.Gate>('GET', one(campaignId), options),

    /** Replaces the gate, if there is one. */
    set: (campaignId: string, gate: api.SetGate, options?: RequestOptions) =>
      ask<api.Gate>('PUT', one(campaignId), options, { body: gate }),

    /** Changes a gate: omitted members stay, secrets are merged. */
    update: (campaignId: string, changes: api.ChangeGate, options?: RequestOptions) =>
      ask<api.Gate>('PATCH', one(campaignId), options, { body: changes }),

    /** Held leads return to the queue within minutes. */
    remove: (campaignId: string, options?: RequestOptions) =>
      ask<{ deleted: true }>('DELETE', one(campaignId), options, { whenGone: { deleted: true } }),

    /** Asks about one number, and stores nothing. */
    try: (campaignId: string, of: api.TryGate, options?: RequestOptions) =>
      ask<api.GateTried>('POST', `${one(campaignId)}/try`, options, { body: of }),

    /** Asks again, after it stopped because most answers were a no. */
    goOn: (campaignId: string, options?: RequestOptions) =>
      ask<api.Gate>('POST', `${one(campaignId)}/go-on`, options),

    /** The last requests, newest first. */
    trace: async (campaignId: string, options?: RequestOptions) =>
      (await ask<{ exchanges: api.DialerExchange[] }>('GET', `${one(campaignId)}/trace`, options)).exchanges,
  }
}

export function dialersOf(ask: Ask, one: (campaignId: string) => string) {
  return {
    /** Settings and state. A campaign without a dialer: 404. */
    get: (campaignId: string, options?: RequestOptions) => ask<api.Dialer>('GET', one(campaignId), options),

    /** Replaces the dialer, if there is one. */
    set: (campaignId: string, dialer: api.SetDialer, options?: RequestOptions) =>
      ask<api.Dialer>('PUT', one(campaignId), options, { body: dialer }),

    /** Changes a dialer: omitted members stay, variables and secrets are merged. */
    update: (campaignId: string, changes: api.ChangeDialer, options?: RequestOptions) =>
      ask<api.Dialer>('PATCH', one(campaignId), options, { body: changes }),

    /** Starts no more calls. Live ones end, and are reported. */
    remove: (campaignId: string, options?: RequestOptions) =>
      ask<{ deleted: true }>('DELETE', one(campaignId), options, { whenGone: { deleted: true } }),

    /** The start of a call as it would be sent. Sends nothing. */
    preview: (campaignId: string, of: api.PreviewDialer, options?: RequestOptions) =>
      ask<api.DialerPreview>('POST', `${one(campaignId)}/preview`, options, { body: of }),

    /** Whether the provider takes the credentials. */
    check: (campaignId: string, options?: RequestOptions) =>
      ask<api.DialerChecked>('POST', `${one(campaignId)}/check`, options),

    /** The last requests to the provider that say something, newest first. */
    trace: async (campaignId: string, options?: RequestOptions): Promise<api.DialerExchange[]> =>
      (await ask<{ exchanges: api.DialerExchange[] }>('GET', `${one(campaignId)}/trace`, options)).exchanges,

    /** Rings one number by the dialer's settings, outside the queue. Sent once: a second one would ring again. */
    test: (campaignId: string, call: api.TestDialer, options?: RequestOptions) =>
      ask<{ testId: string }>('POST', `${one(campaignId)}/test`, options, { body: call, isOnce: true }),

    /** How a test call stands, and what would have been reported. */
    tested: (campaignId: string, testId: string, options?: RequestOptions) =>
      ask<api.DialerTest>('GET', pathIn(`${one(campaignId)}/test`)(testId), options),
  }
}

export const presetsOf =
  (ask: Ask) =>
  async (options?: RequestOptions): Promise<api.DialerPreset[]> =>
    (await ask<{ presets: api.DialerPreset[] }>('GET', '/api/v1/dialer-presets', options)).presets
