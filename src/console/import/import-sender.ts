// Sends the import's requests: each for as long as it takes, with a word about why it waits.
import { ConnectionError, RateLimitedError } from '../../sdk/src/errors.ts'
import { type Retry, type Send, senderFor } from '../../sdk/src/send.ts'
import type { Wait } from './import-messages.ts'

const requestTimeoutMs = 60_000

export const openSender = (apiKey: string, onWait: (wait: Wait) => void): Send =>
  senderFor({
    baseUrl: location.origin,
    apiKey,
    retryForMs: Number.POSITIVE_INFINITY,
    onRetry: ({ error, waitMs }) => onWait({ why: whyOf(error), seconds: waitMs / 1000 }),
    // Pausing ends a wait, and lets a request that is sent be answered.
    fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.timeout(requestTimeoutMs) }),
  })

function whyOf(error: Retry['error']): Wait['why'] {
  if (error instanceof RateLimitedError) return 'limit'
  return error instanceof ConnectionError ? 'unreached' : 'busy'
}
