// How a call stands, read from the provider's answer: whether it is over, and how it ended. Pure.
import { type ReportedOutcome, reportedOutcomes } from '../../campaigns/outcomes.ts'
import { limits } from '../../limits.ts'
import { isTimestamp, parseTimestampMs } from '../../timestamp.ts'
import { holds } from './condition.ts'
import { firstAt, valueAt } from './pointer.ts'
import { readDetails } from './read-details.ts'
import type { Answer } from './read-start.ts'
import {
  listOf,
  type NotDialled,
  type Seconds,
  type StatusTemplate,
  type TemplateOutcome,
  type Texts,
} from './template.ts'

export type CallEnd = {
  /** `notDialled` is not null: the call is none. */
  readonly outcome: ReportedOutcome
  readonly notDialled: NotDialled | null
  readonly callbackAtMs: number | null
  /** `callback_requested` without a valid time became `answered`. */
  readonly lacksCallbackTime: boolean
  readonly durationSeconds: number | null
  readonly details: Readonly<Record<string, unknown>> | null
  /** A reason that the template does not have, or an empty text when there is none. Null: it has it. */
  readonly unmappedReason: string | null
}

/** Null: the call is not over. `isComplete`: what is said of its end is all there. */
export type CallStanding = { readonly isComplete: boolean; readonly end: CallEnd } | null

/** `unreadable`: the answer is no status, so the provider is asked again. */
export function readStatus(
  template: StatusTemplate,
  { status, body }: Omit<Answer, 'retryAfter'>,
  variables: Texts,
): CallStanding | 'unreadable' {
  if (status < 200 || status >= 300 || typeof body !== 'object' || body === null) return 'unreadable'
  if (!holds(template.over, body)) return null
  const isComplete = template.complete == null || holds(template.complete, body)
  return { isComplete, end: readEnd(template, body, variables) }
}

function readEnd(template: StatusTemplate, body: object, variables: Texts): CallEnd {
  const reasons = (template.reason ?? []).map((pointer) => readText(valueAt(body, pointer)))
  const found = reasons.map((reason) =>
    reason === null ? null : findOutcome(template.outcomes ?? {}, reason),
  )
  const mapped = found.find((outcome) => outcome !== null) ?? null
  const reason = reasons.find((one) => one !== null) ?? ''
  const said = readText(firstAt(body, listOf(template.outcome), variables))
  const agreed = reportedOutcomes.find((outcome) => outcome === said) as ReportedOutcome | undefined
  const hasTalked = holds(template.talked, body)
  const chosen = agreed ?? outcomeAfterTalk(mapped ?? 'failed', hasTalked)
  const isNotDialled = chosen.startsWith('not_dialled:')
  const callback = readText(firstAt(body, listOf(template.callbackAt), variables))
  const callbackAtMs = callback !== null && isTimestamp(callback) ? parseTimestampMs(callback) : null
  const lacksCallbackTime = chosen === 'callback_requested' && callbackAtMs === null
  return {
    outcome: isNotDialled ? 'failed' : lacksCallbackTime ? 'answered' : (chosen as ReportedOutcome),
    notDialled: isNotDialled ? (chosen.slice('not_dialled:'.length) as NotDialled) : null,
    callbackAtMs: chosen === 'callback_requested' ? callbackAtMs : null,
    lacksCallbackTime,
    durationSeconds: readSeconds(template.seconds, body),
    details: readDetails(template.details ?? {}, body, variables),
    unmappedReason: mapped !== null || (agreed !== undefined && reason === '') ? null : reason,
  }
}

/** The texts and numbers of an answer, as texts. */
const readText = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null

/** The exact key first, then the longest that ends in `*`. */
function findOutcome(
  outcomes: Readonly<Record<string, TemplateOutcome>>,
  reason: string,
): TemplateOutcome | null {
  if (Object.hasOwn(outcomes, reason)) return outcomes[reason] ?? null
  const prefixes = Object.keys(outcomes).filter(
    (key) => key.endsWith('*') && reason.startsWith(key.slice(0, -1)),
  )
  const longest = prefixes.reduce((best, key) => (key.length > best.length ? key : best), '')
  return outcomes[longest] ?? null
}

const faults: readonly string[] = ['failed', 'abandoned', 'no_answer', 'busy'] satisfies ReportedOutcome[]

/** Nobody who has talked is called again for a fault. */
const outcomeAfterTalk = (outcome: TemplateOutcome, hasTalked: boolean): TemplateOutcome =>
  hasTalked && (faults.includes(outcome) || outcome.startsWith('not_dialled:')) ? 'answered' : outcome

const secondsPer = { s: 1, ms: 0.001, min: 60 } as const

function readSeconds(seconds: Seconds | null | undefined, body: object): number | null {
  if (seconds == null) return null
  const read = 'at' in seconds ? readDuration(seconds, body) : readSpan(seconds, body)
  return read === null || !Number.isFinite(read)
    ? null
    : Math.min(Math.max(Math.round(read), 0), limits.durationMaxSeconds)
}

/** A text of digits is a number, and `12s` is twelve. */
function readDuration({ at, unit }: Extract<Seconds, { at: string }>, body: object): number | null {
  const text = readText(valueAt(body, at))
  const [, digits, suffix] = /^(\d+(?:\.\d+)?)(s?)$/.exec(text ?? '') ?? []
  return digits === undefined ? null : Number(digits) * (suffix === 's' ? 1 : secondsPer[unit])
}

function readSpan({ from, to }: Extract<Seconds, { from: string }>, body: object): number | null {
  const [start, end] = [valueAt(body, from), valueAt(body, to)]
  const isSpan = [start, end].every((text) => typeof text === 'string' && isTimestamp(text))
  return isSpan ? (parseTimestampMs(end as string) - parseTimestampMs(start as string)) / 1000 : null
}
