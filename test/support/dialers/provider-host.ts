// Providers on public hosts of their own, in place of the Internet: what a dialer's object fetches there comes to a
// test.
import { onTestFinished, vi } from 'vitest'

export type Sent = {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly text: string
}

type Reply = (sent: Sent) => Response | Promise<Response>

const replies = new Map<string, Reply>()

export function openHost(reply: Reply, host = `v-${crypto.randomUUID()}.voice.test.example.com`) {
  const sent: Sent[] = []
  if (replies.size === 0) {
    const internet = globalThis.fetch
    const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(fetchWith(internet))
    onTestFinished(() => {
      spy.mockRestore()
    })
  }
  replies.set(host, (one) => {
    sent.push(one)
    return reply(one)
  })
  onTestFinished(() => {
    replies.delete(host)
  })
  return { host, url: `https://${host}`, sent }
}

/** Follows redirects, and rejects when it is aborted, as fetch does. */
function fetchWith(internet: typeof fetch): typeof fetch {
  return async function fetchFrom(input, init): Promise<Response> {
    const request = new Request(input, init)
    const { method, headers } = request
    const url = new URL(request.url)
    const reply = replies.get(url.host)
    if (reply === undefined) return internet(input, init)
    const path = url.pathname + url.search
    const { signal } = request
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
    })
    const replied = reply({ method, path, headers, text: await request.text() })
    const response = await Promise.race([replied, aborted])
    const location = response.headers.get('location')
    return location === null || request.redirect === 'manual' ? response : fetchFrom(location, init)
  }
}
