// A calling agent: claims leads, has them called, keeps their leases, and reports what became of them, in as few
// requests as it can. One request is on its way at a time; which comes next is decided in agent-step.ts. How to phone
// is for the caller to say.

import { LeadIntakeError, TemporaryError } from '../errors.ts'
import type { CallsReported, ClaimedCall, ClaimedCalls, DataOf, ReportedCall } from '../models.ts'
import { paceRequest } from '../rate-limits.ts'
import { type RequestOptions, sleep } from '../send.ts'
import { type AgentOptions, CallStopped } from './agent-options.ts'
import { lesserReport, reportOf } from './agent-report.ts'
import { mostCalls, nextStep, type Progress, toDial } from './agent-step.ts'

type Flight = Progress & {
  readonly call: ClaimedCall
  readonly controller: AbortController
  readonly advice: AbortController
  readonly dial: AgentOptions['call']
  report?: ReportedCall
  /** What of the report was refused. */
  readonly refused: Set<string>
}

/** What keeps a lead from being dialled now, but ends no call. */
const passing: ReadonlySet<string | null> = new Set(['paused', 'outside_hours'])

/** At its end, how long one try may take, and how long what is left is tried once no call goes on. */
const [endingTryMs, endingMs] = [5_000, 10_000]
/** A `Date` header has whole seconds, and is some time on its way. */
const clockToleranceMs = 2_000

/** Whether something was wrong with what was sent, by the service or, without a code, by what stands before it. */
const isOfBody = ({ status, code }: LeadIntakeError) =>
  status === 400 || status === 413 || (status > 400 && status < 500 && code === 'unexpected_answer')

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
  const { ahead = Math.floor(concurrency / 10), signal } = options
  const flights = new Map<string, Flight>()
  const ending = new AbortController()
  /** Breaks off what was sent before the end, and has been without an answer for long enough. */
  const late = new AbortController()
  /** The first of them is thrown at the end. */
  const failures: unknown[] = []
  let wake = new AbortController()
  let [claimsAtMs, pacedAtMs, clockAheadMs] = [0, 0, 0]
  let [retriesAtMs, lastEndedAtMs] = [0, 0]
  /** In one request. Fewer while it is not known which of those that were sent is refused. */
  let mostReports = Number.POSITIVE_INFINITY
  let lateTimer: ReturnType<typeof setTimeout> | undefined

  /** Whoever is told cannot disturb: neither by throwing, nor by a promise that is rejected. */
  const tell = (telling: () => unknown) => void (async () => telling())().catch(() => {})
  const isGoing = () => [...flights.values()].some(({ state }) => state === 'going')

  async function post<Data>(path: string, body: object, idempotencyKey?: string): Promise<Data> {
    const requestId = crypto.randomUUID()
    const ask = (patience: RequestOptions) =>
      client.request<Data>({
        method: 'POST',
        path: `/api/v1/calls/${path}`,
        body,
        idempotencyKey,
        requestId,
        onRetry: (retry) => {
          options.onRetry?.(retry)
          retriesAtMs = Date.now() + retry.waitMs
          // Nothing is waited for that the end would break off.
          if (ending.signal.aborted) late.abort()
        },
        ...patience,
      })
    const askAtEnd = () =>
      ask({
        timeoutMs: endingTryMs,
        // While calls go on there is time to ask again later.
        retryForMs: isGoing() ? 0 : Math.max(0, lastEndedAtMs + endingMs - Date.now()),
      })
    const { data, headers } = ending.signal.aborted
      ? await askAtEnd()
      : await ask({ retryForMs: Number.POSITIVE_INFINITY, signal: late.signal }).catch((error) => {
          // The same request: what it claimed, and was not heard of, is given once more.
          if (late.signal.aborted && error === late.signal.reason) return askAtEnd()
          throw error
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
      advice: new AbortController(),
      refused: new Set(),
      state: 'ready',
      stop: null,
      saidAtMs: Date.now(),
      dialBeforeMs: Date.parse(call.dialBefore) - clockAheadMs,
      extendsAtMs: halfOf(call.leaseExpiresAt),
    }
    flights.set(call.callId, flight)
    return flight
  }

  /** `tellFirst`: what is told once the leads are taken up, so that whoever is told may end the agent. */
  function heed({ calls, reason, retryAfterSeconds }: ClaimedCalls, tellFirst = () => {}): void {
    for (const call of calls) takeUp(call, options.call)
    // Never without a pause, whatever it says.
    claimsAtMs = reason === null ? 0 : Date.now() + Math.max(1, retryAfterSeconds ?? 1) * 1000
    tellFirst()
    if (reason !== null) tell(() => onIdle?.({ reason, retryAfterSeconds: retryAfterSeconds ?? 0 }))
  }

  async function begin(flight: Flight): Promise<void> {
    const { call, controller, advice } = flight
    const { callId } = call
    flight.state = 'going'
    try {
      const outcome = await flight.dial(call.lead, controller.signal, call, advice.signal)
      if (outcome === undefined) throw new TypeError('call() gave no outcome')
      if (outcome !== null)
        flight.report = reportOf(callId, outcome, (error) => tell(() => onError?.(error, call)))
    } catch (error) {
      flight.report = { callId, outcome: 'failed' }
      if (!controller.signal.aborted) tell(() => onError?.(error, call))
    }
    lastEndedAtMs = Date.now()
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
      // An older service does not say it.
      const { dialBefore } = more as { dialBefore?: string | null }
      if (dialBefore) flight.dialBeforeMs = Date.parse(dialBefore) - clockAheadMs
      flight.saidAtMs = Date.now()
      flight.stop = stop
      if (stop === null) continue
      const { controller, advice } = flight
      const whichever = passing.has(stop) ? advice : controller
      whichever.abort(new CallStopped(stop))
    }
  }

  async function report(ended: readonly Flight[], limit: number): Promise<void> {
    const some = ended.slice(0, mostReports)
    const calls = some.map((flight) => flight.report as ReportedCall)
    // While reports are refused, what they are sent with may be at fault.
    const claim = limit > 0 && mostReports > mostCalls && claimOf(limit)
    let told: CallsReported
    try {
      told = await post('report', { calls, ...(claim && { claim }) }, claim ? crypto.randomUUID() : undefined)
      mostReports = Number.POSITIVE_INFINITY
    } catch (error) {
      return reduce(some, !!claim, error)
    }
    const tellReports = () => {
      for (const [index, { call, report }] of some.entries())
        tell(() => onReport?.({ call, report: report as ReportedCall, result: told.results[index] }))
    }
    for (const { call } of some) flights.delete(call.callId)
    if (told.claim) heed(told.claim, tellReports)
    else tellReports()
  }

  /** What is wrong with one report costs no other, and of that one as little as can be. */
  function reduce(some: readonly Flight[], hasClaim: boolean, error: unknown): void {
    if (!(error instanceof LeadIntakeError && isOfBody(error)) || /^claim\b/.test(error.message)) throw error
    const [, place, field = null] = /^calls\[(\d+)\](?:\.(\w+))?/.exec(error.message) ?? []
    const wrong = some.length === 1 && !hasClaim ? some[0] : some[Number(place ?? -1)]
    if (wrong?.report === undefined) {
      mostReports = Math.ceil(some.length / 2)
      return
    }
    const { call, report, refused } = wrong
    // Nothing else is as large.
    const named = error.status === 413 ? 'details' : field
    const lesser = lesserReport(report, named, refused, Date.now() + clockAheadMs)
    tell(() => onError?.(error, call))
    if (lesser === null) {
      // The others are reported all the same.
      flights.delete(call.callId)
      failures.push(error)
      end()
    } else {
      wrong.report = lesser
    }
  }

  async function release(some: readonly Flight[]): Promise<void> {
    // What nobody wanted to dial now is not handed out at once again, nor what is paused or out of its hours.
    const calls = some.map(({ call, state, stop, controller }) => ({
      callId: call.callId,
      ...(((state === 'ready' && !passing.has(stop)) || controller.signal.aborted) && { delaySeconds: 0 }),
    }))
    try {
      await post('release', { calls })
    } catch (error) {
      if (!ending.signal.aborted) throw error
      // It keeps nothing from being reported: a lease that is not given back expires.
      for (const { call } of some) flights.delete(call.callId)
      failures.push(error)
      return
    }
    for (const { call } of some) flights.delete(call.callId)
    for (const { call } of some) tell(() => onRelease?.(call))
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
    if (left.length > 0) tell(() => options.onResume?.(left))
    for (const call of left) void begin(takeUp(call, dial))
  }

  async function doNext(): Promise<void> {
    const nowMs = Date.now()
    const all = [...flights.values()]
    const isEnding = ending.signal.aborted
    for (const flight of toDial(all, { concurrency, isEnding }, nowMs).fresh) void begin(flight)
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
        return heed(await post('claim', claimOf(step.claimLimit), crypto.randomUUID()))
      case 'rest':
        await sleep(Math.max(1, step.untilMs - nowMs), wake.signal)
        wake = new AbortController()
    }
  }

  const end = () => {
    if (ending.signal.aborted) return
    ending.abort()
    wake.abort()
    lastEndedAtMs = Date.now()
    // A wait is over at once, a try soon.
    if (retriesAtMs > lastEndedAtMs) late.abort()
    else lateTimer = setTimeout(() => late.abort(), endingTryMs)
    for (const { controller } of flights.values()) controller.abort(new CallStopped('agent_ended'))
  }
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    await resume()
    while (!ending.signal.aborted || flights.size > 0) {
      const [wasEnding, wasGoing] = [ending.signal.aborted, isGoing()]
      try {
        await doNext()
      } catch (error) {
        // Broken off by the end: it is tried again.
        const isBrokenOff = !wasEnding && ending.signal.aborted && error instanceof TemporaryError
        if (!wasEnding) {
          if (!isBrokenOff) failures.push(error)
          end()
        } else if (isGoing()) {
          // Their outcomes are worth more than this error.
          await sleep(endingTryMs, wake.signal)
          wake = new AbortController()
        } else if (!wasGoing) {
          throw failures.length > 0 ? failures[0] : error
        }
      }
    }
    if (failures.length > 0) throw failures[0]
  } finally {
    clearTimeout(lateTimer)
    signal?.removeEventListener('abort', end)
  }
}
