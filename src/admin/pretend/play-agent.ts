// A simulated agent: waits as long as calls last, and reports random outcomes. The client's agent does the rest:
// claiming, extending, stopping, reporting, ending.
import { setTimeout as pass } from 'node:timers/promises'
import { CallStopped, type AgentOptions as ClientAgentOptions, runAgent } from '../../sdk/src/lead-intake.ts'
import { answerOf, isLastTry, logRetry, openService, reachService } from '../service.ts'
import { counted, logLine, printLine } from '../text/print.ts'
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
type Reported = Parameters<NonNullable<ClientAgentOptions['onReport']>>[0]

/** Runs until `stop`. Throws CommandFailed when it cannot continue. */
export async function playAgent(options: AgentOptions, stop: AbortSignal): Promise<AgentTally> {
  const { campaign, url, key, name, speed, concurrency, seed } = options
  const service = openService(url, key)
  const clockAheadMs = await reachService(service)
  const random = randomOf(seed)
  /** Why the service stopped calls, by their ids. */
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
        // An interrupted call has failed: nothing was agreed.
        const soFarSeconds = Math.round(((nowMs - dialledAtMs) * speed) / 1000)
        return { outcome: 'failed', durationSeconds: Math.min(soFarSeconds, durationSeconds) }
      }
      if (callBackAfterSeconds === null) return { outcome, durationSeconds }
      const callbackAtMs = nowMs + clockAheadMs + onPhoneMs(callBackAfterSeconds)
      return { outcome, durationSeconds, callbackAt: new Date(callbackAtMs).toISOString() }
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
      onResume: (open) => logLine(`resuming ${counted(open.length, 'call')} of an earlier run`),
      onReport: (reported) => {
        const { call, report } = reported
        const { outcome } = report
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
        printLine(describeCall(reported, stops.get(call.callId)))
        stops.delete(call.callId)
      },
      onRelease: ({ lead }) => {
        released++
        printLine(`${lead.phoneNumber}  released, not dialled`)
      },
      onIdle: ({ reason, retryAfterSeconds }) => {
        const next = retryAfterSeconds === 0 ? 'waiting for one' : `retrying in ${retryAfterSeconds} s`
        if (reason !== lastReason) logLine(`no lead to call (${reason}): ${next}`)
        lastReason = reason
      },
      onRetry: (retry) => {
        if (isLastTry(retry)) throw retry.error
        logRetry(url, retry)
      },
    }),
  )
  return { released, outcomes }
}

/** Sleeps, until the signal is aborted. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await pass(ms, undefined, { signal }).catch(() => {})
}

function describeCall({ call, report, result }: Reported, stop: string | undefined): string {
  const why = stop === undefined ? '' : ` (stopped: ${stop})`
  const { status = null, nextCallAt = null, result: word = 'not answered' } = result ?? {}
  const next = nextCallAt === null ? '' : `, next call ${nextCallAt}`
  const note = word === 'recorded' ? '' : ` (${word})`
  const said = `${report.outcome} after ${report.durationSeconds} s${why}`
  return `${call.lead.phoneNumber}  attempt ${call.attempt}: ${said}, ${status ?? 'unknown'}${next}${note}`
}
