// Sends one bulk request until there is a final answer: waits as long as the service requests, and retries temporary
// failures. Every try has the same Idempotency-Key, so a retry after a lost answer gets the first answer again.
import { limits } from '../../limits.ts'
import {
  BodyTooLargeError,
  LeadIntakeError,
  type LeadResult,
  RateLimitedError,
  type Retry,
} from '../../sdk/src/lead-intake.ts'
import { describeError, isLastTry, type Service, waitSecondsOf } from '../service.ts'

export type BulkResult =
  /** One result for each lead of the body, in its order. */
  | { readonly kind: 'answered'; readonly results: readonly LeadResult[] }
  | { readonly kind: 'too_large' }
  /** `isUntouched`: none of its leads can have been stored. */
  | { readonly kind: 'refused'; readonly message: string; readonly isUntouched: boolean }
  /** A later try may succeed. */
  | { readonly kind: 'gave_up'; readonly message: string }

const requestTimeoutMs = 60_000

/** `log` gets a line about each wait. */
export async function postBulk(
  { url, client }: Service,
  body: string,
  idempotencyKey: string,
  log: (line: string) => void,
): Promise<BulkResult> {
  let isUntouched = true
  const onRetry = (retry: Retry) => {
    const { error } = retry
    if (isLastTry(retry)) throw error
    const waitSeconds = waitSecondsOf(retry)
    if (error instanceof RateLimitedError) return log(describeLimit(waitSeconds))
    isUntouched = false
    log(`${describeError(url, error)}: retrying in ${waitSeconds} s`)
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
    return { kind: 'refused', message: `${url} does not answer like this service`, isUntouched: false }
  } catch (error) {
    if (!(error instanceof LeadIntakeError)) throw error
    if (error instanceof BodyTooLargeError) return { kind: 'too_large' }
    const message = describeError(url, error)
    if (error.status === 0 || error.status >= 500) return { kind: 'gave_up', message }
    return { kind: 'refused', message, isUntouched: isUntouched && error.status >= 300 }
  }
}

const describeLimit = (waitSeconds: number) =>
  `waiting ${waitSeconds} s for the key's rate limit (${limits.bulkRequestsPerMinutePerKey} bulk requests a minute, ${limits.requestsPerHourPerKey} requests an hour), which is not an error`
