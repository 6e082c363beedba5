// Checks each request that needs a key, in the order of D8: key (401), rate limit (429), scope (403), then the
// endpoint's own work. A remembered key grants nothing: the statements on leads check it again in their own
// transaction, and a failure before them is answered only after the key is looked up (D29).

import { dbThatHolds, envOfStore } from '../database/company-env.ts'
import { DatabaseUnavailable, expectMoved } from '../database/database.ts'
import { collectNotices } from '../database/notices.ts'
import type { Answer } from '../http/envelope.ts'
import { ApiError, problemIsForAnyone } from '../http/errors.ts'
import { timed } from '../http/request-record.ts'
import type { Exchange, Serve } from '../http/respond.ts'
import { refuseUnknownParameters } from '../http/validate.ts'
import { clientNetwork } from '../rate-limits/client-address.ts'
import { chargeKey, hasLimitHeaders, hourlyPerKey } from '../rate-limits/rate-limit.ts'
import type { Window } from '../rate-limits/sliding-window.ts'
import { isWellFormedApiKey } from './api-key.ts'
import { type KeyedExchange, presentedKey } from './granted.ts'
import { forgetStore, type KnownKey, type LookUp, lookUpKey, recallKey } from './key-memory.ts'
import { hasRight, type Right, scopesWith } from './scope.ts'

type ServeKeyed = (x: KeyedExchange) => Promise<Answer>

/** Serves keys that have the right; null: any key. `windows` are charged in addition to the hourly one. */
export function keyed(right: Right | 'operate' | null, serve: ServeKeyed, ...windows: Window[]): Serve {
  const charged = [hourlyPerKey, ...windows]
  return async function serveKeyed(exchange) {
    try {
      return await serveOnce(exchange, charged)
    } catch (error) {
      // The company has gone to another store since the key was looked up: the next look-up finds it there. The request
      // is repeated once, and charged no second time.
      expectMoved(error)
      forgetStore(presentedKey(exchange))
      return await serveOnce(exchange, hasLimitHeaders(exchange) ? null : charged)
    }
  }

  /** Null: the key is charged already. */
  async function serveOnce(exchange: Exchange, windows: readonly Window[] | null): Promise<Answer> {
    const x = await authenticate(exchange)
    try {
      if (windows !== null) await chargeKey(x, x.actor, windows)
      if (right !== null && !hasRight(x.apiKey.scope, right))
        throw new ApiError({ kind: 'insufficient_permissions', hint: neededFor(right) })
      return await serve(x)
    } catch (error) {
      await checkRememberedKey(x, error)
      throw error
    }
  }
}

async function authenticate(x: Exchange): Promise<KeyedExchange> {
  const key = presentedKey(x)
  const remembered = recallKey(key)
  const { apiKey, store } =
    remembered ?? activeKeyOf(isWellFormedApiKey(key) ? await lookUp(x, key) : { kind: 'refused' })
  // Sessions of a member act, count and are limited as one.
  const actor = apiKey.memberId ?? apiKey.id
  x.record.keyId = actor
  x.env = envOfStore(x.c.env, store)
  const db = listened(x, x.env.DB)
  return {
    ...x,
    apiKey,
    actor,
    isOperator: apiKey.scope === 'operator',
    get db() {
      refuseUnknownParameters(x)
      return db
    },
    isKeyChecked: remembered === null,
  }
}

const neededFor = (right: Right | 'operate') =>
  right === 'operate'
    ? 'This needs an operator key'
    : `This needs a key with the scope ${scopesWith(right).join(' or ')}`

/** Collects whom the request must wake. */
export const listened = (x: Exchange, db: D1Database) =>
  collectNotices(db, { listeners: x.listeners, outdated: x.outdated, waiting: x.waiting })

/** For a revocation: a store that a move has frozen holds one of the operator instead of refusing it. */
export function dbOfRevocation(x: KeyedExchange): D1Database {
  const { db, env, isOperator } = x
  return isOperator && env.storeName ? listened(x, dbThatHolds(x.c.env, env.storeName)) : db
}

/** A wrong key is answered before any other problem (D8), also when it was revoked while it was remembered. */
async function checkRememberedKey(x: KeyedExchange, error: unknown): Promise<void> {
  if (x.isKeyChecked || !(error instanceof ApiError) || problemIsForAnyone(error.problem)) return
  activeKeyOf(await lookUp(x, presentedKey(x)))
}

/**
 * For a request that was held: its key may have ended since. A key that cannot be looked up is refused the next time.
 */
export async function refuseEndedKey(x: KeyedExchange): Promise<void> {
  const found = await lookUp(x, presentedKey(x))
  if (found.kind === 'refused') activeKeyOf(found)
}

function lookUp(x: Exchange, key: string): Promise<LookUp> {
  const network = clientNetwork(x.c.req.header('cf-connecting-ip'))
  const companyId = x.c.req.param('companyId') ?? ''
  return timed(x.record, 'databaseMs', lookUpKey(x.c.env, key, network, companyId))
}

/** Throws ApiError `invalid_api_key`, the same in every case (D4), or DatabaseUnavailable. */
function activeKeyOf(found: LookUp): KnownKey {
  switch (found.kind) {
    case 'active':
      return found
    case 'refused':
      throw new ApiError({ kind: 'invalid_api_key' })
    case 'unchecked':
      throw new DatabaseUnavailable(found.reason)
  }
}
