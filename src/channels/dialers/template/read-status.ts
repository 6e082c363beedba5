// How a call stands, read from the provider's answer: whether it is over, and how it ended. Pure.

import { limits } from '../../../base/limits.ts'
import { sameTimeNextDay } from '../../../base/time-zone.ts'
import { isTimestamp, parseTimestampMs } from '../../../base/timestamp.ts'
import type { ReportedOutcome } from '../../../queue/campaigns/outcomes.ts'
import { readCallbackTime } from './callback-time.ts'
import { holds } from './condition.ts'
import { valueAt, valuesAt } from './pointer.ts'
import { readCost, readDetails } from './read-details.ts'
import { readSaid, readText, type Said, textsIn } from './read-said.ts'
import type { Answer } from './read-start.ts'
import {
  defaultRangOut,
  flagNotUnderstood,
  hears,
  listOf,
  type NotDialled,
  notUnderstood,
  type Seconds,
  type StatusTemplate,
  type TemplateOutcome,
  type Texts,
} from './template.ts'

export type CallEnd = {
  /** `notDialled` is not null: the call is none. `isUnknown`: nobody reports it. */
  readonly outcome: ReportedOutcome
  /** It gives no reason, and nobody has talked: the lease ends as `unknown`. */
  readonly isUnknown: boolean
  /** Somebody may have said no in it, though all that is said of it is there. */
  readonly mayHear: boolean
  readonly notDialled: NotDialled | null
  readonly callbackAtMs: number | null
  readonly durationSeconds: number | null
  /** With what the service has to say of the end, under `saidOutcome` and `dialer`. */
  readonly details: Readonly<Record<string, unknown>> | null
  /**
   * A reason that the template does not have, an empty text when there is none, or that the outcome or a flag was not
   * understood. Null: it has it.
   */
  readonly unmappedReason: string | null
  /** The provider's. Null: it gives none. */
  readonly reason: string | null
}

/** What reading a status needs besides the answer. */
export type StatusContext = {
  readonly variables: Texts
  /** The lead's, else the campaign's. */
  readonly timeZone: string
  /** When the call was first seen to be over; now, if it was not. */
  readonly overAtMs: number
  /** It was given up before, because nobody took it. */
  readonly hasRungOut?: boolean
  /** By an answer before. */
  readonly hasTalked?: boolean
  readonly saidNo?: boolean
}

/**
 * Null: the call is not over. `isComplete`: all end details are present, and of a call in which somebody has talked
 * what was said, where the template has a place for it.
 */
export type CallStanding = {
  readonly isComplete: boolean
  /** A person, and no machine. */
  readonly hasTalked: boolean
  /** Also one that is not accepted, since nobody has talked. */
  readonly saidNo: boolean
  /** What stands at the places for an outcome and a do-not-call. */
  readonly isUnderstood: boolean
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
  const hasTalked = holds(template.talked, body) && !holds(template.voicemail, body)
  const said = readSaid(template, body, context)
  const mustSay = hears(template) && (hasTalked || (context.hasTalked ?? false))
  return {
    isComplete: (template.complete == null || holds(template.complete, body)) && (said.isThere || !mustSay),
    hasTalked,
    saidNo: said.isDoNotCall,
    isUnderstood: said.isUnderstood,
    end: readEnd(template, body, said, context),
  }
}

/** How long a call that is not over may ring, and what it comes to then. Null: it does not ring. */
export function readRinging(
  { ringing }: StatusTemplate,
  body: unknown,
): { readonly forMs: number; readonly outcome: ReportedOutcome } | null {
  if (ringing == null || !holds(ringing.while, body)) return null
  return { forMs: ringing.seconds * 1000, outcome: ringing.outcome ?? defaultRangOut }
}

function readEnd(template: StatusTemplate, body: object, said: Said, context: StatusContext): CallEnd {
  const { variables } = context
  const table = readReason(template, body, context)
  const { mapped, reason } = table
  const hasTalked = (context.hasTalked ?? false) || holds(template.talked, body)
  const endedAtMs = readEndedAt(template, body, context)
  const timeMs = readCallback(template, body, context, endedAtMs)
  const accepted = acceptedOutcome(template, body, { hasTalked, table, said, hasTime: timeMs !== null })
  const { outcome } = accepted
  const isNotDialled = outcome.startsWith('not_dialled:')
  const isCallback = outcome === 'callback_requested'
  const own = {
    ...readCost(template.cost, body, variables),
    ...(said.outcome === null && said.text !== null && { saidOutcome: shortened(said.text) }),
    ...(isCallback &&
      timeMs === null && { dialer: 'callback without a usable time: tomorrow at the same time' }),
  }
  const nobody = !hasTalked && mapped !== null && (isNotDialled || nobodyTookIt.includes(mapped))
  return {
    outcome: isNotDialled ? 'failed' : (outcome as ReportedOutcome),
    isUnknown: accepted.by === 'table' && mapped === null && reason === '' && !hasTalked,
    mayHear: hears(template) && !nobody && !holds(template.voicemail, body),
    notDialled: isNotDialled ? (outcome.slice('not_dialled:'.length) as NotDialled) : null,
    // Without a time it is the same one on the next day, by the clock of the person's zone.
    callbackAtMs: isCallback ? (timeMs ?? sameTimeNextDay(context.timeZone, endedAtMs)) : null,
    durationSeconds: readSeconds(template.seconds, body),
    details: withOwn(own, (left) => readDetails(template.details ?? {}, body, variables, left)),
    unmappedReason: findUnmapped(accepted.by, mapped === null ? reason : null, said),
    reason: reason === '' ? null : reason,
  }
}

/** `reason`: that the table does not have, an empty text when there is none. Null: it has it. */
function findUnmapped(by: DecidedBy, reason: string | null, { text, outcome, isFlagUnclear }: Said) {
  if (by === 'no' && isFlagUnclear) return flagNotUnderstood
  if (reason !== null && reason !== '') return reason
  if (by !== 'table' && by !== 'time') return null
  return text !== null && outcome === null ? notUnderstood : by === 'table' ? reason : null
}

type Table = {
  /** What the table has for the provider's reason. Null: nothing. */
  readonly mapped: TemplateOutcome | null
  /** The same where somebody has talked. Null: nothing of its own. */
  readonly afterTalk: TemplateOutcome | null
  /** The provider's, an empty text when there is none. */
  readonly reason: string
}

/** The table does not know who hung up a call that rang. */
function readReason(
  { reason = [], outcomes = {}, afterTalk, ringing }: StatusTemplate,
  body: object,
  { hasRungOut = false }: StatusContext,
): Table {
  const reasons = reason.map((pointer) => readText(valueAt(body, pointer))).filter((one) => one !== null)
  const known = reasons.find((one) => findOutcome(outcomes, one) !== null) ?? null
  const mapped = known === null ? null : findOutcome(outcomes, known)
  const rangOut =
    hasRungOut && !mapped?.startsWith('not_dialled:') ? (ringing?.outcome ?? defaultRangOut) : null
  return {
    mapped: rangOut ?? mapped,
    afterTalk: known === null ? null : findOutcome(afterTalk ?? {}, known),
    reason: reasons[0] ?? '',
  }
}

/** `no`: a do-not-call. `time`: nothing but a time for a callback was said. */
type DecidedBy = 'table' | 'no' | 'machine' | 'word' | 'time'
type AcceptedOutcome = { readonly outcome: TemplateOutcome; readonly by: DecidedBy }

/** The order decides: the first that fits. */
function acceptedOutcome(
  { voicemail }: StatusTemplate,
  body: object,
  known: {
    readonly hasTalked: boolean
    readonly table: Table
    readonly said: Said
    readonly hasTime: boolean
  },
): AcceptedOutcome {
  const { hasTalked, said, hasTime } = known
  const { mapped, afterTalk } = known.table
  const table = mapped ?? 'failed'
  if (!hasTalked && table.startsWith('not_dialled:')) return { outcome: table, by: 'machine' }
  if (said.isDoNotCall) return { outcome: 'do_not_call', by: 'no' }
  // A greeting is transcribed as the person.
  if (holds(voicemail, body)) return { outcome: 'voicemail', by: 'machine' }
  // An analysis of a call that nobody took is invented.
  if (!hasTalked && nobodyTookIt.includes(table)) return { outcome: table, by: 'machine' }
  // A person who booked a meeting is not called back for it, and neither is a machine.
  if (hasTime && table !== 'voicemail' && (said.outcome === null || said.isPlainAnswer))
    return { outcome: 'callback_requested', by: 'time' }
  if (said.outcome !== null) return { outcome: said.outcome, by: 'word' }
  return { outcome: hasTalked ? (afterTalk ?? afterFault(table)) : table, by: 'table' }
}

const nobodyTookIt: readonly string[] = ['no_answer', 'busy', 'voicemail'] satisfies ReportedOutcome[]

function readEndedAt({ seconds }: StatusTemplate, body: object, { overAtMs }: StatusContext): number {
  const written = seconds != null && 'to' in seconds ? readText(valueAt(body, seconds.to)) : null
  return written !== null && isTimestamp(written) ? Math.min(parseTimestampMs(written), overAtMs) : overAtMs
}

/** The first usable time. Null: there is none. */
function readCallback(
  { callbackAt }: StatusTemplate,
  body: object,
  { variables, timeZone }: StatusContext,
  endedAtMs: number,
): number | null {
  const times = valuesAt(body, listOf(callbackAt), variables).flatMap((value) =>
    textsIn(value).map((text) => readCallbackTime(text, timeZone, endedAtMs)),
  )
  return times.find((ms) => ms !== null) ?? null
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

/** The exact key first, then the longest of those with a `*` that fits. */
function findOutcome<Outcome extends TemplateOutcome>(
  outcomes: Readonly<Record<string, Outcome>>,
  reason: string,
): Outcome | null {
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
const afterFault = (outcome: TemplateOutcome): TemplateOutcome =>
  faults.includes(outcome) || outcome.startsWith('not_dialled:') ? 'answered' : outcome

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
