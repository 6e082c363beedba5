// This isolate's memory of keys, and a limit of look-ups for unknown ones. Memory saves a look-up and grants nothing:
// each statement on leads checks the key again.
import { envOfStore } from '../database/company-env.ts'
import { DatabaseUnavailable, expectMoved } from '../database/database.ts'
import { createMemoryWindows, remember } from '../rate-limits/memory-windows.ts'
import type { Window } from '../rate-limits/sliding-window.ts'
import { hashApiKey, isOperatorKey } from './api-key.ts'
import { findOperatorKey } from './store/operator-keys.ts'
import { type ApiKey, findApiKey } from './store/rights.ts'

/** Unchecked: the key could not be looked up (D33). */
export type LookUp =
  | ({ readonly kind: 'active' } & KnownKey)
  | { readonly kind: 'refused' }
  | { readonly kind: 'unchecked'; readonly reason: string }

/** The key, and the name of its company's store; null: D1. */
export type KnownKey = { readonly apiKey: ApiKey; readonly store: string | null }

type Active = KnownKey & { readonly untilMs: number }

/** By the key's text, because hashing it costs more than the rest. */
const activeKeys = new Map<string, Active>()
const activeForMs = 60_000

/** When, in Unix ms, by the key's hash: a refused text may be a valid key with a typo, and is not kept. */
const refusedKeys = new Map<string, number>()
const refusedForMs = 10_000

/** The store of a key's company, by the key's text: so such companies continue while D1 does not answer. */
const storesOfKeys = new Map<string, { readonly store: string; readonly untilMs: number }>()
const storeKnownForMs = 3_600_000

const maxKeys = 10_000

/** The key, if it was active within the last minute. */
export function recallKey(key: string): KnownKey | null {
  const known = activeKeys.get(key)
  return known !== undefined && Date.now() < known.untilMs ? known : null
}

/** Its company may have moved: the next look-up begins in D1. */
export function forgetStore(key: string): void {
  activeKeys.delete(key)
  storesOfKeys.delete(key)
}

/** A refused key stays refused: revoking and expiry cannot be undone. */
export function noteRefusal(key: string, nowMs: number): void {
  forgetStore(key)
  remember(refusedKeys, hashApiKey(key), nowMs, maxKeys)
}

// A guess with a valid checksum costs a look-up, so an isolate limits them: for one network well above the guesses that
// D26 allows, because valid keys may share it, and for all networks together. A key that was active when last seen is
// no guess, so a flood of guesses cannot lock out clients that use the isolate already.
const lookUpsPerNetwork: Window = { name: 'network', limit: 600, windowMs: 60_000 }
export const lookUpsPerIsolate: Window = { name: 'isolate', limit: 6_000, windowMs: 60_000 }
const lookUps = createMemoryWindows()

function mayLookUp(key: string, network: string): boolean {
  if (activeKeys.has(key)) return true
  return (
    lookUps.admit(network, [lookUpsPerNetwork]).admitted && lookUps.admit('all', [lookUpsPerIsolate]).admitted
  )
}

/**
 * Queries D1, and the store that it names, unless the key has just been refused. `network` is the client's. `companyId`
 * is what an operator's key acts on, which is never remembered as active.
 */
export async function lookUpKey(env: Env, key: string, network: string, companyId: string): Promise<LookUp> {
  const nowMs = Date.now()
  const hash = hashApiKey(key)
  const refusedAtMs = refusedKeys.get(hash)
  // A refusal in the future means that the clock has stepped back: it is ignored.
  if (refusedAtMs !== undefined && nowMs >= refusedAtMs && nowMs < refusedAtMs + refusedForMs)
    return { kind: 'refused' }
  if (!mayLookUp(key, network)) return { kind: 'unchecked', reason: 'too many look-ups' }
  try {
    const isOperator = isOperatorKey(key)
    const presented = { key, hash, nowMs }
    const known = await (isOperator
      ? findKnownOperator(env, presented, companyId)
      : findKnownKey(env, presented))
    if (known === null) {
      noteRefusal(key, nowMs)
      return { kind: 'refused' }
    }
    const untilMs = Math.min(nowMs + activeForMs, known.apiKey.expiresAtMs ?? Infinity)
    if (!isOperator) remember(activeKeys, key, { ...known, untilMs }, maxKeys)
    return { kind: 'active', ...known }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    return { kind: 'unchecked', reason: error.reason }
  }
}

type Presented = { readonly key: string; readonly hash: string; readonly nowMs: number }

async function findKnownOperator(
  env: Env,
  { hash, nowMs }: Presented,
  companyId: string,
): Promise<KnownKey | null> {
  const found = await findOperatorKey(env.DB, hash, companyId, nowMs)
  if (found === null) return null
  const { store, ...key } = found
  return { apiKey: { ...key, companyId, scope: 'operator', memberId: null, isLogRead: 0 }, store }
}

async function findKnownKey(env: Env, presented: Presented): Promise<KnownKey | null> {
  const { key, hash, nowMs } = presented
  const remembered = storesOfKeys.get(key)
  if (remembered !== undefined && nowMs < remembered.untilMs) {
    try {
      return await findInStore(env, remembered.store, presented)
    } catch (error) {
      expectMoved(error)
      forgetStore(key)
    }
  }
  const found = await findApiKey(env.DB, hash, nowMs)
  if (found.kind === 'active') return { apiKey: found.apiKey, store: null }
  if (found.kind === 'unknown') return null
  remember(storesOfKeys, key, { store: found.store, untilMs: nowMs + storeKnownForMs }, maxKeys)
  return findInStore(env, found.store, presented)
}

async function findInStore(env: Env, store: string, { hash, nowMs }: Presented): Promise<KnownKey | null> {
  const found = await findApiKey(envOfStore(env, store).DB, hash, nowMs)
  return found.kind === 'active' ? { apiKey: found.apiKey, store } : null
}
