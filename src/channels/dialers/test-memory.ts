// Test calls of a dialer: to a number that somebody enters, outside the queue. Each has a memory of its own, apart from
// the calls of the campaign. What it came to is kept for an hour, its number never. rounds/test-calls.ts starts and
// follows them.

import { limits } from '../../base/limits.ts'
import type { ReportedOutcome } from '../../queue/campaigns/outcomes.ts'
import { openDialerMemory } from './dialer-memory.ts'
import type { GatheredStorage } from './rounds/gathered-storage.ts'
import type { openTrace } from './trace.ts'

export const testStates = {
  starting: 'the start is being sent',
  ringing_or_live: 'the provider has taken it',
  ended: 'it is over: what would have been reported',
  refused: 'the provider refused it, or nobody may be called there any more, so that no phone rang',
  unknown: 'it may have rung, and nobody can tell',
} as const

export type TestResult = {
  readonly state: keyof typeof testStates
  readonly outcome: ReportedOutcome | null
  /** The provider's for its end, or why it was refused. */
  readonly reason: string | null
  readonly seconds: number | null
  readonly saidOutcome: string | null
  readonly callbackAtMs: number | null
}

type Kept = TestResult & {
  readonly testId: string
  readonly startedAtMs: number
  readonly changedAtMs: number
}

export type Tested = {
  readonly testId: string
  readonly phoneNumber: string
  readonly metadata: Readonly<Record<string, unknown>> | null
}

const keptMs = limits.hourMs
const key = 'tests'
const nothing = { outcome: null, reason: null, seconds: null, saidOutcome: null, callbackAtMs: null }
const isRunning = ({ state }: TestResult) => state === 'starting' || state === 'ringing_or_live'

export type Tests = ReturnType<typeof openTests>

export function openTests(kv: GatheredStorage, trace: ReturnType<typeof openTrace>) {
  const memory = openDialerMemory(kv, 'test:', trace)
  const kept = () => kv.get<readonly Kept[]>(key) ?? []
  /** In this life: the number is not stored, so a start that has not begun when the object dies is none. */
  const waiting = new Map<string, Tested>()
  const write = (changed: readonly Kept[]) => kv.put(key, changed)
  return {
    memory,
    waiting,
    begin(tested: Tested, nowMs: number): void {
      const { testId } = tested
      waiting.set(testId, tested)
      write([...kept(), { testId, state: 'starting', ...nothing, startedAtMs: nowMs, changedAtMs: nowMs }])
    },
    settle(testId: string, result: Partial<TestResult>, nowMs: number): void {
      write(kept().map((one) => (one.testId === testId ? { ...one, ...result, changedAtMs: nowMs } : one)))
    },
    find: (testId: string): TestResult | null => kept().find((one) => one.testId === testId) ?? null,
    get running(): readonly Kept[] {
      return kept().filter(isRunning)
    },
    forgetOld(nowMs: number): void {
      const left = kept().filter((one) => isRunning(one) || one.changedAtMs > nowMs - keptMs)
      if (left.length < kept().length) write(left)
    },
    /** When the next result is to be forgotten. */
    get forgetsAtMs(): number {
      return Math.min(
        ...kept().map((one) => (isRunning(one) ? Number.POSITIVE_INFINITY : one.changedAtMs + keptMs)),
      )
    },
  }
}
