// A calling agent: claims leads, starts their calls, extends their leases, and reports their outcomes, in as few
// requests as it can. One request is sent at a time, and beside it at most one claim, which may wait: agent-step.ts
// decides which comes next. The caller's function phones.
import { TemporaryError } from '../errors.ts'
import type { ClaimedCall, ClaimedCalls } from '../models.ts'
import { sleep } from '../send.ts'
import { agentClaims } from './agent-claims.ts'
import { agentFlights, type Flight, notify, temporaryStops } from './agent-flights.ts'
import { type AgentOptions, CallStopped } from './agent-options.ts'
import { agentReports } from './agent-reports.ts'
import { type AgentRequests, agentRequests, endingTryMs } from './agent-requests.ts'
import { nextClaim, nextStep, type Situation, toDial } from './agent-step.ts'

/** Runs until its signal is aborted. Throws when a request is refused, after it has reported what it could. */
export async function runAgent(options: AgentOptions): Promise<void> {
  const { concurrency = 1, agent, onIdle } = options
  const { ahead = Math.floor(concurrency / 10), signal } = options
  const ending = new AbortController()
  /** The first is thrown at the end. */
  const failures: unknown[] = []
  let wake = new AbortController()
  /** A later run resumes what it finds: it has to know which calls were dialled. */
  const notesDials = options.resume !== undefined && agent !== undefined

  const requests = agentRequests(options, ending.signal, () => hasRunningCalls())
  const { flights, addFlight, begin, extend, hasRunningCalls } = agentFlights(options, requests, () =>
    wake.abort(),
  )
  const claims = agentClaims(options, requests)

  const fail = (error: unknown) => {
    failures.push(error)
    end()
  }
  const reports = agentReports(options, requests, claims, flights, { handleClaim, fail })
  const heldPlaces = () => flights.size + reports.asked()
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
      if (!(ending.signal.aborted && error instanceof TemporaryError)) fail(error)
    }
    wake.abort()
  }

  function dialFresh(nowMs: number): void {
    for (const flight of toDial([...flights.values()], situationNow(), nowMs).fresh) void begin(flight)
  }

  async function doNext(): Promise<void> {
    const nowMs = Date.now()
    dialFresh(nowMs)
    const step = nextStep([...flights.values()], situationNow(), nowMs)
    switch (step.kind) {
      case 'release':
        return releaseCalls(options, requests, flights, step.flights, { ending: ending.signal, failures })
      case 'extend':
        return extend(step.flights)
      case 'note':
        return extend(step.flights, true)
      case 'report':
        return reports.send(step.flights, step.claimLimit)
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
    const open = await openCalls(options, requests, ending.signal)
    if (open.length > 0) notify(() => options.onResume?.(open))
    for (const call of open) void begin(addFlight(call, options.resume as AgentOptions['call']))
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

/** At the end a failure goes to `failures`: a lease that is not released expires. */
async function releaseCalls(
  { onRelease }: AgentOptions,
  { post }: AgentRequests,
  flights: Map<string, Flight>,
  some: readonly Flight[],
  { ending, failures }: { readonly ending: AbortSignal; readonly failures: unknown[] },
): Promise<void> {
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
    if (!ending.aborted) throw error
    // Reports still continue: a lease that is not released expires.
    for (const { call } of some) flights.delete(call.callId)
    failures.push(error)
    return
  }
  for (const { call } of some) flights.delete(call.callId)
  for (const { call } of some) notify(() => onRelease?.(call))
}

/** The calls that an earlier run of this agent left open, where the agent resumes such calls. */
async function openCalls(
  { campaignId, agent, resume, onRetry }: AgentOptions,
  requests: AgentRequests,
  ending: AbortSignal,
): Promise<ClaimedCall[]> {
  const open: ClaimedCall[] = []
  if (resume === undefined || agent === undefined || ending.aborted) return open
  const patience = { signal: ending, retryForMs: Number.POSITIVE_INFINITY, ...(onRetry && { onRetry }) }
  try {
    for await (const call of requests.client().calls.list({ campaignId, agent }, patience)) open.push(call)
  } catch (error) {
    if (!ending.aborted) throw error
    return []
  }
  return open
}
