// A calling agent: claims leads, starts their calls, extends their leases, and reports their outcomes, in as few requests
// as it can. One request is sent at a time, and beside it at most one claim, which may wait: agent-step.ts decides which
// comes next. The caller's function phones.
import { LeadIntakeError, TemporaryError } from '../errors.ts'
import type { CallsReported, ClaimedCall, ClaimedCalls, DataOf, ReportedCall } from '../models.ts'
import { sleep } from '../send.ts'
import { agentClaims } from './agent-claims.ts'
import { agentFlights, type Flight, notify, temporaryStops } from './agent-flights.ts'
import { type AgentOptions, CallStopped } from './agent-options.ts'
import { lesserReport } from './agent-report.ts'
import { agentRequests, endingTryMs } from './agent-requests.ts'
import { maxCalls, nextClaim, nextStep, type Situation, toDial } from './agent-step.ts'

/** Whether the body was refused, by the service or, without a code, by a proxy before it. */
const refusesBody = ({ status, code }: LeadIntakeError) =>
  status === 400 || status === 413 || (status > 400 && status < 500 && code === 'unexpected_answer')

/** Runs until its signal is aborted. Throws when a request is refused, after it has reported what it could. */
export async function runAgent(options: AgentOptions): Promise<void> {
  const { campaignId, concurrency = 1, agent, leaseSeconds, onReport, onRelease, onIdle, onError } = options
  const { ahead = Math.floor(concurrency / 10), signal } = options
  const ending = new AbortController()
  /** The first is thrown at the end. */
  const failures: unknown[] = []
  let wake = new AbortController()
  /** How many leads the claim of a report in flight asks for, beyond the calls that it reports. */
  let askedByReport = 0
  /** A later run resumes what it finds: it has to know which calls were dialled. False once the service is too old. */
  const notesDials = options.resume !== undefined && agent !== undefined
  /** In one request. Fewer while it is not known which of the reports is refused. */
  let maxReports = Number.POSITIVE_INFINITY

  const requests = agentRequests(options, ending.signal, () => hasRunningCalls())
  const { post } = requests
  const { flights, addFlight, begin, learnExtended, hasRunningCalls } = agentFlights(options, requests, () =>
    wake.abort(),
  )
  const claims = agentClaims(options, requests)

  const heldPlaces = () => flights.size + askedByReport
  const situationNow = (): Situation => ({
    concurrency,
    places: concurrency + ahead - claims.asked(),
    claimsAtMs: claims.atMs(heldPlaces()),
    pacedAtMs: requests.pacedAtMs(),
    isEnding: ending.signal.aborted,
    notesDials,
  })

  /** `notifyFirst` runs once the leads are known: a callback may end the agent, which stops them too. */
  function handleClaim({ calls, reason, retryAfterSeconds }: ClaimedCalls, notifyFirst = () => {}): void {
    for (const call of calls) addFlight(call, options.call)
    notifyFirst()
    if (reason !== null && reason !== 'ready')
      notify(() => onIdle?.({ reason, retryAfterSeconds: retryAfterSeconds ?? 0 }))
  }

  /** Runs beside other requests: its leads are dialled, and the next claim is sent, without waiting for those. */
  async function claim(limit: number): Promise<void> {
    try {
      await claims.send(limit, heldPlaces(), handleClaim)
      const nowMs = Date.now()
      dialFresh(nowMs)
      const nextLimit = nextClaim(heldPlaces(), situationNow(), nowMs)
      if (nextLimit > 0) void claim(nextLimit)
    } catch (error) {
      // At the end it is not retried: what it may have leased expires.
      if (!(ending.signal.aborted && error instanceof TemporaryError)) failures.push(error)
      end()
    }
    wake.abort()
  }

  function dialFresh(nowMs: number): void {
    for (const flight of toDial([...flights.values()], situationNow(), nowMs).fresh) void begin(flight)
  }

  async function extend(some: readonly Flight[], isDial = false): Promise<void> {
    const callIds = some.map(({ call }) => call.callId)
    const dialledAt = isDial ? new Date(requests.serviceMs()).toISOString() : undefined
    const { calls } = await post<DataOf<'extendCalls'>>('extend', { callIds, leaseSeconds, dialledAt })
    for (const flight of some) flight.isNoted ||= isDial
    for (const call of calls) learnExtended(call)
  }

  async function report(ended: readonly Flight[], limit: number): Promise<void> {
    const some = ended.slice(0, maxReports)
    const calls = some.map((flight) => flight.report as ReportedCall)
    // While reports are refused, the claim in the same request may be the cause.
    const claim = limit > 0 && maxReports > maxCalls && claims.bodyOf(limit)
    let reported: CallsReported
    try {
      if (claim) askedByReport = Math.max(0, limit - some.length)
      const options = claim ? { idempotencyKey: crypto.randomUUID() } : {}
      reported = await post('report', { calls, ...(claim && { claim }) }, options)
      maxReports = Number.POSITIVE_INFINITY
    } catch (error) {
      return reduceReport(some, !!claim, error)
    } finally {
      askedByReport = 0
    }
    const notifyReports = () => {
      for (const [index, { call, report }] of some.entries())
        notify(() => onReport?.({ call, report: report as ReportedCall, result: reported.results[index] }))
    }
    for (const { call } of some) flights.delete(call.callId)
    if (reported.claim) {
      const retryAfterSeconds = claims.learn(reported.claim, heldPlaces())
      handleClaim({ ...reported.claim, retryAfterSeconds }, notifyReports)
    } else {
      notifyReports()
    }
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
      for await (const call of requests.client().calls.list({ campaignId, agent }, patience)) open.push(call)
    } catch (error) {
      if (!ending.signal.aborted) throw error
      return
    }
    if (open.length > 0) notify(() => options.onResume?.(open))
    for (const call of open) void begin(addFlight(call, dial))
  }

  async function doNext(): Promise<void> {
    const nowMs = Date.now()
    dialFresh(nowMs)
    const step = nextStep([...flights.values()], situationNow(), nowMs)
    switch (step.kind) {
      case 'release':
        return release(step.flights)
      case 'extend':
        return extend(step.flights)
      case 'note':
        return extend(step.flights, true)
      case 'report':
        return report(step.flights, step.claimLimit)
      case 'claim':
        void claim(step.claimLimit)
        return
      case 'rest':
        await sleep(Math.max(1, step.untilMs - nowMs), wake.signal)
        // Calls that end together are reported together.
        if (wake.signal.aborted) await sleep(0)
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
    while (!ending.signal.aborted || flights.size > 0 || claims.asked() > 0) {
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
