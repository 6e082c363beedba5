// Sends one bulk request until it is answered for good: waits as long as the service asks, and tries again after what
// may pass. Every try carries the same Idempotency-Key, so nothing is stored twice.
import type { BulkResult } from './import-chunks.ts'
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
      const { data } = (await response.json()) as { data: { results: readonly BulkResult[] } }
      return { kind: 'answered', results: data.results }
    }
    if (response !== null && response.status !== 429 && response.status < 500) {
      return { kind: 'refused', message: await messageOf(response) }
    }
    const asked = Number(response?.headers.get('retry-after') ?? Number.NaN)
    const seconds = Number.isFinite(asked) ? asked : Math.min(2 ** failures, longestWaitSeconds)
    const why = response === null ? 'unreached' : response.status === 429 ? 'limit' : 'busy'
    tellWait({ why, seconds })
    await rest(seconds * 1000, pause)
  }
}

async function post(key: string, body: string, idempotencyKey: string): Promise<Response | null> {
  try {
    return await fetch('/api/v1/leads/bulk?onInvalid=skip', {
      method: 'POST',
      headers: {
        'x-api-key': key,
        'Content-Type': 'application/json',
        'Idempotency-Key': idempotencyKey,
      },
      body,
      signal: AbortSignal.timeout(requestTimeoutMs),
    })
  } catch {
    return null
  }
}

async function messageOf(response: Response): Promise<string> {
  const { error } = (await response.json().catch(() => ({}))) as { error?: string }
  return error ?? `The service answered ${response.status}.`
}

function rest(ms: number, pause: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    pause.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
