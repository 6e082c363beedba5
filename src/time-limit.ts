// How long a request waits for another part. The work itself is not stopped: nothing can call back what was sent.
import { scheduler } from 'node:timers/promises'

/** The work's outcome, or, when it takes longer, a rejection with `timeoutError()`. */
export function withTimeLimit<Value>(
  work: Promise<Value>,
  timeoutMs: number,
  timeoutError: () => Error,
): Promise<Value> {
  // Not setTimeout: the runtime drops a wait with its request, and clearing a timer costs a request 10 µs.
  const timeout = scheduler.wait(timeoutMs, neverHoldsTheProcess).then(() => {
    throw timeoutError()
  })
  return Promise.race([work, timeout])
}

/** For the command line, under Node: it is not to stay for a limit that was not reached. */
const neverHoldsTheProcess = { ref: false } as object
