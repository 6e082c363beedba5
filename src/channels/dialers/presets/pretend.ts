// Dials nothing: each call ends after some seconds, as the last digit of its number and the attempt say. A template
// like others, whose provider is a function here. For a service without a phone, and for tests.
import type { ReportedOutcome } from '../../../queue/campaigns/outcomes.ts'
import type { Texts } from '../template/template.ts'
import { field, type Preset } from './preset.ts'

/** By the last digit: how each attempt ends, and those after the last one like that. */
const outcomesOfDigit: readonly (readonly ReportedOutcome[])[] = [
  ['answered'],
  ['answered'],
  ['answered'],
  ['answered'],
  ['not_interested'],
  ['no_answer', 'answered'],
  ['no_answer'],
  ['busy', 'no_answer', 'answered'],
  ['voicemail', 'do_not_call'],
  ['callback_requested', 'answered'],
]

/** A call that is answered lasts so long, and five seconds more for each number of the last digit but one. */
const answeredSeconds = 20
const secondsPerDigit = 5
const unansweredSeconds = 10
const callbackAfterMs = 3_600_000
const speedMax = 100

function findSpeedProblem({ speed = '1' }: Texts): string | null {
  const isSpeed = /^[1-9]\d{0,2}$/.test(speed) && Number(speed) <= speedMax
  return isSpeed ? null : `variables.speed must be an integer between 1 and ${speedMax}`
}

/** No name of this kind leads anywhere, and nothing is sent there. */
const calls = 'https://pretend.invalid/calls'

type PretendedCall = {
  readonly outcome: ReportedOutcome
  readonly endsAtMs: number
  /** As a call of this length is reported, whatever the speed. */
  readonly seconds: number
}

/**
 * Its id says how and when a call ends: the last two digits, the start, the speed and the attempt, and which call.
 * Null: it is of others.
 */
function readId(id: string): PretendedCall | null {
  const [, tens, digit, startedAtMs, speed = '1', attempt = '1'] =
    /^pretend-(\d)(\d)-(\d{1,15})(?:-(\d{1,3})(?:x(\d{1,6}))?-[\w-]+)?$/.exec(id) ?? []
  const outcomes = outcomesOfDigit[Number(digit)]
  const outcome = outcomes?.[Number(attempt) - 1] ?? outcomes?.at(-1)
  if (outcome === undefined) return null
  const isTalked = ['answered', 'not_interested', 'callback_requested', 'do_not_call'].includes(outcome)
  const seconds = isTalked ? answeredSeconds + secondsPerDigit * Number(tens) : unansweredSeconds
  const endsAtMs = Number(startedAtMs) + Math.ceil((seconds * 1000) / Number(speed))
  return { outcome, endsAtMs, seconds: isTalked ? seconds : 0 }
}

/** When it ends. */
export const endOfPretended = (id: string): number | null => readId(id)?.endsAtMs ?? null

/** The provider, inside the service. */
export async function sendPretended(url: string, { method, body }: RequestInit): Promise<Response> {
  if (method === 'POST' && url === calls) {
    // For who watches a local service.
    console.log('The pretended phone rings')
    type Sent = { to: string; ref: string; attempt: number; speed?: string }
    const { to, ref, attempt, speed = '1' } = JSON.parse(String(body)) as Sent
    const id = `pretend-${to.slice(-2)}-${Date.now()}-${speed}x${attempt}-${ref}`
    return Response.json({ id }, { status: 201 })
  }
  if (url === calls) return Response.json({})
  const call = readId(url.slice(calls.length + 1))
  if (call === null) return Response.json({ message: 'no such call' }, { status: 404 })
  const { outcome, endsAtMs, seconds } = call
  if (Date.now() < endsAtMs) return Response.json({ state: 'live' })
  const callbackAt =
    outcome === 'callback_requested' ? new Date(endsAtMs + callbackAfterMs).toISOString() : null
  return Response.json({ state: 'ended', outcome, seconds, callbackAt, pretended: true })
}

export const pretend = {
  name: 'pretend',
  title: 'Pretend calls',
  isProven: true,
  variables: [
    field('speed', 'Speed', '1 to 100: how much faster than real calls they end. 1 without it.', false),
  ],
  findProblem: findSpeedProblem,
  secrets: [],
  template: {
    start: {
      method: 'POST',
      url: calls,
      body: {
        to: '{{lead.phoneNumber}}',
        attempt: '{{lead.attempt}}',
        ref: '{{call.callId}}',
        speed: '{{variables.speed}}',
      },
    },
    started: { id: '/id' },
    status: {
      method: 'GET',
      url: `${calls}/{{provider.id}}`,
      over: { at: '/state', equals: 'ended' },
      outcome: '/outcome',
      callbackAt: '/callbackAt',
      seconds: { at: '/seconds', unit: 's' },
      details: { pretended: '/pretended' },
    },
    check: { method: 'GET', url: calls },
  },
} as const satisfies Preset
