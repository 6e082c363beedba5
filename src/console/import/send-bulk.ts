// Sends one bulk request until it has a final answer: waits as long as the service says, and retries temporary failures.
// Every try has the same Idempotency-Key, so that nothing is stored twice.
import type { LeadResult } from '../../sdk/src/models.ts'
import type { Wait } from './import-messages.ts'

export type SendResult =
  | { readonly kind: 'answered'; readonly results: readonly LeadResult[] }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'paused' }

const requestTimeoutMs = 60_000
const longestWaitSeconds = 30

export async function sendBulk(
  key: string,
  body: string,
  idempotencyKey: string,
  onWait: (wait: Wait) => void,
  pause: AbortSignal,
): Promise<SendResult> {
  for (let failures = 0; ; failures++) {
    if (pause.aborted) return { kind: 'paused' }
    const response = await post(key, body, idempotencyKey)
    if (response?.status === 200) {
      const { data } = JSON.parse(response.text) as { data: { results: readonly LeadResult[] } }
      return { kind: 'answered', results: data.results }
    }
    if (response !== null && response.status !== 429 && response.status < 500) {
      return { kind: 'refused', message: messageOf(response) }
    }
    const retryAfterSeconds = Number(response?.retryAfter ?? Number.NaN)
    const seconds = Number.isFinite(retryAfterSeconds)
      ? retryAfterSeconds
      : Math.min(2 ** failures, longestWaitSeconds)
    const why = response === null ? 'unreached' : response.status === 429 ? 'limit' : 'busy'
    onWait({ why, seconds })
    await sleep(seconds * 1000, pause)
  }
}

type Received = { readonly status: number; readonly retryAfter: string | null; readonly text: string }

/** Null: no complete answer. */
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

function sleep(ms: number, pause: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      pause.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    pause.addEventListener('abort', end)
    // Paused while the request was being sent.
    if (pause.aborted) end()
  })
}
