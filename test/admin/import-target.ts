// What an import is given and pointed at in tests: a CSV file, and a service, the real one behind a proxy or one in
// memory. Each request is let through, its answer is kept back, or it is answered in the service's place.
import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { leadIdOf } from '../../src/queue/leads/lead.ts'
import { type Run, startAdmin } from './project.ts'

export type Act =
  | 'forward'
  /** The service does its work, and nobody hears of it. */
  | 'keep the answer'
  | { readonly status: number; readonly retryAfterSeconds?: number; readonly error?: string }

export type Target = {
  readonly url: string
  /** The bodies of suppressions, in order, with how many bulk requests had come before. */
  readonly suppressed: readonly (Suppressed & { readonly afterBulks: number })[]
  /** Of each bulk request that came, in order. */
  readonly bodies: readonly Buffer[]
  readonly idempotencyKeys: readonly string[]
  readonly importNames: readonly string[]
  /** Resolves when an answer has been kept. */
  readonly kept: Promise<void>
}

type Suppressed = {
  readonly phoneNumbers: readonly string[]
  readonly campaignId: string | null
  readonly reason: string
}
type Bulk = { readonly path: string; readonly headers: Record<string, string>; readonly body: Buffer }
type Answer = { readonly status: number; readonly text: string }

/** Of an API key. */
type CompanyOf = (apiKey: string) => string

type Refused = { readonly status: number; readonly error: string; readonly code?: string }
type Ways = {
  readonly companyOf?: CompanyOf | undefined
  /** Null: a key of the company. */
  readonly campaignOfKey?: string | null
  /** Of the campaign. */
  readonly timeZone?: string | null
  /** Instead of suppressing. */
  readonly refuse?: (numbers: Suppressed) => Refused | null
}

/** `act` decides by the number of the request, from 1. Ended with the test. */
async function startTarget(
  act: (number: number, body: Buffer) => Act,
  doBulk: (bulk: Bulk) => Promise<Answer>,
  { companyOf = () => 'acme', campaignOfKey = null, refuse = () => null, timeZone = null }: Ways = {},
): Promise<Target> {
  const bodies: Buffer[] = []
  const idempotencyKeys: string[] = []
  const importNames: string[] = []
  const suppressed: (Suppressed & { readonly afterBulks: number })[] = []
  const { promise: kept, resolve: tellKept } = Promise.withResolvers<void>()
  const server = createServer(async (request, response) => {
    if (request.url === '/api/v1/keys/self') {
      const id = companyOf(String(request.headers['x-api-key']))
      const data = { company: { id }, key: { campaignId: campaignOfKey } }
      return response.end(JSON.stringify({ success: true, data, error: null }))
    }
    if (request.url?.startsWith('/api/v1/campaigns/')) {
      return response.end(JSON.stringify({ success: true, data: { timeZone }, error: null }))
    }
    if (request.method === 'GET') {
      return response.end(JSON.stringify({ data: { timestamp: new Date().toISOString() } }))
    }
    const body = await bodyOf(request)
    if (request.url === '/api/v1/suppressions') {
      const numbers = JSON.parse(`${body}`) as Suppressed
      suppressed.push({ ...numbers, afterBulks: bodies.length })
      const refused = refuse(numbers)
      if (refused !== null) response.writeHead(refused.status, { 'X-Error-Code': refused.code ?? 'refused' })
      const data = { added: numbers.phoneNumbers.length, existing: 0, removedFromQueue: 0, liveCalls: [] }
      return response.end(JSON.stringify({ success: refused === null, data, error: refused?.error ?? null }))
    }
    bodies.push(body)
    idempotencyKeys.push(String(request.headers['idempotency-key']))
    importNames.push(String(request.headers['x-import-name']))
    const action = act(bodies.length, body)
    if (typeof action === 'object') {
      const { status, retryAfterSeconds, error = 'Not now' } = action
      response.writeHead(
        status,
        retryAfterSeconds === undefined ? {} : { 'Retry-After': `${retryAfterSeconds}` },
      )
      return response.end(JSON.stringify({ success: false, data: null, error }))
    }
    const headers = { ...request.headers, host: undefined, connection: undefined } as never
    const { status, text } = await doBulk({ path: String(request.url), headers, body })
    if (action === 'keep the answer') {
      request.socket.destroy()
      return tellKept()
    }
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, bodies, suppressed, idempotencyKeys, importNames, kept }
}

/** Before the real server. */
export function startProxy(base: string, act: (number: number) => Act): Promise<Target> {
  return startTarget(act, async ({ path, headers, body }) => {
    const answer = await fetch(`${base}${path}`, { method: 'POST', headers, body: new Uint8Array(body) })
    return { status: answer.status, text: await answer.text() }
  })
}

export type Item = { readonly phoneNumber: string } & Readonly<Record<string, unknown>>

export type Service = Target & {
  /** The leads, in the order in which they came. */
  readonly stored: () => readonly Item[]
  readonly store: (phoneNumber: string) => void
}

/**
 * As much of the service as an import meets, in memory: one campaign, with this clock if any, every key good, no
 * limits.
 */
export async function startService(
  act: (number: number, body: Buffer) => Act = () => 'forward',
  ways?: Ways,
): Promise<Service> {
  const leads = new Map<string, { readonly id: string; readonly origin: string; readonly item: Item }>()
  const add = (item: Item, origin: string) => {
    const key = { createdAtMs: Date.now(), seq: 2 ** 32 + leads.size + 1, token: 'a'.repeat(11) }
    leads.set(item.phoneNumber, { id: leadIdOf(key), origin, item })
  }
  const target = await startTarget(
    act,
    async ({ path, headers, body }) => {
      const isDryRun = path.includes('dryRun=true')
      const origin = `${headers['x-api-key']} ${headers['idempotency-key']} ${body}`
      const firstIndexes = new Map<string, number>()
      const results = (JSON.parse(body.toString()) as { leads: Item[] }).leads.map((item, index) => {
        const { phoneNumber } = item
        if (!/^\+[1-9]\d{6,14}$/.test(phoneNumber)) {
          return { index, status: 'invalid', error: 'phoneNumber must be in E.164 format' }
        }
        if (!firstIndexes.has(phoneNumber)) firstIndexes.set(phoneNumber, index)
        if (isDryRun) {
          const isNew = !leads.has(phoneNumber) && firstIndexes.get(phoneNumber) === index
          return { index, status: isNew ? 'created' : 'skipped', leadId: leads.get(phoneNumber)?.id ?? null }
        }
        if (!leads.has(phoneNumber)) add(item, origin)
        const lead = leads.get(phoneNumber)
        const isCreated = lead?.origin === origin && firstIndexes.get(phoneNumber) === index
        return { index, status: isCreated ? 'created' : 'skipped', leadId: lead?.id }
      })
      return { status: 200, text: JSON.stringify({ success: true, data: { results }, error: null }) }
    },
    ways,
  )
  return {
    ...target,
    stored: () => [...leads.values()].map(({ item }) => item),
    store: (phoneNumber) => add({ phoneNumber }, ''),
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

/** A new file in the folder. */
export function csvFile(dir: string, ...lines: readonly (string | Buffer)[]): string {
  const file = join(dir, `${randomUUID()}.csv`)
  writeFileSync(
    file,
    Buffer.concat(lines.flatMap((line) => [Buffer.from(line as string), Buffer.from('\n')])),
  )
  return file
}

export const phone = (index: number) => `+1415555${String(index).padStart(4, '0')}`
export const phones = (count: number) => Array.from({ length: count }, (_, index) => phone(index))

/** The command, so that it can be killed. `input` is its stdin. */
export function lead(words: readonly string[], apiKey?: string, input?: string): Run {
  return startAdmin(['lead', ...words], apiKey === undefined ? {} : { LEAD_INTAKE_KEY: apiKey }, input)
}
