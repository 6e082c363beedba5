// Sends the import's requests: each for as long as it takes, with a word about why it waits. Pausing ends a wait, and
// lets a request that is sent be answered.
import { ConnectionError, RateLimitedError } from '../../sdk/src/errors.ts'
import { type Retry, type Send, senderFor } from '../../sdk/src/send.ts'
import type { Wait } from './import-messages.ts'

const requestTimeoutMs = 60_000

/** `signal`: for each request; it is aborted after `pause` is, once no request is on its way. */
export function openSender(
  apiKey: string,
  pause: AbortSignal,
  onWait: (wait: Wait) => void,
): { readonly send: Send; readonly signal: AbortSignal } {
  const ended = new AbortController()
  const end = () => ended.abort(pause.reason)
  let isSent = false
  pause.addEventListener('abort', () => isSent || end())
  /** What was on its way has an answer, which the caller gets before the pause. */
  const settle = () => {
    isSent = false
    if (pause.aborted) setTimeout(end)
  }
  const request = senderFor({
    baseUrl: location.origin,
    apiKey,
    retryForMs: Number.POSITIVE_INFINITY,
    onRetry: ({ error, waitMs }) => {
      settle()
      onWait({ why: whyOf(error), seconds: waitMs / 1000 })
    },
    fetch: (url, init) => {
      isSent = true
      return fetch(url, { ...init, signal: AbortSignal.timeout(requestTimeoutMs) })
    },
  })
  const send: Send = async (call) => {
    try {
      return await request<never>(call)
    } finally {
      settle()
    }
  }
  return { send, signal: ended.signal }
}

function whyOf(error: Retry['error']): Wait['why'] {
  if (error instanceof RateLimitedError) return 'limit'
  return error instanceof ConnectionError ? 'unreached' : 'busy'
}
