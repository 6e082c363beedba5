// Sends one bulk request until it is answered for good: waits as long as the service asks, and tries again after what
// may pass. Every try carries the same Idempotency-Key, so nothing is stored twice.
import type { BulkResult } from './file/import-chunks.ts'
import type { Wait } from './import-messages.ts'

export type BulkOutcome =
  | { readonly kind: 'answered'; readonly results: readonly BulkResult[] }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'paused' }

const requestTimeoutMs = 60_000
const longestWaitSeconds = 30

export async function sendBulk(
  key: string,
  body: string,
  idempotencyKey: string,
  tellWait: (wait: Wait) => void,
  pause: AbortSignal,
): Promise<BulkOutcome> {
  for (let failures = 0; ; failures++) {
    if (pause.aborted) return { kind: 'paused' }
    const response = await post(key, body, idempotencyKey)
    if (response?.status === 200) {
      const { data } = JSON.parse(response.text) as { data: { results: readonly BulkResult[] } }
      return { kind: 'answered', results: data.results }
    }
    if (response !== null && response.status !== 429 && response.status < 500) {
      return { kind: 'refused', message: messageOf(response) }
    }
    const asked = Number(response?.retryAfter ?? Number.NaN)
    const seconds = Number.isFinite(asked) ? asked : Math.min(2 ** failures, longestWaitSeconds)
    const why = response === null ? 'unreached' : response.status === 429 ? 'limit' : 'busy'
    tellWait({ why, seconds })
    await rest(seconds * 1000, pause)
  }
}

type Received = { readonly status: number; readonly retryAfter: string | null; readonly text: string }

/** Null: no answer came, or not all of it. */
async function post(key: string, body: string, idempotencyKey: string): Promise<Received | null> {
  try {
    const response = await fetch('/api/v1/leads/bulk?onInvalid=skip', {
      method: 'POST',
      headers: {
        'x-api-key': key,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
      },
      body,
      signal: AbortSignal.timeout(requestTimeoutMs),
    })
    const { status, headers } = response
    return { status, retryAfter: headers.get('retry-after'), text: await response.text() }
  } catch {
    return null
  }
}

function messageOf({ status, text }: Received): string {
  try {
    return (JSON.parse(text) as { error: string }).error
  } catch {
    return `The service answered ${status}.`
  }
}

function rest(ms: number, pause: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      pause.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    pause.addEventListener('abort', end)
    // It came while the request was under way.
    if (pause.aborted) end()
  })
}
