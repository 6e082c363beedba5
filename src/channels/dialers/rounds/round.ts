// What one round of a dialer works with, and how much of it: no invocation sends more than 40 statements and requests.

import type { NumberHashes } from '../../../base/ledger/suppression/number-hash.ts'
import type { WaitedCampaign } from '../../../queue/campaigns/waited-campaign.ts'
import type { DialerCall } from '../dialer-call.ts'
import type { CallSettings, DialerMemory } from '../dialer-memory.ts'
import type { Provider } from '../provider.ts'
import type { DialerToRun } from '../store/run-dialer.ts'
import type { Tests } from '../test-memory.ts'
import { maxCallSecondsOf } from './follow-call.ts'

/** Requests to the provider. */
export const requestsAtOnce = 6

/** A start, the slowest request, is answered by then. */
const roundMaxMs = 31_000

export type Run = {
  readonly db: D1Database
  readonly memory: DialerMemory
  readonly campaign: WaitedCampaign
  readonly dialer: DialerToRun
  /** With the secrets of these settings. */
  readonly providerOf: (settings: CallSettings) => Provider
  readonly hashes: NumberHashes
  readonly now: () => number
  /** Before its settings were read. */
  readonly beganAtMs: number
  /** The URL for nudges of one call. */
  readonly endUrl: (callId: string) => string | undefined
  /** The round before failed, or there was none in this life of the object. */
  readonly mustRecover: boolean
  readonly tests: Tests
  /** Calls whose person rings in meanwhile: they are not started. */
  readonly stopped: ReadonlySet<string>
}

/** When the key is revoked, or lost, the service itself records what its calls came to. */
export function accessOf({ dialer, campaign, memory, now }: Run) {
  const { keyId, isLost } = dialer
  const isRevoked = isLost || memory.state.health.stopped === 'key_revoked'
  const actor = isRevoked ? 'system' : keyId
  return { keyId, companyId: campaign.companyId, actor, requestId: null, nowMs: now() }
}

/** By the settings with which the call was started. */
export const providerOfCall = ({ providerOf, memory }: Run, call: DialerCall): Provider =>
  providerOf(memory.settingsOf(call))

export const maxSecondsOf = ({ memory }: Run, call: DialerCall): number =>
  maxCallSecondsOf(memory.settingsOf(call).variables)

/** Statements and requests of an invocation. Without the two that note its health. */
const roundMax = 38
/** Reading the settings comes before a round. */
const spentBefore = 1

export type Budget = {
  /** How many more may be sent. */
  readonly left: () => number
  readonly spend: (requests: number) => void
}

/** A database that counts its statements towards the budget. */
export function countStatements(
  db: D1Database,
  beforeEach: () => void,
): { readonly db: D1Database; readonly budget: Budget } {
  let spent = spentBefore
  const batch = (statements: D1PreparedStatement[]) => {
    spent += statements.length
    beforeEach()
    return db.batch(statements)
  }
  const spend = (requests: number) => {
    spent += requests
  }
  return {
    db: { prepare: (query: string) => db.prepare(query), batch } as D1Database,
    budget: { left: () => roundMax - spent, spend },
  }
}

/** Runs all of it, some at once, in order. Never waits longer than the slowest request may take. */
export async function inTurns(tasks: readonly (() => Promise<void>)[]): Promise<void> {
  const left = [...tasks]
  const takeNext = async (): Promise<void> => {
    const next = left.shift()
    if (next === undefined) return
    await next()
    await takeNext()
  }
  const all = Promise.all(Array.from({ length: requestsAtOnce }, takeNext))
  // Cleared with the round: an object has at most 10,000 timers, and is kept in memory by each.
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, roundMaxMs)
  })
  try {
    await Promise.race([all, late])
  } finally {
    clearTimeout(timer)
    left.length = 0
  }
}
