// One request to a running service, and what came of it. When to ask again is for whoever asks to say.

/** Long enough for a service whose database is slow: health waits 2 s for it. */
const reachTimeoutMs = 4_000

export type Reached =
  /** `clockAheadMs`: what its clock is ahead of this one, or a little less. */
  | { readonly kind: 'reached'; readonly clockAheadMs: number }
  | { readonly kind: 'unreachable'; readonly message: string }

/** Whether anything answers there at all, so that a wrong address is told at once. */
export async function reachService(url: string): Promise<Reached> {
  const { status, text } = await ask(`${url}/api/health`, {}, reachTimeoutMs)
  if (status === 0) return { kind: 'unreachable', message: `nothing answers at ${url} (${text}): see --url` }
  const { data } = (parseJson(text) ?? {}) as { data?: { timestamp?: unknown } | null }
  const serviceMs = Date.parse(String(data?.timestamp))
  return { kind: 'reached', clockAheadMs: Number.isNaN(serviceMs) ? 0 : serviceMs - Date.now() }
}

export type Answer = {
  /** 0: there was no answer. */
  readonly status: number
  readonly text: string
  readonly retryAfterSeconds?: number
}

export async function ask(endpoint: string, request: RequestInit, timeoutMs: number): Promise<Answer> {
  try {
    // A redirect is an answer like others: elsewhere is not where the operator wants the key to go.
    const options = { ...request, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) } as const
    const response = await fetch(endpoint, options)
    const retryAfter = response.headers.get('retry-after') ?? ''
    return {
      status: response.status,
      text: await response.text(),
      ...(/^\d{1,5}$/.test(retryAfter) && { retryAfterSeconds: Number(retryAfter) }),
    }
  } catch (error) {
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
    return { status: 0, text: cause?.code ?? cause?.message ?? message }
  }
}

/** For the operator. */
export function describeAnswer(url: string, { status, text }: Answer): string {
  if (status === 0) return `no answer from ${url} (${text})`
  // What the service says, not what something between it and here may put in its place.
  const { error } = (parseJson(text) ?? {}) as { error?: unknown }
  return `${url} answered ${status} ${typeof error === 'string' ? error : ''}`.trimEnd()
}

/** Null when it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
