// How a call stands, read from the provider's answer: whether it is over, and how it ended. Pure.
import type { ReportedOutcome } from '../../campaigns/outcomes.ts'
import { limits } from '../../limits.ts'
import { sameTimeNextDay } from '../../time-zone.ts'
import { isTimestamp, parseTimestampMs } from '../../timestamp.ts'
import { readCallbackTime } from './callback-time.ts'
import { holds } from './condition.ts'
import { valueAt, valuesAt } from './pointer.ts'
import { readDetails } from './read-details.ts'
import type { Answer } from './read-start.ts'
import {
  defaultRangOut,
  listOf,
  type NotDialled,
  type Seconds,
  type StatusTemplate,
  type TemplateOutcome,
  type Texts,
} from './template.ts'
import { isYes, notUnderstood, outcomeOf } from './words.ts'

export type CallEnd = {
  /** `notDialled` is not null: the call is none. */
  readonly outcome: ReportedOutcome
  readonly notDialled: NotDialled | null
  readonly callbackAtMs: number | null
  readonly durationSeconds: number | null
  /** With what the service has to say of the end, under `saidOutcome` and `dialer`. */
  readonly details: Readonly<Record<string, unknown>> | null
  /**
   * A reason that the template does not have, an empty text when there is none, or that the outcome was not understood.
   * Null: it has it.
   */
  readonly unmappedReason: string | null
  /** The provider's. Null: it gives none. */
  readonly reason: string | null
}

/** What reading a status needs besides the answer. */
export type StatusContext = {
  readonly variables: Texts
  /** Of the lead, else of the campaign. */
  readonly timeZone: string
  /** When the call was first seen to be over; now, if it was not. */
  readonly overAtMs: number
  /** It was given up before, because nobody took it. */
  readonly hasRungOut?: boolean
  /** By an answer before. */
  readonly hasTalked?: boolean
  readonly saidNo?: boolean
}

/** Null: the call is not over. `isComplete`: all end details are present. */
export type CallStanding = {
  readonly isComplete: boolean
  /** A person, and no machine. */
  readonly hasTalked: boolean
  /** Also one that is not believed, since nobody has talked. */
  readonly saidNo: boolean
  readonly end: CallEnd
} | null

/** `unreadable`: the answer is no status, so the provider is asked again. */
export function readStatus(
  template: StatusTemplate,
  { status, body }: Pick<Answer, 'status' | 'body'>,
  context: StatusContext,
): CallStanding | 'unreadable' {
  if (status < 200 || status >= 300 || typeof body !== 'object' || body === null) return 'unreadable'
  if (!holds(template.over, body)) return null
  const isComplete = template.complete == null || holds(template.complete, body)
  const hasTalked = holds(template.talked, body) && !holds(template.voicemail, body)
  const said = readSaid(template, body, context)
  return { isComplete, hasTalked, saidNo: said.isDoNotCall, end: readEnd(template, body, said, context) }
}

/** Of a call that is not over: how long it may ring, and what it comes to then. Null: it does not ring. */
export function readRinging(
  { ringing }: StatusTemplate,
  body: unknown,
): { readonly forMs: number; readonly outcome: ReportedOutcome } | null {
  if (ringing == null || !holds(ringing.while, body)) return null
  return { forMs: ringing.seconds * 1000, outcome: ringing.outcome ?? defaultRangOut }
}

function readEnd(template: StatusTemplate, body: object, said: Said, context: StatusContext): CallEnd {
  const { variables } = context
  const { mapped, reason } = readReason(template, body, context)
  const hasTalked = (context.hasTalked ?? false) || holds(template.talked, body)
  const believed = whatIsBelieved(template, body, hasTalked, mapped ?? 'failed', said)
  const { outcome } = believed
  const isNotDialled = outcome.startsWith('not_dialled:')
  const callback = outcome === 'callback_requested' ? readCallback(template, body, context) : null
  const own = {
    ...(said.outcome === null && said.text !== null && { saidOutcome: shortened(said.text) }),
    ...(callback?.isAssumed && { dialer: 'callback without a usable time: tomorrow at the same time' }),
  }
  return {
    outcome: isNotDialled ? 'failed' : (outcome as ReportedOutcome),
    notDialled: isNotDialled ? (outcome.slice('not_dialled:'.length) as NotDialled) : null,
    callbackAtMs: callback?.atMs ?? null,
    durationSeconds: readSeconds(template.seconds, body),
    details: withOwn(own, (left) => readDetails(template.details ?? {}, body, variables, left)),
    unmappedReason: findUnmapped(believed.isByTable, mapped === null ? reason : null, said),
    reason: reason === '' ? null : reason,
  }
}

/** `reason`: that the table does not have, an empty text when there is none. Null: it has it. */
function findUnmapped(isByTable: boolean, reason: string | null, { text }: Said): string | null {
  if (reason !== null && reason !== '') return reason
  if (!isByTable) return null
  return text === null ? reason : notUnderstood
}

/** What the table has for the provider's reason. `mapped` null: nothing. It does not know who hung up a call that rang. */
function readReason(
  { reason = [], outcomes = {}, ringing }: StatusTemplate,
  body: object,
  { hasRungOut = false }: StatusContext,
) {
  const reasons = reason.map((pointer) => readText(valueAt(body, pointer))).filter((one) => one !== null)
  const found = reasons.map((one) => findOutcome(outcomes, one))
  const mapped = found.find((outcome) => outcome !== null) ?? null
  const rangOut =
    hasRungOut && !mapped?.startsWith('not_dialled:') ? (ringing?.outcome ?? defaultRangOut) : null
  return { mapped: rangOut ?? mapped, reason: reasons[0] ?? '' }
}

type Said = {
  /** By a word, or by the flag. */
  readonly isDoNotCall: boolean
  /** What was written at the first pointer that leads to a text. Null: nothing. */
  readonly text: string | null
  /** That text as an outcome. Null: it is none. */
  readonly outcome: ReportedOutcome | null
}

function readSaid(
  { outcome, outcomeNames, doNotCall }: StatusTemplate,
  body: object,
  { variables, saidNo = false }: StatusContext,
): Said {
  const meaningOf = (text: string) => outcomeOf(text, outcomeNames ?? {})
  const textsAt = (pointers: StatusTemplate['outcome']) =>
    valuesAt(body, listOf(pointers), variables).flatMap((value) => readText(value) ?? [])
  const words = textsAt(outcome).filter((text) => text.trim() !== '')
  const [text = null] = words
  return {
    isDoNotCall:
      saidNo || textsAt(doNotCall).some(isYes) || words.some((word) => meaningOf(word) === 'do_not_call'),
    text,
    outcome: text === null ? null : meaningOf(text),
  }
}

/** The order decides: the first that fits. `table`: what it has for the reason. `isByTable`: nothing else has decided. */
function whatIsBelieved(
  { voicemail }: StatusTemplate,
  body: object,
  hasTalked: boolean,
  table: TemplateOutcome,
  said: Said,
): { readonly outcome: TemplateOutcome; readonly isByTable: boolean } {
  const decided = (outcome: TemplateOutcome) => ({ outcome, isByTable: false })
  if (!hasTalked && table.startsWith('not_dialled:')) return decided(table)
  if (said.isDoNotCall) return decided('do_not_call')
  // A greeting is transcribed as the person.
  if (holds(voicemail, body)) return decided('voicemail')
  // An analysis of a call that nobody took is invented.
  if (!hasTalked && nobodyTookIt.includes(table)) return decided(table)
  if (said.outcome !== null) return decided(said.outcome)
  return { outcome: outcomeAfterTalk(table, hasTalked), isByTable: true }
}

const nobodyTookIt: readonly string[] = ['no_answer', 'busy', 'voicemail'] satisfies ReportedOutcome[]

/** `isAssumed`: no usable time was said. Then it is the same time on the next day, by the clock of the person's zone. */
function readCallback(
  { callbackAt, seconds }: StatusTemplate,
  body: object,
  { variables, timeZone, overAtMs }: StatusContext,
): { readonly atMs: number; readonly isAssumed: boolean } {
  const written = seconds != null && 'to' in seconds ? readText(valueAt(body, seconds.to)) : null
  const endedAtMs =
    written !== null && isTimestamp(written) ? Math.min(parseTimestampMs(written), overAtMs) : overAtMs
  const times = valuesAt(body, listOf(callbackAt), variables).map((value) =>
    readCallbackTime(readText(value) ?? '', timeZone, endedAtMs),
  )
  const atMs = times.find((ms) => ms !== null) ?? null
  return { atMs: atMs ?? sameTimeNextDay(timeZone, endedAtMs), isAssumed: atMs === null }
}

const saidMaxChars = 200
const shortened = (text: string) =>
  [...text.slice(0, 2 * saidMaxChars).toWellFormed()].slice(0, saidMaxChars).join('')

/** The service's own come first, and the provider's fill what they leave. */
function withOwn(
  own: Readonly<Record<string, string>>,
  read: (maxBytes: number) => Readonly<Record<string, unknown>> | null,
): Readonly<Record<string, unknown>> | null {
  if (Object.keys(own).length === 0) return read(limits.detailsMaxBytes)
  return { ...read(limits.detailsMaxBytes - Buffer.byteLength(JSON.stringify(own))), ...own }
}

/** The texts, numbers and booleans of an answer, as texts. */
const readText = (value: unknown): string | null =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : null

/** The exact key first, then the longest of those with a `*` that fits. */
function findOutcome(
  outcomes: Readonly<Record<string, TemplateOutcome>>,
  reason: string,
): TemplateOutcome | null {
  if (Object.hasOwn(outcomes, reason)) return outcomes[reason] ?? null
  const fitting = Object.keys(outcomes).filter((key) => fits(key, reason))
  const longest = fitting.reduce((best, key) => (key.length > best.length ? key : best), '')
  return outcomes[longest] ?? null
}

function fits(key: string, reason: string): boolean {
  const [isOpenAhead, isOpenBehind] = [key.startsWith('*'), key.endsWith('*')]
  const text = key.slice(isOpenAhead ? 1 : 0, isOpenBehind ? -1 : undefined)
  if (isOpenAhead && isOpenBehind) return reason.includes(text)
  return (isOpenAhead && reason.endsWith(text)) || (isOpenBehind && reason.startsWith(text))
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
