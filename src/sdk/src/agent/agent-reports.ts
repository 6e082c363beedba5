// How an agent reports: the calls that have ended, with a claim for the seats that they free. What a report may still
// say after a refusal is in agent-report.ts.
import { LeadIntakeError } from '../errors.ts'
import type { CallsReported, ClaimedCalls, ReportedCall } from '../models.ts'
import type { AgentClaims } from './agent-claims.ts'
import { type Flight, notify } from './agent-flights.ts'
import type { AgentOptions } from './agent-options.ts'
import { lesserReport } from './agent-report.ts'
import type { AgentRequests } from './agent-requests.ts'
import { maxCalls } from './agent-step.ts'

/** Whether the body was refused, by the service or, without a code, by a proxy before it. */
const refusesBody = ({ status, code }: LeadIntakeError) =>
  status === 400 || status === 413 || (status > 400 && status < 500 && code === 'unexpected_answer')

type Handlers = {
  readonly handleClaim: (claimed: ClaimedCalls, notifyFirst: () => void) => void
  /** Ends the agent. */
  readonly fail: (error: unknown) => void
}

export function agentReports(
  { onReport, onError }: AgentOptions,
  { post, serviceMs }: AgentRequests,
  claims: AgentClaims,
  flights: Map<string, Flight>,
  { handleClaim, fail }: Handlers,
) {
  let asked = 0
  /** In one request. Fewer while it is not known which of the reports is refused. */
  let maxReports = Number.POSITIVE_INFINITY

  async function send(ended: readonly Flight[], limit: number): Promise<void> {
    const some = ended.slice(0, maxReports)
    const calls = some.map((flight) => flight.report as ReportedCall)
    // While reports are refused, the claim in the same request may be the cause.
    const claim = limit > 0 && maxReports > maxCalls && claims.bodyOf(limit)
    let reported: CallsReported
    try {
      if (claim) asked = Math.max(0, limit - some.length)
      const options = claim ? { idempotencyKey: crypto.randomUUID() } : {}
      reported = await post('report', { calls, ...(claim && { claim }) }, options)
      maxReports = Number.POSITIVE_INFINITY
    } catch (error) {
      return reduce(some, !!claim, error)
    } finally {
      asked = 0
    }
    const notifyReports = () => {
      for (const [index, { call, report }] of some.entries())
        notify(() => onReport?.({ call, report: report as ReportedCall, result: reported.results[index] }))
    }
    for (const { call } of some) flights.delete(call.callId)
    if (!reported.claim) return notifyReports()
    const retryAfterSeconds = claims.learn(reported.claim, flights.size)
    handleClaim({ ...reported.claim, retryAfterSeconds }, notifyReports)
  }

  /** A refused report blocks no other one, and loses as little as possible. */
  function reduce(some: readonly Flight[], hasClaim: boolean, error: unknown): void {
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
    const lesser = lesserReport(report, named, refused, serviceMs())
    notify(() => onError?.(error, call))
    if (lesser === null) {
      // The other reports are still sent.
      flights.delete(call.callId)
      fail(error)
    } else {
      wrong.report = lesser
    }
  }

  return {
    send,
    /** How many leads the claim of a report in flight asks for, beyond the calls that it reports. */
    asked: () => asked,
  }
}
