// How an agent claims: with one request for all its free seats, which the service holds while there is no lead. Knows
// when the next claim is useful. What becomes of the leads, run-agent.ts decides.
import type { ClaimedCalls } from '../models.ts'
import type { AgentOptions } from './agent-options.ts'
import type { AgentRequests } from './agent-requests.ts'

/** The longest that the service takes. */
const waitSeconds = 25

/** After these the agent claims at once: leads were leased, or there may be one now. */
const isNext: ReadonlySet<string | null> = new Set([null, 'ready'])

/** Why there is no lead: a waiting claim outlasts these, so the agent sends one at once if it has a free seat. */
const outlasted: ReadonlySet<string | null> = new Set([
  'empty',
  'waiting',
  'outside_hours',
  'paused',
  'at_capacity',
])

export function agentClaims(
  { campaignId, agent, leaseSeconds, concurrency = 1 }: AgentOptions,
  { post }: AgentRequests,
) {
  /** When a claim is useful: one that does not wait, and one that does. */
  let [claimsAtMs, waitsAtMs] = [0, 0]
  let asked = 0

  const bodyOf = (limit: number) => ({ campaignId, limit, agent, leaseSeconds })
  /** Waiting is for seats: a lead ahead would be kept from an agent that is free. */
  const waitsFor = (held: number) => held < concurrency

  /** Learns from the answer of a claim when the next one is useful. */
  function learn({ reason, retryAfterSeconds }: ClaimedCalls, sentAtMs: number, waited = false): void {
    // Never without a pause, whatever the service says.
    const pauseEndsAtMs = Math.max(sentAtMs + 1000, Date.now() + (retryAfterSeconds ?? 1) * 1000)
    claimsAtMs = isNext.has(reason) ? 0 : pauseEndsAtMs
    if (waited || !outlasted.has(reason)) waitsAtMs = claimsAtMs
  }

  /** `handle` gets the answer before the claim counts as closed: its places are never free in between. */
  async function send(limit: number, held: number, handle: (answer: ClaimedCalls) => void): Promise<void> {
    const waits = waitsFor(held)
    const sentAtMs = Date.now()
    asked = limit
    try {
      const body = { ...bodyOf(limit), ...(waits && { waitSeconds }) }
      const answer = await post<ClaimedCalls>('claim', body, { idempotencyKey: crypto.randomUUID(), waits })
      learn(answer, sentAtMs, waits)
      handle(answer)
    } finally {
      asked = 0
    }
  }

  return {
    bodyOf,
    send,
    /**
     * Of a claim in a report, which never waits. Returns how long it is until the agent claims: 0 if it waits instead.
     */
    learn(answer: ClaimedCalls, held: number): number {
      learn(answer, Date.now())
      const waits = asked > 0 || (waitsFor(held) && waitsAtMs <= Date.now())
      return waits ? 0 : (answer.retryAfterSeconds ?? 0)
    },
    /** How many leads the open claim asks for; 0: none is open. */
    asked: () => asked,
    /** When the next claim is useful for an agent that holds so many leads. */
    atMs: (held: number) => (asked > 0 ? Number.POSITIVE_INFINITY : waitsFor(held) ? waitsAtMs : claimsAtMs),
  }
}

export type AgentClaims = ReturnType<typeof agentClaims>
