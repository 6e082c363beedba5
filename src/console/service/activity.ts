// What this page does with its key: the requests of the last hour, what is left of the quota, and when something was
// changed.
import type { Quota, Use } from './pace.ts'

const hourMs = 3_600_000

let sentMs: number[] = []
let quota: Quota | null = null
let changedAtMs: number | null = null
const listeners = new Set<() => void>()

/** Another key has its own quota. */
export function forgetActivity(): void {
  sentMs = []
  quota = null
  changedAtMs = null
}

export const noteRequest = () => {
  sentMs.push(Date.now())
}

export const noteQuota = (left: Quota | null) => {
  quota = left
}

/** Something was changed here, so what it leads to is to be seen soon. */
export function noteChange(): void {
  changedAtMs = Date.now()
  for (const tell of listeners) tell()
}

/** Returns what ends it. */
export function onChange(tell: () => void): () => void {
  listeners.add(tell)
  return () => listeners.delete(tell)
}

/** Requests of this page from one moment to another. */
export const countSent = (fromMs: number, untilMs: number) =>
  sentMs.filter((ms) => ms >= fromMs && ms <= untilMs).length

export function useOfKey(): Use {
  const nowMs = Date.now()
  sentMs = sentMs.filter((ms) => ms > nowMs - hourMs)
  return { quota, sent: sentMs.length, changedAtMs }
}
