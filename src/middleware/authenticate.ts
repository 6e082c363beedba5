// Which key a request carries (401), and what its scope allows (403). A verified key is remembered by the
// isolate, but remembering decides nothing: every statement on leads checks the key again in its own
// transaction, so a revoked key is refused on its next request (D29).
import { createMiddleware } from 'hono/factory'
import { hashApiKey, isWellFormedApiKey } from '../api-key.ts'
import { ApiError } from '../errors.ts'
import { createMemoryWindows, remember } from '../memory-windows.ts'
import { type RecordVariables, timed } from '../request-log.ts'
import type { Window } from '../sliding-window.ts'
import { type Access, type ApiKey, findApiKey, type Refusal, type Scope } from '../store/access.ts'
import { DatabaseUnavailable } from '../store/database.ts'
import { addressSubject, type LimitedContext, spendAddress, unknownPerAddress } from './rate-limit.ts'

export type KeyVariables = { apiKey: ApiKey }

type AuthenticatedContext = LimitedContext & { readonly var: KeyVariables }

export const authenticate = createMiddleware<{ Bindings: Env; Variables: RecordVariables & KeyVariables }>(
  async function authenticate(c, next) {
    const presented = c.req.header('x-api-key') ?? ''
    const apiKey = isWellFormedApiKey(presented) ? await identify(c, hashApiKey(presented)) : null
    if (apiKey === null) throw await refuseKey(c)
    c.set('apiKey', apiKey)
    c.var.record.keyId = apiKey.id
    await next()
  },
)

/** A write key may do all that a read key may. Runs after the rate limit (D8). */
export function requireScope(scope: Scope) {
  return createMiddleware<{ Variables: KeyVariables }>(async function requireScope(c, next) {
    if (scope === 'write' && c.var.apiKey.scope !== 'write')
      throw new ApiError({ kind: 'insufficient_permissions' })
    await next()
  })
}

/**
 * The error for a key that is not, or no longer, valid: the same in every case (D4). It counts against the
 * client's address and carries that window's headers, whatever was charged before (D26).
 */
export async function refuseKey(c: LimitedContext): Promise<ApiError> {
  await spendAddress(c, unknownPerAddress)
  return new ApiError({ kind: 'invalid_api_key' })
}

/** What the store has to check for this request, in the transaction that serves it. */
export function accessTo(c: AuthenticatedContext, campaignId: string): Access {
  return { keyId: c.var.apiKey.id, campaignId, nowMs: Date.now() }
}

/** The store's outcome without its refusals, which are thrown. */
export async function granted<Outcome extends { readonly kind: string }>(
  c: AuthenticatedContext,
  work: Promise<Outcome>,
): Promise<Exclude<Outcome, Refusal>> {
  const outcome = await timed(c.var.record, 'databaseMs', work)
  if (outcome.kind === 'key_refused') {
    rememberedKeys.delete(c.var.apiKey.hash)
    throw await refuseKey(c)
  }
  if (outcome.kind === 'campaign_denied') throw new ApiError({ kind: 'campaign_denied' })
  return outcome as Exclude<Outcome, Refusal>
}

type Remembered = { readonly apiKey: ApiKey; readonly untilMs: number }

const rememberedKeys = new Map<string, Remembered>()
const rememberedForMs = 60_000
const maxRememberedKeys = 10_000

// Guesses with a good checksum cost a look-up each, so an isolate makes only so many: for one address well beyond
// what D26 lets it guess, because valid keys may share it, and for all addresses together.
const lookupsPerAddress: Window = { name: 'address', limit: 600, windowMs: 60_000 }
const lookupsPerIsolate: Window = { name: 'isolate', limit: 6_000, windowMs: 60_000 }
const admitLookup = createMemoryWindows()

/** The active key with this hash, or null. Throws DatabaseUnavailable. */
async function identify(c: LimitedContext, hash: string): Promise<ApiKey | null> {
  const nowMs = Date.now()
  const known = rememberedKeys.get(hash)
  if (known !== undefined && nowMs < known.untilMs) return known.apiKey
  rememberedKeys.delete(hash)

  const mayLookUp =
    admitLookup(addressSubject(c), [lookupsPerAddress]).admitted &&
    admitLookup('all', [lookupsPerIsolate]).admitted
  if (!mayLookUp) {
    await spendAddress(c, unknownPerAddress)
    // A key that could not be checked is not called wrong (D33).
    throw new DatabaseUnavailable('too many look-ups')
  }

  const apiKey = await timed(c.var.record, 'databaseMs', findApiKey(c.env.DB, hash, nowMs))
  if (apiKey !== null) {
    const untilMs = Math.min(nowMs + rememberedForMs, apiKey.expiresAtMs ?? Infinity)
    remember(rememberedKeys, hash, { apiKey, untilMs }, maxRememberedKeys)
  }
  return apiKey
}
