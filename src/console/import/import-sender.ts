// Sends the import's requests: each for as long as it takes, with a word about why it waits. Pausing ends a wait, and lets a
// request that is sent be answered.
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
  const send = senderFor({
    baseUrl: location.origin,
    apiKey,
    retryForMs: Number.POSITIVE_INFINITY,
    onRetry: ({ error, waitMs }) => onWait({ why: whyOf(error), seconds: waitMs / 1000 }),
    fetch: async (url, init) => {
      isSent = true
      try {
        const response = await fetch(url, { ...init, signal: AbortSignal.timeout(requestTimeoutMs) })
        // All of it has arrived, so that reading it takes no time.
        await response.clone().arrayBuffer()
        return response
      } finally {
        isSent = false
        if (pause.aborted) setTimeout(end)
      }
    },
  })
  return { send, signal: ended.signal }
}

function whyOf(error: Retry['error']): Wait['why'] {
  if (error instanceof RateLimitedError) return 'limit'
  return error instanceof ConnectionError ? 'unreached' : 'busy'
}
