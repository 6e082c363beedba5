// Sends one bulk request until it is answered for good: waits as long as the service asks, and tries again after
// what may pass. What is in the request is import.ts's to say. Every try carries the same Idempotency-Key, so one
// whose answer was lost is answered as it was the first time.
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../limits.ts'
import { ask, describeAnswer, parseJson } from '../service.ts'

export type BulkTarget = { readonly url: string; readonly apiKey: string }

export type BulkResult = {
  readonly status: 'created' | 'skipped' | 'invalid'
  readonly leadId?: string | null
  readonly error?: string
}

export type BulkOutcome =
  /** One result for each lead of the body, in its order. */
  | { readonly kind: 'answered'; readonly results: readonly BulkResult[] }
  | { readonly kind: 'too_large' }
  /** `isUntouched`: nothing of it can have been stored. */
  | { readonly kind: 'refused'; readonly message: string; readonly isUntouched: boolean }
  /** It may go well later. */
  | { readonly kind: 'gave_up'; readonly message: string }

/** Tries that fail without the service asking for patience; a rate limit is waited for as often as it takes. */
const maxFailures = 6
const requestTimeoutMs = 60_000

/** `tell` gets a line about each wait. */
export async function postBulk(
  { url, apiKey }: BulkTarget,
  body: string,
  idempotencyKey: string,
  tell: (line: string) => void,
): Promise<BulkOutcome> {
  const headers = {
    'x-api-key': apiKey,
    'Content-Type': 'application/json',
    'Idempotency-Key': idempotencyKey,
  }
  const endpoint = `${url}/api/v1/leads/bulk?results=true&onInvalid=skip`
  for (let failures = 0; ; ) {
    const answer = await ask(endpoint, { method: 'POST', headers, body }, requestTimeoutMs)
    const { status, text } = answer
    if (status === 200) return readResults(url, text)
    if (status === 413) return { kind: 'too_large' }
    const message = describeAnswer(url, answer)
    if (status !== 0 && status !== 429 && status < 500) {
      return { kind: 'refused', message, isUntouched: failures === 0 }
    }
    if (status !== 429 && ++failures === maxFailures) return { kind: 'gave_up', message }
    const waitSeconds = answer.retryAfterSeconds ?? 2 ** Math.max(failures - 1, 0)
    tell(status === 429 ? describeLimit(waitSeconds) : `${message}: trying again in ${waitSeconds} s`)
    await sleep(waitSeconds * 1000)
  }
}

const describeLimit = (waitSeconds: number) =>
  `waiting ${waitSeconds} s for the key's rate limit (${limits.bulkRequestsPerMinutePerKey} bulk requests a minute, ${limits.requestsPerHourPerKey} requests an hour), which is no error`

function readResults(url: string, text: string): BulkOutcome {
  const { data } = (parseJson(text) ?? {}) as { data?: { results?: readonly BulkResult[] } | null }
  if (Array.isArray(data?.results)) return { kind: 'answered', results: data.results }
  return { kind: 'refused', message: `${url} does not answer as this service does`, isUntouched: false }
}
