// The state of a dialer, its problem and a check of its credentials, in words that say what to do. Pure.
import { waitReasons } from '../../calling/reasons.ts'
import type { Feedback } from '../service/answer.ts'
import type { DialerChecked, DialerProblem, DialerState } from './dialer-requests.ts'

type Words = {
  readonly tone: 'good' | 'calm' | 'wait' | 'act'
  readonly title: string
  readonly advice: string
}

const words: Readonly<Record<DialerState['status'], Words>> = {
  running: { tone: 'good', title: 'Calling', advice: 'The next lead is called as soon as a call ends.' },
  idle: {
    tone: 'calm',
    title: 'On, and no lead is to be called',
    advice: 'It calls a lead once one is due.',
  },
  waiting: { tone: 'wait', title: 'Waiting', advice: 'It goes on by itself.' },
  resting: { tone: 'wait', title: 'Resting', advice: 'It goes on by itself.' },
  stopped: { tone: 'act', title: 'Stopped', advice: 'Save a change, or start it again.' },
  off: { tone: 'calm', title: 'Off', advice: 'It starts no calls until you turn it on below.' },
}

/** A newer service may have more reasons. */
const reasons: Readonly<Record<string, readonly [why: string, advice?: string]>> = {
  ...Object.fromEntries(Object.entries(waitReasons).map(([reason, why]) => [reason, [why]])),
  account: [
    'the provider refuses the account',
    'Check the credentials, and the balance at the provider. Then start it again.',
  ],
  refusing: [
    'the provider refused three calls in a row',
    'Correct the fields below, or the account at the provider. Then start it again.',
  ],
  key_revoked: ['its key was revoked', 'Start it again to give it a new key.'],
  busy: ['the provider has no free line'],
  no_answer: ['the provider does not answer', 'It tries again by itself, at the latest after 15 minutes.'],
  failing: [
    'ten calls in a row failed',
    'It tries one call again by itself, at the latest after 15 minutes. See the calls of the last leads.',
  ],
}

export function describeDialer({ status, reason }: Pick<DialerState, 'status' | 'reason'>): Words {
  const { tone, title, advice } = words[status]
  const [why, betterAdvice] = reasons[reason ?? ''] ?? [reason]
  return { tone, title: why === null ? title : `${title}: ${why}`, advice: betterAdvice ?? advice }
}

/** Of problems that are no answer of the provider. */
const ownCodes: Readonly<Record<string, string>> = {
  no_answer: 'the provider did not answer',
  not_sent: 'the request could not be made',
  secrets_lost: 'the secrets cannot be read',
}

export function describeProblem({ status, code, message }: Omit<DialerProblem, 'at'>): string {
  const answered = `the provider answered ${status}${code === null ? '' : ` (${code})`}`
  const what = status === null ? (ownCodes[code ?? ''] ?? code ?? 'unknown') : answered
  return message === null ? what : `${what}: ${message}`
}

export function describeCheck({ ok, problem }: DialerChecked): Feedback {
  if (ok === null) return { text: 'This template has no request that checks credentials.', isFailure: false }
  if (ok) return { text: 'The provider accepts the credentials.', isFailure: false }
  return {
    text: `The check failed: ${problem === null ? 'unknown' : describeProblem(problem)}`,
    isFailure: true,
  }
}
