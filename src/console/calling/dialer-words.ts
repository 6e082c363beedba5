// The state of a dialer, its problem and a check of its credentials, in words that say what to do. Pure.

import { limits } from '../../base/limits.ts'
import { waitReasons } from '../../queue/calling/reasons.ts'
import type {
  Campaign,
  CampaignPreview,
  Dialer,
  DialerChecked,
  DialerProblem,
  LiveCall,
} from '../../sdk/src/models.ts'
import type { Feedback } from '../service/answer.ts'
import { clock, counted, countOf } from '../ui/words/number-words.ts'
import { shortTime, zoneName } from '../ui/words/zone-time.ts'

type Tone = 'good' | 'calm' | 'wait' | 'act'

const statuses: Readonly<Record<Dialer['state']['status'], readonly [Tone, title: string]>> = {
  running: ['good', 'Calling'],
  idle: ['calm', 'On. Nothing to call right now'],
  waiting: ['calm', 'Waiting'],
  resting: ['calm', 'Resting, continues by itself'],
  stopped: ['act', 'Stopped'],
  failing: ['wait', 'The service fails, and tries again'],
  off: ['calm', 'Off: it starts no calls'],
}

/** A newer service may have more. */
const reasons: Readonly<Record<string, string>> = {
  ...waitReasons,
  account: 'the provider refuses the account. Check the credentials and the balance there, then start again.',
  refusing: 'the provider refused three leads in a row. Correct its fields, then start again.',
  key_revoked: 'its key was revoked. Start again to give it a new one.',
  pace: `it has started ${limits.dialerStartsPerMinute} calls in a minute, which is its pace.`,
  busy: 'the provider is busy.',
  no_answer: 'the provider did not answer three starts in a row.',
  number_suppressed: 'the number must not be called.',
  number_in_call: 'the number is in a call.',
  service_unavailable: 'the service could not tell whether it may be called. Try again.',
  failing: 'ten calls in a row failed. Look into the calls at the provider.',
}

/** Why a dialer waits, rests or has stopped, and what to do. */
export const dialerReason = (code: string): string => reasons[code] ?? code

/** `queue`: of the campaign, as it was last read. An idle dialer may not have looked at what it has meanwhile. */
export function describeDialer(
  { status, reason }: Pick<Dialer['state'], 'status' | 'reason'>,
  queue: Pick<Campaign['queue'], 'reason'>,
) {
  if (status === 'idle' && queue.reason === null)
    return { tone: 'calm' as const, title: 'On. Leads are ready, and their calls start within a minute' }
  const [tone, title] = status === 'waiting' && reason === 'pace' ? statuses.running : statuses[status]
  return { tone, title: reason === null ? title : `${title}: ${dialerReason(reason)}` }
}

/** When a provider has not answered. */
const codes: Readonly<Record<string, string>> = {
  no_answer: 'the provider did not answer',
  not_sent: 'the request could not be made',
  secrets_lost: 'the secrets cannot be read',
}

export function describeProblem({ status, code, message }: Omit<DialerProblem, 'at'>): string {
  const answered = `the provider answered ${status}${code === null ? '' : ` (${code})`}`
  const what = status === null ? (codes[code ?? ''] ?? code) : answered
  return message === null ? `${what}` : `${what}: ${message}`
}

export function describeCheck({ ok, problem }: DialerChecked): Feedback {
  if (problem !== null) return { text: `The check failed: ${describeProblem(problem)}`, isFailure: true }
  const accepted = 'The provider accepts the credentials.'
  return { text: ok ? accepted : 'This template has no request that checks credentials.', isFailure: false }
}

/** When the provider does not tell what was said. */
export const hearsNothing =
  'This provider does not tell what was said: a person who wants no more calls is not heard. Let your ' +
  'assistant tell your own system, and suppress the number.'

/** What saving a dialer that is on begins. Undefined: not known yet. */
export const describeStart = (callableNow?: number): string =>
  `Save and start${callableNow === undefined ? '' : `: ${countOf(callableNow, 'lead')} can be called now`}`

/** What saving calls, and when. */
export function describeCalls(
  { callableNow, laterToday, later, isWhole, counted: looked }: CampaignPreview,
  campaign: Pick<Campaign, 'paused' | 'timeZone' | 'queue'>,
  nowMs: number,
): string {
  const { timeZone, paused, queue } = campaign
  if (timeZone === null)
    return 'The campaign has no time zone: nobody is called before you choose one in Settings.'
  const opening =
    queue.nextOpening === null
      ? ''
      : `, when it opens ${shortTime(Date.parse(queue.nextOpening), timeZone, nowMs)} in ${zoneName(timeZone)}`
  const parts = [
    callableNow > 0 && `${countOf(callableNow, 'lead')} at once`,
    laterToday > 0 && `${counted(laterToday)} later today`,
    later > 0 && `${counted(later)} tomorrow or later`,
  ].filter((part) => part !== false)
  const of = isWhole ? '' : ` of the first ${countOf(looked, 'lead')}`
  if (parts.length === 0)
    return 'No lead can be called now: calls start as leads arrive, within the campaign’s hours.'
  const what = `${parts.join(', ')}${of}${callableNow === 0 ? opening : ''}`
  return paused ? `Nobody is called while the campaign is paused, then ${what}.` : `It calls ${what}.`
}

/** How long a call has lasted. A dialer notes each start that its provider has confirmed. */
export const describeLive = (
  { agent, startedAt, dialledAt }: Pick<LiveCall, 'agent' | 'startedAt' | 'dialledAt'>,
  nowMs: number,
): string =>
  agent === 'dialer' && dialledAt === null ? 'Start not confirmed' : clock(nowMs - Date.parse(startedAt))
