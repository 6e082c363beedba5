// The one HTTP client of the tests: `api(key).createLead({...})` reads as prose. It sends real requests to the
// Worker, or, given `bindings`, to the same Worker with those in place of its own: by the client for TypeScript, with
// the headers that the test wants. It asserts nothing of the answer.
import { createExecutionContext } from 'cloudflare:test'
import { env, exports } from 'cloudflare:workers'
import worker from '../../../src/index.ts'
import { bindingsOf } from '../database/store.ts'
import { isJson, sendThroughClient } from './through-client.ts'

export type Envelope<Data> = { success: boolean; data: Data | null; error: string | null }

/** An answer read to its end. `body` is null when there was none, as for HEAD, or it is no JSON. */
export type Answer<Data = unknown> = {
  readonly asked: {
    readonly method: string
    readonly path: string
    readonly requestId: string | undefined
    readonly body: Body | undefined
  }
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly body: Envelope<Data> | null
}

export type Lead = {
  _id: string
  campaignId: string
  phoneNumber: string
  externalId?: string
  metadata?: Record<string, unknown>
  status: string
  scheduledFor?: string
  timeZone?: string
  priority: number
  attempts: number
  _creationTime: number
}
export type Created = { leadId: string }
export type Imported = { created: number; skipped: number; createdIds: string[]; skippedPhones: string[] }
export type Listed = { leads: Lead[]; count: number }
export type Health = {
  status: string
  timestamp: string
  version: string
  checks: { database: { status: string; latencyMs: number } }
}

export type Options = {
  /** `null` takes away a header that is sent otherwise. */
  headers?: Record<string, string | null>
  /** The client's address in CF-Connecting-IP; `null` sends none. By default one that no other client has. */
  address?: string | null
  /** In place of the Worker's own, for faults and counting. */
  bindings?: { [Name in keyof Env]?: unknown } | undefined
  /** What Cloudflare knows of the client. */
  cf?: { colo?: string; country?: string }
}

/** What is sent: an object as JSON, text and bytes as they are. */
export type Body = string | Uint8Array | ReadableStream | object

export type Query = Record<string, string> | string

/** A client with this key (none when null). */
export function api(key: string | null, options: Options = {}) {
  const address = options.address === undefined ? randomAddress() : options.address
  const keyed = { ...options, address, headers: { 'x-api-key': key, ...options.headers } }
  return {
    createLead: (body: Body, headers?: Options['headers']) =>
      send<Created>('POST', '/api/v1/leads', withHeaders(keyed, headers), body),
    importLeads: (body: Body, headers?: Options['headers']) =>
      send<Imported>('POST', '/api/v1/leads/bulk', withHeaders(keyed, headers), body),
    listLeads: (query: Query, headers?: Options['headers']) =>
      send<Listed>('GET', `/api/v1/leads?${new URLSearchParams(query)}`, withHeaders(keyed, headers)),
    request: (method: string, path: string, body?: Body, headers?: Options['headers']) =>
      send(method, path, withHeaders(keyed, headers), body),
  }
}

/** A health check from an address of its own, unless given. */
export function health(options: Options & { method?: string } = {}): Promise<Answer<Health>> {
  return send<Health>(options.method ?? 'GET', '/api/health', options)
}

let addresses = 0

/** An address that no other test has. */
export function randomAddress(): string {
  const next = ++addresses
  return `10.${(next >> 16) & 255}.${(next >> 8) & 255}.${next & 255}`
}

function withHeaders(options: Options, headers: Options['headers'] = {}): Options {
  return { ...options, headers: { ...options.headers, ...headers } }
}

async function send<Data>(
  method: string,
  path: string,
  options: Options,
  body?: Body,
): Promise<Answer<Data>> {
  const { address = randomAddress() } = options
  // The health check is of D1, wherever companies are.
  const isHealth = path.startsWith('/api/health')
  const bindings = options.bindings && (isHealth ? options.bindings : bindingsOf(options.bindings))
  const headers = new Headers()
  if (address !== null) headers.set('cf-connecting-ip', address)
  if (body !== undefined) headers.set('content-type', 'application/json')
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    if (value === null) headers.delete(name)
    else headers.set(name, value)
  }
  const { response, text } = await sendThroughClient({
    method,
    path,
    // What the client has no way to send takes the place of its own body.
    body: isBinary(body) ? '' : body,
    fetch: (url, init) => {
      const request = {
        ...init,
        headers,
        ...(isBinary(body) && { body }),
        ...(options.cf && { cf: options.cf }),
      }
      return answerTo(new Request(url, request), bindings)
    },
  })
  return {
    asked: { method, path, requestId: headers.get('x-request-id') ?? undefined, body },
    status: response.status,
    headers: response.headers,
    text,
    body: isJson(response) && text !== '' ? (JSON.parse(text) as Envelope<Data>) : null,
  }
}

function isBinary(body: Body | undefined): body is Uint8Array | ReadableStream {
  return body instanceof Uint8Array || body instanceof ReadableStream
}

function answerTo(request: Request, bindings: object | undefined): Response | Promise<Response> {
  if (bindings === undefined) return exports.default.fetch(request)
  return worker.fetch(request, { ...env, ...bindings } as Env, createExecutionContext())
}
