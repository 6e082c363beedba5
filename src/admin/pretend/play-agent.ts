// An agent that pretends to phone: claims leads, waits as long as calls last, and reports what became of them, by
// chance. It is what an agent has to be all the same: it extends the leases of long calls, stops when it is told to,
// comes back when it is told to, takes up what an earlier run left open, and leaves nothing open when it ends. In which
// order is decided in next-step.ts.
import { limits } from '../../limits.ts'
import { counted, printLine, tellLine } from '../print.ts'
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
import { type Flight, isDialled, nextStep } from './next-step.ts'

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

/** Times are by this machine's clock. */
type PretendedFlight = Flight &
  Omit<ClaimedCall, 'leaseExpiresAt' | 'dialBefore'> & {
    readonly pretended: PretendedCall
    /** Why the service wants it to end. */
    readonly stop: string | null
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
  const inFlight = new Map<string, PretendedFlight>()
  const outcomes: Record<string, number> = {}
  let released = 0
  let claimsAtMs = 0
  let lastReason: string | null = null

  const onPhoneMs = (seconds: number) => (seconds * 1000) / speed
  const localMs = (time: string) => Date.parse(time) - clockAheadMs
  const halfOfLease = (leaseExpiresAt: string) => (Date.now() + localMs(leaseExpiresAt)) / 2

  function takeUp({ leaseExpiresAt, dialBefore, ...call }: ClaimedCall, wasDialled: boolean): void {
    const pretended = drawCall(random)
    const dialsAtMs = Date.now() + (wasDialled ? 0 : onPhoneMs(pretended.untilDialSeconds))
    inFlight.set(call.callId, {
      ...call,
      pretended,
      dialsAtMs,
      dialBeforeMs: localMs(dialBefore),
      endsAtMs: dialsAtMs + onPhoneMs(pretended.durationSeconds),
      extendsAtMs: halfOfLease(leaseExpiresAt),
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

  async function extend(flights: readonly PretendedFlight[]): Promise<void> {
    const extensions = await api.extend(flights.map(({ callId }) => callId))
    for (const [index, flight] of flights.entries()) {
      const { leaseExpiresAt = null, stop: why = null } = extensions[index] ?? {}
      inFlight.set(flight.callId, {
        ...flight,
        ...(leaseExpiresAt !== null && { extendsAtMs: halfOfLease(leaseExpiresAt) }),
        ...(why !== null && { endsAtMs: Date.now(), stop: why }),
      })
    }
  }

  async function report(flights: readonly PretendedFlight[], claimLimit: number): Promise<void> {
    const reports = flights.map(reportOf)
    const { results, claim } = await api.report(reports, claimLimit)
    for (const [index, said] of reports.entries()) {
      const flight = flights[index] as PretendedFlight
      inFlight.delete(said.callId)
      outcomes[said.outcome] = (outcomes[said.outcome] ?? 0) + 1
      printLine(describeCall(flight, said, results[index]))
    }
    if (claim !== undefined) heed(claim)
  }

  /** A call that was broken off has failed: nothing was agreed. */
  function reportOf({ callId, pretended, dialsAtMs, endsAtMs, stop: why }: PretendedFlight): Report {
    const { outcome, durationSeconds, callBackAfterSeconds } = pretended
    const nowMs = Date.now()
    if (why !== null || endsAtMs > nowMs) {
      const soFarSeconds = Math.round(((nowMs - dialsAtMs) * speed) / 1000)
      return { callId, outcome: 'failed', durationSeconds: Math.min(soFarSeconds, durationSeconds) }
    }
    if (callBackAfterSeconds === null) return { callId, outcome, durationSeconds }
    const callbackAtMs = nowMs + clockAheadMs + onPhoneMs(callBackAfterSeconds)
    return { callId, outcome, durationSeconds, callbackAt: new Date(callbackAtMs).toISOString() }
  }

  async function release(flights: readonly PretendedFlight[]): Promise<void> {
    await api.release(flights.map(({ callId }) => callId))
    for (const { callId, lead } of flights) {
      inFlight.delete(callId)
      released++
      printLine(`${lead.phoneNumber}  released, not dialled`)
    }
  }

  async function doNext(): Promise<void> {
    const nowMs = Date.now()
    const step = nextStep([...inFlight.values()], { concurrency, claimsAtMs }, nowMs)
    switch (step.kind) {
      case 'release':
        return release(step.flights)
      case 'extend':
        return extend(step.flights)
      case 'report':
        return report(step.flights, step.claimLimit)
      case 'claim':
        return heed(await api.claim(step.claimLimit))
      case 'rest':
        return rest(Math.max(1, step.untilMs - nowMs), stop)
    }
  }

  /** What goes on is broken off, and what nobody dialled is given back. */
  async function endAll(): Promise<void> {
    const nowMs = Date.now()
    const [dialled, undialled] = [true, false].map((wanted) =>
      [...inFlight.values()].filter((flight) => isDialled(flight, nowMs) === wanted),
    )
    for (const some of portionsOf(undialled ?? [])) await release(some)
    for (const some of portionsOf(dialled ?? [])) await report(some, 0)
  }

  const left = await api.listOpenCalls()
  if (left.length > 0) tellLine(`${counted(left.length, 'call')} of an earlier run: taken up`)
  for (const call of left) takeUp(call, true)
  while (!stop.aborted) await doNext()
  await endAll()
  return { released, outcomes }
}

function portionsOf<Item>(items: readonly Item[]): Item[][] {
  const size = limits.callsPerRequest
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}

function describeCall(flight: PretendedFlight, report: Report, result: Result | undefined): string {
  const { lead, attempt, stop } = flight
  const why = stop === null ? '' : ` (told to stop: ${stop})`
  const { status = null, nextCallAt = null, result: word = 'not answered' } = result ?? {}
  const next = nextCallAt === null ? '' : `, next call ${nextCallAt}`
  const said = word === 'recorded' ? '' : ` (${word})`
  return `${lead.phoneNumber}  attempt ${attempt}: ${report.outcome} after ${report.durationSeconds} s${why}, ${status ?? 'unknown'}${next}${said}`
}
