// The Durable Object that stores one subject's windows (`key:<key id>`, `ip:<address>` or `source:<source id>`), and
// deletes them by an alarm when no unit counts any more. sliding-window.ts has the arithmetic, limiter-client.ts the
// calls of this object. One object of them keeps when the cron last ran, since a class of its own would stand between a
// rollback and the version before.
//
// No method awaits between reading and writing, so requests cannot interleave and the count is exact. The runtime holds
// a decision back until its write is durable; memory is only a cache of storage.
import { DurableObject } from 'cloudflare:workers'
import { version } from '../../../package.json'
import { armAlarm, replaceAlarm } from '../alarm.ts'
import { admit, type Decision, keyOf, look, type Window, type WindowState } from './sliding-window.ts'

type Stored = {
  readonly windows: WindowState
  /** When the newest unit leaves the longest window. */
  readonly emptyAtMs: number
}

const nothing: Stored = { windows: {}, emptyAtMs: 0 }
const storageKey = 'windows'
const beatKey = 'beat'

/** When the cron last ran, in Unix ms; null: never. And which software the object runs. */
export type Pulse = { readonly atMs: number | null; readonly version: string }

export class RateLimiter extends DurableObject<Env> {
  #stored = this.ctx.storage.kv.get<Stored>(storageKey) ?? nothing
  /** An alarm that was dropped is set again in the next life of the object: it does no more than delete. */
  #isArmed = false

  /** Spends one unit of every window, or none. An admission writes one row, a refusal none. */
  admit(windows: readonly Window[]): Decision {
    const nowMs = Date.now()
    const { decision, state } = admit(this.#stored.windows, windows, nowMs)
    if (state !== this.#stored.windows) {
      // After a small step back of the clock, the unit's time is later than now.
      const newestMs = Math.max(nowMs, ...windows.map((window) => state[keyOf(window)]?.at(-1) ?? nowMs))
      const emptyAtMs = newestMs + Math.max(...windows.map((window) => window.windowMs))
      this.#store({ windows: state, emptyAtMs: Math.max(this.#stored.emptyAtMs, emptyAtMs) })
    }
    return decision
  }

  /** The decision without charging or writing. */
  look(windows: readonly Window[]): Decision {
    return look(this.#stored.windows, windows, Date.now())
  }

  /** Of one object that has no windows (pulse.ts): the cron has run. */
  beat(): void {
    this.ctx.storage.kv.put(beatKey, Date.now())
  }

  pulse(): Pulse {
    return { atMs: this.ctx.storage.kv.get<number>(beatKey) ?? null, version }
  }

  override async alarm(): Promise<void> {
    const { emptyAtMs } = this.#stored
    if (emptyAtMs > Date.now()) return replaceAlarm(this.ctx.storage, emptyAtMs)
    this.#stored = nothing
    await this.ctx.storage.deleteAll()
  }

  #store(stored: Stored): void {
    // An alarm is pending while anything is stored, so only the first unit sets one.
    if (this.#stored === nothing) void replaceAlarm(this.ctx.storage, stored.emptyAtMs)
    else if (!this.#isArmed) void armAlarm(this.ctx.storage, stored.emptyAtMs)
    this.#isArmed = true
    this.ctx.storage.kv.put(storageKey, stored)
    this.#stored = stored
  }
}
