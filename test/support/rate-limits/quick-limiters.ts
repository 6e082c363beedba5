// An object for each key and each address, with a database file of its own, takes up to half of a request's time in a
// test. Where a test is about something else, its windows are counted in memory, by the same arithmetic. The tests of
// limits, of faults and of attacks have the real objects.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import type { RateLimiter } from '../../../src/base/rate-limits/rate-limiter.ts'
import { admit, look, type Window, type WindowState } from '../../../src/base/rate-limits/sliding-window.ts'

type Namespace = { getByName(this: Namespace, name: string, options?: object): unknown }
/** Of this runtime, whichever file loads it. */
type Quick = { isOn: boolean; readonly states: Map<string, WindowState> }

const ofLimiters = /^(?:key|ip):/
const quick = quickLimiters()

function quickLimiters(): Quick {
  const runtime = globalThis as { quickLimiters?: Quick }
  if (runtime.quickLimiters !== undefined) return runtime.quickLimiters
  const made: Quick = { isOn: false, states: new Map() }
  runtime.quickLimiters = made
  const { states } = made
  let namespace: Namespace = env.RATE_LIMITER as unknown as Namespace
  while (!Object.hasOwn(namespace, 'getByName')) namespace = Object.getPrototypeOf(namespace)
  const { getByName } = namespace
  namespace.getByName = function (name, ...options) {
    if (!made.isOn || !ofLimiters.test(name)) return getByName.call(this, name, ...options)
    return {
      async admit(windows: readonly Window[]) {
        const { decision, state } = admit(states.get(name) ?? {}, windows, Date.now())
        states.set(name, state)
        return decision
      },
      look: async (windows: readonly Window[]) => look(states.get(name) ?? {}, windows, Date.now()),
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

/** As so many requests would, of which none is refused. */
export async function spend(subject: string, units: number, windows: readonly Window[]): Promise<void> {
  if (quick.isOn) {
    // At once: a thousand, one after the other, take longer than the test that needs them.
    const state = quick.states.get(subject) ?? {}
    const spent = Array<number>(units).fill(Date.now())
    const added = windows.map(({ name }) => [name, [...(state[name] ?? []), ...spent]])
    quick.states.set(subject, { ...state, ...Object.fromEntries(added) })
    return
  }
  const object = env.RATE_LIMITER.getByName(subject)
  await runInDurableObject(object, (limiter: RateLimiter) => {
    for (let unit = 0; unit < units; unit++) limiter.admit(windows)
  })
}
