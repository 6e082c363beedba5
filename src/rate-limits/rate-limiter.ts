// The Durable Object that keeps one subject's windows (`key:<key id>` or `ip:<address>`): load, admit, store,
// and an alarm that erases it once nothing counts any more. What a window is lives in sliding-window.ts; who is
// limited by what is in rate-limit.ts, what to do when this object does not answer in limiter-client.ts.
//
// No method awaits between reading and writing, so no two requests can interleave and the count is exact. The
// runtime holds a decision back until its write is durable; memory is only a cache of storage.
import { DurableObject } from 'cloudflare:workers'
import { admit, type Decision, look, type Window, type WindowState } from './sliding-window.ts'

type Stored = {
  readonly windows: WindowState
  /** When the newest unit of the longest window is gone. */
  readonly emptyAtMs: number
}

const nothing: Stored = { windows: {}, emptyAtMs: 0 }
const storageKey = 'windows'

export class RateLimiter extends DurableObject<Env> {
  #stored = this.ctx.storage.kv.get<Stored>(storageKey) ?? nothing

  /** Spends one unit of every window, or none of any. An admission writes one row, a refusal none. */
  admit(windows: readonly Window[]): Decision {
    const nowMs = Date.now()
    const { decision, state } = admit(this.#stored.windows, windows, nowMs)
    if (state !== this.#stored.windows) {
      // Where the clock has stepped back a little, the unit is stamped later than now.
      const newestMs = Math.max(nowMs, ...windows.map(({ name }) => state[name]?.at(-1) ?? nowMs))
      const emptyAtMs = newestMs + Math.max(...windows.map((window) => window.windowMs))
      this.#store({ windows: state, emptyAtMs: Math.max(this.#stored.emptyAtMs, emptyAtMs) })
    }
    return decision
  }

  /** How a request would be decided. Charges and writes nothing. */
  look(windows: readonly Window[]): Decision {
    return look(this.#stored.windows, windows, Date.now())
  }

  override async alarm(): Promise<void> {
    const { emptyAtMs } = this.#stored
    if (emptyAtMs > Date.now()) return this.ctx.storage.setAlarm(emptyAtMs)
    this.#stored = nothing
    await this.ctx.storage.deleteAll()
  }

  #store(stored: Stored): void {
    // One alarm is always pending while anything is stored, so only the first unit sets one.
    if (this.#stored === nothing) void this.ctx.storage.setAlarm(stored.emptyAtMs)
    this.ctx.storage.kv.put(storageKey, stored)
    this.#stored = stored
  }
}
