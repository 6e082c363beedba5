// Sends one bulk request until it is answered for good: waits as long as the service asks, and tries again after
// what may pass. What is in the request is import.ts's to say. Every try carries the same Idempotency-Key, so one
// whose answer was lost is answered as it was the first time.
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '../../limits.ts'

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
    const message = describe(url, answer)
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

/** Long enough for a service whose database is slow: health waits 2 s for it. */
const reachTimeoutMs = 4_000

export type Reached =
  /** `clockAheadMs`: what its clock is ahead of this one, or a little less. */
  | { readonly kind: 'reached'; readonly clockAheadMs: number }
  | { readonly kind: 'unreachable'; readonly message: string }

/** Whether anything answers there at all, so that a wrong address is told at once. */
export async function reachService(url: string): Promise<Reached> {
  const { status, text } = await ask(`${url}/api/health`, {}, reachTimeoutMs)
  if (status === 0) return { kind: 'unreachable', message: `nothing answers at ${url} (${text}): see --url` }
  const { data } = (parseJson(text) ?? {}) as { data?: { timestamp?: unknown } | null }
  const serviceMs = Date.parse(String(data?.timestamp))
  return { kind: 'reached', clockAheadMs: Number.isNaN(serviceMs) ? 0 : serviceMs - Date.now() }
}

type Answer = {
  /** 0: there was no answer. */
  readonly status: number
  readonly text: string
  readonly retryAfterSeconds?: number
}

async function ask(endpoint: string, request: RequestInit, timeoutMs: number): Promise<Answer> {
  try {
    // A redirect is an answer like others: elsewhere is not where the operator wants the key to go.
    const options = { ...request, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const
    const response = await fetch(endpoint, options)
    const retryAfter = response.headers.get('retry-after') ?? ''
    return {
      status: response.status,
      text: await response.text(),
      ...(/^\d{1,5}$/.test(retryAfter) && { retryAfterSeconds: Number(retryAfter) }),
    }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
    return { status: 0, text: cause?.code ?? cause?.message ?? message }
  }
}

function describe(url: string, { status, text }: Answer): string {
  if (status === 0) return `no answer from ${url} (${text})`
  // What the service says, not what something between it and here may put in its place.
  const { error } = (parseJson(text) ?? {}) as { error?: unknown }
  return `${url} answered ${status} ${typeof error === 'string' ? error : ''}`.trimEnd()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function readResults(url: string, text: string): BulkOutcome {
  const { data } = (parseJson(text) ?? {}) as { data?: { results?: readonly BulkResult[] } | null }
  if (Array.isArray(data?.results)) return { kind: 'answered', results: data.results }
  return { kind: 'refused', message: `${url} does not answer as this service does`, isUntouched: false }
}
