// How an agent sends its requests: retried for as long as it takes while the agent runs, with little time once it ends.
// Knows the clock of the service. With which key and when, agent-keys.ts decides; what is sent, run-agent.ts.
import { waitingClaimMs } from '../calls.ts'
import type { RequestOptions } from '../send.ts'
import { agentKeys } from './agent-keys.ts'
import type { AgentOptions } from './agent-options.ts'

/** At the end of the agent: how long one try may take, and how long the rest may take once no call runs. */
export const endingTryMs = 5_000
const endingMs = 10_000
/** At the end: how long a claim that was cut off while it waited may take to return what it has leased. */
const endingWaitMs = 3_000
/** A `Date` header has whole seconds, and takes some time to arrive. */
const clockToleranceMs = 2_000

export type AgentRequests = ReturnType<typeof agentRequests>

/** `hasRunningCalls`: while calls run there is time to retry later. */
export function agentRequests(
  { client, onRetry }: AgentOptions,
  ending: AbortSignal,
  hasRunningCalls: () => boolean,
) {
  /** Cancels a request from before the end that still has no answer. */
  const late = new AbortController()
  let lateTimer: ReturnType<typeof setTimeout> | undefined
  let [clockAheadMs, retriesAtMs, lastEndedAtMs] = [0, 0, 0]
  const keys = agentKeys(client)

  /** `waits`: a claim that the service may hold. The end breaks it off at once. */
  async function post<Data>(
    path: string,
    body: object,
    { idempotencyKey, waits = false }: { readonly idempotencyKey?: string; readonly waits?: boolean } = {},
  ): Promise<Data> {
    const requestId = crypto.randomUUID()
    const sendWithKey = keys.sender()
    const send = (patience: RequestOptions) =>
      sendWithKey<Data>({
        method: 'POST',
        path: `/api/v1/calls/${path}`,
        body,
        idempotencyKey,
        requestId,
        onRetry: (retry) => {
          onRetry?.(retry)
          if (!waits) retriesAtMs = Date.now() + retry.waitMs
          // The end cuts every wait short.
          if (ending.aborted) late.abort()
        },
        ...patience,
      })
    const sendAtEnd = () => {
      if (waits) return send({ timeoutMs: endingWaitMs, retryForMs: 0 })
      const leftMs = hasRunningCalls() ? 0 : Math.max(0, lastEndedAtMs + endingMs - Date.now())
      return send({ timeoutMs: endingTryMs, retryForMs: leftMs })
    }
    const signal = waits ? ending : late.signal
    const patience = { retryForMs: Number.POSITIVE_INFINITY, ...(waits && { timeoutMs: waitingClaimMs }) }
    const { data, headers } = ending.aborted
      ? await sendAtEnd()
      : await send({ ...patience, signal }).catch((error) => {
          // The same request: if it claimed leads and its answer was lost, it returns them again.
          if (signal.aborted && error === signal.reason) return sendAtEnd()
          throw error
        })
    const aheadMs = Date.parse(headers.get('date') ?? '') - Date.now()
    clockAheadMs = Math.abs(aheadMs) > clockToleranceMs ? aheadMs : 0
    return data
  }

  return {
    post,
    ...keys,
    /** A time of the service, by the clock of this machine. */
    localMs: (timestamp: string) => Date.parse(timestamp) - clockAheadMs,
    /** The time by the clock of the service. */
    serviceMs: () => Date.now() + clockAheadMs,
    /** A call ended: what is left has its time from now on. */
    restartEnding: () => {
      lastEndedAtMs = Date.now()
    },
    /** Ends a wait at once, a request soon. */
    end: () => {
      lastEndedAtMs = Date.now()
      if (retriesAtMs > lastEndedAtMs) late.abort()
      else lateTimer = setTimeout(() => late.abort(), endingTryMs)
    },
    close: () => clearTimeout(lateTimer),
  }
}
