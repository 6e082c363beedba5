// A voice provider with the faults of real ones, each drawn by a seed for a call: it answers late or not at all, loses
// the answer to a call that it has dialled, refuses, lies about a call for a while, never ends one, or says what nobody
// knows. It knows what really happened, for the tests to compare.

import type { Template } from '../../../src/channels/dialers/template/template.ts'
import type { ReportedOutcome } from '../../../src/queue/campaigns/outcomes.ts'

const minuteMs = 60_000

export const fakeTemplate: Template = {
  auth: { kind: 'bearer', secret: 'apiKey' },
  start: {
    method: 'POST',
    url: 'https://voice.example.com/calls',
    body: { to: '{{lead.phoneNumber}}', ref: '{{call.callId}}', endUrl: '{{call.endUrl}}' },
  },
  started: { id: '/id', unless: { at: '/state', equals: 'unknown' } },
  notDialled: [
    { status: [401, 402], because: 'account' },
    { status: [429], because: 'busy' },
    { status: [400], because: 'lead' },
  ],
  status: {
    method: 'GET',
    url: 'https://voice.example.com/calls/{{provider.id}}',
    over: { at: '/state', equals: 'ended' },
    complete: { at: '/analysis', notNull: true },
    reason: ['/reason'],
    talked: { at: '/talked', equals: true },
    outcomes: {
      answered: 'answered',
      busy: 'busy',
      'no-answer': 'no_answer',
      crashed: 'failed',
      'number-wrong': 'not_dialled:lead:invalid_number',
      'no-credit': 'not_dialled:account',
    },
    outcome: ['/analysis/outcome'],
    doNotCall: ['/analysis/doNotCall', '/analysis/do_not_call'],
    callbackAt: ['/analysis/callbackAt'],
    seconds: { at: '/seconds', unit: 's' },
    details: { summary: '/analysis/summary' },
  },
  hangUp: { method: 'POST', url: 'https://voice.example.com/calls/{{provider.id}}/end' },
  check: { method: 'GET', url: 'https://voice.example.com/me' },
}

/** The same template, at another host. */
export const templateOn = (host: string): typeof fakeTemplate =>
  JSON.parse(JSON.stringify(fakeTemplate).replaceAll('voice.example.com', host))

/** What becomes of a start. `rang`: the phone has rung, whatever the answer says. */
export type StartFate =
  | 'fine'
  | 'busy'
  | 'busy_without_time'
  | 'no_credit'
  | 'refused'
  | 'fails_after_ringing'
  | 'fails_before_ringing'
  | 'no_id'
  | 'late'
  | 'lost'

/** How a status is told. `true` after the fault is over. */
export type StatusFate =
  | 'fine'
  | 'errors'
  | 'missing'
  | 'garbage'
  | 'unfinished'
  | 'no_analysis'
  | 'never_ends'

export type Fate = {
  readonly start: StartFate
  readonly status: StatusFate
  readonly reason: string
  /** Null: of a call that was answered, that it was. */
  readonly outcome: ReportedOutcome | null
  /** What the analysis says besides, or in its place. */
  readonly said?: Readonly<Record<string, unknown>>
  readonly lengthMs: number
  /** How long a fault of its status lasts after the call, in place of that of the provider. */
  readonly faultMs?: number
  /** It rings so long before somebody takes it. */
  readonly ringsMs?: number
}

export const plainFate: Fate = {
  start: 'fine',
  status: 'fine',
  reason: 'answered',
  outcome: null,
  lengthMs: minuteMs,
}

export type ProviderCall = Fate & {
  readonly id: string
  readonly callId: string
  readonly phoneNumber: string
  readonly startedAtMs: number
  endedAtMs: number
  hungUpAtMs: number | null
}

export type FakeProvider = ReturnType<typeof openProvider>

type Options = {
  readonly now: () => number
  /** Of the start of this call; by default all goes well. */
  readonly fateOf?: (phoneNumber: string, callId: string) => Fate
  /** How long a fault of the status lasts after the call. */
  readonly faultMs?: number
}

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })
const timeout = () => new DOMException('The operation was aborted due to timeout', 'TimeoutError')

export function openProvider({ now, fateOf = () => plainFate, faultMs = 5 * minuteMs }: Options) {
  /** Phones that have rung, in order. */
  const rung: ProviderCall[] = []
  const requests: {
    readonly method: string
    readonly url: string
    readonly headers: Headers
    readonly atMs: number
  }[] = []
  const state = { hasCredit: true, hangUpFails: false, failingHangUps: new Set<string>() }

  function start(body: { to: string; ref: string }): Response {
    const fate = fateOf(body.to, body.ref)
    if (!state.hasCredit || fate.start === 'no_credit') return answer(402, { error: 'no credit' })
    if (fate.start === 'busy') return answer(429, { message: 'slow down' }, { 'retry-after': '20' })
    if (fate.start === 'busy_without_time') return answer(429, 'slow down')
    if (fate.start === 'refused') return answer(400, { message: `${body.to} is not a number` })
    if (fate.start === 'fails_before_ringing') return answer(500, 'oh no')
    if (fate.start === 'lost') throw timeout()
    const startedAtMs = now()
    const id = `p${rung.length + 1}`
    const endedAtMs = fate.status === 'never_ends' ? Number.POSITIVE_INFINITY : startedAtMs + fate.lengthMs
    const call = {
      ...fate,
      id,
      callId: body.ref,
      phoneNumber: body.to,
      startedAtMs,
      endedAtMs,
      hungUpAtMs: null,
    }
    rung.push(call)
    if (fate.start === 'fails_after_ringing') return answer(502, 'bad gateway')
    if (fate.start === 'no_id') return answer(201, { ok: true })
    if (fate.start === 'late') throw timeout()
    return answer(201, { id, state: 'queued' })
  }

  function statusOf(call: ProviderCall): Response {
    const nowMs = now()
    const isFaulty = nowMs < call.endedAtMs + (call.faultMs ?? faultMs)
    if (isFaulty && call.status === 'errors') return answer(503, 'later')
    if (isFaulty && call.status === 'missing') return answer(404, { message: 'no such call' })
    if (isFaulty && call.status === 'garbage') return answer(200, '<html>')
    if (nowMs < call.endedAtMs || (isFaulty && call.status === 'unfinished'))
      return answer(200, {
        state: nowMs < call.startedAtMs + (call.ringsMs ?? 0) ? 'ringing' : 'talking',
      })
    const isAnswered = call.reason === 'answered'
    const analysis =
      call.status === 'no_analysis' && isFaulty
        ? null
        : { outcome: call.outcome ?? (isAnswered ? 'answered' : null), summary: 'short', ...call.said }
    const seconds = Math.round((call.endedAtMs - call.startedAtMs) / 1000)
    return answer(200, {
      state: 'ended',
      reason: call.reason,
      talked: isAnswered,
      seconds,
      analysis,
    })
  }

  async function send(url: string, init: RequestInit): Promise<Response> {
    const { method = 'GET' } = init
    requests.push({ method, url, headers: new Headers(init.headers), atMs: now() })
    const { pathname } = new URL(url)
    if (pathname === '/me') return state.hasCredit ? answer(200, {}) : answer(401, { message: 'wrong key' })
    if (pathname === '/calls') return start(JSON.parse(String(init.body)))
    const call = rung.find(({ id }) => id === pathname.split('/')[2])
    if (call === undefined) return answer(404, { message: 'no such call' })
    if (method !== 'POST') return statusOf(call)
    if (state.hangUpFails || state.failingHangUps.has(call.id)) return answer(500, 'not now')
    call.hungUpAtMs = now()
    call.endedAtMs = Math.min(call.endedAtMs, call.hungUpAtMs)
    return answer(200, {})
  }

  return { rung, requests, state, send }
}
