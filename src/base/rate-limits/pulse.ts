// The pulse of the service: the cron tells one object each minute that it has run, and a diagnosis asks that object
// when that was, and which software it runs.
import { waits } from '../limits.ts'
import { withTimeLimit } from '../time-limit.ts'
import type { Pulse } from './rate-limiter.ts'

const pulseOf = ({ RATE_LIMITER }: Env) => RATE_LIMITER.getByName('service')

export async function beat(env: Env): Promise<void> {
  await withTimeLimit(pulseOf(env).beat(), waits.senderMs)
}

/** Null: no answer, or from an object of a version before. */
export async function readPulse(env: Env): Promise<Pulse | null> {
  try {
    return await withTimeLimit(pulseOf(env).pulse(), waits.senderMs)
  } catch {
    return null
  }
}
