// The sliding window in named cases, each a promise that a client or an operator relies on. What holds for
// every sequence of requests is in sliding-window.properties.test.ts.
import { describe, expect, it } from 'vitest'
import {
  admit,
  isStillRefused,
  secondsUntil,
  type Window,
  type WindowState,
} from '../../../src/base/rate-limits/sliding-window.ts'

const hour: Window = { name: 'hour', limit: 1000, windowMs: 3_600_000 }
const bulk: Window = { name: 'bulk', limit: 10, windowMs: 60_000 }
const pair: Window = { name: 'pair', limit: 2, windowMs: 1_000 }

/** The state after one request at each time, all of which must be admitted. */
function stateAfter(
  windows: readonly Window[],
  times: readonly number[],
  from: WindowState = {},
): WindowState {
  return times.reduce<WindowState>((state, nowMs) => {
    const next = admit(state, windows, nowMs)
    expect(next.decision.admitted).toBe(true)
    return next.state
  }, from)
}

const repeat = (nowMs: number, times: number) => Array<number>(times).fill(nowMs)

describe('The window is half-open', () => {
  const full = stateAfter([pair], [5_000, 5_400])

  it.each([
    { name: 'one ms before the oldest unit leaves', nowMs: 5_999, admitted: false },
    { name: 'at the ms at which it leaves', nowMs: 6_000, admitted: true },
    { name: 'one ms later', nowMs: 6_001, admitted: true },
  ])('$name: admitted is $admitted', ({ nowMs, admitted }) => {
    expect(admit(full, [pair], nowMs).decision.admitted).toBe(admitted)
  })

  it('A window returns each unit by itself, not all at once', () => {
    const one = admit(full, [pair], 6_000)
    expect(one.decision).toMatchObject({ admitted: true, remaining: 0, resetAtMs: 6_400 })
    expect(admit(one.state, [pair], 6_399).decision.admitted).toBe(false)
    expect(admit(one.state, [pair], 6_400).decision).toMatchObject({ admitted: true, remaining: 0 })
  })

  it('A window is a millisecond long when asked to be', () => {
    const instant = { name: 'instant', limit: 1, windowMs: 1 }
    const state = stateAfter([instant], [7])
    expect(admit(state, [instant], 7).decision).toMatchObject({
      admitted: false,
      limit: 1,
      remaining: 0,
      resetAtMs: 8,
    })
    expect(admit(state, [instant], 8).decision.admitted).toBe(true)
  })

  it('A window never lets twice the limit through around a boundary of the clock', () => {
    const state = stateAfter([bulk], repeat(59_999, 10))
    expect(admit(state, [bulk], 60_000).decision.admitted).toBe(false)
    expect(admit(state, [bulk], 119_998).decision.admitted).toBe(false)
    expect(admit(state, [bulk], 119_999).decision.admitted).toBe(true)
  })
})

it('A bulk that the bulk window refuses spends no hourly unit', () => {
  const state = stateAfter([hour, bulk], repeat(0, 10))
  const refused = admit(state, [hour, bulk], 1)
  expect(refused.decision.admitted).toBe(false)
  expect(refused.state).toBe(state)
  expect(admit(refused.state, [hour], 1).decision.remaining).toBe(989)
})

it('A bulk that the hourly window refuses spends no bulk unit', () => {
  const state = stateAfter([hour], repeat(0, 1000))
  const refused = admit(state, [hour, bulk], 1)
  expect(refused.decision.admitted).toBe(false)
  expect(refused.state).toBe(state)
  expect(admit(refused.state, [bulk], 1).decision.remaining).toBe(9)
})

it('A window that is not asked for stays as it was', () => {
  const state = stateAfter([hour], [20], stateAfter([hour, bulk], [10]))
  expect(state).toEqual({ hour: [10, 20], bulk: [10] })
})

it('The window reported is the one with the fewest remaining', () => {
  expect(admit({}, [hour, bulk], 0).decision).toMatchObject({ limit: 10, remaining: 9, resetAtMs: 60_000 })
  const busy = stateAfter([hour], repeat(0, 995))
  expect(admit(busy, [hour, bulk], 0).decision).toMatchObject({ limit: 1000, remaining: 4 })
})

it('The window reported is the first one where as many remain', () => {
  const state = stateAfter([hour], repeat(0, 990))
  expect(admit(state, [hour, bulk], 0).decision).toMatchObject({ limit: 1000, remaining: 9 })
  expect(admit(state, [bulk, hour], 0).decision).toMatchObject({ limit: 10, remaining: 9 })
})

it('The window reported is on a refusal the one that refuses, though another comes first', () => {
  const state = stateAfter([hour, bulk], repeat(0, 10))
  expect(admit(state, [hour, bulk], 1).decision).toMatchObject({
    admitted: false,
    limit: 10,
    remaining: 0,
    resetAtMs: 60_000,
  })
})

it.each([[[hour, bulk]], [[bulk, hour]]])(
  'The window reported is of two that refuse the one with the longest wait',
  (both) => {
    const state = stateAfter([hour, bulk], repeat(0, 10), stateAfter([hour], repeat(0, 990)))
    expect(admit(state, both, 1).decision).toMatchObject({ limit: 1000, resetAtMs: 3_600_000 })
  },
)

it('Every window asked for is read as well, in the order asked, the unit just spent included', () => {
  const state = stateAfter([hour], [0])
  const { readings } = admit(state, [hour, bulk], 500).decision
  expect(readings).toEqual([
    { window: hour, remaining: 998, resetAtMs: 3_600_000 },
    { window: bulk, remaining: 9, resetAtMs: 60_500 },
  ])
})

it('Every window asked for is read on a refusal as it stands, without the unit', () => {
  const state = stateAfter([hour, bulk], repeat(0, 10))
  const { readings } = admit(state, [hour, bulk], 500).decision
  expect(readings).toEqual([
    { window: hour, remaining: 990, resetAtMs: 3_600_000 },
    { window: bulk, remaining: 0, resetAtMs: 60_000 },
  ])
})

it('Every window asked for has a reset also where a refusal leaves it empty', () => {
  const state = stateAfter([bulk], repeat(0, 10))
  expect(admit(state, [hour, bulk], 500).decision.readings[0]).toEqual({
    window: hour,
    remaining: 1000,
    resetAtMs: 3_600_500,
  })
})

it('Reset is a whole window away for the first unit, and stays there for those that follow', () => {
  const first = admit({}, [hour], 1_500)
  expect(first.decision).toMatchObject({
    admitted: true,
    limit: 1000,
    remaining: 999,
    resetAtMs: 3_601_500,
  })
  expect(admit(first.state, [hour], 9_000).decision.resetAtMs).toBe(3_601_500)
})

it('Reset moves on to the next unit once the oldest has left', () => {
  const state = stateAfter([pair], [0, 400])
  expect(admit(state, [pair], 1_000).decision.resetAtMs).toBe(1_400)
})

it.each([
  { waitMs: 1, seconds: 1 },
  { waitMs: 999, seconds: 1 },
  { waitMs: 1_000, seconds: 1 },
  { waitMs: 1_001, seconds: 2 },
  { waitMs: 59_999, seconds: 60 },
  { waitMs: 60_000, seconds: 60 },
  { waitMs: 0, seconds: 1 },
  { waitMs: -5_000, seconds: 1 },
])('Retry-After is $seconds s for a wait of $waitMs ms', ({ waitMs, seconds }) => {
  expect(secondsUntil(100_000, 100_000 - waitMs)).toBe(seconds)
})

it.each([12_345, 12_999, 13_000, 72_344])('Retry-After is kept by the window: asked at %i ms', (nowMs) => {
  const state = stateAfter([bulk], repeat(12_345, 10))
  const { decision } = admit(state, [bulk], nowMs)
  expect(decision.admitted).toBe(false)
  const seconds = secondsUntil(decision.resetAtMs, nowMs)
  expect(admit(state, [bulk], nowMs + seconds * 1000).decision.admitted).toBe(true)
  expect(admit(state, [bulk], nowMs + (seconds - 1) * 1000).decision.admitted).toBe(false)
})

describe('A clock that steps back', () => {
  const full = stateAfter([bulk], repeat(100_000, 10))

  it.each([1, 4_999, 5_000])('A clock that steps back by %i ms stands still and admits no more', (stepMs) => {
    const refused = admit(full, [bulk], 100_000 - stepMs)
    expect(refused.decision).toMatchObject({ admitted: false, resetAtMs: 160_000 })
    expect(refused.state).toBe(full)
    const spent = admit(stateAfter([bulk], [100_000]), [bulk], 100_000 - stepMs)
    expect(spent.state).toEqual({ bulk: [100_000, 100_000] })
  })

  it('A clock that steps back stands still at the newest unit of any window, asked for or not', () => {
    const state = stateAfter([hour], [100_000], stateAfter([bulk], [95_000]))
    expect(admit(state, [bulk], 96_000).state.bulk).toEqual([95_000, 100_000])
  })

  it('A clock that steps back by more than 5 s was wrong before: what it stamped counts as spent now', () => {
    const refused = admit(full, [bulk], 94_999)
    expect(refused.decision).toMatchObject({ admitted: false, resetAtMs: 154_999 })
    expect(refused.state).toEqual({ bulk: repeat(94_999, 10) })
    expect(admit(refused.state, [bulk], 154_999).decision.admitted).toBe(true)
  })

  it('A clock that steps back by a year locks nobody out for longer than the window', () => {
    const yearMs = 365 * 86_400_000
    const mixed = stateAfter([hour], [yearMs], stateAfter([hour, bulk], [1_000, yearMs]))
    const { decision, state } = admit(mixed, [hour, bulk], 2_000)
    expect(decision).toMatchObject({ admitted: true, limit: 10, remaining: 8 })
    expect(state).toEqual({ hour: [2_000, 2_000, 2_000], bulk: [2_000, 2_000] })
  })

  it('A clock that steps back by more than 5 s leaves alone what it stamped before the wrong time', () => {
    const { state } = admit({ pair: [1_000, 90_000] }, [pair], 1_500)
    expect(state).toEqual({ pair: [1_000, 1_500] })
  })
})

it('A clock that jumps ahead by a window or more empties it', () => {
  const state = stateAfter([bulk], repeat(0, 10))
  expect(admit(state, [bulk], 60_000)).toMatchObject({
    decision: { admitted: true, limit: 10, remaining: 9, resetAtMs: 120_000 },
    state: { bulk: [60_000] },
  })
})

it('A window admits exactly the limit when one millisecond is repeated 10,000 times', () => {
  let state: WindowState = {}
  let admitted = 0
  for (let i = 0; i < 10_000; i++) {
    const next = admit(state, [hour], 777)
    state = next.state
    if (next.decision.admitted) admitted++
  }
  expect(admitted).toBe(1000)
  expect(state.hour).toHaveLength(1000)
})

it('A window is exact to the millisecond up to the last one that a number holds', () => {
  const lastMs = Number.MAX_SAFE_INTEGER
  const state = stateAfter([pair], repeat(lastMs - 1_000, 2))
  expect(admit(state, [pair], lastMs - 1).decision).toMatchObject({ admitted: false, resetAtMs: lastMs })
  expect(admit(state, [pair], lastMs).decision.admitted).toBe(true)
})

describe('A limit lowered by a deploy', () => {
  const before = stateAfter([{ ...pair, limit: 4 }], [0, 100, 200, 300])

  it('A limit lowered by a deploy refuses until as many units have left as make room, and returns that moment', () => {
    const { decision } = admit(before, [pair], 400)
    expect(decision).toMatchObject({ admitted: false, limit: 2, remaining: 0, resetAtMs: 1_200 })
    expect(admit(before, [pair], 1_199).decision.admitted).toBe(false)
    expect(admit(before, [pair], 1_200).decision).toMatchObject({ admitted: true, remaining: 0 })
  })

  it('A limit lowered by a deploy shrinks the state once the units have left', () => {
    expect(admit(before, [pair], 1_200).state).toEqual({ pair: [300, 1_200] })
  })

  it('A limit lowered by a deploy never reports fewer than 0 remaining', () => {
    expect(admit(before, [pair], 400).decision.remaining).toBe(0)
  })
})

it('A window lengthened or raised by a deploy counts what is still stored', () => {
  const state = stateAfter([pair], [0, 400])
  expect(admit(state, [{ ...pair, windowMs: 2_000 }], 1_999).decision.admitted).toBe(false)
  expect(admit(state, [{ ...pair, limit: 3 }], 500).decision).toMatchObject({ limit: 3, remaining: 0 })
})

describe('A remembered refusal', () => {
  const refusal = { admitted: false, limit: 10, remaining: 0, resetAtMs: 160_000, readings: [] }

  it.each([
    { name: 'from the start', nowMs: 100_000, holds: true },
    { name: 'until the last second before its reset', nowMs: 158_999, holds: true },
    { name: 'not in that second, for clocks that are ahead', nowMs: 159_000, holds: false },
    { name: 'not at its reset', nowMs: 160_000, holds: false },
    { name: 'while the clock is 5 s behind', nowMs: 95_000, holds: true },
    { name: 'not when its reset is further away than any can be', nowMs: 94_999, holds: false },
  ])('A remembered refusal holds $name', ({ nowMs, holds }) => {
    expect(isStillRefused(refusal, [bulk], nowMs)).toBe(holds)
  })

  it('A remembered refusal holds for the longest of its windows', () => {
    expect(isStillRefused({ ...refusal, resetAtMs: 3_600_000 }, [bulk, hour], 0)).toBe(true)
    expect(isStillRefused({ ...refusal, resetAtMs: 3_600_000 }, [hour, bulk], 0)).toBe(true)
  })
})
