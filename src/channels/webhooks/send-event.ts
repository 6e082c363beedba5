// One delivery attempt: signs an event and sends it within a time limit. Never reads the answer's body and follows no
// redirect, so that a webhook cannot be used to look into the receiver's network.

import { isLogOfLines } from '../../base/http/request-line.ts'
import type { Included } from '../events/event.ts'
import { type Chat, messageOf } from './messages.ts'
import { isDelivered, type Reply, readRetryAfterMs } from './retry-schedule.ts'
import { type Signer, signedHeaders } from './signature.ts'
import { anyServer, findUrlProblem } from './webhook-url.ts'

type SentEvent = {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: object
  /** More members of `data`, as JSON text: parsing it would change numbers that JavaScript cannot hold. */
  readonly included?: Included
}

/** The body as it is signed and sent. */
function bodyOf({ type, timestamp, data, included = {} }: SentEvent): string {
  const dataMembers = JSON.stringify(data).slice(1, -1)
  const members = Object.entries(included).map(([name, json]) => `${JSON.stringify(name)}:${json}`)
  const dataJson = `{${[...(dataMembers === '' ? [] : [dataMembers]), ...members].join()}}`
  return `${JSON.stringify({ type, timestamp }).slice(0, -1)},"data":${dataJson}}`
}

export type AttemptResult = Reply & {
  readonly atMs: number
  readonly durationMs: number
  /** Null: it was delivered. */
  readonly error: string | null
}

/** Receivers refuse what is minutes old by their own clock: that is never the one of admin/clock/test-clock.ts. */
// biome-ignore lint/complexity/useDateNow: Date.now is another clock there
const machineMs = () => new Date().getTime()

/** `chat`: as a message for people; null: as it is. Never throws. */
export async function sendEvent(
  url: string,
  signer: Signer,
  event: SentEvent,
  timeoutMs: number,
  chat: Chat | null = null,
): Promise<AttemptResult> {
  const atMs = Date.now()
  const resultOf = (reply: Reply, error: string | null): AttemptResult => ({
    ...reply,
    atMs,
    durationMs: Date.now() - atMs,
    error,
  })
  const noAnswer: Reply = { status: null, retryAfterMs: null }
  if (findUrlProblem(url, anyServer) !== null) return resultOf(noAnswer, 'the address is not allowed')
  const message = chat && messageOf(chat, event)
  if (chat !== null && message === null)
    return resultOf(noAnswer, 'the secrets cannot be read: set them again')
  const body = message === null ? bodyOf(event) : JSON.stringify(message)
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'lead-intake-webhooks',
        ...signedHeaders(signer, event.id, body, atMs, machineMs()),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    // Not awaited: an endless body would delay the next event.
    void answer.body?.cancel().catch(() => {})
    const { status } = answer
    const reply = {
      status,
      retryAfterMs: readRetryAfterMs(status, answer.headers.get('retry-after'), Date.now()),
    }
    if (isDelivered(reply)) return resultOf(reply, null)
    return resultOf(
      reply,
      status >= 300 && status < 400 ? 'redirects are not followed' : `answered ${status}`,
    )
  } catch (error) {
    const isLate = (error as Error).name === 'TimeoutError'
    return resultOf(noAnswer, isLate ? `no answer within ${timeoutMs / 1000} s` : 'no connection')
  }
}

/** One line for each attempt, without the URL, the body or a secret. */
export function logAttempt(
  env: Env,
  webhookId: string,
  { id, type }: Pick<SentEvent, 'id' | 'type'>,
  { status, durationMs, error }: AttemptResult,
): void {
  const line = `webhook ${webhookId}: ${type} ${status ?? 'unanswered'}, ${durationMs} ms, ${id}`
  const entry = { event: 'webhook_delivery', webhookId, eventId: id, type, status, durationMs, error }
  console.log(isLogOfLines(env) ? line : entry)
}
