// No test leaves a stopped clock or a mock to the next, which may be one of another file.
import { afterEach, vi } from 'vitest'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
