// The rest of the Internet: hosts that people of a world keep, such as voice providers and receivers of webhooks.
import type { Agenda } from './agenda.ts'
import type { Outgoing } from './outgoing.ts'

/** `answered` leaves after `takesMs`. Null: there never is one. */
export type Said = { readonly takesMs: number; readonly answered: Response | null }
/** `leftMs`: when the service has sent it, by its clock. */
export type Host = (url: string, init: RequestInit, leftMs: number) => Promise<Said>

export type Outside = ReturnType<typeof createOutside>

export function createOutside(agenda: Agenda, outgoing: Outgoing) {
  const hosts = new Map<string, Host>()

  async function fetch(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
    const url = input instanceof Request ? input.url : String(input)
    const leftMs = agenda.nowMs()
    outgoing.count(1)
    const answered = outgoing.call('fetch', async () => {
      const host = hosts.get(new URL(url).hostname)
      if (host === undefined) throw new TypeError('fetch failed')
      const { takesMs, answered } = await host(url, init, leftMs)
      return new Promise<Response>((resolve) => {
        if (answered !== null) agenda.after(takesMs, () => resolve(answered))
      })
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
