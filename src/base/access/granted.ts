// What a request may do once its key is known (authenticate.ts): who acts, the access that a statement checks in its
// own transaction, and what becomes of its verdict.
import { ApiError, isPlain, type PlainKind } from '../http/errors.ts'
import { timed } from '../http/request-record.ts'
import type { Exchange } from '../http/respond.ts'
import { noteRefusal } from './key-memory.ts'
import type { Access, ApiKey, KeyAccess, ManagerAccess, PepperLost, ScopeRefusal } from './store/rights.ts'

/** An exchange whose key was active when it was last looked up. */
export type KeyedExchange = Exchange & {
  readonly apiKey: ApiKey
  /** Who acts: the member of a session, or the key. */
  readonly actor: string
  /** The key is the operator's: its company is the one that the request is about. */
  readonly isOperator: boolean
  /**
   * The database of the key's company. A route asks it after it has judged the fields: unknown parameters are refused
   * first (D79).
   */
  readonly db: D1Database
  /** Whether this request has checked the key in the database. */
  isKeyChecked: boolean
}

export const presentedKey = (x: Exchange) => x.c.req.header('x-api-key') ?? ''

/** What the store checks in the transaction that serves the request. */
export function accessTo(x: KeyedExchange, campaignId: string): Access {
  return { ...keyAccessOf(x), campaignId }
}

/** The same, without a campaign. */
export function keyAccessOf({ apiKey, actor, requestId }: KeyedExchange): KeyAccess {
  return { keyId: apiKey.id, companyId: apiKey.companyId, actor, requestId, nowMs: Date.now() }
}

/** The same for what the operator may do too. */
export function managerAccessOf(x: KeyedExchange): ManagerAccess {
  return { ...keyAccessOf(x), operated: x.isOperator ? x.apiKey.companyId : null }
}

/** A result that is thrown: a refusal, or one of the kind of a problem. */
type Refused = { readonly kind: (ScopeRefusal | PepperLost)['kind'] | PlainKind }

/** Throws what the store refuses, and returns any other result. */
export async function granted<Result extends { readonly kind: string }>(
  x: KeyedExchange,
  work: Promise<Result>,
): Promise<Exclude<Result, Refused>> {
  const result = await timed(x.record, 'databaseMs', work)
  // The key ended. A moving company's statements throw instead.
  if (result.kind === 'key_refused') {
    // The key itself was checked in D1.
    if (x.isOperator) throw new ApiError({ kind: 'company_not_found' })
    noteRefusal(presentedKey(x), Date.now())
    throw new ApiError({ kind: 'invalid_api_key' })
  }
  x.isKeyChecked = true
  if (x.isOperator) x.record.companyId = x.apiKey.companyId
  // A campaign's key may not act on the whole company, whatever its scope.
  if (result.kind === 'company_denied') throw new ApiError({ kind: 'company_key_required' })
  if (result.kind === 'pepper_lost') {
    noteLostPepper(x)
    throw new ApiError({ kind: 'service_unavailable' })
  }
  if (isPlain(result)) throw new ApiError(result)
  return result as Exclude<Result, Refused>
}

/** Only the operator can restore the pepper. */
export function noteLostPepper(x: KeyedExchange): void {
  x.record.problems.push('SUPPRESSION_PEPPER is missing, or not the one that numbers were suppressed with')
}
