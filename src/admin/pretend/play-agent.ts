// An agent that pretends to phone: claims leads, waits as long as calls last, and reports what became of them, by
// chance. It is what an agent has to be all the same: it extends the leases of long calls, stops when it is told to,
// comes back when it is told to, takes up what an earlier run left open, and leaves nothing open when it ends.
import { printLine, tellLine } from '../print.ts'
import { reachService } from '../service.ts'
import { CommandFailed } from '../wrangler.ts'
import {
  type Claimed,
  type ClaimedCall,
  openCallingApi,
  type Report,
  type Result,
  rest,
} from './calling-api.ts'
import { drawCall, type PretendedCall, randomOf } from './chance.ts'

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

/** A call in flight. Times are by this machine's clock. */
type Flight = ClaimedCall & {
  readonly pretended: PretendedCall
  readonly dialsAtMs: number
  endsAtMs: number
  /** When its lease is half over. */
  extendsAtMs: number
  /** Why the service wants it to end. */
  stop: string | null
}

export type AgentTally = { readonly released: number; readonly outcomes: Readonly<Record<string, number>> }

/** Until `stop`. Throws CommandFailed when it cannot go on. */
export async function playAgent(options: AgentOptions, stop: AbortSignal): Promise<AgentTally> {
  const { campaign, url, key, name, speed, concurrency, seed } = options
  const reached = await reachService(url)
  if (reached.kind === 'unreachable') throw new CommandFailed(reached.message)
  const { clockAheadMs } = reached
  const api = openCallingApi({ url, apiKey: key, campaignId: campaign, agent: name, stop, tell: tellLine })
  const random = randomOf(seed)
  const inFlight = new Map<string, Flight>()
  const outcomes: Record<string, number> = {}
  let released = 0
  let claimsAtMs = 0
  let lastReason: string | null = null

  const onPhoneMs = (seconds: number) => (seconds * 1000) / speed
  const localMs = (time: string) => Date.parse(time) - clockAheadMs
  const halfOfLease = (leaseExpiresAt: string, nowMs: number) => (nowMs + localMs(leaseExpiresAt)) / 2

  function takeUp(call: ClaimedCall, isDialled: boolean): void {
    const nowMs = Date.now()
    const pretended = drawCall(random)
    const dialsAtMs = isDialled ? nowMs : nowMs + onPhoneMs(pretended.untilDialSeconds)
    inFlight.set(call.callId, {
      ...call,
      pretended,
      dialsAtMs,
      endsAtMs: dialsAtMs + onPhoneMs(pretended.durationSeconds),
      extendsAtMs: halfOfLease(call.leaseExpiresAt, nowMs),
      stop: null,
    })
  }

  function heed({ calls, reason, retryAfterSeconds }: Claimed): void {
    for (const call of calls) takeUp(call, false)
    claimsAtMs = Date.now() + (retryAfterSeconds ?? 0) * 1000
    if (reason !== null && reason !== lastReason)
      tellLine(`no lead to call (${reason}): asking again in ${retryAfterSeconds} s`)
    lastReason = reason
  }

  async function extend(flights: readonly Flight[]): Promise<void> {
    for (const { callId, leaseExpiresAt, stop: why } of await api.extend(idsOf(flights))) {
      const flight = inFlight.get(callId)
      if (flight === undefined) continue
      if (leaseExpiresAt !== null) flight.extendsAtMs = halfOfLease(leaseExpiresAt, Date.now())
      if (why === null) continue
      flight.stop = why
      flight.endsAtMs = Date.now()
    }
  }

  async function report(flights: readonly Flight[], claimLimit: number): Promise<void> {
    const reports = flights.map((flight) => reportOf(flight, Date.now() + clockAheadMs, speed))
    const { results, claim } = await api.report(reports, claimLimit)
    for (const [index, flight] of flights.entries()) {
      inFlight.delete(flight.callId)
      const said = reports[index] as Report
      outcomes[said.outcome] = (outcomes[said.outcome] ?? 0) + 1
      printLine(describeCall(flight, said, results[index]))
    }
    if (claim !== undefined) heed(claim)
  }

  async function release(flights: readonly Flight[]): Promise<void> {
    await api.release(idsOf(flights))
    for (const flight of flights) {
      inFlight.delete(flight.callId)
      released++
      printLine(`${flight.lead.phoneNumber}  released, not dialled`)
    }
  }

  /** One request, or a rest until there is something to do. */
  async function step(): Promise<void> {
    const nowMs = Date.now()
    const flights = [...inFlight.values()]
    const ended = flights.filter(({ endsAtMs }) => endsAtMs <= nowMs)
    const tooLate = flights.filter((flight) => !isDialled(flight, nowMs) && isTooLate(flight))
    const waiting = ended.filter((flight) => !isDialled(flight, nowMs))
    const free = Math.max(0, concurrency - (flights.length - ended.length))
    const undialled = [...new Set([...tooLate, ...waiting])]
    if (undialled.length > 0) return release(undialled.slice(0, perRequest))
    const expiring = flights.filter(({ extendsAtMs, endsAtMs }) => extendsAtMs <= nowMs && endsAtMs > nowMs)
    if (expiring.length > 0) return extend(expiring.slice(0, perRequest))
    // A report changes what was said of the queue: so a claim goes with each.
    if (ended.length > 0) return report(ended.slice(0, perRequest), Math.min(free, perRequest))
    if (free > 0 && claimsAtMs <= nowMs) return heed(await api.claim(Math.min(free, perRequest)))
    const next = [
      ...(free > 0 ? [claimsAtMs] : []),
      ...flights.flatMap(({ endsAtMs, extendsAtMs }) => [endsAtMs, extendsAtMs]),
    ]
    await rest(Math.max(1, Math.min(...next) - nowMs), stop)
  }

  const isTooLate = ({ dialsAtMs, dialBefore }: Flight) => dialsAtMs > localMs(dialBefore)

  const left = await api.listOpenCalls()
  if (left.length > 0) tellLine(`${left.length} calls of an earlier run are open: taking them up`)
  for (const call of left) takeUp(call, true)
  while (!stop.aborted) await step()

  // What goes on is broken off, and what nobody dialled is given back.
  const nowMs = Date.now()
  const flights = [...inFlight.values()]
  for (const some of portionsOf(flights.filter((flight) => !isDialled(flight, nowMs)))) await release(some)
  for (const some of portionsOf(flights.filter((flight) => isDialled(flight, nowMs)))) await report(some, 0)
  return { released, outcomes }
}

const perRequest = 100

const idsOf = (flights: readonly Flight[]) => flights.map(({ callId }) => callId)
const isDialled = ({ dialsAtMs }: Flight, nowMs: number) => dialsAtMs <= nowMs

function portionsOf(flights: readonly Flight[]): Flight[][] {
  const count = Math.ceil(flights.length / perRequest)
  return Array.from({ length: count }, (_, i) => flights.slice(i * perRequest, (i + 1) * perRequest))
}

/** A call that was broken off has failed: nobody was reached, and nothing was agreed. */
function reportOf(flight: Flight, serviceNowMs: number, speed: number): Report {
  const { callId, pretended, dialsAtMs, endsAtMs, stop } = flight
  const { outcome, durationSeconds, callBackAfterSeconds } = pretended
  if (stop !== null || endsAtMs > Date.now()) {
    const soFar = Math.round(((Date.now() - dialsAtMs) * speed) / 1000)
    return { callId, outcome: 'failed', durationSeconds: Math.min(soFar, durationSeconds) }
  }
  if (callBackAfterSeconds === null) return { callId, outcome, durationSeconds }
  const callbackAt = new Date(serviceNowMs + (callBackAfterSeconds * 1000) / speed).toISOString()
  return { callId, outcome, durationSeconds, callbackAt }
}

function describeCall(flight: Flight, report: Report, result: Result | undefined): string {
  const { lead, attempt, stop } = flight
  const { outcome, durationSeconds } = report
  const why = stop === null ? '' : ` (${stop}, so it was ended)`
  const said = result === undefined || result.result === 'recorded' ? '' : ` (${result.result})`
  const next = result?.nextCallAt ? `, next call ${result.nextCallAt}` : ''
  return `${lead.phoneNumber}  attempt ${attempt}: ${outcome} after ${durationSeconds} s${why}  ->  ${result?.status ?? 'unknown'}${next}${said}`
}
