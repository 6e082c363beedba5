// A campaign in memory, in place of a service: leases, extends, releases and keeps what was reported. Its claims wait
// if a test says so; else they answer at once.
import { expect, vi } from 'vitest'
import { hourlyPerKey } from '../../src/base/rate-limits/rate-limit.ts'
import { admit, secondsUntil, type WindowState } from '../../src/base/rate-limits/sliding-window.ts'
import { type AgentOptions, type Outcome, runAgent } from '../../src/sdk/src/lead-intake.ts'
import { sleep } from '../../src/sdk/src/send.ts'
import { type Asked, type Scripted, scripted } from './scripted-service.ts'

export type Script = {
  readonly leaseMs?: number
  readonly stop?: string | (() => string)
  readonly fault?: (asked: Asked, number: number) => Scripted | 'lost' | undefined
  /** A claim that finds no lead is held, until `ring`, or for as long as it asks. */
  readonly waits?: boolean
  /** How long each answer takes. */
  readonly tookMs?: () => number
  /** Each key has the hour that it has at the service, of which it has spent so much. */
  readonly spent?: Readonly<Record<string, number>>
}

/** A limiter of keys as the service has it. */
export function limiterOf(spent: Readonly<Record<string, number>> = {}) {
  const states = new Map<string, WindowState>()
  /** The answer's headers, and whether it is refused. */
  function charge(key: string) {
    const nowMs = Date.now()
    const before = states.get(key) ?? { hour: Array<number>(spent[key] ?? 0).fill(nowMs) }
    const { decision, state } = admit(before, [hourlyPerKey], nowMs)
    states.set(key, state)
    const seconds = secondsUntil(decision.resetAtMs, nowMs)
    const headers = {
      'ratelimit-policy': '"hour";q=1000;w=3600',
      ratelimit: `"hour";r=${decision.remaining};t=${seconds}`,
      ...(!decision.admitted && { 'retry-after': String(seconds), 'x-error-code': 'rate_limited' }),
    }
    return { isRefused: !decision.admitted, headers }
  }
  return charge
}

/** A campaign with so many leads, every call of which is good for `leaseMs`. */
export function campaignOf(
  atStart: number,
  { leaseMs = 600_000, stop: stops, fault, waits = false, tookMs, spent }: Script = {},
) {
  const stopNow = () => (typeof stops === 'function' ? stops() : (stops ?? null))
  let [leads, leased] = [atStart, 0]
  /** The claims that are held: each is answered by its function. */
  const held = new Set<() => void>()
  const open = new Set<string>()
  const reports: Record<string, unknown>[] = []
  const released: Record<string, unknown>[] = []
  const extended: string[] = []
  const kept = new Map<string, Scripted>()
  const at = (ms: number) => new Date(ms).toISOString()
  const claim = ({ limit }: { limit: number }) => {
    const calls = Array.from({ length: Math.min(limit, leads - leased) }, () => {
      const callId = `call-${++leased}`
      open.add(callId)
      const leaseExpiresAt = at(Date.now() + leaseMs)
      return {
        callId,
        attempt: 1,
        leaseExpiresAt,
        dialBefore: leaseExpiresAt,
        lead: { phoneNumber: `+${leased}` },
      }
    })
    const isEmpty = calls.length === 0
    return { calls, reason: isEmpty ? 'empty' : null, retryAfterSeconds: isEmpty ? (waits ? 30 : 60) : null }
  }
  /** Answers `ready` after a ring, and else at the end of its time. */
  const hold = ({ body, signal }: Asked) =>
    new Promise<Scripted>((resolve) => {
      const answer = (reason: string) => {
        clearTimeout(timer)
        held.delete(ringing)
        resolve({ data: { calls: [], reason, retryAfterSeconds: 0 } })
      }
      const ringing = () => answer('ready')
      const timer = setTimeout(() => answer('empty'), Number(body.waitSeconds) * 1000)
      held.add(ringing)
      signal.addEventListener('abort', () => answer('empty'))
    })
  const ring = () => {
    for (const ringing of held) ringing()
  }
  /** Rings, unless it says that nobody does. */
  const add = (count: number, { rings = true } = {}) => {
    leads += count
    if (rings) ring()
  }
  const answer = ({ path, body }: Asked): object => {
    const calls = (body.calls ?? []) as { callId: string }[]
    switch (path) {
      case '/api/v1/calls/claim':
        return claim(body as never)
      case '/api/v1/calls/report':
        reports.push(...calls)
        for (const { callId } of calls) open.delete(callId)
        return {
          results: calls.map(({ callId }) => ({ callId, result: 'recorded' })),
          ...(body.claim !== undefined && { claim: claim(body.claim as never) }),
        }
      case '/api/v1/calls/extend':
        extended.push(...(body.callIds as string[]))
        return {
          calls: (body.callIds as string[]).map((callId) => ({
            callId,
            leaseExpiresAt: stopNow() === 'lease_lost' ? null : at(Date.now() + leaseMs),
            stop: stopNow(),
          })),
        }
      case '/api/v1/calls/release':
        released.push(...calls)
        for (const { callId } of calls) open.delete(callId)
        return { results: [] }
      default:
        return { calls: [], nextCursor: null }
    }
  }
  const answerOf = (asked: Asked, number: number): Scripted | Promise<Scripted> => {
    const key = asked.headers.get('idempotency-key')
    const happens = fault?.(asked, number)
    if (happens !== undefined && happens !== 'lost') return happens
    const before = key !== null && kept.get(key)
    const isHeld = !before && waits && 'waitSeconds' in asked.body && leads === leased
    if (isHeld) return happens === 'lost' ? 'no answer' : hold(asked)
    const said = before || { data: answer(asked) }
    if (key !== null) kept.set(key, said)
    return happens === 'lost' ? 'no answer' : said
  }
  const charge = limiterOf(spent)
  const refusals: string[] = []
  const limited = async (asked: Asked, number: number): Promise<Scripted> => {
    const key = asked.headers.get('x-api-key') ?? ''
    const { isRefused, headers } = charge(key)
    if (isRefused) {
      refusals.push(key)
      return { status: 429, error: 'Rate limit exceeded', headers }
    }
    const said = await answerOf(asked, number)
    return typeof said === 'object' && !('text' in said) ? { headers, ...said } : said
  }
  const answering = spent === undefined ? answerOf : limited
  const service = scripted((asked, number) =>
    tookMs === undefined ? answering(asked, number) : sleep(tookMs()).then(() => answering(asked, number)),
  )
  const ending = new AbortController()
  const start = (options: Partial<AgentOptions> & Pick<AgentOptions, 'call'>) =>
    runAgent({ client: service.client, campaignId: 'spring', signal: ending.signal, ...options })
  const paths = () => service.asked.map(({ path }) => path.replace('/api/v1/calls', ''))
  /** The claims that waited. */
  const waiting = () => service.asked.filter(({ body }) => 'waitSeconds' in body)
  return { ...service, refusals, held, add, waiting, open, reports, released, extended, ending, start, paths }
}

/** A call that takes so long, unless it is aborted. */
export const lasting =
  (ms: number, outcome: Outcome = 'answered') =>
  async (_: unknown, signal: AbortSignal): Promise<Outcome> => {
    await sleep(ms, signal)
    return signal.aborted ? 'failed' : outcome
  }

export const until = async (isSo: () => boolean) => {
  for (let round = 0; round < 5_000 && !isSo(); round++) await vi.advanceTimersToNextTimerAsync()
  expect(isSo()).toBe(true)
}
