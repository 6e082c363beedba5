// Which key a request carries (401), and what its scope allows (403). How keys are looked up and remembered is in
// key-memory.ts; that remembering decides nothing is seen to here, and by the statements on leads, which check the
// key again in their own transaction (D29).
import { createMiddleware } from 'hono/factory'
import { ApiError, type Problem } from '../http/errors.ts'
import { type RecordVariables, timed } from '../http/request-log.ts'
import {
  addressSubject,
  type LimitedContext,
  type Needed,
  spend,
  spendAddress,
  unknownPerAddress,
} from '../rate-limits/rate-limit.ts'
import type { Window } from '../rate-limits/sliding-window.ts'
import { isWellFormedApiKey } from './api-key.ts'
import { forgetKey, lookUpKey, recallKey, TooManyLookUps } from './key-memory.ts'
import { hasRight, type Right } from './scope.ts'
import type { Access, ApiKey, Refusal } from './store/rights.ts'

export type KeyVariables = {
  apiKey: ApiKey
  /** The key was let through from memory: no statement has checked it yet. */
  isKeyRemembered: boolean
}

type AuthenticatedContext = Needed<RecordVariables & KeyVariables>

export const authenticate = createMiddleware<{ Bindings: Env; Variables: RecordVariables & KeyVariables }>(
  async function authenticate(c, next) {
    const key = presentedKey(c)
    const remembered = recallKey(key)
    const apiKey = remembered ?? (isWellFormedApiKey(key) ? await lookUp(c, key) : null)
    if (apiKey === null) throw await refuseKey(c)
    c.set('apiKey', apiKey)
    c.set('isKeyRemembered', remembered !== null)
    c.get('record').keyId = apiKey.id
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

type MaybeKeyed = Needed<RecordVariables & Partial<KeyVariables>>

/**
 * What to answer for an error. A wrong key comes before all else that is wrong (D8), also when it was revoked while
 * it was remembered (D29): so a problem found before the store checked the key is told to a key that still holds.
 */
export async function recheckKey(c: MaybeKeyed, error: unknown): Promise<unknown> {
  if (c.get('apiKey') === undefined || c.get('isKeyRemembered') !== true) return error
  if (!(error instanceof ApiError && foundBeforeStore.has(error.problem.kind))) return error
  try {
    return (await lookUp(c, presentedKey(c))) === null ? await refuseKey(c) : error
  } catch (failure) {
    return failure
  }
}

/** Charges the key that authenticate let through. */
export function limitKey(...windows: Window[]) {
  return createMiddleware<{ Bindings: Env; Variables: RecordVariables & KeyVariables }>(
    async function limitKey(c, next) {
      await spend(c, `key:${c.get('apiKey').id}`, windows)
      await next()
    },
  )
}

/** Runs after the rate limit (D8). */
export function requireScope(right: Right) {
  return createMiddleware<{ Variables: KeyVariables }>(async function requireScope(c, next) {
    if (!hasRight(c.get('apiKey').scope, right)) throw new ApiError({ kind: 'insufficient_permissions' })
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
  return { keyId: c.get('apiKey').id, campaignId, nowMs: Date.now() }
}

/** The store's outcome without its refusals, which are thrown. */
export async function granted<Outcome extends { readonly kind: string }>(
  c: AuthenticatedContext,
  work: Promise<Outcome>,
): Promise<Exclude<Outcome, Refusal>> {
  const outcome = await timed(c.get('record'), 'databaseMs', work)
  if (outcome.kind === 'key_refused') {
    forgetKey(presentedKey(c))
    throw await refuseKey(c)
  }
  if (outcome.kind === 'campaign_denied') throw new ApiError({ kind: 'campaign_denied' })
  return outcome as Exclude<Outcome, Refusal>
}

function presentedKey(c: LimitedContext): string {
  return c.req.header('x-api-key') ?? ''
}

/** What an active key stands for, or null. Throws DatabaseUnavailable. */
function lookUp(c: LimitedContext, key: string): Promise<ApiKey | null> {
  const work = lookUpKey(c.env.DB, key, addressSubject(c))
  return timed(c.get('record'), 'databaseMs', work).catch(async (failure) => {
    // Every answer carries the headers (Limits, rule 3), and without a key they are the address's (D26).
    await spendAddress(c, unknownPerAddress).catch((refusal) => {
      // 503 also when that window is spent, unless it was spent on guesses: who could not be checked has not guessed.
      if (failure instanceof TooManyLookUps) throw refusal
    })
    throw failure
  })
}
