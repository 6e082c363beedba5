// Receivers of webhooks on real sockets, under Node: each answers in its own way, and keeps what it was sent. What must
// come to them is decided elsewhere.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Webhook } from 'standardwebhooks'

export type Event = { readonly id: string; readonly type: string; readonly data: Record<string, unknown> }

export type SocketReceiver = {
  readonly url: string
  /** Verified, in the order in which it came. */
  readonly received: (Event & { readonly atMs: number })[]
  /** What was not signed as it should. */
  readonly forged: string[]
  /** Of its webhook: known once it is made. */
  secret: string
  behave: Behaviour
  readonly close: () => void
}

export type Behaviour = (response: ServerResponse, socket: Socket) => void

export const behaviours = {
  well: (response) => void response.writeHead(204).end(),
  failing: (response) => void response.writeHead(500).end('failed'),
  gone: (response) => void response.writeHead(410).end(),
  busy: (response) => void response.writeHead(429, { 'retry-after': '3600' }).end(),
  redirecting: (response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
  closing: (_, socket) => void socket.destroy(),
  /** Begins an answer, and hangs up in the middle of it. */
  breaking(response, socket) {
    response.writeHead(200, { 'content-length': '1000' }).write('half')
    setTimeout(() => socket.destroy(), 5)
  },
  /** 10 MB, slowly read: the reader is held up. */
  verbose: (response) => void response.writeHead(200).end(Buffer.alloc(10_000_000, 'x')),
  /** 200 at once, and a body that never ends. */
  endless: (response) => void response.writeHead(200).write('on and on'),
  slow: (response) => void setTimeout(() => response.writeHead(204).end(), 300),
  silent: () => {},
} as const satisfies Record<string, Behaviour>

export async function openSocketReceiver(behave: Behaviour = behaviours.well): Promise<SocketReceiver> {
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    try {
      for await (const piece of request) pieces.push(piece as Buffer)
    } catch {
      // Broken off: the sender was killed.
      return
    }
    const text = Buffer.concat(pieces).toString()
    const headers = request.headers as Record<string, string>
    try {
      const body = new Webhook(receiver.secret).verify(text, headers) as Omit<Event, 'id'>
      const id = headers['webhook-id'] ?? ''
      receiver.received.push({ id, type: body.type, data: body.data, atMs: Date.now() })
    } catch (error) {
      receiver.forged.push((error as Error).message)
    }
    receiver.behave(response, request.socket)
  })
  // Else a kept connection is closed at the moment at which it is used again.
  server.keepAliveTimeout = 60_000
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  const receiver: SocketReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    forged: [],
    secret: '',
    behave,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
  return receiver
}

/** Entries that no request made, for volume, about so many leads. Their `n` goes on from `from`. */
export function insertEvents(
  db: D1Database,
  companyId: string,
  from: number,
  count: number,
  leads = Number.MAX_SAFE_INTEGER,
) {
  return db
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
       insert into events (company_id, number, at_ms, type, actor, lead_seq, data)
       select ?1, i + coalesce((select max(number) from events where company_id = ?1), 0), ?3, 'campaign.changed',
         'operator', (i + ?4) % ?5, json_object('n', i + ?4 - 1) from n`,
    )
    .bind(companyId, count, Date.now(), from, leads)
}
