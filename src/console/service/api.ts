// Sends the console's requests to the API. Which requests, and when, is decided in the panels. An answer is a value:
// nothing here throws.
import { noteServiceTime } from './service-clock.ts'

/** `status` 0: no answer arrived. `data` is null unless the status is 2xx. */
export type Answer<Data> = {
  readonly status: number
  readonly data: Data | null
  /** For people. */
  readonly error: string | null
  readonly retryAfterSeconds: number | null
  readonly etag: string | null
  /** The body, in which numbers keep all their digits. */
  readonly text: string
}

/** What is left of the key's request quota. */
export type Quota = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number }

export type Ask = <Data>(method: string, path: string, options?: AskOptions) => Promise<Answer<Data>>
export type AskOptions = {
  readonly body?: unknown
  /** The body as JSON text, in place of `body`. */
  readonly json?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Received = { readonly answer: Answer<unknown>; readonly quota: Quota | null }

const timeoutMs = 20_000

/** `onAnswer` gets each answer before the caller does. */
export function openApi(key: string, onAnswer: (received: Received) => void): Ask {
  return async <Data>(
    method: string,
    path: string,
    { body, json = body === undefined ? undefined : JSON.stringify(body), headers }: AskOptions = {},
  ) => {
    const { answer, quota } = await send<Data>(key, method, path, json, headers)
    onAnswer({ answer, quota })
    return answer
  }
}

async function send<Data>(
  key: string,
  method: string,
  path: string,
  json: string | undefined,
  headers: AskOptions['headers'],
): Promise<{ answer: Answer<Data>; quota: Quota | null }> {
  try {
    const response = await fetch(`/api/v1${path}`, {
      method,
      headers: {
        'x-api-key': key,
        ...(json !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined && { body: json }),
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    })
    noteServiceTime(response.headers.get('date'))
    const answer = readAnswer<Data>(response, await response.text())
    return { answer, quota: readQuota(response.headers) }
  } catch {
    return { answer: notReached, quota: null }
  }
}

const notReached = {
  status: 0,
  data: null,
  error: 'Cannot reach the service.',
  retryAfterSeconds: null,
  etag: null,
  text: '',
}

function readAnswer<Data>({ status, headers }: Response, text: string): Answer<Data> {
  const { data = null, error = null } = parseEnvelope(text)
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN)
  return {
    status,
    data: status >= 200 && status < 300 ? (data as Data) : null,
    error: status < 300 ? null : (error ?? `The service answered ${status}.`),
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
    etag: headers.get('etag'),
    text,
  }
}

function parseEnvelope(text: string): { data?: unknown; error?: string | null } {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function readQuota(headers: Headers): Quota | null {
  const read = (name: string) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN)
  const [limit, remaining, resetAtSeconds] = [read('limit'), read('remaining'), read('reset')]
  // An answer without a valid key carries the quota of the network address.
  if (!(limit >= 100)) return null
  return { limit, remaining, resetSeconds: Math.max(0, resetAtSeconds - Date.now() / 1000) }
}

/** A path's query without the members that are null. */
export function query(members: Readonly<Record<string, string | number | null | undefined>>): string {
  const pairs = Object.entries(members).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
