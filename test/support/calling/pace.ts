// The naive pace: counts one call after another, and looks at every two moments of what was begun. It shares no code
// with the product.

const secondUs = 1_000_000

const gapUsOf = (callsPerMinute: number) => Math.ceil(60_000_000 / callsPerMinute)

/** How many calls may begin at a moment. `pacedUntilUs`: where the gap after the last call ends. */
export function callsThatFit(callsPerMinute: number, pacedUntilUs: number, nowMs: number): number {
  const gapUs = gapUsOf(callsPerMinute)
  const latestUs = nowMs * 1000 + Math.max(0, secondUs - gapUs)
  let calls = 0
  for (let atUs = Math.max(pacedUntilUs, nowMs * 1000); atUs <= latestUs; atUs += gapUs) calls++
  return calls
}

export const pacedAfter = (callsPerMinute: number, pacedUntilUs: number, nowMs: number, calls: number) =>
  Math.max(pacedUntilUs, nowMs * 1000) + calls * gapUsOf(callsPerMinute)

/** The first millisecond at which a call may begin. */
export const fitsFromMs = (callsPerMinute: number, pacedUntilUs: number) =>
  Math.ceil((pacedUntilUs - Math.max(0, secondUs - gapUsOf(callsPerMinute))) / 1000)

/** How many calls too many began between some two of these moments, both included; 0: none. */
export function callsOverPace(callsPerMinute: number, begunAtMs: readonly number[]): number {
  const perSecond = callsPerMinute / 60
  const times = begunAtMs.toSorted((a, b) => a - b)
  let over = 0
  times.forEach((fromMs, first) => {
    for (let last = first; last < times.length; last++) {
      const seconds = ((times[last] as number) - fromMs) / 1000
      // Not below by the error of a sum of fractions.
      const most = Math.floor(seconds * perSecond + Math.max(1, perSecond) + 1e-9)
      over = Math.max(over, last - first + 1 - most)
    }
  })
  return over
}
