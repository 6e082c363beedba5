// The attackers' HTTP client: sends its input byte for byte, on kept connections, and returns the answer
// or that nothing did. It knows no endpoint.
import { Agent, request } from 'node:http'

export type Sent = {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[]>>
  readonly body?: string | Uint8Array | undefined
}

export type Answer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** Why there was no answer: the connection broke, or the patience of `hangMs` was over. */
export class Unanswered extends Error {}

const agent = new Agent({ keepAlive: true, maxSockets: 256 })

/** Longer than any answer may take (6 s), so that a late answer differs from none. */
const hangMs = 20_000

export function send(port: number, { method, path, headers: own, body }: Sent): Promise<Answer> {
  // Without it Node sends the body of a DELETE as what looks like another request.
  const headers = { ...own, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) }
  return new Promise((resolve, reject) => {
    const options = { agent, host: '127.0.0.1', port, method, path, headers, timeout: hangMs }
    const outgoing = request(options, (incoming) => {
      const parts: Buffer[] = []
      incoming.on('data', (part: Buffer) => parts.push(part))
      incoming.on('error', (error) => reject(new Unanswered(error.message)))
      incoming.on('close', () => {
        if (!incoming.complete) return reject(new Unanswered('broken off'))
        const text = Buffer.concat(parts).toString('utf8')
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text })
      })
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')))
    outgoing.on('error', (error) => reject(new Unanswered(error.message)))
    outgoing.end(body)
  })
}

/** The same, as JSON. */
export function sendJson(
  port: number,
  key: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const typed = body === undefined ? {} : { 'content-type': 'application/json' }
  return send(port, {
    method,
    path,
    headers: { 'x-api-key': key, 'cf-connecting-ip': '192.0.2.1', ...typed, ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
}

/** Runs `work` over and over, this many at a time, until `isOver`. */
export async function keepBusy(
  concurrency: number,
  isOver: () => boolean,
  work: () => Promise<void>,
): Promise<void> {
  const worker = async () => {
    while (!isOver()) await work()
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}
