// The service's clock, to the second, from its answers: a countdown must not depend on the reader's clock.

/** How far the service's clock is ahead of this machine's. */
let aheadMs = 0
let isTested = false

export function noteServiceTime(date: string | null): void {
  const ms = Date.parse(date ?? '') - Date.now()
  if (Number.isFinite(ms)) aheadMs = Math.abs(ms) < 2_000 ? 0 : ms
}

/** `testTime`: of a service whose clock can be run ahead (../clock-bar.tsx). */
export function noteTestTime(testTime: string | null): void {
  if (testTime === null) return
  isTested = true
  noteServiceTime(testTime)
}

export const hasTestClock = () => isTested

export const serviceNow = () => Date.now() + aheadMs
