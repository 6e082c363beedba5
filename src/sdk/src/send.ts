// Sends one request, and retries it until there is a final answer or its time is over. All retries are the same
// request, with one Idempotency-Key and one X-Request-Id. Which requests there are, the other files decide.
import { ConnectionError, errorOf, type LeadIntakeError, RateLimitedError, TemporaryError } from './errors.ts'

export type ClientOptions = {
  /** The address of the service, such as `https://leads.example.com`. */
  readonly baseUrl: string
  readonly apiKey: string
  /** Replaces the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** How long one HTTP request may take. 30 s when not set. */
  readonly timeoutMs?: number
  /**
   * How long retries may continue, waits included, when there was no answer, a 429 or a 503. 60 s when not set; 0: no
   * retries. Only the first try may take longer, if `timeoutMs` is longer. When the service requests a wait beyond that
   * time, the error is thrown at once.
   */
  readonly retryForMs?: number
  /** Called before each wait. If it throws, the request ends with that error. */
  readonly onRetry?: (retry: Retry) => void
}

export type RequestOptions = Partial<Pick<ClientOptions, 'timeoutMs' | 'retryForMs' | 'onRetry'>> & {
  /** Cancels the request and its retries: it rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Finds the request in the service's log: 1 to 128 visible ASCII characters. Random when not set. */
  readonly requestId?: string
}

export type Retry = {
  readonly error: TemporaryError
  /** How often the request was sent so far. */
  readonly tries: number
  readonly waitMs: number
}

export type Call = RequestOptions & {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Appended to the base URL. */
  readonly path: string
  readonly query?: object | undefined
  /** Text is sent as it is: it must be JSON. */
  readonly body?: object | string | undefined
  readonly idempotencyKey?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Repeating it would do it twice: it is retried only after a 429. */
  readonly isOnce?: boolean
  /** The answer when a retry gets a 404: the first try did it, and its answer was lost. */
  readonly whenGone?: object
  /** Waits after a 429 however long it takes, and restarts the time for retries. */
  readonly outlastsLimits?: boolean
  /** A failure that has data resolves too. */
  readonly takesFailure?: boolean
}

export type Answer<Data> = {
  readonly data: Data
  readonly status: number
  readonly headers: Headers
  /** The body, in which numbers keep all their digits. */
  readonly text: string
}

/** Throws LeadIntakeError. */
export type Send = <Data = unknown>(call: Call) => Promise<Answer<Data>>

const defaults = { timeoutMs: 30_000, retryForMs: 60_000 }
const firstWaitMs = 500
const longestWaitMs = 16_000
const jitterMs = 400

/** Sends a request, and returns only its data. */
export type Ask = <Data>(
  method: Call['method'],
  path: string,
  options?: RequestOptions,
  more?: Partial<Call>,
) => Promise<Data>

export function askerFor(send: Send): Ask {
  return async (method, path, options, more) =>
    (await send<never>({ ...options, ...more, method, path })).data
}

/** The path of one item by its id. */
export const pathIn = (base: string) => (id: string) => `${base}/${encodeURIComponent(id)}`

/** Throws a TypeError for options with which no request could ever be sent. */
export function senderFor(client: ClientOptions): Send {
  const { baseUrl, apiKey } = client
  if (!/^https?:[^?#@]+$/i.test(baseUrl) || !URL.canParse(baseUrl))
    throw new TypeError('baseUrl must be an http or https URL')
  mustBeVisible('apiKey', apiKey)
  return async <Data>(call: Call) => {
    const all = { ...defaults, ...setOf(client), requestId: crypto.randomUUID(), ...setOf(call) }
    const { signal, retryForMs, onRetry, isOnce, timeoutMs, outlastsLimits, whenGone } = all
    // A request that cannot be sent fails here, and is not retried.
    const [url, init] = requestOf(all)
    let endsAtMs = Date.now() + retryForMs
    let limitMs = timeoutMs
    let mayBeDone = false
    for (let tries = 1; ; tries++) {
      try {
        return (await sendOnce(all, url, init, limitMs)) as Answer<Data>
      } catch (error) {
        if (mayBeDone && whenGone && (error as LeadIntakeError).status === 404)
          return { data: whenGone as Data, text: '', status: 404, headers: new Headers() }
        const mayPass = error instanceof (isOnce ? RateLimitedError : TemporaryError)
        if (!mayPass) throw error
        mayBeDone ||= !(error instanceof RateLimitedError)
        // Jitter: clients that were refused together do not retry together. Never sooner than without a Retry-After:
        // one of 0, or a date that has just passed, would be no pause at all.
        const waitMs = Math.max(
          Math.min(longestWaitMs, firstWaitMs * 2 ** (tries - 1)) * (0.5 + Math.random()),
          (error.retryAfterMs ?? 0) + jitterMs * Math.random(),
        )
        const restarts = outlastsLimits && error instanceof RateLimitedError
        if (restarts) endsAtMs = Date.now() + waitMs + retryForMs
        else if (Date.now() + waitMs >= endsAtMs) throw error
        onRetry?.({ error, tries, waitMs })
        await sleep(waitMs, signal)
        limitMs = restarts ? timeoutMs : Math.max(1, Math.min(timeoutMs, endsAtMs - Date.now()))
      }
    }
  }
}

/** Without members that are undefined or null: they count as omitted. */
function setOf<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value != null)) as Options
}

function mustBeVisible(name: string, value: unknown, most = 255): void {
  if (typeof value !== 'string' || !/^[!-~]+$/.test(value) || value.length > most)
    throw new TypeError(`${name} must be 1 to ${most} visible ASCII characters`)
}

type WholeCall = Call & ClientOptions & { requestId: string }

function requestOf(call: WholeCall): [string, RequestInit] {
  const { baseUrl, path, method, query, body, idempotencyKey } = call
  mustBeVisible('requestId', call.requestId, 128)
  if (idempotencyKey !== undefined) mustBeVisible('idempotencyKey', idempotencyKey)
  const headers = setOf({
    'x-api-key': call.apiKey,
    'x-request-id': call.requestId,
    'content-type': body === undefined ? undefined : 'application/json',
    'idempotency-key': idempotencyKey,
    ...call.headers,
  })
  const init: RequestInit = {
    method,
    headers: new Headers(headers as Record<string, string>),
    body: typeof body === 'string' ? body : JSON.stringify(body),
    // The key must not follow a redirect to another host.
    redirect: 'manual',
  }
  return [baseUrl.replace(/\/+$/, '') + path + queryOf(query), init]
}

async function sendOnce(
  call: WholeCall,
  url: string,
  init: RequestInit,
  limitMs: number,
): Promise<Answer<unknown>> {
  const { signal, requestId } = call
  signal?.throwIfAborted()
  const aborter = new AbortController()
  // Both are removed when the request ends: a Worker limits timers, and a signal may serve many requests.
  const end = () => aborter.abort(signal?.reason)
  signal?.addEventListener('abort', end)
  const tooLate = () => aborter.abort(new Error(`no answer within ${limitMs} ms`))
  const timer = setTimeout(tooLate, Math.min(limitMs, longestTimerMs))
  // The end does not rely on fetch: some do not pass an abort on to a body that stalls.
  const ended = new Promise<never>((_, reject) => {
    aborter.signal.onabort = () => reject(aborter.signal.reason)
  })
  const ask = async () => {
    const response = await (call.fetch ?? fetch)(url, { ...init, signal: aborter.signal })
    return [response, await response.text()] as const
  }
  let response: Response
  let text: string
  try {
    ;[response, text] = await Promise.race([ask(), ended])
  } catch (cause) {
    signal?.throwIfAborted()
    const { message, cause: deeper } = cause as Error & { cause?: { code?: string } }
    throw new ConnectionError(deeper?.code ?? message, {
      status: 0,
      code: 'connection_failed',
      requestId,
      cause,
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
  const { data, error } = parse(text)
  const { ok, status, headers } = response
  if (!data || !(ok || call.takesFailure)) throw errorOf(status, headers, error, requestId)
  return { data, text, status, headers }
}

function parse(text: string): { data?: unknown; error?: unknown } {
  try {
    return JSON.parse(text) ?? {}
  } catch {
    return {}
  }
}

function queryOf(query: object = {}): string {
  const text = `${new URLSearchParams(setOf(query) as Record<string, string>)}`
  return text && `?${text}`
}

const longestTimerMs = 2 ** 31 - 1

/** Ends early when the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, Math.min(ms, longestTimerMs))
    if (signal?.aborted) end()
    signal?.addEventListener('abort', end)
  })
}
