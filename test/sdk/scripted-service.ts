// A service that answers as a test's script says, in place of `fetch`, and what it was asked. The clock stands still
// until the test ends; a wait is noted with its length, and ends at once.
import { onTestFinished, vi } from 'vitest'
import { type ClientOptions, LeadIntake } from '../../src/sdk/src/lead-intake.ts'
import { stopClock } from '../support/run/clock.ts'

export type Asked = {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly text: string
  readonly body: Record<string, unknown>
  readonly signal: AbortSignal
}

export type Scripted =
  | {
      readonly status?: number
      readonly data?: unknown
      readonly error?: string
      readonly headers?: HeadersInit
    }
  | { readonly text: string; readonly status: number }
  | 'no answer'
  | 'silence'

/** `answer` says what comes of a request, by its number from 1. */
export function scripted(
  answer: (asked: Asked, number: number) => Scripted | Promise<Scripted>,
  options: Partial<ClientOptions> = {},
) {
  stopClock()
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const asked: Asked[] = []
  const clientOptions: ClientOptions = {
    baseUrl: 'https://leads.test/',
    apiKey: 'lk_test',
    fetch: async (url, { method = '', headers, body, signal }) => {
      const text = (body as string | undefined) ?? ''
      const one = {
        method,
        path: url.replace('https://leads.test', ''),
        headers: new Headers(headers),
        text,
        body: JSON.parse(text || '{}'),
        signal: signal as AbortSignal,
      }
      asked.push(one)
      const answered = answer(one, asked.length)
      const said = answered instanceof Promise ? await unlessAborted(answered, one.signal) : answered
      if (said === 'no answer')
        throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET' } })
      if (said === 'silence')
        return new Promise((_, reject) => {
          one.signal.addEventListener('abort', () => reject(one.signal.reason))
        })
      if ('text' in said) return new Response(said.text, { status: said.status })
      const { status = 200, data = null, error = null, headers: more = {} } = said
      return new Response(JSON.stringify({ success: error === null, data, error }), { status, headers: more })
    },
    ...options,
  }
  const clientOf = (apiKey: string) => new LeadIntake({ ...clientOptions, apiKey })
  return { client: new LeadIntake(clientOptions), clientOf, asked }
}

function unlessAborted(answered: Promise<Scripted>, signal: AbortSignal): Promise<Scripted> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason))
    answered.then(resolve, reject)
  })
}

/** Lets time pass, at most so long, until the promise has settled; tells how long it took. */
export async function passing<Value>(promise: Promise<Value>, mostMs = 24 * 3_600_000) {
  const startedAtMs = Date.now()
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  promise.then(settle, settle)
  await vi.advanceTimersByTimeAsync(0)
  while (!isSettled && Date.now() - startedAtMs < mostMs && vi.getTimerCount() > 0)
    await vi.advanceTimersToNextTimerAsync()
  const tookMs = Date.now() - startedAtMs
  return promise.then(
    (value) => ({ value, error: undefined, tookMs }),
    (error) => ({ value: undefined, error, tookMs }),
  )
}
