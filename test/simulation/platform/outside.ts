// The rest of the Internet: hosts that people of a world keep, such as voice providers and receivers of webhooks.
import type { Agenda } from './agenda.ts'
import type { Outgoing } from './outgoing.ts'

export type Sent = {
  readonly method: string
  readonly url: URL
  readonly headers: Headers
  readonly body: string
}
/** `takesMs`: until its answer leaves. Null: it never answers. */
export type Said = {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly takesMs?: number
} | null

export type Host = (sent: Sent) => Said

export type Outside = ReturnType<typeof createOutside>

export function createOutside(agenda: Agenda, outgoing: Outgoing) {
  const hosts = new Map<string, Host>()

  async function fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const url = new URL(input instanceof Request ? input.url : input)
    const body =
      typeof init.body === 'string'
        ? init.body
        : init.body == null
          ? ''
          : Buffer.from(init.body as Uint8Array).toString('utf8')
    const sent = {
      method: init.method ?? 'GET',
      url,
      headers: new Headers(init.headers as HeadersInit),
      body,
    }
    const answered = outgoing.call('fetch', () => {
      const host = hosts.get(url.hostname)
      if (host === undefined) throw new TypeError('fetch failed')
      const said = host(sent)
      if (said === null) return new Promise<Response>(() => {})
      const text =
        said.body === undefined ? null : typeof said.body === 'string' ? said.body : JSON.stringify(said.body)
      const response = new Response(text, { status: said.status, headers: { ...said.headers } })
      if (said.takesMs === undefined) return response
      return new Promise<Response>((resolve) => void agenda.after(said.takesMs ?? 0, () => resolve(response)))
    })
    const { signal } = init
    if (signal == null) return answered
    return new Promise((resolve, reject) => {
      const abort = () => reject(signal.reason)
      if (signal.aborted) abort()
      else signal.addEventListener('abort', abort, { once: true })
      answered.then(resolve, reject)
    })
  }

  return { fetch, hosts }
}
