// A calling agent: claims leads, starts their calls, extends their leases, and reports their outcomes, in as few requests
// as it can. One request is sent at a time; agent-step.ts decides which comes next. The caller's function phones.
import { LeadIntakeError, TemporaryError } from '../errors.ts'
import type { CallsReported, ClaimedCall, ClaimedCalls, DataOf, ReportedCall } from '../models.ts'
import { sleep } from '../send.ts'
import { type AgentOptions, CallStopped } from './agent-options.ts'
import { lesserReport, reportOf } from './agent-report.ts'
import { agentRequests, endingTryMs } from './agent-requests.ts'
import { maxCalls, nextStep, type Progress, toDial } from './agent-step.ts'

type Flight = Progress & {
  readonly call: ClaimedCall
  readonly controller: AbortController
  readonly advice: AbortController
  readonly dial: AgentOptions['call']
  report?: ReportedCall
  /** The parts of the report that were refused. */
  readonly refused: Set<string>
}

/** Stop reasons that keep a lead from being dialled now, but end no call. */
const temporaryStops: ReadonlySet<string | null> = new Set(['paused', 'outside_hours'])

/** Whether the body was refused, by the service or, without a code, by a proxy before it. */
const refusesBody = ({ status, code }: LeadIntakeError) =>
  status === 400 || status === 413 || (status > 400 && status < 500 && code === 'unexpected_answer')

/** Runs until its signal is aborted. Throws when a request is refused, after it has reported what it could. */
export async function runAgent(options: AgentOptions): Promise<void> {
  const {
    client,
    campaignId,
    concurrency = 1,
    agent,
    leaseSeconds,
    onReport,
    onRelease,
    onIdle,
    onError,
  } = options
  const { ahead = Math.floor(concurrency / 10), signal } = options
  const flights = new Map<string, Flight>()
  const ending = new AbortController()
  /** The first is thrown at the end. */
  const failures: unknown[] = []
  let wake = new AbortController()
  let claimsAtMs = 0
  /** In one request. Fewer while it is not known which of the reports is refused. */
  let maxReports = Number.POSITIVE_INFINITY

  /** A callback must not disturb the agent: neither by throwing, nor by a rejected promise. */
  const notify = (callback: () => unknown) => void (async () => callback())().catch(() => {})
  const hasRunningCalls = () => [...flights.values()].some(({ state }) => state === 'going')
  const requests = agentRequests(options, ending.signal, hasRunningCalls)
  const { post, localMs } = requests

  const halfOf = (leaseExpiresAt: string) => (Date.now() + localMs(leaseExpiresAt)) / 2
  const claimOf = (limit: number) => ({ campaignId, limit, agent, leaseSeconds })

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
      dialBeforeMs: localMs(call.dialBefore),
      extendsAtMs: halfOf(call.leaseExpiresAt),
    }
    flights.set(call.callId, flight)
    return flight
  }

  /** `notifyFirst` runs once the leads are known: a callback may end the agent, which stops them too. */
  function handleClaim({ calls, reason, retryAfterSeconds }: ClaimedCalls, notifyFirst = () => {}): void {
    for (const call of calls) addFlight(call, options.call)
    // Never without a pause, whatever the service says.
    claimsAtMs = reason === null ? 0 : Date.now() + Math.max(1, retryAfterSeconds ?? 1) * 1000
    notifyFirst()
    if (reason !== null) notify(() => onIdle?.({ reason, retryAfterSeconds: retryAfterSeconds ?? 0 }))
  }

  async function begin(flight: Flight): Promise<void> {
    const { call, controller, advice } = flight
    const { callId } = call
    flight.state = 'going'
    try {
      const outcome = await flight.dial(call.lead, controller.signal, call, advice.signal)
      if (outcome === undefined) throw new TypeError('call() gave no outcome')
      if (outcome !== null)
        flight.report = reportOf(callId, outcome, (error) => notify(() => onError?.(error, call)))
    } catch (error) {
      flight.report = { callId, outcome: 'failed' }
      if (!controller.signal.aborted) notify(() => onError?.(error, call))
    }
    requests.restartEnding()
    flight.state = flight.report ? 'ended' : 'undialled'
    wake.abort()
  }

  async function extend(some: readonly Flight[]): Promise<void> {
    const callIds = some.map(({ call }) => call.callId)
    const { calls } = await post<DataOf<'extendCalls'>>('extend', { callIds, leaseSeconds })
    for (const { callId, leaseExpiresAt, stop, ...more } of calls) {
      const flight = flights.get(callId)
      if (flight === undefined) continue
      flight.extendsAtMs = leaseExpiresAt === null ? Number.POSITIVE_INFINITY : halfOf(leaseExpiresAt)
      // Missing in answers of an older service.
      const { dialBefore } = more as { dialBefore?: string | null }
      if (dialBefore) flight.dialBeforeMs = localMs(dialBefore)
      flight.confirmedAtMs = Date.now()
      flight.stop = stop
      if (stop === null) continue
      const { controller, advice } = flight
      const stopped = temporaryStops.has(stop) ? advice : controller
      stopped.abort(new CallStopped(stop))
    }
  }

  async function report(ended: readonly Flight[], limit: number): Promise<void> {
    const some = ended.slice(0, maxReports)
    const calls = some.map((flight) => flight.report as ReportedCall)
    // While reports are refused, the claim in the same request may be the cause.
    const claim = limit > 0 && maxReports > maxCalls && claimOf(limit)
    let reported: CallsReported
    try {
      const idempotencyKey = claim ? crypto.randomUUID() : undefined
      reported = await post('report', { calls, ...(claim && { claim }) }, idempotencyKey)
      maxReports = Number.POSITIVE_INFINITY
    } catch (error) {
      return reduceReport(some, !!claim, error)
    }
    const notifyReports = () => {
      for (const [index, { call, report }] of some.entries())
        notify(() => onReport?.({ call, report: report as ReportedCall, result: reported.results[index] }))
    }
    for (const { call } of some) flights.delete(call.callId)
    if (reported.claim) handleClaim(reported.claim, notifyReports)
    else notifyReports()
  }

  /** A refused report blocks no other one, and loses as little as possible. */
  function reduceReport(some: readonly Flight[], hasClaim: boolean, error: unknown): void {
    if (!(error instanceof LeadIntakeError && refusesBody(error)) || /^claim\b/.test(error.message))
      throw error
    const [, place, field = null] = /^calls\[(\d+)\](?:\.(\w+))?/.exec(error.message) ?? []
    const wrong = some.length === 1 && !hasClaim ? some[0] : some[Number(place ?? -1)]
    if (wrong?.report === undefined) {
      maxReports = Math.ceil(some.length / 2)
      return
    }
    const { call, report, refused } = wrong
    // Only details can be that large.
    const named = error.status === 413 ? 'details' : field
    const lesser = lesserReport(report, named, refused, requests.serviceMs())
    notify(() => onError?.(error, call))
    if (lesser === null) {
      // The other reports are still sent.
      flights.delete(call.callId)
      failures.push(error)
      end()
    } else {
      wrong.report = lesser
    }
  }

  async function release(some: readonly Flight[]): Promise<void> {
    // Undialled and paused leads, and those out of hours, keep the service's delay: they must not return at once.
    const calls = some.map(({ call, state, stop, controller }) => ({
      callId: call.callId,
      ...(((state === 'ready' && !temporaryStops.has(stop)) || controller.signal.aborted) && {
        delaySeconds: 0,
      }),
    }))
    try {
      await post('release', { calls })
    } catch (error) {
      if (!ending.signal.aborted) throw error
      // Reports still go on: a lease that is not released expires.
      for (const { call } of some) flights.delete(call.callId)
      failures.push(error)
      return
    }
    for (const { call } of some) flights.delete(call.callId)
    for (const { call } of some) notify(() => onRelease?.(call))
  }

  async function resume(): Promise<void> {
    const { resume: dial, onRetry } = options
    if (dial === undefined || agent === undefined || ending.signal.aborted) return
    const open: ClaimedCall[] = []
    const patience = {
      signal: ending.signal,
      retryForMs: Number.POSITIVE_INFINITY,
      ...(onRetry && { onRetry }),
    }
    try {
      for await (const call of client.calls.list({ campaignId, agent }, patience)) open.push(call)
    } catch (error) {
      if (!ending.signal.aborted) throw error
      return
    }
    if (open.length > 0) notify(() => options.onResume?.(open))
    for (const call of open) void begin(addFlight(call, dial))
  }

  async function doNext(): Promise<void> {
    const nowMs = Date.now()
    const all = [...flights.values()]
    const isEnding = ending.signal.aborted
    for (const flight of toDial(all, { concurrency, isEnding }, nowMs).fresh) void begin(flight)
    const pacedAtMs = requests.pacedAtMs()
    const situation = { concurrency, places: concurrency + ahead, claimsAtMs, pacedAtMs, isEnding }
    const step = nextStep(all, situation, nowMs)
    switch (step.kind) {
      case 'release':
        return release(step.flights)
      case 'extend':
        return extend(step.flights)
      case 'report':
        return report(step.flights, step.claimLimit)
      case 'claim':
        return handleClaim(await post('claim', claimOf(step.claimLimit), crypto.randomUUID()))
      case 'rest':
        await sleep(Math.max(1, step.untilMs - nowMs), wake.signal)
        wake = new AbortController()
    }
  }

  const end = () => {
    if (ending.signal.aborted) return
    ending.abort()
    wake.abort()
    requests.end()
    for (const { controller } of flights.values()) controller.abort(new CallStopped('agent_ended'))
  }
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    await resume()
    while (!ending.signal.aborted || flights.size > 0) {
      const [wasEnding, hadRunningCalls] = [ending.signal.aborted, hasRunningCalls()]
      try {
        await doNext()
      } catch (error) {
        // Cut off by the end: it is sent again.
        const isCutOff = !wasEnding && ending.signal.aborted && error instanceof TemporaryError
        if (!wasEnding) {
          if (!isCutOff) failures.push(error)
          end()
        } else if (hasRunningCalls()) {
          // Their outcomes matter more than this error.
          await sleep(endingTryMs, wake.signal)
          wake = new AbortController()
        } else if (!hadRunningCalls) {
          throw failures.length > 0 ? failures[0] : error
        }
      }
    }
    if (failures.length > 0) throw failures[0]
  } finally {
    requests.close()
    signal?.removeEventListener('abort', end)
  }
}
