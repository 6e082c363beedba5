// A voice provider, as a dialer deals with it: start a call, ask how it stands, hang up, by its template.
import type { Problem } from './dialer-memory.ts'
import { presets } from './presets/presets.ts'
import { endOfPretended, pretend, sendPretended } from './presets/pretend.ts'
import { type Send, sendRequest } from './provider-request.ts'
import type { StoredDialer } from './store/set-dialer.ts'
import type { Values } from './template/placeholders.ts'
import { describeProblem, maskDigits } from './template/read-details.ts'
import { type Answer, isSuccess, judgeStart, type Verdict } from './template/read-start.ts'
import { type CallStanding, readRinging, readStatus, type StatusContext } from './template/read-status.ts'
import { renderHangUp, renderRequest } from './template/render.ts'
import type { Template, Texts } from './template/template.ts'
import type { Bodies, Seen } from './trace.ts'

/** What was exchanged, where somebody wants to see it. */
type Shows = { readonly show?: (() => Bodies | undefined) | undefined }

export type Started = Shows & {
  readonly verdict: Verdict
  readonly seen: Seen | null
  /** Null: nothing went wrong. */
  readonly problem: Problem | null
  /** When the call ends, of a pretended one. Null: unknown. */
  readonly endsAtMs: number | null
}

export type Asked = Shows & {
  readonly standing: CallStanding | 'unreadable'
  readonly seen: Seen | null
  /** Null: the call does not ring, as far as its template tells. */
  readonly ringing: ReturnType<typeof readRinging>
  /** Null: nothing went wrong. */
  readonly problem: Problem | null
}

const startMs = 30_000
const askMs = 10_000

type Chosen = Pick<StoredDialer, 'preset' | 'template' | 'variables'>

export function templateOf({ preset, template }: Pick<Chosen, 'preset' | 'template'>): Template {
  const found = template ?? presets.find(({ name }) => name === preset)?.template
  if (found === undefined) throw new Error('An unknown preset')
  return found
}

export type Provider = ReturnType<typeof providerOf>

/** The service itself plays the provider of `pretend`: it knows when a call ends. Nothing here throws. */
export function providerOf(chosen: Chosen, secrets: Texts, sendOut: Send) {
  const { preset, variables } = chosen
  const template = templateOf(chosen)
  const auth = template.auth ?? null
  const isPretended = preset === pretend.name
  const send = isPretended ? sendPretended : sendOut
  const valuesOf = (id?: string): Values => ({
    lead: {},
    call: {},
    provider: id === undefined ? {} : { id },
    variables,
  })
  /**
   * An answer of null: none came in time, or nothing was sent. `problem`: what is to be said of it where it is not
   * fine.
   */
  const exchange = async (made: ReturnType<typeof renderRequest>, timeoutMs: number, atMs = Date.now()) => {
    const sentMs = Date.now()
    const answer = made.isRendered ? await sendRequest(send, made.request, timeoutMs, secrets) : null
    const isFine = answer !== null && isSuccess(answer.status)
    const status = answer?.status ?? null
    const said = made.isRendered
      ? describeAnswer(answer, secrets)
      : { code: 'not_sent', message: made.problem }
    const milliseconds = Date.now() - sentMs
    const seen: Seen = { httpStatus: status, milliseconds, message: isFine ? null : said.message }
    const problem: Problem = { atMs, status, ...said }
    const show = () => (made.isRendered ? shownOf(made.request, answer, secrets) : undefined)
    return { answer, isFine, seen, problem, show }
  }
  const askFor = (providerId: string, nowMs?: number) =>
    exchange(renderRequest(template.status, auth, valuesOf(providerId), secrets), askMs, nowMs)
  return {
    async start(values: Pick<Values, 'lead' | 'call'>, nowMs: number): Promise<Started> {
      const made = renderRequest(template.start, auth, { ...valuesOf(), ...values }, secrets)
      const { answer, seen, problem, show } = await exchange(made, startMs, nowMs)
      const verdict = made.isRendered ? judgeStart(template, answer, nowMs) : neverSent
      if (verdict.kind !== 'started') return { verdict, seen, problem, show, endsAtMs: null }
      const endsAtMs = isPretended ? endOfPretended(verdict.providerId) : null
      return { verdict, seen, problem: null, show, endsAtMs }
    },
    async ask(providerId: string, nowMs: number, ofCall: Omit<StatusContext, 'variables'>): Promise<Asked> {
      const { answer, seen, problem, show } = await askFor(providerId, nowMs)
      const context = { ...ofCall, variables }
      const standing = answer === null ? 'unreadable' : readStatus(template.status, answer, context)
      const ringing = standing === null ? readRinging(template.status, answer?.body) : null
      return { standing, seen, ringing, show, problem: standing === 'unreadable' ? problem : null }
    },
    /** `isTaken`: the provider took it, or there is nothing to send. */
    async hangUp(
      providerId: string,
    ): Promise<Shows & { readonly isTaken: boolean; readonly seen: Seen | null }> {
      if (template.hangUp == null) return { isTaken: true, seen: null }
      const status = 'urlAt' in template.hangUp ? (await askFor(providerId)).answer?.body : undefined
      const made = renderHangUp(template.hangUp, auth, valuesOf(providerId), secrets, status)
      const { isFine, seen, show } = await exchange(made, askMs)
      return { isTaken: isFine, seen, show }
    },
    /** Null: the template has no check. */
    async check(timeoutMs: number) {
      if (template.check == null) return null
      const made = renderRequest(template.check, auth, valuesOf(), secrets)
      const { isFine, seen, problem } = await exchange(made, timeoutMs)
      return { isOk: isFine, seen, problem: isFine ? null : problem }
    },
  }
}

const neverSent = { kind: 'not_dialled', because: 'lead', retryAfterMs: null } as const

const describeAnswer = (answer: Answer | null, secrets: Texts) =>
  answer === null ? { code: 'no_answer', message: null } : describeProblem(answer, Object.values(secrets))

const shownChars = 4_000

/** Without headers, which hold credentials. A secret may stand in a URL or in JSON. */
function shownOf(
  { method, url, body }: { readonly method: string; readonly url: string; readonly body: string | null },
  answer: Answer | null,
  secrets: Texts,
): Bodies {
  const spellings = Object.values(secrets)
    .filter((secret) => secret !== '')
    .flatMap((one) => [one, JSON.stringify(one).slice(1, -1), encodeURIComponent(one)])
    .flatMap((one) => [one, one.replaceAll('%20', '+')])
    .sort((one, other) => other.length - one.length)
  const mask = (text: string) =>
    maskDigits(spellings.reduce((rest, one) => rest.replaceAll(one, '…'), text)).slice(0, shownChars)
  return {
    request: mask(`${method} ${url}${body === null ? '' : `\n${body}`}`),
    answer: answer === null ? null : mask(answer.unread ?? JSON.stringify(answer.body) ?? 'No JSON'),
  }
}
