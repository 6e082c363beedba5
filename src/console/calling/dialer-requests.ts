// The requests of the page Calling: a campaign's dialer, and the presets that one can be made from.
import type { Preset } from '../../dialers/presets/preset.ts'
import { LeadIntakeError } from '../../sdk/src/errors.ts'
import { askerFor } from '../../sdk/src/send.ts'
import type { Client } from '../service/client.ts'

export type DialerProblem = {
  readonly at: string
  readonly status: number | null
  readonly code: string | null
  readonly message: string | null
}

export type DialerState = {
  readonly status: 'running' | 'idle' | 'waiting' | 'resting' | 'stopped' | 'off'
  readonly reason: string | null
  readonly since: string
  readonly live: number
  readonly lastProblem: DialerProblem | null
}

export type Dialer = {
  readonly enabled: boolean
  readonly maxLive: number
  readonly preset: string
  /** Null: the preset's. */
  readonly template: object | null
  readonly variables: Readonly<Record<string, string>>
  readonly secrets: Readonly<Record<string, { readonly hint: string | null }>>
  readonly state: DialerState
}

export type DialerChecked = { readonly ok: boolean | null; readonly problem: DialerProblem | null }

export type DialerRequests = ReturnType<typeof dialerRequests>

export function dialerRequests({ send }: Client, campaignId: string) {
  const ask = askerFor(send)
  const path = `/api/v1/campaigns/${encodeURIComponent(campaignId)}/dialer`
  return {
    presets: () => ask<{ readonly presets: readonly Preset[] }>('GET', '/api/v1/dialer-presets'),

    /** `dialer` null: there is none. */
    get: async (): Promise<{ readonly dialer: Dialer | null }> => {
      try {
        return { dialer: await ask<Dialer>('GET', path) }
      } catch (error) {
        if (error instanceof LeadIntakeError && error.code === 'dialer_not_found') return { dialer: null }
        throw error
      }
    },

    set: (body: object) => ask<Dialer>('PUT', path, {}, { body }),
    update: (body: object) => ask<Dialer>('PATCH', path, {}, { body }),
    remove: () => ask<object>('DELETE', path),
    check: () => ask<DialerChecked>('POST', `${path}/check`),
  }
}
