// Receivers of webhooks in place of the Internet: what the Worker and its Durable Objects fetch comes here, and no test
// leaves the machine. A receiver answers as its test says, and keeps what it was sent.

export type Received = {
  readonly id: string
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  readonly body: { readonly type: string; readonly timestamp: string; readonly data: Record<string, unknown> }
}

/** A status, or an answer whole; `late` is what becomes of one that takes too long, `closed` of one that hangs up. */
export type Reply = number | Response | 'late' | 'closed'

export type Receiver = {
  readonly url: string
  readonly received: Received[]
  /** What it says to what. Changed by a test that goes on. */
  reply: (received: Received) => Reply | Promise<Reply>
}

/** Shared by all files of a runtime, since its `fetch` is. */
const shared = globalThis as { receivers?: Map<string, Receiver> }
shared.receivers ??= new Map()
const receivers = shared.receivers

let opened = 0

/** Answers 204, unless given. */
export function openReceiver(reply: Receiver['reply'] = () => 204): Receiver {
  const host = `r${++opened}-${crypto.randomUUID()}.receiver.test`
  const receiver = { url: `https://${host}/hook?token=secret-of-the-url`, received: [], reply }
  receivers.set(host, receiver)
  return receiver
}

/** Where nobody listens: every delivery gets 204. */
export const anyReceiverUrl = 'https://anyone.receiver.test/hook'

export function replaceInternet(): void {
  globalThis.fetch = answer as typeof fetch
}

async function answer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const { hostname } = new URL(request.url)
  const receiver = receivers.get(hostname)
  if (receiver === undefined && hostname.endsWith('.receiver.test'))
    return new Response(null, { status: 204 })
  if (receiver === undefined) throw new TypeError('Network connection lost.')
  const text = await request.text()
  const headers = Object.fromEntries(request.headers)
  const received = { id: headers['webhook-id'] ?? '', headers, text, body: JSON.parse(text) }
  receiver.received.push(received)
  const reply = await receiver.reply(received)
  if (reply === 'late') throw new DOMException('The operation was aborted due to timeout', 'TimeoutError')
  if (reply === 'closed') throw new TypeError('Network connection lost.')
  return typeof reply === 'number' ? new Response(null, { status: reply }) : reply
}
