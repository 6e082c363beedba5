// The clock of a test that must not depend on how busy the machine is.
import { vi } from 'vitest'

/**
 * Stops the clock until the test ends or calls `vi.useRealTimers()`; `vi.setSystemTime` moves it. Time limits never
 * run out, so that the limiter and the database decide however long they take.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
}
