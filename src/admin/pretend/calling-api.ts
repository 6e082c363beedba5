// The calling agent's requests to a running service, each sent until it is answered for good, and no more of them than
// the key has in an hour. What is claimed and reported is decided in play-agent.ts.
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReportedOutcome } from '../../calling/attempt-rules.ts'
import { limits } from '../../limits.ts'
import { ask, describeAnswer, parseJson } from '../service.ts'
import { CommandFailed } from '../wrangler.ts'

export type Claimed = {
  readonly calls: readonly ClaimedCall[]
  readonly reason: string | null
  readonly retryAfterSeconds: number | null
}

export type ClaimedCall = {
  readonly callId: string
  readonly attempt: number
  readonly leaseExpiresAt: string
  readonly dialBefore: string
  readonly lead: { readonly phoneNumber: string }
}

export type Report = {
  readonly callId: string
  readonly outcome: ReportedOutcome
  readonly durationSeconds: number
  readonly callbackAt?: string
}

export type Result = {
  readonly callId: string
  readonly result: string
  readonly status: string | null
  readonly nextCallAt: string | null
}

export type Extension = {
  readonly callId: string
  readonly leaseExpiresAt: string | null
  readonly stop: string | null
}

export type CallingApi = ReturnType<typeof openCallingApi>

export type Target = {
  readonly url: string
  readonly apiKey: string
  readonly campaignId: string
  /** The agent's name. */
  readonly agent: string
  /** Once it is aborted, nothing is waited for any more. */
  readonly stop: AbortSignal
  readonly tell: (line: string) => void
}

const requestTimeoutMs = 20_000
/** Tries that fail without the service asking for patience. */
const maxFailures = 6

/** Each throws CommandFailed when it is refused, or not answered in spite of patience. */
export function openCallingApi(target: Target) {
  const { campaignId, agent } = target
  const pace = paceOf(target.stop)
  const send = <Data>(method: string, path: string, body?: object, idempotencyKey?: string) =>
    sendUntilAnswered(target, pace, { method, path, body, idempotencyKey }) as Promise<Data>
  const claimOf = (limit: number) => ({ campaignId, limit, agent })
  return {
    // With a key, so that an answer that was lost is given again.
    claim: (limit: number) => send<Claimed>('POST', '/calls/claim', claimOf(limit), randomUUID()),

    /** And claims in the same request, unless the limit is 0. */
    report: (calls: readonly Report[], claimLimit: number) =>
      claimLimit === 0
        ? send<Reported>('POST', '/calls/report', { calls })
        : send<Reported>('POST', '/calls/report', { calls, claim: claimOf(claimLimit) }, randomUUID()),

    extend: async (callIds: readonly string[]) =>
      (await send<{ calls: readonly Extension[] }>('POST', '/calls/extend', { callIds })).calls,

    release: async (callIds: readonly string[]) => {
      await send('POST', '/calls/release', { calls: callIds.map((callId) => ({ callId, delaySeconds: 0 })) })
    },

    /** The agent's calls that are open: of an earlier run that did not end them. */
    async listOpenCalls(): Promise<readonly ClaimedCall[]> {
      const calls: ClaimedCall[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const query = new URLSearchParams({ campaignId, agent, cursor })
        const page: OpenCalls = await send<OpenCalls>('GET', `/calls?${query}`)
        calls.push(...page.calls)
        cursor = page.nextCursor
      }
      return calls
    },
  }
}

type Reported = { readonly results: readonly Result[]; readonly claim?: Claimed }
type OpenCalls = { readonly calls: readonly ClaimedCall[]; readonly nextCursor: string | null }

/** A few at once, then one each 3.8 s: in any hour less than the key may send, and some to spare. */
const requestsAtOnce = 20
const requestGapMs = limits.hourMs / (limits.requestsPerHourPerKey - 2.5 * requestsAtOnce)

/** When a request may be sent: at once when that is past. `before` is that of the request before, or 0. */
export function paceRequest(before: number, nowMs: number): number {
  return Math.max(before, nowMs - requestsAtOnce * requestGapMs) + requestGapMs
}

/** Resolves when the next request may be sent; at once when all is to end. */
function paceOf(stop: AbortSignal): () => Promise<void> {
  let freeAtMs = 0
  return async () => {
    freeAtMs = paceRequest(freeAtMs, Date.now())
    if (freeAtMs > Date.now()) await rest(freeAtMs - Date.now(), stop)
  }
}

/** Sleeps, unless all is to end. */
export async function rest(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal: stop }).catch(() => {})
}

type Request = {
  readonly method: string
  readonly path: string
  readonly body: object | undefined
  readonly idempotencyKey: string | undefined
}

async function sendUntilAnswered(
  { url, apiKey, stop, tell }: Target,
  pace: () => Promise<void>,
  { method, path, body, idempotencyKey }: Request,
): Promise<unknown> {
  const request = {
    method,
    headers: {
      'x-api-key': apiKey,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }
  for (let failures = 0; ; ) {
    await pace()
    const answer = await ask(`${url}/api/v1${path}`, request, requestTimeoutMs)
    const { status, text } = answer
    if (status === 200) return readData(url, text)
    const message = describeAnswer(url, answer)
    const mayPass = status === 0 || status === 429 || status >= 500
    if (!mayPass || stop.aborted || (status !== 429 && ++failures === maxFailures))
      throw new CommandFailed(message)
    const waitSeconds = answer.retryAfterSeconds ?? 2 ** Math.max(failures - 1, 0)
    tell(`${message}: trying again in ${waitSeconds} s`)
    await rest(waitSeconds * 1000, stop)
  }
}

function readData(url: string, text: string): unknown {
  const { data } = (parseJson(text) ?? {}) as { data?: unknown }
  if (typeof data === 'object' && data !== null) return data
  throw new CommandFailed(`${url} does not answer as this service does`)
}
