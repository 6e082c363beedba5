// The calls that an agent holds, from their lease to their report or release: starts them, and aborts their signals.
// Which requests they need, run-agent.ts decides.
import type { ClaimedCall, DataOf, ExtendedCall, ReportedCall } from '../models.ts'
import { type AgentOptions, CallStopped } from './agent-options.ts'
import { reportOf } from './agent-report.ts'
import type { AgentRequests } from './agent-requests.ts'
import type { Progress } from './agent-step.ts'

export type Flight = Progress & {
  readonly call: ClaimedCall
  readonly controller: AbortController
  readonly advice: AbortController
  readonly dial: AgentOptions['call']
  report?: ReportedCall
  /** The parts of the report that were refused. */
  readonly refused: Set<string>
}

/** Stop reasons that keep a lead from being dialled now, but end no call. */
export const temporaryStops: ReadonlySet<string | null> = new Set(['paused', 'outside_hours'])

/** How long a call may take to end once it is too long. Then nothing waits for it any longer. */
const givenUpAfterMs = 30_000
const [defaultMaxCallSeconds, longestCallSeconds] = [3_600, 86_400]

/** A callback must not disturb the agent: neither by throwing, nor by a rejected promise. */
export const notify = (callback: () => unknown) => void (async () => callback())().catch(() => {})

/** `onEnded`: a call has ended. */
export function agentFlights(
  { onError, leaseSeconds, maxCallSeconds = defaultMaxCallSeconds }: AgentOptions,
  { post, localMs, serviceMs, restartEnding }: AgentRequests,
  onEnded: () => void,
) {
  if (!(maxCallSeconds > 0 && maxCallSeconds <= longestCallSeconds))
    throw new TypeError(`maxCallSeconds must be a number above 0, and at most ${longestCallSeconds}`)
  const flights = new Map<string, Flight>()
  const halfOf = (leaseExpiresAt: string) => (Date.now() + localMs(leaseExpiresAt)) / 2

  function addFlight(call: ClaimedCall, dial: AgentOptions['call']): Flight {
    const flight: Flight = {
      call,
      dial,
      controller: new AbortController(),
      advice: new AbortController(),
      refused: new Set(),
      state: 'ready',
      stop: null,
      confirmedAtMs: Date.now(),
      isNoted: false,
      dialBeforeMs: localMs(call.dialBefore),
      extendsAtMs: halfOf(call.leaseExpiresAt),
    }
    flights.set(call.callId, flight)
    return flight
  }

  async function begin(flight: Flight): Promise<void> {
    const { call, controller, advice } = flight
    const { callId } = call
    flight.state = 'going'
    const tooLong = new CallStopped('too_long')
    const longTimer = setTimeout(() => controller.abort(tooLong), maxCallSeconds * 1000)
    const giveUpTimer = setTimeout(
      () => {
        flights.delete(callId)
        notify(() => onError?.(tooLong, call))
        restartEnding()
        onEnded()
      },
      maxCallSeconds * 1000 + givenUpAfterMs,
    )
    try {
      const outcome = await flight.dial(call.lead, controller.signal, call, advice.signal)
      if (outcome === undefined) throw new TypeError('call() gave no outcome')
      if (outcome !== null)
        flight.report = reportOf(callId, outcome, (error) => notify(() => onError?.(error, call)))
    } catch (error) {
      // Given up, and nothing is known of it.
      if (!flights.has(callId)) return
      flight.report = { callId, outcome: 'failed' }
      if (!controller.signal.aborted) notify(() => onError?.(error, call))
    }
    clearTimeout(longTimer)
    clearTimeout(giveUpTimer)
    // Also when it was given up: what the person said counts, however late.
    flights.set(callId, flight)
    restartEnding()
    flight.state = flight.report ? 'ended' : 'undialled'
    onEnded()
  }

  /** `isDial`: they are being dialled now, which the service is to know. */
  async function extend(some: readonly Flight[], isDial = false): Promise<void> {
    const callIds = some.map(({ call }) => call.callId)
    const dialledAt = isDial ? new Date(serviceMs()).toISOString() : undefined
    const { calls } = await post<DataOf<'extendCalls'>>('extend', { callIds, leaseSeconds, dialledAt })
    for (const flight of some) flight.isNoted ||= isDial
    for (const call of calls) learnExtended(call)
  }

  /** What the service says of a call whose lease was to be extended. */
  function learnExtended({ callId, leaseExpiresAt, dialBefore, stop }: ExtendedCall): void {
    const flight = flights.get(callId)
    if (flight === undefined) return
    flight.extendsAtMs = leaseExpiresAt === null ? Number.POSITIVE_INFINITY : halfOf(leaseExpiresAt)
    if (dialBefore !== null) flight.dialBeforeMs = localMs(dialBefore)
    flight.confirmedAtMs = Date.now()
    flight.stop = stop
    if (stop === null) return
    const { controller, advice } = flight
    const stopped = temporaryStops.has(stop) ? advice : controller
    stopped.abort(new CallStopped(stop))
  }

  const hasRunningCalls = () => [...flights.values()].some(({ state }) => state === 'going')
  return { flights, addFlight, begin, extend, hasRunningCalls }
}
