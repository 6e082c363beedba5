// Limits how long a request waits for other work. The work itself is not stopped.
import { scheduler } from 'node:timers/promises'

/** Rejects with `timeoutError()` when the work takes longer. Infinity: no limit, and no timer. */
export function withTimeLimit<Value>(
  work: Promise<Value>,
  timeoutMs: number,
  timeoutError: () => Error = () => new Error('timeout'),
): Promise<Value> {
  if (timeoutMs === Number.POSITIVE_INFINITY) return work
  // Not setTimeout: the runtime drops this wait with its request, and clearing a timer takes 10 µs.
  const timeout = scheduler.wait(timeoutMs, unref).then(() => {
    throw timeoutError()
  })
  return Promise.race([work, timeout])
}

/** Under Node, the command line must not wait for a limit that was not reached. */
const unref = { ref: false } as object
