// As much of the service as a calling agent meets, in memory: one campaign, every key good, no limits. An agent that
// plays against it is stopped with its test.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished, vi } from 'vitest'
import { type AgentOptions, type AgentTally, playAgent } from '../../src/admin/pretend/play-agent.ts'

type Call = {
  readonly callId: string
  readonly phoneNumber: string
  readonly agent: string
  leaseEndsAtMs: number
}

export type Reported = {
  readonly callId: string
  readonly outcome: string
  readonly durationSeconds: number
  readonly callbackAt?: string
}

export type Asked = {
  readonly path: string
  readonly body: Record<string, unknown>
  readonly idempotencyKey: string | undefined
}

export type Fault = { readonly status: number; readonly retryAfterSeconds?: number } | 'keep the answer'

export type Script = {
  readonly leaseMs?: number
  /** What an extension says of a call. */
  readonly stop?: string
  /** What happens to a request, by its number from 1. */
  readonly fault?: (asked: Asked, number: number) => Fault | undefined
}

export async function startCallingService(leads: readonly string[], script: Script = {}) {
  const { leaseMs = 60_000, stop = null, fault } = script
  const queue = [...leads]
  const open = new Map<string, Call>()
  const asked: Asked[] = []
  const reports: Reported[] = []
  const released: string[] = []
  const extended: string[] = []
  const answers = new Map<string, string>()
  let calls = 0
  let mostOpen = 0

  const lease = (phoneNumber: string, agent: string) => {
    const call = { callId: `call-${++calls}`, phoneNumber, agent, leaseEndsAtMs: Date.now() + leaseMs }
    open.set(call.callId, call)
    mostOpen = Math.max(mostOpen, open.size)
    return call
  }
  const callJson = ({ callId, phoneNumber, leaseEndsAtMs }: Call) => {
    const leaseExpiresAt = new Date(leaseEndsAtMs).toISOString()
    return { callId, attempt: 1, leaseExpiresAt, dialBefore: leaseExpiresAt, lead: { phoneNumber } }
  }
  const claim = ({ limit, agent }: { limit: number; agent: string }) => {
    const given = queue.splice(0, limit).map((phoneNumber) => lease(phoneNumber, agent))
    const isEmpty = given.length === 0
    return {
      calls: given.map(callJson),
      reason: isEmpty ? 'empty' : null,
      retryAfterSeconds: isEmpty ? 60 : null,
    }
  }
  const served: Record<string, (body: never, query: URLSearchParams) => object> = {
    '/calls': (_, query) => ({
      calls: [...open.values()].filter(({ agent }) => agent === query.get('agent')).map(callJson),
      nextCursor: null,
    }),
    '/calls/claim': claim,
    '/calls/report': ({
      calls: reported,
      claim: wanted,
    }: {
      calls: Reported[]
      claim?: Parameters<typeof claim>[0]
    }) => {
      reports.push(...reported)
      for (const { callId } of reported) open.delete(callId)
      const results = reported.map(({ callId }) => ({
        callId,
        result: 'recorded',
        status: 'concluded',
        nextCallAt: null,
      }))
      return { results, ...(wanted !== undefined && { claim: claim(wanted) }) }
    },
    '/calls/extend': ({ callIds }: { callIds: string[] }) => {
      extended.push(...callIds)
      const leaseExpiresAt = new Date(Date.now() + leaseMs).toISOString()
      return { calls: callIds.map((callId) => ({ callId, leaseExpiresAt, stop })) }
    },
    '/calls/release': ({ calls: given }: { calls: { callId: string }[] }) => {
      released.push(...given.map(({ callId }) => callId))
      for (const { callId } of given) open.delete(callId)
      return { results: [] }
    },
  }

  const server = createServer(async (request, response) => {
    const url = new URL(String(request.url), 'http://service')
    const path = url.pathname.replace('/api/v1', '')
    if (path === '/api/health') {
      response.end(JSON.stringify({ data: { timestamp: new Date().toISOString() } }))
      return
    }
    const body = await bodyOf(request)
    const idempotencyKey = request.headers['idempotency-key'] as string | undefined
    asked.push({ path, body: JSON.parse(body || '{}'), idempotencyKey })
    const happens = fault?.(asked.at(-1) as Asked, asked.length)
    if (typeof happens === 'object') {
      const { status, retryAfterSeconds } = happens
      response.writeHead(
        status,
        retryAfterSeconds === undefined ? {} : { 'Retry-After': `${retryAfterSeconds}` },
      )
      response.end(JSON.stringify({ success: false, data: null, error: 'Not now' }))
      return
    }
    const known = idempotencyKey === undefined ? undefined : answers.get(idempotencyKey)
    const answer = () => served[path]?.(JSON.parse(body || '{}') as never, url.searchParams)
    const text = known ?? JSON.stringify({ success: true, data: answer(), error: null })
    if (idempotencyKey !== undefined) answers.set(idempotencyKey, text)
    if (happens === 'keep the answer') {
      request.socket.destroy()
      return
    }
    response.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    lease,
    open,
    asked,
    reports,
    released,
    extended,
    mostOpen: () => mostOpen,
  }
}

export type CallingService = Awaited<ReturnType<typeof startCallingService>>

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

export type Play = {
  readonly stdout: () => string
  readonly stderr: () => string
  readonly end: () => void
  readonly ended: Promise<AgentTally>
}

/** A call of five minutes takes 83 ms, unless the speed is given. Caller must not play two at once. */
export function play({ url }: CallingService, options: Partial<AgentOptions> = {}): Play {
  const [stdout, stderr] = [process.stdout, process.stderr].map((stream) =>
    vi.spyOn(stream, 'write').mockReturnValue(true),
  )
  const text = (write: typeof stdout) => write?.mock.calls.map(([chunk]) => String(chunk)).join('') ?? ''
  const stop = new AbortController()
  const given = {
    campaign: 'demo',
    url,
    key: 'lk_none',
    name: 'pretend',
    speed: 3_600,
    concurrency: 5,
    seed: 1,
  }
  const ended = playAgent({ ...given, ...options }, stop.signal)
  ended.catch(() => {})
  onTestFinished(async () => {
    stop.abort()
    await ended.catch(() => {})
    for (const write of [stdout, stderr]) write?.mockRestore()
  })
  return { stdout: () => text(stdout), stderr: () => text(stderr), end: () => stop.abort(), ended }
}
