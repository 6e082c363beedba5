// Nothing asynchronous may go past the agenda: a world would be another one each time. Promises, microtasks and the
// loop's own immediates alone are there.
import { createHook } from 'node:async_hooks'

const allowed = new Set(['PROMISE', 'Microtask', 'TickObject', 'Immediate'])

/** Returns what was begun besides, with its stack; null: nothing. */
export async function watched<Result>(
  work: () => Promise<Result>,
): Promise<readonly [Result, string | null]> {
  let found: string | null = null
  const hook = createHook({
    init(_, type) {
      if (!allowed.has(type)) found ??= new Error(`${type} is not of the agenda`).stack ?? type
    },
  }).enable()
  try {
    return [await work(), found]
  } finally {
    hook.disable()
  }
}
