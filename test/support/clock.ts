// The clock of a test that must not depend on how busy the machine is.
import { afterEach, beforeEach, vi } from 'vitest'

/**
 * Stops the clock until `vi.useRealTimers()`; `vi.setSystemTime` moves it. Time limits never run out, so that the
 * limiter and the database decide however long they take.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
}

/** Of a file, or of the `describe` around it. Afterwards nothing is left of what a test has mocked. */
export function stopClockInEachTest(): void {
  beforeEach(stopClock)
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
}
