// Which key a request carries (401), and what its scope allows (403). A verified key is remembered by the
// isolate, but remembering decides nothing: every statement on leads checks the key again in its own
// transaction, so a revoked key is refused on its next request (D29).
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { hashApiKey, isWellFormedApiKey } from '../api-key.ts'
import { ApiError, type Problem } from '../errors.ts'
import { createMemoryWindows, remember } from '../memory-windows.ts'
import { type RecordVariables, timed } from '../request-log.ts'
import type { Window } from '../sliding-window.ts'
import { type Access, type ApiKey, findApiKey, type Refusal, type Scope } from '../store/access.ts'
import { DatabaseUnavailable } from '../store/database.ts'
import { addressSubject, type LimitedContext, spendAddress, unknownPerAddress } from './rate-limit.ts'

export type KeyVariables = {
  apiKey: ApiKey
  /** The key was let through from memory: no statement has checked it yet. */
  isKeyRemembered: boolean
}

type AuthenticatedContext = LimitedContext & { readonly var: KeyVariables }

export const authenticate = createMiddleware<{ Bindings: Env; Variables: RecordVariables & KeyVariables }>(
  async function authenticate(c, next) {
    const presented = c.req.header('x-api-key') ?? ''
    const hash = isWellFormedApiKey(presented) ? hashApiKey(presented) : null
    const remembered = hash === null ? null : recall(hash)
    const apiKey = remembered ?? (hash === null ? null : await lookUp(c, hash))
    if (apiKey === null) throw await refuseKey(c)
    c.set('apiKey', apiKey)
    c.set('isKeyRemembered', remembered !== null)
    c.var.record.keyId = apiKey.id
    await next()
  },
)

/** Problems that are found before the store is asked. A 429 costs no look-up, and 401 is the answer already. */
const foundBeforeStore: ReadonlySet<Problem['kind']> = new Set([
  'not_found',
  'method_not_allowed',
  'insufficient_permissions',
  'unsupported_media_type',
  'body_too_large',
  'invalid_json',
  'invalid_field',
])

type MaybeKeyed = LimitedContext & {
  var: Context<{ Variables: RecordVariables & Partial<KeyVariables> }>['var']
}

/**
 * What to answer for an error. A wrong key comes before all else that is wrong (D8), also when it was revoked while
 * it was remembered (D29): so a problem found before the store checked the key is told to a key that still holds.
 */
export async function recheckKey(c: MaybeKeyed, error: unknown): Promise<unknown> {
  const { apiKey, isKeyRemembered } = c.var
  if (apiKey === undefined || isKeyRemembered !== true) return error
  if (!(error instanceof ApiError && foundBeforeStore.has(error.problem.kind))) return error
  try {
    return (await lookUp(c, apiKey.hash)) === null ? await refuseKey(c) : error
  } catch (failure) {
    return failure
  }
}

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
// what D26 lets it guess, because valid keys may share it, and for all addresses together. A key that was valid when
// last seen is no guess, so whoever floods the isolate with guesses cannot lock out those who already use it.
const lookupsPerAddress: Window = { name: 'address', limit: 600, windowMs: 60_000 }
const lookupsPerIsolate: Window = { name: 'isolate', limit: 6_000, windowMs: 60_000 }
const admitLookup = createMemoryWindows()

function recall(hash: string): ApiKey | null {
  const known = rememberedKeys.get(hash)
  return known !== undefined && Date.now() < known.untilMs ? known.apiKey : null
}

/** The active key with this hash, or null. Throws DatabaseUnavailable. */
async function lookUp(c: LimitedContext, hash: string): Promise<ApiKey | null> {
  const nowMs = Date.now()
  const mayLookUp =
    rememberedKeys.has(hash) ||
    (admitLookup(addressSubject(c), [lookupsPerAddress]).admitted &&
      admitLookup('all', [lookupsPerIsolate]).admitted)
  if (!mayLookUp) {
    await spendAddress(c, unknownPerAddress)
    // A key that could not be checked is not called wrong (D33).
    throw new DatabaseUnavailable('too many look-ups')
  }

  const apiKey = await timed(c.var.record, 'databaseMs', findApiKey(c.env.DB, hash, nowMs)).catch(
    async (failure) => {
      // Every answer carries the headers (Limits, rule 3), and without a key they are the address's (D26). It is
      // 503 also when that window is spent: who could not be checked has not guessed.
      await spendAddress(c, unknownPerAddress).catch(() => {})
      throw failure
    },
  )
  if (apiKey === null) rememberedKeys.delete(hash)
  else {
    const untilMs = Math.min(nowMs + rememberedForMs, apiKey.expiresAtMs ?? Infinity)
    remember(rememberedKeys, hash, { apiKey, untilMs }, maxRememberedKeys)
  }
  return apiKey
}
