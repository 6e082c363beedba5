// Sends one bulk request until it is answered for good: waits as long as the service asks, and tries again after
// what may pass. What is in the request is lead-import.ts's to say. Every try carries the same Idempotency-Key, so one
// whose answer was lost is answered as it was the first time.
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandFailed } from '../wrangler.ts'

export type BulkTarget = { readonly url: string; readonly apiKey: string }

export type BulkResult = {
  readonly status: 'created' | 'skipped' | 'invalid'
  readonly leadId?: string | null
  readonly error?: string
}

/** Tries that fail without the service asking for patience; a rate limit is waited for as often as it takes. */
const maxFailures = 6
const requestTimeoutMs = 60_000

/** One result per lead of the body, in its order. `tell` gets a line about each wait. Throws CommandFailed. */
export async function postBulk(
  { url, apiKey }: BulkTarget,
  body: string,
  idempotencyKey: string,
  tell: (line: string) => void,
): Promise<readonly BulkResult[]> {
  const headers = {
    'x-api-key': apiKey,
    'Content-Type': 'application/json',
    'Idempotency-Key': idempotencyKey,
  }
  for (let failures = 0; ; ) {
    const answer = await post(`${url}/api/v1/leads/bulk?results=true&onInvalid=skip`, headers, body)
    if (answer.status === 200) return resultsOf(answer.text)
    if (answer.status !== 429) failures++
    if (!isPassing(answer.status) || failures === maxFailures) throw new CommandFailed(describe(url, answer))
    const waitSeconds = answer.retryAfterSeconds ?? 2 ** (failures - 1)
    tell(`${describe(url, answer)}: waiting ${waitSeconds} s`)
    await sleep(waitSeconds * 1000)
  }
}

type Answer = {
  /** 0: there was no answer. */
  readonly status: number
  readonly text: string
  readonly retryAfterSeconds?: number
}

async function post(endpoint: string, headers: Record<string, string>, body: string): Promise<Answer> {
  try {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers,
      body,
      // Elsewhere is not where the operator wants the key to go.
      redirect: 'error',
      signal: AbortSignal.timeout(requestTimeoutMs),
    })
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

const isPassing = (status: number) => status === 0 || status === 429 || status >= 500

function describe(url: string, { status, text }: Answer): string {
  if (status === 0) return `no answer from ${url} (${text})`
  return `${url} answered ${status} ${errorOf(text)}`.trimEnd()
}

/** What the service says, not what something between it and here may put in its place. */
function errorOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown }
    return typeof error === 'string' ? error : ''
  } catch {
    return ''
  }
}

function resultsOf(text: string): readonly BulkResult[] {
  const { data } = JSON.parse(text) as { data: { results: readonly BulkResult[] } }
  return data.results
}
