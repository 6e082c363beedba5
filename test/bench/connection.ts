// A raw keep-alive socket, one request at a time. Reads of each answer no more than it takes to know its status and its
// end, and keeps the body only for whom it is asked.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Connection = {
  send(request: Buffer): Promise<number>
  /** Latin-1, of an answer that has its length. */
  sendForBody(request: Buffer): Promise<{ readonly status: number; readonly body: string }>
  /** What the last answer said, by `Retry-After`; without it a second. */
  retryAfterMs(): number
  close(): void
}

/** How long a request that is answered 503 is sent again, as a client does. */
const patienceMs = 120_000

/** Sends until the answer is no 503, after the time that each says. For what may be stored twice without harm. */
export async function untilServed<Answer extends number | { readonly status: number }>(
  connection: Connection,
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (const untilMs = performance.now() + patienceMs; ; await sleep(connection.retryAfterMs())) {
    const answer = await send()
    const status = typeof answer === 'number' ? answer : answer.status
    if (status !== 503 || performance.now() > untilMs) return answer
  }
}

const headEnd = Buffer.from('\r\n\r\n')

/** One keep-alive connection, one request at a time. */
export function open(port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let settle: ((status: number) => void) | undefined
    let fail: ((error: Error) => void) | undefined
    let status = 0
    let retryAfterMs = 1_000
    /** Bytes of the body still to come; -1 while the head is being read, -2 in a chunked body. */
    let left = -1
    let pending: Buffer | undefined
    let kept: Buffer[] | undefined
    const connection: Connection = {
      async sendForBody(request) {
        const chunks: Buffer[] = []
        kept = chunks
        const status = await connection.send(request)
        kept = undefined
        return { status, body: Buffer.concat(chunks).toString('latin1') }
      },
      send(request) {
        return new Promise<number>((done, failed) => {
          settle = done
          fail = failed
          socket.write(request)
        })
      },
      retryAfterMs: () => retryAfterMs,
      close: () => socket.destroy(),
    }
    const finish = () => {
      left = -1
      pending = undefined
      settle?.(status)
    }
    socket.on('data', (data) => {
      let rest: Buffer = data
      if (left === -1) {
        if (pending !== undefined) rest = Buffer.concat([pending, rest])
        const end = rest.indexOf(headEnd)
        if (end === -1) {
          pending = rest
          return
        }
        const head = rest.toString('latin1', 0, end)
        status = Number(head.slice(9, 12))
        if (status === 503) retryAfterMs = Number(/retry-after: (\d+)/i.exec(head)?.[1] ?? 1) * 1000
        rest = rest.subarray(end + 4)
        const length = /content-length: (\d+)/i.exec(head)
        left = length === null ? -2 : Number(length[1])
        pending = undefined
      }
      if (left >= 0) {
        kept?.push(rest)
        left -= rest.length
        if (left <= 0) finish()
        return
      }
      // Chunked: the end is the only place where an empty chunk follows a line's end.
      const tail = pending === undefined ? rest : Buffer.concat([pending, rest])
      if (tail.length >= 5 && tail.toString('latin1', tail.length - 5) === '0\r\n\r\n') finish()
      else pending = tail.subarray(-5)
    })
    socket.on('connect', () => resolve(connection))
    socket.on('error', (error) => (fail ?? reject)(error))
    socket.on('close', () => fail?.(new Error('connection closed')))
  })
}
