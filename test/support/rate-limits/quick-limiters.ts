// An object for each key and each address, with a database file of its own, takes up to half of a request's time in a test.
// Where a test is about something else, its windows are counted in memory, by the same arithmetic. The tests of limits, of
// faults and of attacks have the real objects.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { createMemoryWindows } from '../../../src/rate-limits/memory-windows.ts'
import type { RateLimiter } from '../../../src/rate-limits/rate-limiter.ts'
import type { Window } from '../../../src/rate-limits/sliding-window.ts'

type Namespace = { getByName(this: Namespace, name: string, options?: object): unknown }
/** Of this runtime, whichever file loads it. */
type Quick = { isOn: boolean; readonly memory: ReturnType<typeof createMemoryWindows> }

const ofLimiters = /^(?:key|ip):/
const quick = quickLimiters()

function quickLimiters(): Quick {
  const runtime = globalThis as { quickLimiters?: Quick }
  if (runtime.quickLimiters !== undefined) return runtime.quickLimiters
  const made: Quick = { isOn: false, memory: createMemoryWindows() }
  runtime.quickLimiters = made
  const { memory } = made
  let namespace: Namespace = env.RATE_LIMITER as unknown as Namespace
  while (!Object.hasOwn(namespace, 'getByName')) namespace = Object.getPrototypeOf(namespace)
  const { getByName } = namespace
  namespace.getByName = function (name, ...options) {
    if (!made.isOn || !ofLimiters.test(name)) return getByName.call(this, name, ...options)
    return {
      admit: async (windows: readonly Window[]) => memory.admit(name, windows),
      look: async (windows: readonly Window[]) => memory.look(name, windows),
    }
  }
  return made
}

/** For the file whose setup this is. */
export function countInMemory(): void {
  quick.isOn = true
}

/** For the whole file that calls it. */
export function withRealLimiters(): void {
  quick.isOn = false
}

/** As so many requests would. */
export async function spend(subject: string, units: number, windows: readonly Window[]): Promise<void> {
  const spendBy = (admit: (windows: readonly Window[]) => unknown) => {
    for (let unit = 0; unit < units; unit++) admit(windows)
  }
  if (quick.isOn) return spendBy((all) => quick.memory.admit(subject, all))
  const object = env.RATE_LIMITER.getByName(subject)
  await runInDurableObject(object, (limiter: RateLimiter) => spendBy((all) => limiter.admit(all)))
}
