// A calling agent: claims leads, has them called, keeps their leases, and reports what became of them, in as few
// requests as it can. One request is on its way at a time; which comes next is decided in agent-step.ts. How to phone
// is for the caller to say.

import { type AgentOptions, CallStopped } from './agent-options.ts'
import { isUndialled, nextStep, type Progress } from './agent-step.ts'
import { InvalidFieldError, TemporaryError } from './errors.ts'
import type { CallsReported, ClaimedCall, ClaimedCalls, DataOf, ReportedCall } from './models.ts'
import { paceRequest } from './rate-limits.ts'
import { sleep } from './send.ts'

type Flight = Progress & {
  readonly call: ClaimedCall
  readonly controller: AbortController
  readonly dial: AgentOptions['call']
  report?: ReportedCall
  /** The service has refused what was to be reported, so that it is told as failed. */
  isRefused?: boolean
}

const endingRetryMs = 10_000
/** A `Date` header has whole seconds, and is some time on its way. */
const clockToleranceMs = 2_000

/** Runs until its signal is aborted. Throws when it is refused, after it has reported what it could. */
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
  const { ahead = Math.ceil(concurrency / 10), signal } = options
  const flights = new Map<string, Flight>()
  const ending = new AbortController()
  let wake = new AbortController()
  let [claimsAtMs, pacedAtMs, clockAheadMs] = [0, 0, 0]

  async function post<Data>(path: string, body: object, idempotencyKey?: string): Promise<Data> {
    const patience = ending.signal.aborted
      ? { retryForMs: endingRetryMs }
      : { retryForMs: Number.POSITIVE_INFINITY, hurry: ending.signal }
    const { data, headers } = await client.request<Data>({
      method: 'POST',
      path: `/api/v1/calls/${path}`,
      body,
      idempotencyKey,
      ...patience,
      ...(options.onRetry && { onRetry: options.onRetry }),
    })
    pacedAtMs = paceRequest(pacedAtMs, Date.now(), headers)
    const aheadMs = Date.parse(headers.get('date') ?? '') - Date.now()
    clockAheadMs = Math.abs(aheadMs) > clockToleranceMs ? aheadMs : 0
    return data
  }

  const halfOf = (leaseExpiresAt: string) => (Date.now() + Date.parse(leaseExpiresAt) - clockAheadMs) / 2
  const claimOf = (limit: number) => ({ campaignId, limit, agent, leaseSeconds })

  function takeUp(call: ClaimedCall, dial: AgentOptions['call']): Flight {
    const flight: Flight = {
      call,
      dial,
      controller: new AbortController(),
      state: 'ready',
      stop: null,
      dialBeforeMs: Date.parse(call.dialBefore) - clockAheadMs,
      extendsAtMs: halfOf(call.leaseExpiresAt),
    }
    flights.set(call.callId, flight)
    return flight
  }

  function heed({ calls, reason, retryAfterSeconds }: ClaimedCalls): void {
    for (const call of calls) takeUp(call, options.call)
    claimsAtMs = Date.now() + (retryAfterSeconds ?? 0) * 1000
    if (reason !== null) onIdle?.({ reason, retryAfterSeconds: retryAfterSeconds ?? 0 })
  }

  async function begin(flight: Flight): Promise<void> {
    const { call, controller } = flight
    const { callId } = call
    flight.state = 'going'
    try {
      const outcome = await flight.dial(call.lead, controller.signal, call)
      if (outcome === undefined) throw new TypeError('call() gave no outcome')
      if (outcome !== null)
        flight.report = { callId, ...(typeof outcome === 'string' ? { outcome } : outcome) }
    } catch (error) {
      flight.report = { callId, outcome: 'failed' }
      if (!controller.signal.aborted) onError?.(error, call)
    }
    flight.state = flight.report ? 'ended' : 'undialled'
    wake.abort()
  }

  async function extend(some: readonly Flight[]): Promise<void> {
    const callIds = some.map(({ call }) => call.callId)
    const { calls } = await post<DataOf<'extendCalls'>>('extend', { callIds, leaseSeconds })
    for (const { callId, leaseExpiresAt, stop } of calls) {
      const flight = flights.get(callId)
      if (flight === undefined) continue
      flight.extendsAtMs = leaseExpiresAt === null ? Number.POSITIVE_INFINITY : halfOf(leaseExpiresAt)
      flight.stop ??= stop
      if (stop !== null) flight.controller.abort(new CallStopped(stop))
    }
  }

  async function report(some: readonly Flight[], limit: number): Promise<void> {
    const calls = some.map((flight) => flight.report as ReportedCall)
    const claim = limit > 0 && claimOf(limit)
    let told: CallsReported
    try {
      told = await post('report', { calls, ...(claim && { claim }) }, claim ? crypto.randomUUID() : undefined)
    } catch (error) {
      // One outcome that is not valid keeps no other from being told.
      const [, place = ''] =
        /^calls\[(\d+)\]/.exec((error instanceof InvalidFieldError && error.field) || '') ?? []
      const wrong = some[Number(place || -1)]
      if (wrong === undefined || wrong.isRefused) throw error
      wrong.isRefused = true
      wrong.report = { callId: wrong.call.callId, outcome: 'failed' }
      return onError?.(error, wrong.call)
    }
    for (const [index, { call, report }] of some.entries()) {
      flights.delete(call.callId)
      onReport?.({ call, report: report as ReportedCall, result: told.results[index] })
    }
    if (told.claim) heed(told.claim)
  }

  async function release(some: readonly Flight[]): Promise<void> {
    // What nobody wanted to dial now is not handed out at once again.
    const calls = some.map(({ call, state, controller }) => ({
      callId: call.callId,
      ...((state === 'ready' || controller.signal.aborted) && { delaySeconds: 0 }),
    }))
    await post('release', { calls })
    for (const { call } of some) {
      flights.delete(call.callId)
      onRelease?.(call)
    }
  }

  async function resume(): Promise<void> {
    const { resume: dial, onRetry } = options
    if (dial === undefined || agent === undefined || ending.signal.aborted) return
    const left: ClaimedCall[] = []
    const patience = {
      signal: ending.signal,
      retryForMs: Number.POSITIVE_INFINITY,
      ...(onRetry && { onRetry }),
    }
    try {
      for await (const call of client.calls.list({ campaignId, agent }, patience)) left.push(call)
    } catch (error) {
      if (!ending.signal.aborted) throw error
      return
    }
    if (left.length > 0) options.onResume?.(left)
    for (const call of left) void begin(takeUp(call, dial))
  }

  async function doNext(): Promise<void> {
    const nowMs = Date.now()
    const all = [...flights.values()]
    const isEnding = ending.signal.aborted
    let free = concurrency - all.filter(({ state }) => state === 'going').length
    for (const flight of all)
      if (flight.state === 'ready' && !isUndialled(flight, nowMs, isEnding) && free-- > 0) void begin(flight)
    const step = nextStep(all, { places: concurrency + ahead, claimsAtMs, pacedAtMs, isEnding }, nowMs)
    switch (step.kind) {
      case 'release':
        return release(step.flights)
      case 'extend':
        return extend(step.flights)
      case 'report':
        return report(step.flights, step.claimLimit)
      case 'claim':
        return heed(await post('claim', claimOf(step.claimLimit), crypto.randomUUID()))
      case 'rest':
        await sleep(Math.max(1, step.untilMs - nowMs), wake.signal)
        wake = new AbortController()
    }
  }

  const end = () => {
    ending.abort()
    wake.abort()
    for (const { controller } of flights.values()) controller.abort(new CallStopped('agent_ended'))
  }
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  let failed = false
  let failure: unknown
  try {
    await resume()
    while (!ending.signal.aborted || flights.size > 0) {
      const wasEnding = ending.signal.aborted
      try {
        await doNext()
      } catch (error) {
        // Broken off by the end: it is tried again below.
        if (!wasEnding && ending.signal.aborted && error instanceof TemporaryError) continue
        if (wasEnding) throw failed ? failure : error
        ;[failed, failure] = [true, error]
        end()
      }
    }
    if (failed) throw failure
  } finally {
    signal?.removeEventListener('abort', end)
  }
}
