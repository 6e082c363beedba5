// What holds for every sequence of requests, on a simulated clock: exactness against a naive oracle, and each
// promise by itself. Named cases are in sliding-window.test.ts, storage in test/runtime/rate-limiter.test.ts.
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import {
  admit,
  type Decision,
  isStillRefused,
  secondsUntil,
  type Window,
  type WindowState,
} from '../../../src/base/rate-limits/sliding-window.ts'
import { createOracle } from './sliding-window-oracle.ts'
import {
  type Arrival,
  maxStepBackMs,
  startMs,
  type Traffic,
  traffic,
  trafficWithin,
} from './sliding-window-traffic.ts'

vi.setConfig({ testTimeout: 60_000 })

type Step = {
  readonly arrival: Arrival
  readonly before: WindowState
  readonly after: WindowState
  readonly decision: Decision
}

/** Runs the traffic, each subject with a state of its own that cannot be changed in place. */
function run({ arrivals }: Traffic, restart: (index: number) => boolean = () => false): Step[] {
  const states = new Map<string, WindowState>()
  return arrivals.map((arrival, index) => {
    const known = states.get(arrival.subject) ?? Object.freeze({})
    const before = restart(index) ? frozen(structuredClone(known)) : known
    const { decision, state } = admit(before, arrival.windows, arrival.nowMs)
    const after = frozen(state)
    states.set(arrival.subject, after)
    return { arrival, before, after, decision }
  })
}

function frozen(state: WindowState): WindowState {
  for (const admissions of Object.values(state)) Object.freeze(admissions)
  return Object.freeze(state)
}

function holds(property: (traffic: Traffic) => void, numRuns = 100): void {
  fc.assert(fc.property(traffic, property), { numRuns })
}

const decisionsOf = (steps: readonly Step[]) => steps.map(({ decision }) => decision)

/** As text, which takes a tenth of the time: there are hundreds of thousands of decisions. */
function expectSame(found: readonly unknown[], expected: readonly unknown[]): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) expect(found).toEqual(expected)
}

const newestOf = (state: WindowState) => Math.max(-Infinity, ...Object.values(state).flat())
const longestOf = (windows: readonly Window[]) => Math.max(...windows.map((window) => window.windowMs))

it('Every sequence of requests is decided as by the oracle: admission, limit, remaining and reset, of each window', () => {
  holds((traffic) => {
    const oracles = new Map(traffic.arrivals.map(({ subject }) => [subject, createOracle()]))
    const expected = traffic.arrivals.map(({ subject, windows, nowMs }) =>
      oracles.get(subject)?.decide(windows, nowMs),
    )
    expectSame(decisionsOf(run(traffic)), expected)
  }, 200)
})

it('Every sequence of requests has at most `limit` admissions in every half-open span of a window', () => {
  holds((traffic) => {
    const admissions = new Map<string, number[]>()
    for (const { arrival, before, decision } of run(traffic)) {
      if (!decision.admitted) continue
      for (const { name, limit, windowMs } of arrival.windows) {
        const key = `${arrival.subject} ${name}`
        const times = admissions.get(key) ?? []
        times.push(Math.max(arrival.nowMs, newestOf(before)))
        admissions.set(key, times)
        const first = times.at(-1 - limit) ?? -Infinity
        expect((times.at(-1) as number) - first).toBeGreaterThanOrEqual(windowMs)
      }
    }
  })
})

it('Every sequence of requests has refusals only where some window asked for is truly full', () => {
  holds((traffic) => {
    const oracles = new Map(traffic.arrivals.map(({ subject }) => [subject, createOracle()]))
    for (const { arrival, before, decision } of run(traffic)) {
      const oracle = oracles.get(arrival.subject)
      const atMs = Math.max(arrival.nowMs, newestOf(before))
      const isFull = arrival.windows.some(({ name, limit, windowMs }) => {
        const counted = oracle?.spent(name).filter((spentAtMs) => spentAtMs > atMs - windowMs)
        return counted?.length === limit
      })
      expect(decision.admitted).toBe(!isFull)
      if (decision.admitted) oracle?.decide(arrival.windows, arrival.nowMs)
    }
  })
})

it('Every sequence of requests is decided alike whether or not what was refused had been asked', () => {
  holds((traffic) => {
    const admitted = run(traffic).filter(({ decision }) => decision.admitted)
    const alone = run({ ...traffic, arrivals: admitted.map(({ arrival }) => arrival) })
    expectSame(decisionsOf(alone), decisionsOf(admitted))
  })
})

it('Every sequence of requests is decided alike for a subject whether or not others ask', () => {
  holds((traffic) => {
    const isMine = ({ subject }: Arrival) => subject === 'key:a'
    const among = run(traffic).filter(({ arrival }) => isMine(arrival))
    const alone = run({ ...traffic, arrivals: traffic.arrivals.filter(isMine) })
    expectSame(decisionsOf(alone), decisionsOf(among))
  })
})

it('Every sequence of requests is decided alike whether or not the state is stored and read again between any two requests', () => {
  const property = fc.property(traffic, fc.array(fc.boolean(), { minLength: 1 }), (traffic, restarts) => {
    const restarted = run(traffic, (index) => restarts[index % restarts.length] === true)
    expectSame(decisionsOf(restarted), decisionsOf(run(traffic)))
  })
  fc.assert(property, { numRuns: 100 })
})

// A clock that steps back further may be refused for that much longer by a memory than by the windows.
it('Every sequence of requests is admitted and refused alike whether or not refusals are remembered, on clocks within 1 s', () => {
  const property = fc.property(trafficWithin(1_000), (traffic) => {
    const states = new Map<string, WindowState>()
    const refusals = new Map<string, Decision>()
    const remembering = traffic.arrivals.map(({ subject, windows, nowMs }) => {
      const name = `${subject} ${windows.map((window) => window.name).join('+')}`
      const remembered = refusals.get(name)
      if (remembered !== undefined && isStillRefused(remembered, windows, nowMs)) return remembered
      const { decision, state } = admit(states.get(subject) ?? {}, windows, nowMs)
      states.set(subject, state)
      refusals.set(name, decision)
      if (decision.admitted) refusals.delete(name)
      return decision
    })
    const asking = decisionsOf(run(traffic))
    expectSame(
      remembering.map(({ admitted }) => admitted),
      asking.map(({ admitted }) => admitted),
    )
  })
  fc.assert(property, { numRuns: 200 })
})

it('A refusal gives back the very state it was given', () => {
  holds((traffic) => {
    for (const { before, after, decision } of run(traffic)) if (!decision.admitted) expect(after).toBe(before)
  })
})

it('A refusal ends exactly Retry-After later, and not a second earlier', () => {
  holds((traffic) => {
    for (const { arrival, after, decision } of run(traffic)) {
      if (decision.admitted) continue
      const { windows, nowMs } = arrival
      const seconds = secondsUntil(decision.resetAtMs, nowMs)
      expect(Number.isInteger(seconds) && seconds >= 1).toBe(true)
      expect(admit(after, windows, nowMs + seconds * 1000).decision.admitted).toBe(true)
      expect(admit(after, windows, nowMs + (seconds - 1) * 1000).decision.admitted).toBe(false)
    }
  })
})

it('An admission leaves a remaining between 0 and limit - 1, counted for each window at its full length', () => {
  holds((traffic) => {
    for (const { arrival, after, decision } of run(traffic)) {
      if (!decision.admitted) continue
      expect(decision.remaining).toBeGreaterThanOrEqual(0)
      expect(decision.remaining).toBeLessThan(decision.limit)
      const atMs = newestOf(after)
      for (const window of arrival.windows) {
        const alone = admit(after, [window], atMs + window.windowMs).decision
        expect(alone).toMatchObject({
          admitted: true,
          limit: window.limit,
          remaining: window.limit - 1,
          resetAtMs: atMs + window.windowMs * 2,
        })
      }
    }
  })
})

it('An admission has as reset the first moment at which a client that waits has more left', () => {
  holds(({ windows: [window], arrivals }) => {
    const windows = [window as Window]
    const single = arrivals.map((arrival) => ({ ...arrival, windows }))
    for (const { after, decision } of run({ windows, arrivals: single })) {
      const room = (nowMs: number) => {
        const next = admit(after, windows, nowMs).decision
        return next.admitted ? next.remaining + 1 : 0
      }
      expect(room(decision.resetAtMs)).toBeGreaterThan(decision.remaining)
      expect(room(decision.resetAtMs - 1)).toBe(decision.remaining)
    }
  })
})

it('The reset is never past, nor further ahead than the longest window asked for', () => {
  holds((traffic) => {
    for (const { arrival, before, decision } of run(traffic)) {
      const atMs = Math.max(arrival.nowMs, newestOf(before))
      expect(decision.resetAtMs).toBeGreaterThan(atMs)
      expect(decision.resetAtMs).toBeLessThanOrEqual(atMs + longestOf(arrival.windows))
      expect(Number.isSafeInteger(decision.resetAtMs)).toBe(true)
    }
  })
})

it('The stored state holds at most `limit` times of each window, ascending', () => {
  holds((traffic) => {
    for (const { after } of run(traffic)) {
      for (const { name, limit } of traffic.windows) {
        const times = after[name] ?? []
        const isAscending = times.every((ms, index) => index === 0 || (times[index - 1] as number) <= ms)
        // One call of expect for both: there are hundreds of thousands of states.
        if (times.length > limit || !isAscending) expect.fail(`${name} of ${limit}: ${times}`)
      }
    }
  })
})

it('The stored state is no larger after a million requests', () => {
  const windows = [
    { name: 'hour', limit: 7, windowMs: 1_000 },
    { name: 'bulk', limit: 3, windowMs: 100 },
  ]
  let state: WindowState = {}
  let admitted = 0
  for (let nowMs = 0; nowMs < 10_000_000; nowMs += 10) {
    const next = admit(state, windows, nowMs)
    state = next.state
    if (next.decision.admitted) admitted++
  }
  expect(admitted).toBe(70_000)
  expect([state.hour?.length, state.bulk?.length]).toEqual([7, 3])
})

describe('A clock that steps back by more than 5 s', () => {
  const stepBack = fc.integer({ min: maxStepBackMs + 1, max: 10_000_000 })
  const stepped = fc.tuple(
    traffic,
    stepBack,
    startMs.filter((ms) => ms > 0),
  )

  it('A clock that steps back by more than 5 s gains nobody room, and locks nobody out for longer than a window from now', () => {
    const property = fc.property(stepped, ([traffic, stepBackMs]) => {
      const last = run(traffic).findLast(({ decision }) => decision.admitted)
      if (last === undefined) return
      const { windows } = last.arrival
      const nowMs = newestOf(last.after) - stepBackMs
      const refused = admit(last.after, windows, nowMs)
      expect(refused.decision.remaining).toBeLessThanOrEqual(Math.max(0, last.decision.remaining - 1))
      expect(newestOf(refused.state)).toBe(nowMs)
      for (const window of windows) {
        const later = admit(refused.state, [window], nowMs + window.windowMs).decision
        expect(later).toMatchObject({ admitted: true, remaining: window.limit - 1 })
      }
    })
    fc.assert(property, { numRuns: 150 })
  })
})
