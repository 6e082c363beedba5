// How the console asks the API: one request, one answer, and what each answer tells about the key and the network.
// What is asked, and when, is the panels' to say. An answer is a value: nothing here throws.
import { noteServiceTime } from './service-clock.ts'

/** `status` 0: no answer came. `data` is null unless the status is 2xx. */
export type Answer<Data> = {
  readonly status: number
  readonly data: Data | null
  /** For people. */
  readonly error: string | null
  readonly code: string | null
  readonly retryAfterSeconds: number | null
  readonly etag: string | null
  /** Of the body, in which numbers keep all their digits. */
  readonly text: string
}

/** What is left of the key's hour. */
export type KeyHour = { readonly limit: number; readonly remaining: number; readonly resetSeconds: number }

export type Ask = <Data>(method: string, path: string, options?: AskOptions) => Promise<Answer<Data>>
export type AskOptions = {
  readonly body?: unknown
  /** The body as JSON text, in place of `body`. */
  readonly json?: string
  readonly headers?: Readonly<Record<string, string>>
}

export type Heard = { readonly answer: Answer<unknown>; readonly hour: KeyHour | null }

const timeoutMs = 20_000

/** `hear` gets each answer before whoever asked. */
export function openApi(key: string, hear: (heard: Heard) => void): Ask {
  return async <Data>(
    method: string,
    path: string,
    { body, json = body === undefined ? undefined : JSON.stringify(body), headers }: AskOptions = {},
  ) => {
    const { answer, hour } = await send<Data>(key, method, path, json, headers)
    hear({ answer, hour })
    return answer
  }
}

async function send<Data>(
  key: string,
  method: string,
  path: string,
  json: string | undefined,
  headers: AskOptions['headers'],
): Promise<{ answer: Answer<Data>; hour: KeyHour | null }> {
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
    return { answer, hour: readHour(response.headers) }
  } catch {
    return { answer: notReached, hour: null }
  }
}

const notReached = {
  status: 0,
  data: null,
  error: 'The service was not reached.',
  code: null,
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
    code: headers.get('x-error-code'),
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

function readHour(headers: Headers): KeyHour | null {
  const read = (name: string) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN)
  const [limit, remaining, resetAtSeconds] = [read('limit'), read('remaining'), read('reset')]
  // Answers to nobody in particular carry the window of their address.
  if (!(limit >= 100)) return null
  return { limit, remaining, resetSeconds: Math.max(0, resetAtSeconds - Date.now() / 1000) }
}

/** Of a path's query; what is null is left out. */
export function query(members: Readonly<Record<string, string | number | null | undefined>>): string {
  const pairs = Object.entries(members).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, String(value)]],
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
