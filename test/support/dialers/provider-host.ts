// A provider on a public host of its own, in place of the Internet: what a dialer's object fetches there comes to a test.
import { onTestFinished, vi } from 'vitest'

export type Sent = {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  readonly text: string
}

export function openHost(reply: (sent: Sent) => Response | Promise<Response>) {
  const host = `v-${crypto.randomUUID()}.voice.test.example.com`
  const sent: Sent[] = []
  const before = globalThis.fetch
  const answer: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    if (url.host !== host) return before(input, init)
    const one = {
      method: request.method,
      path: url.pathname + url.search,
      headers: request.headers,
      text: await request.text(),
    }
    sent.push(one)
    return reply(one)
  }
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(answer)
  onTestFinished(() => {
    spy.mockRestore()
  })
  return { host, url: `https://${host}`, sent }
}
