// One try to send an event: signed, sent to where webhooks may send, within a time limit. The answer's body is never
// read, and no redirect is followed: what is behind a receiver is nobody's to look at.
import type { Included } from '../events/event.ts'
import { isDelivered, type Reply, readRetryAfterMs } from './retry-schedule.ts'
import { type Signer, signedHeaders } from './signature.ts'
import { anyServer, findUrlProblem } from './webhook-url.ts'

/** As it is signed and sent. */
export type SentEvent = {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: object
  /** Members of `data` that are JSON text: parsed and written again, numbers that JavaScript cannot hold would change. */
  readonly included?: Included
}

/** The body as it is signed and sent. */
export function bodyOf({ type, timestamp, data, included = {} }: SentEvent): string {
  const facts = JSON.stringify(data).slice(1, -1)
  const members = Object.entries(included).map(([name, json]) => `${JSON.stringify(name)}:${json}`)
  const dataJson = `{${[...(facts === '' ? [] : [facts]), ...members].join()}}`
  return `${JSON.stringify({ type, timestamp }).slice(0, -1)},"data":${dataJson}}`
}

export type AttemptResult = Reply & {
  readonly atMs: number
  readonly durationMs: number
  /** Null: it was delivered. */
  readonly error: string | null
}

/** Never throws. */
export async function sendEvent(
  url: string,
  signer: Signer,
  event: SentEvent,
  timeoutMs: number,
): Promise<AttemptResult> {
  const atMs = Date.now()
  const tried = (outcome: Reply, error: string | null): AttemptResult => ({
    ...outcome,
    atMs,
    durationMs: Date.now() - atMs,
    error,
  })
  const noAnswer: Reply = { status: null, retryAfterMs: null }
  if (findUrlProblem(url, anyServer) !== null) return tried(noAnswer, 'the address is not allowed')
  const body = bodyOf(event)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'lead-intake-webhooks',
        ...signedHeaders(signer, event.id, body, atMs),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    // Not waited for: a body without an end would hold up what comes next.
    void answer.body?.cancel().catch(() => {})
    const { status } = answer
    const outcome = {
      status,
      retryAfterMs: readRetryAfterMs(status, answer.headers.get('retry-after'), Date.now()),
    }
    if (isDelivered(outcome)) return tried(outcome, null)
    return tried(outcome, status >= 300 && status < 400 ? 'redirects are not followed' : `answered ${status}`)
  } catch (error) {
    const isLate = (error as Error).name === 'TimeoutError'
    return tried(noAnswer, isLate ? `no answer within ${timeoutMs / 1000} s` : 'no connection')
  }
}

type LogSettings = { readonly LOG_FORMAT?: string }

/** One line for each try: never the URL, the body or a secret. */
export function logAttempt(
  env: Env,
  webhookId: string,
  { id, type }: Pick<SentEvent, 'id' | 'type'>,
  { status, durationMs, error }: AttemptResult,
): void {
  const line = `webhook ${webhookId}: ${type} ${status ?? 'unanswered'}, ${durationMs} ms, ${id}`
  const entry = { event: 'webhook_delivery', webhookId, eventId: id, type, status, durationMs, error }
  console.log((env as LogSettings).LOG_FORMAT === 'line' ? line : entry)
}
