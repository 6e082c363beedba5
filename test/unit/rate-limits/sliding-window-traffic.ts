// Random traffic for the properties of the sliding window: bursts within a millisecond, short and long gaps,
// gaps of a window's length to the millisecond, clocks that step back, several subjects, requests that ask for
// some of the windows. The times are drawn; nothing here decides anything.
import fc from 'fast-check'
import type { Window } from '../../../src/base/rate-limits/sliding-window.ts'

export type Arrival = {
  readonly subject: string
  readonly windows: readonly Window[]
  readonly nowMs: number
}
export type Traffic = { readonly windows: readonly Window[]; readonly arrivals: readonly Arrival[] }

export const maxStepBackMs = 5_000

const limit = fc.oneof(
  { weight: 32, arbitrary: fc.integer({ min: 1, max: 12 }) },
  { weight: 4, arbitrary: fc.constantFrom(10, 60) },
  { weight: 1, arbitrary: fc.constant(1000) },
)
const windowMs = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 30_000 }))

export const windowsArbitrary: fc.Arbitrary<readonly Window[]> = fc
  .array(fc.record({ limit, windowMs }), { minLength: 1, maxLength: 3 })
  .map((sizes) => sizes.map((size, index) => ({ name: `window ${index}`, ...size })))

/** Of real clocks, at the beginning of time, and close to where a number of milliseconds loses exactness. */
export const startMs = fc.constantFrom(0, 1_783_000_000_123, Number.MAX_SAFE_INTEGER - 10_000_000)

const gap = fc.oneof(
  { weight: 3, arbitrary: fc.constant(() => 0) },
  { weight: 2, arbitrary: fc.nat(20).map((ms) => () => ms) },
  { weight: 2, arbitrary: fc.nat(1000).map((part) => (w: number) => Math.floor((w * part) / 1000)) },
  { weight: 1, arbitrary: fc.nat(3000).map((part) => (w: number) => Math.floor((w * part) / 1000)) },
  { weight: 3, arbitrary: fc.constantFrom(-1, 0, 1).map((ms) => (w: number) => w + ms) },
  { weight: 1, arbitrary: fc.nat(maxStepBackMs).map((ms) => () => -ms) },
)

const move = fc.record({
  subject: fc.constantFrom('key:a', 'key:a', 'key:b', 'ip:c'),
  /** Which windows are asked: a bit each. */
  asked: fc.integer({ min: 1, max: 7 }),
  gap,
  /** How many requests arrive at once, as a part of the limit, and how many more. */
  burst: fc.constantFrom([0, 1], [0, 1], [0, 2], [0.5, 1], [1, 0], [1, 1]),
})

const drawn = fc.record({ windows: windowsArbitrary, startMs, moves: fc.array(move, { maxLength: 40 }) })

/** Traffic on a clock that is never further behind its latest time than `maxLagMs`. */
export const trafficWithin = (maxLagMs: number): fc.Arbitrary<Traffic> =>
  drawn.map(({ windows, startMs, moves }) => {
    const arrivals: Arrival[] = []
    let nowMs = startMs
    let latestMs = startMs
    for (const { subject, asked, gap, burst } of moves) {
      const chosen = windows.filter((_, index) => asked & (1 << index))
      const asks = chosen.length > 0 ? chosen : windows
      const [{ windowMs, limit }] = asks as [Window]
      nowMs = Math.max(nowMs + gap(windowMs), latestMs - maxLagMs, 0)
      latestMs = Math.max(latestMs, nowMs)
      const [part, more] = burst as [number, number]
      const requests = Math.ceil(limit * part) + more
      for (let i = 0; i < requests; i++) arrivals.push({ subject, windows: asks, nowMs })
    }
    return { windows, arrivals }
  })

export const traffic = trafficWithin(maxStepBackMs)
