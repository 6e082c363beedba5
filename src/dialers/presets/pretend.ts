// Dials nothing: each call ends after some seconds, as the last digit of its number says. For a service without a phone,
// and for tests. Pure.
import type { ReportedOutcome } from '../../campaigns/outcomes.ts'
import type { Texts } from '../template/template.ts'
import { field, type Preset } from './preset.ts'

/** By the last digit. */
const outcomeOfDigit: readonly ReportedOutcome[] = [
  'answered',
  'answered',
  'answered',
  'answered',
  'not_interested',
  'no_answer',
  'no_answer',
  'busy',
  'voicemail',
  'callback_requested',
]

/** A call that is answered lasts so long, and five seconds more for each number of the last digit but one. */
const answeredSeconds = 20
const secondsPerDigit = 5
const unansweredSeconds = 10
const callbackAfterMs = 3_600_000
const speedMax = 100

type PretendEnd = {
  readonly outcome: ReportedOutcome
  readonly endsAtMs: number
  /** As a call of this length is reported, whatever the speed. */
  readonly durationSeconds: number
  readonly callbackAtMs: number | null
}

/** Why the speed is not valid, or null. */
export function findSpeedProblem({ speed = '1' }: Texts): string | null {
  const isSpeed = /^[1-9]\d{0,2}$/.test(speed) && Number(speed) <= speedMax
  return isSpeed ? null : `variables.speed must be an integer between 1 and ${speedMax}`
}

/** How the call to this number ends, and when. */
export function endPretended(phoneNumber: string, { speed = '1' }: Texts, startedAtMs: number): PretendEnd {
  const [tens, digit] = [Number(phoneNumber.at(-2)), Number(phoneNumber.at(-1))]
  const outcome = outcomeOfDigit[digit] as ReportedOutcome
  const isTalked = ['answered', 'not_interested', 'callback_requested'].includes(outcome)
  const lengthSeconds = isTalked ? answeredSeconds + secondsPerDigit * tens : unansweredSeconds
  const endsAtMs = startedAtMs + Math.ceil((lengthSeconds * 1000) / Number(speed))
  return {
    outcome,
    endsAtMs,
    durationSeconds: isTalked ? lengthSeconds : 0,
    callbackAtMs: outcome === 'callback_requested' ? endsAtMs + callbackAfterMs : null,
  }
}

export const pretend = {
  name: 'pretend',
  title: 'Pretend calls',
  variables: [
    field('speed', 'Speed', '1 to 100: how much faster than real calls they end. 1 without it.', false),
  ],
  secrets: [],
  template: null,
} as const satisfies Preset
