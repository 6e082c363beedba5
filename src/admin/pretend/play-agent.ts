// An agent that pretends to phone: waits as long as calls last, and reports what became of them, by chance. That it is
// an agent as it has to be all the same is the client's doing: claiming, extending, obeying, reporting, ending.
import { setTimeout as pass } from 'node:timers/promises'
import {
  CallStopped,
  type AgentOptions as ClientAgentOptions,
  type Retry,
  runAgent,
} from '../../sdk/src/lead-intake.ts'
import { CommandFailed } from '../deploy/wrangler.ts'
import { answerOf, describeError, isEnough, openService, reachService, waitSecondsOf } from '../service.ts'
import { counted, printLine, tellLine } from '../text/print.ts'
import { drawCall, randomOf } from './chance.ts'

export type AgentOptions = {
  readonly campaign: string
  readonly url: string
  readonly key: string
  readonly name: string
  /** A call takes its time divided by this. */
  readonly speed: number
  /** Calls at once. */
  readonly concurrency: number
  readonly seed: number
}

export type AgentTally = { readonly released: number; readonly outcomes: Readonly<Record<string, number>> }

type Dial = ClientAgentOptions['call']
type Told = Parameters<NonNullable<ClientAgentOptions['onReport']>>[0]

/** Until `stop`. Throws CommandFailed when it cannot go on. */
export async function playAgent(options: AgentOptions, stop: AbortSignal): Promise<AgentTally> {
  const { campaign, url, key, name, speed, concurrency, seed } = options
  const service = openService(url, key)
  const reached = await reachService(service)
  if (reached.kind === 'unreachable') throw new CommandFailed(reached.message)
  const { clockAheadMs } = reached
  const random = randomOf(seed)
  /** Why the service wanted calls to end, by their ids. */
  const stops = new Map<string, string>()
  const outcomes: Record<string, number> = {}
  let released = 0
  let lastReason: string | null = null

  const onPhoneMs = (seconds: number) => (seconds * 1000) / speed

  const dialling =
    (wasDialled: boolean): Dial =>
    async (_, signal, { callId, dialBefore }) => {
      const { outcome, untilDialSeconds, durationSeconds, callBackAfterSeconds } = drawCall(random)
      if (!wasDialled) {
        lastReason = null
        const untilDialMs = onPhoneMs(untilDialSeconds)
        if (Date.now() + untilDialMs > Date.parse(dialBefore) - clockAheadMs) return null
        await rest(untilDialMs, signal)
        if (signal.aborted) return null
      }
      const dialledAtMs = Date.now()
      await rest(onPhoneMs(durationSeconds), signal)
      const nowMs = Date.now()
      if (signal.aborted) {
        const { reason } = signal
        if (reason instanceof CallStopped && reason.stop !== 'agent_ended') stops.set(callId, reason.stop)
        // A call that was broken off has failed: nothing was agreed.
        const soFarSeconds = Math.round(((nowMs - dialledAtMs) * speed) / 1000)
        return { outcome: 'failed', durationSeconds: Math.min(soFarSeconds, durationSeconds) }
      }
      if (callBackAfterSeconds === null) return { outcome, durationSeconds }
      const callbackAtMs = nowMs + clockAheadMs + onPhoneMs(callBackAfterSeconds)
      return { outcome, durationSeconds, callbackAt: new Date(callbackAtMs).toISOString() }
    }

  const onRetry = (retry: Retry) => {
    if (isEnough(retry)) throw retry.error
    tellLine(`${describeError(url, retry.error)}: trying again in ${waitSecondsOf(retry)} s`)
  }

  await answerOf(
    service,
    runAgent({
      client: service.client,
      campaignId: campaign,
      agent: name,
      concurrency,
      ahead: 0,
      signal: stop,
      call: dialling(false),
      resume: dialling(true),
      onResume: (left) => tellLine(`${counted(left.length, 'call')} of an earlier run: taken up`),
      onReport: (told) => {
        const { outcome } = told.report
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        printLine(describeCall(told, stops.get(told.call.callId)))
        stops.delete(told.call.callId)
      },
      onRelease: ({ lead }) => {
        released++
        printLine(`${lead.phoneNumber}  released, not dialled`)
      },
      onIdle: ({ reason, retryAfterSeconds }) => {
        if (reason !== lastReason)
          tellLine(`no lead to call (${reason}): asking again in ${retryAfterSeconds} s`)
        lastReason = reason
      },
      onRetry,
    }),
  )
  return { released, outcomes }
}

/** Sleeps, unless all is to end. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pass(ms, undefined, { signal }).catch(() => {})
}

function describeCall({ call, report, result }: Told, stop: string | undefined): string {
  const why = stop === undefined ? '' : ` (told to stop: ${stop})`
  const { status = null, nextCallAt = null, result: word = 'not answered' } = result ?? {}
  const next = nextCallAt === null ? '' : `, next call ${nextCallAt}`
  const said = word === 'recorded' ? '' : ` (${word})`
  return `${call.lead.phoneNumber}  attempt ${call.attempt}: ${report.outcome} after ${report.durationSeconds} s${why}, ${status ?? 'unknown'}${next}${said}`
}
