// What the answer to a start means: the call was started, was not dialled, or may have rung. Pure.
import { limits } from '../../../base/limits.ts'
import { readRetryAfterMs } from '../../webhooks/retry-schedule.ts'
import { holds } from './condition.ts'
import { valueAt } from './pointer.ts'
import type { NotDialled, Template } from './template.ts'

/** A provider's answer. `body` is undefined when it is no JSON. */
export type Answer = {
  readonly status: number
  readonly retryAfter: string | null
  readonly body: unknown
  /** Why nobody reads what it says, or null. */
  readonly unread: string | null
}

export type Verdict =
  | { readonly kind: 'started'; readonly providerId: string }
  /** `retryAfterMs` null: the provider says nothing of that. */
  | { readonly kind: 'not_dialled'; readonly because: NotDialled; readonly retryAfterMs: number | null }
  | { readonly kind: 'may_have_rung' }

export const isSuccess = (status: number) => status >= 200 && status < 300

/** When a provider says to come back at once. */
const restMinMs = 1_000

/** `answer` null: none came in time. */
export function judgeStart(
  template: Template,
  answer: Omit<Answer, 'unread'> | null,
  nowMs: number,
): Verdict {
  if (answer === null) return { kind: 'may_have_rung' }
  const { status, body } = answer
  const refusal = template.notDialled?.find(
    (one) => one.status.includes(status) && (one.when == null || holds(one.when, body)),
  )
  if (refusal !== undefined) {
    // Some providers say "busy" with another status than 429.
    const retryAfterMs = readRetryAfterMs(429, answer.retryAfter, nowMs)
    const restMs = retryAfterMs === null ? null : Math.max(retryAfterMs, restMinMs)
    return { kind: 'not_dialled', because: refusal.because, retryAfterMs: restMs }
  }
  const providerId = readId(valueAt(body, template.started.id))
  return isSuccess(status) && providerId !== null && !holds(template.started.unless, body)
    ? { kind: 'started', providerId }
    : { kind: 'may_have_rung' }
}

function readId(value: unknown): string | null {
  // Beyond the safe integers, two ids are read as one.
  const id = Number.isSafeInteger(value) ? String(value) : value
  const isId = typeof id === 'string' && id !== '' && id.isWellFormed()
  return isId && id.length <= limits.externalIdMaxChars ? id : null
}
