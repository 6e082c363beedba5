// One Durable Object for each campaign that agents wait for. Each wait is a WebSocket that its Worker holds, accepted
// with hibernation, so the object sleeps meanwhile. Closing the socket is the ring. Stores nothing: what a wait is
// is in its socket's attachment.
import { DurableObject } from 'cloudflare:workers'
import { canBeRung, chooseLongest, isNewRing, rungCode, tagOf, type Waiter } from './waiters.ts'

/** How many were rung. `left`: 0 when nobody else waits. */
export type Rung = { readonly rung: number; readonly left: number }

const waiterOf = (socket: WebSocket) => socket.deserializeAttachment() as Waiter

export class CampaignBell extends DurableObject<Env> {
  /** The rings of moments (waiters.ts). Lost when the object sleeps: then a moment may ring twice. */
  readonly #rungMoments = new Map<number, number>()

  /** Registers a wait. The query holds a Waiter. */
  override async fetch(request: Request): Promise<Response> {
    const query = new URL(request.url).searchParams
    const waiter: Waiter = { sinceMs: Number(query.get('sinceMs')), untilMs: Number(query.get('untilMs')) }
    const { 0: client, 1: server } = new WebSocketPair()
    this.ctx.acceptWebSocket(server, [tagOf(waiter, Date.now())])
    server.serializeAttachment(waiter)
    return new Response(null, { status: 101, webSocket: client })
  }

  /** Wakes those that have waited longest. A moment rings once for each count. */
  ring(count: number, momentMs: number | null): Rung {
    const isNew = momentMs === null || isNewRing(this.#rungMoments, momentMs, count)
    const { chosen, left } = chooseLongest(this.#socketsOf, waiterOf, isNew ? count : 0, Date.now())
    // A socket stays in the list until its other end has closed, too.
    for (const { socket, waiter } of chosen) socket.serializeAttachment({ ...waiter, untilMs: 0 })
    for (const { socket } of chosen) socket.close(rungCode)
    return { rung: chosen.length, left }
  }

  countWaiting(): number {
    const nowMs = Date.now()
    return this.#socketsOf().filter((socket) => canBeRung(waiterOf(socket), nowMs)).length
  }

  /** All, or those with a tag. One that is rung is closing. */
  readonly #socketsOf = (tag?: string) =>
    this.ctx.getWebSockets(tag).filter(({ readyState }) => readyState === WebSocket.OPEN)
}
