// Sends one bulk request until it is answered for good: waits as long as the service asks, and tries again after
// what may pass. What is in the request is import.ts's to say. Every try carries the same Idempotency-Key, so one
// whose answer was lost is answered as it was the first time.
import { limits } from '../../limits.ts'
import {
  BodyTooLargeError,
  LeadIntakeError,
  type LeadResult,
  RateLimitedError,
  type Retry,
} from '../../sdk/src/lead-intake.ts'
import { describeError, isEnough, type Service, waitSecondsOf } from '../service.ts'

export type BulkOutcome =
  /** One result for each lead of the body, in its order. */
  | { readonly kind: 'answered'; readonly results: readonly LeadResult[] }
  | { readonly kind: 'too_large' }
  /** `isUntouched`: nothing of it can have been stored. */
  | { readonly kind: 'refused'; readonly message: string; readonly isUntouched: boolean }
  /** It may go well later. */
  | { readonly kind: 'gave_up'; readonly message: string }

const requestTimeoutMs = 60_000

/** `tell` gets a line about each wait. */
export async function postBulk(
  { url, client }: Service,
  body: string,
  idempotencyKey: string,
  tell: (line: string) => void,
): Promise<BulkOutcome> {
  let isUntouched = true
  const onRetry = (retry: Retry) => {
    const { error } = retry
    if (isEnough(retry)) throw error
    const waitSeconds = waitSecondsOf(retry)
    if (error instanceof RateLimitedError) return tell(describeLimit(waitSeconds))
    isUntouched = false
    tell(`${describeError(url, error)}: trying again in ${waitSeconds} s`)
  }
  try {
    const { data } = await client.request<{ results?: readonly LeadResult[] }>({
      method: 'POST',
      path: '/api/v1/leads/bulk',
      query: { results: true, onInvalid: 'skip' },
      body,
      idempotencyKey,
      timeoutMs: requestTimeoutMs,
      retryForMs: Number.POSITIVE_INFINITY,
      onRetry,
    })
    if (Array.isArray(data.results)) return { kind: 'answered', results: data.results }
    return { kind: 'refused', message: `${url} does not answer as this service does`, isUntouched: false }
  } catch (error) {
    if (!(error instanceof LeadIntakeError)) throw error
    if (error instanceof BodyTooLargeError) return { kind: 'too_large' }
    const message = describeError(url, error)
    if (error.status === 0 || error.status >= 500) return { kind: 'gave_up', message }
    return { kind: 'refused', message, isUntouched: isUntouched && error.status >= 300 }
  }
}

const describeLimit = (waitSeconds: number) =>
  `waiting ${waitSeconds} s for the key's rate limit (${limits.bulkRequestsPerMinutePerKey} bulk requests a minute, ${limits.requestsPerHourPerKey} requests an hour), which is no error`
