// What the operator may request of a company, and what comes of it: the command line writes both, and a store of its own
// carries it out (carry-out.ts). JSON in D1, so it never has a key, only its hash and hint.
import type { KeyMaterial } from '../access/api-key.ts'
import type { Scope } from '../access/scope.ts'
import type { CompanyMoving, CompanyUnknown } from '../access/store/administration.ts'
import type { SettingsChange } from '../campaigns/settings.ts'
import type { RevokedWith } from '../keys/store/created.ts'
import type { EpochsBegun } from '../ledger/log/begin-epoch.ts'
import type { WebhookOfKey } from '../webhooks/store/key-webhooks.ts'
import type { RestoreResult } from './restore-store.ts'

type Requests = {
  readonly 'campaign.create': {
    readonly companyId: string
    readonly id: string
    readonly name: string
    readonly createdAtMs: number
    /** Of the demo's campaign. */
    readonly settings?: SettingsChange
  }
  readonly 'company.limit': { readonly companyId: string; readonly maxCampaigns: number }
  readonly 'key.create': KeyMaterial & {
    readonly companyId: string
    readonly campaignId: string | null
    readonly scope: Scope
    readonly name: string
    readonly expiresAtMs: number | null
    readonly nowMs: number
  }
  readonly 'key.rotate': KeyMaterial & {
    /** Null: it is in D1. */
    readonly companyId: string | null
    readonly oldId: string
    /** From when the new key works. */
    readonly graceMs: number
    readonly expiresAtMs: number | null
    readonly keepWebhooks: boolean
  }
  readonly 'key.revoke': {
    readonly companyId: string | null
    readonly id: string
    readonly nowMs: number
    readonly keepWebhooks: boolean
    readonly withCreated: boolean
  }
  readonly 'event.restored': {
    /** Null: all companies of the database. */
    readonly companyId: string | null
    readonly restoredToMs: number
    readonly nowMs: number
  }
  readonly 'company.restore': { readonly companyId: string; readonly toMs: number; readonly nowMs: number }
}

type Results = {
  readonly 'campaign.create':
    | CompanyUnknown
    | CompanyMoving
    | { readonly kind: 'created' | 'id_taken' | 'too_many' }
  readonly 'company.limit': CompanyUnknown | CompanyMoving | { readonly kind: 'limited' }
  readonly 'key.create': CompanyUnknown | CompanyMoving | { readonly kind: 'created' | 'campaign_unknown' }
  readonly 'key.rotate':
    | CompanyMoving
    | { readonly kind: 'key_unknown' }
    | { readonly kind: 'key_inactive' }
    | {
        readonly kind: 'rotated'
        readonly expiresAtMs: number | null
        readonly oldExpiresAtMs: number
        /** The old key ended before the grace period is over. */
        readonly isCutShort: boolean
        readonly webhooks: readonly WebhookOfKey[]
      }
  readonly 'key.revoke':
    | { readonly kind: 'key_unknown' }
    | {
        readonly kind: 'revoked'
        readonly revokedAtMs: number
        readonly webhooks: readonly WebhookOfKey[]
        readonly created: readonly RevokedWith[]
      }
  readonly 'event.restored': EpochsBegun & { readonly kind: 'begun' }
  readonly 'company.restore': RestoreResult | { readonly kind: 'too_late' }
}

export type RequestKind = keyof Requests

export type OperatorRequest<Kind extends RequestKind = RequestKind> = {
  [Each in Kind]: { readonly kind: Each } & Requests[Each]
}[Kind]

export type RequestResult<Kind extends RequestKind = RequestKind> = Results[Kind]
