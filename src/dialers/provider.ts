// A voice provider, as a dialer deals with it: start a call, ask how it stands, hang up, by its template.
import type { Problem } from './dialer-memory.ts'
import { presets } from './presets/presets.ts'
import { endOfPretended, pretend, sendPretended } from './presets/pretend.ts'
import { type Send, sendRequest } from './provider-request.ts'
import type { StoredDialer } from './store/set-dialer.ts'
import type { Values } from './template/placeholders.ts'
import { describeProblem } from './template/read-details.ts'
import { type Answer, isSuccess, judgeStart, type Verdict } from './template/read-start.ts'
import { type CallStanding, readRinging, readStatus, type StatusContext } from './template/read-status.ts'
import { renderHangUp, renderRequest } from './template/render.ts'
import type { Template, Texts } from './template/template.ts'
import type { Seen } from './trace.ts'

export type Started = {
  readonly verdict: Verdict
  readonly seen: Seen | null
  /** Null: nothing went wrong. */
  readonly problem: Problem | null
  /** When the call ends, of a pretended one. Null: unknown. */
  readonly endsAtMs: number | null
}

export type Asked = {
  readonly standing: CallStanding | 'unreadable'
  readonly seen: Seen | null
  /** Null: the call does not ring, as far as its template tells. */
  readonly ringing: ReturnType<typeof readRinging>
  /** Null: nothing went wrong. */
  readonly problem: Problem | null
}

export type Provider = {
  /** Never throws, as all of it. */
  readonly start: (values: Pick<Values, 'lead' | 'call'>, nowMs: number) => Promise<Started>
  readonly ask: (
    providerId: string,
    nowMs: number,
    ofCall: Omit<StatusContext, 'variables'>,
  ) => Promise<Asked>
  /** `isTaken`: the provider took it, or there is nothing to send. */
  readonly hangUp: (providerId: string) => Promise<{ readonly isTaken: boolean; readonly seen: Seen | null }>
  readonly check: () => Promise<{
    readonly isOk: boolean
    readonly seen: Seen
    readonly problem: Problem | null
  } | null>
}

const startMs = 30_000
const askMs = 10_000

type Chosen = Pick<StoredDialer, 'preset' | 'template' | 'variables'>

export function templateOf({ preset, template }: Pick<Chosen, 'preset' | 'template'>): Template {
  const found = template ?? presets.find(({ name }) => name === preset)?.template
  if (found === undefined) throw new Error('An unknown preset')
  return found
}

/** The service itself plays the provider of `pretend`: it knows when a call ends. */
export function providerOf({ preset, template, variables }: Chosen, secrets: Texts, send: Send): Provider {
  const isPretended = preset === pretend.name
  return templateProvider(templateOf({ preset, template }), variables, secrets, {
    send: isPretended ? sendPretended : send,
    endsAtMsOf: isPretended ? endOfPretended : () => null,
  })
}

type Way = { readonly send: Send; readonly endsAtMsOf: (providerId: string) => number | null }

function templateProvider(
  template: Template,
  variables: Texts,
  secrets: Texts,
  { send, endsAtMsOf }: Way,
): Provider {
  const auth = template.auth ?? null
  const problemOf = (answer: Answer | null, atMs: number): Problem => ({
    atMs,
    status: answer?.status ?? null,
    ...(answer === null
      ? { code: 'no_answer', message: null }
      : describeProblem(answer, Object.values(secrets))),
  })
  const notSent = (message: string, atMs: number): Problem => ({
    atMs,
    status: null,
    code: 'not_sent',
    message,
  })
  const valuesOf = (id?: string): Values => ({
    lead: {},
    call: {},
    provider: id === undefined ? {} : { id },
    variables,
  })
  /** An answer of null: none came in time, or nothing was sent. */
  const exchange = async (made: ReturnType<typeof renderRequest>, timeoutMs: number) => {
    const sentMs = Date.now()
    const answer = made.isRendered ? await sendRequest(send, made.request, timeoutMs, secrets) : null
    const { message } = made.isRendered ? problemOf(answer, sentMs) : notSent(made.problem, sentMs)
    const isFine = answer !== null && isSuccess(answer.status)
    const milliseconds = Date.now() - sentMs
    const seen: Seen = { httpStatus: answer?.status ?? null, milliseconds, message: isFine ? null : message }
    return { answer, isFine, seen }
  }
  const askFor = (providerId: string) =>
    exchange(renderRequest(template.status, auth, valuesOf(providerId), secrets), askMs)
  return {
    async start(values, nowMs) {
      const made = renderRequest(template.start, auth, { ...valuesOf(), ...values }, secrets)
      const { answer, seen } = await exchange(made, startMs)
      if (!made.isRendered) {
        const verdict = { kind: 'not_dialled', because: 'lead', retryAfterMs: null } as const
        return { verdict, seen, problem: notSent(made.problem, nowMs), endsAtMs: null }
      }
      const verdict = judgeStart(template, answer, nowMs)
      if (verdict.kind === 'started')
        return { verdict, seen, problem: null, endsAtMs: endsAtMsOf(verdict.providerId) }
      return { verdict, seen, problem: problemOf(answer, nowMs), endsAtMs: null }
    },
    async ask(providerId, nowMs, ofCall) {
      const { answer, seen } = await askFor(providerId)
      const context = { ...ofCall, variables }
      const standing = answer === null ? 'unreadable' : readStatus(template.status, answer, context)
      const ringing = standing === null ? readRinging(template.status, answer?.body) : null
      return { standing, seen, ringing, problem: standing === 'unreadable' ? problemOf(answer, nowMs) : null }
    },
    async hangUp(providerId) {
      if (template.hangUp == null) return { isTaken: true, seen: null }
      const status = 'urlAt' in template.hangUp ? (await askFor(providerId)).answer?.body : undefined
      const made = renderHangUp(template.hangUp, auth, valuesOf(providerId), secrets, status)
      const { isFine, seen } = await exchange(made, askMs)
      return { isTaken: isFine, seen }
    },
    async check() {
      if (template.check == null) return null
      const made = renderRequest(template.check, auth, valuesOf(), secrets)
      const { answer, isFine, seen } = await exchange(made, askMs)
      if (!made.isRendered) return { isOk: false, seen, problem: notSent(made.problem, Date.now()) }
      return { isOk: isFine, seen, problem: isFine ? null : problemOf(answer, Date.now()) }
    },
  }
}
