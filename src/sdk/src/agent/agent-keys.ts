// With which key an agent sends a request, and when: each key has a rate limit of its own. What is sent, run-agent.ts
// decides.
import { InvalidApiKeyError, RateLimitedError } from '../errors.ts'
import type { Send } from '../send.ts'
import type { AgentClient } from './agent-options.ts'
import { leftOf, paceRequest, type Window, windowsOf } from './agent-pace.ts'

type Key = {
  readonly client: AgentClient
  /** As far as they count. */
  sentAtMs: readonly number[]
  windows: readonly Window[]
  /** When the request was sent whose answer has them. */
  windowsAtMs: number
  /** When its next request may be sent, to last. */
  pacedAtMs: number
  /** Until when its limit is used up. */
  refusedUntilMs: number
}

/** What a 429 without a Retry-After means. */
const leastRefusalMs = 1_000

export function agentKeys(client: AgentClient | readonly AgentClient[]) {
  let keys = [client].flat().map((one): Key => {
    return { client: one, sentAtMs: [], windows: [], windowsAtMs: 0, pacedAtMs: 0, refusedUntilMs: 0 }
  })
  if (keys.length === 0) throw new TypeError('client must be a client, or a list of at least one')

  const allowedAtMs = ({ pacedAtMs, refusedUntilMs }: Key) => Math.max(pacedAtMs, refusedUntilMs)

  /** The one that may send soonest; of those that may now, the one with the most left. */
  function best(): Key {
    const nowMs = Date.now()
    const ranked = keys.map((key) => {
      return { key, atMs: Math.max(nowMs, allowedAtMs(key)), left: leftOf(key.windows, key.sentAtMs, nowMs) }
    })
    return ranked.reduce((a, b) => (b.atMs < a.atMs || (b.atMs === a.atMs && b.left > a.left) ? b : a)).key
  }

  async function sendWith<Data>(key: Key, call: Parameters<Send>[0]) {
    const nowMs = Date.now()
    const keptMs = Math.max(0, ...key.windows.map(({ windowMs }) => windowMs)) || Number.POSITIVE_INFINITY
    key.sentAtMs = [...key.sentAtMs.filter((ms) => ms > nowMs - keptMs), nowMs]
    key.pacedAtMs = paceRequest(key.pacedAtMs, key.sentAtMs, nowMs, key.windows)
    const answer = await key.client.request<Data>(call)
    // A claim that waited is answered late, with headers of its arrival.
    if (nowMs >= key.windowsAtMs) {
      key.windows = windowsOf(answer.headers, key.sentAtMs, nowMs)
      key.windowsAtMs = nowMs
    }
    return answer
  }

  /**
   * Sends one request, and sends it again with the same key, by which the service knows it. Another key takes over only
   * when nothing can have been done: the limit of the first was used up, by others.
   */
  function sender(): Send {
    let key = best()
    let mayBeDone = false
    function movesOn(error: unknown): boolean {
      mayBeDone ||= !(error instanceof RateLimitedError)
      if (!(error instanceof RateLimitedError) || mayBeDone) return false
      key.refusedUntilMs = Date.now() + Math.max(leastRefusalMs, error.retryAfterMs ?? 0)
      return best().refusedUntilMs <= Date.now()
    }
    return async (call) => {
      const onRetry: typeof call.onRetry = (retry) => {
        if (movesOn(retry.error)) throw retry.error
        call.onRetry?.(retry)
      }
      for (;;) {
        try {
          return await sendWith(key, { ...call, onRetry })
        } catch (error) {
          // What the agent still has to report goes by the others.
          if (error instanceof InvalidApiKeyError && keys.length > 1) keys = keys.filter((one) => one !== key)
          if (!movesOn(error)) throw error
          key = best()
        }
      }
    }
  }

  return {
    sender,
    /** When the next claim or report may be sent. */
    pacedAtMs: () => allowedAtMs(best()),
    /** For requests of another kind. */
    client: () => best().client,
  }
}
