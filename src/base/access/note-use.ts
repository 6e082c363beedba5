// Counts how keys are used, for their owners to see: gathered in this isolate, and written seconds later for all keys
// together. No request waits for it. When the isolate ends before that, those seconds are lost.
import { scheduler } from 'node:timers/promises'
import { envOfStore } from '../database/company-env.ts'
import type { DatabaseUnavailable } from '../database/database.ts'
import type { Answer } from '../http/envelope.ts'
import type { Exchange } from '../http/respond.ts'
import { limits, waits } from '../limits.ts'
import { isOperatorId } from './api-key.ts'
import { addUses, type KeyUse } from './store/key-hours.ts'

type Gathered = { -readonly [Name in keyof KeyUse]: KeyUse[Name] } & { readonly storeName: string | null }

/** By key, code and hour. */
const gathered = new Map<string, Gathered>()
const maxGathered = 10_000

/** Since when the next write is pending, Unix ms; 0: none is. */
let waitingSinceMs = 0

/** Counts an answer, if its request had a valid key of a company. */
export function noteUse(x: Exchange, answer: Answer): void {
  const { keyId, postResult } = x.record
  if (keyId === undefined || isOperatorId(keyId)) return
  const nowMs = Date.now()
  const code = postResult ?? answer.headers['X-Error-Code'] ?? ''
  const name = `${keyId} ${code} ${Math.floor(nowMs / limits.hourMs)}`
  const use = gathered.get(name)
  if (use !== undefined) {
    use.requests++
    use.lastUsedAtMs = Math.max(use.lastUsedAtMs, nowMs)
  } else if (gathered.size < maxGathered) {
    const { storeName = null } = x.env
    gathered.set(name, { keyId, storeName, code, requests: 1, lastUsedAtMs: nowMs })
  }
  // A pending write that is too old was cut off with its request, or the clock has stepped: it is replaced.
  if (Math.abs(nowMs - waitingSinceMs) < 2 * waits.keyUseMs) return
  waitingSinceMs = nowMs
  x.c.executionCtx.waitUntil(writeLater(x.c.env))
}

/** Never throws. A failed write is not repeated: it may have been committed. */
async function writeLater(env: Env): Promise<void> {
  await scheduler.wait(waits.keyUseMs)
  waitingSinceMs = 0
  const uses = Map.groupBy(gathered.values(), ({ storeName }) => storeName)
  gathered.clear()
  const writes = [...uses].map(([storeName, ofStore]) =>
    addUses(envOfStore(env, storeName).DB, ofStore, Date.now()),
  )
  for (const written of await Promise.allSettled(writes))
    if (written.status === 'rejected') {
      const { reason } = written.reason as DatabaseUnavailable
      console.warn({ event: 'key_uses_lost', reason })
    }
}
