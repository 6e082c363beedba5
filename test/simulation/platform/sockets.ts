// WebSockets between the Worker and an object, as far as bells use them: opened, closed, broken.

import type { Agenda } from './agenda.ts'
import { cloneOf } from './clone.ts'
import type { Context } from './context.ts'

type Listener = (event: { readonly code: number }) => void

export type SimSocket = {
  readyState: number
  acceptedBy: { readonly sockets: Map<SimSocket, readonly string[]> } | null
  /** The object that holds the other end has died. */
  readonly break: () => void
}

const [open, closing, closed] = [1, 2, 3]

export function socketClasses(agenda: Agenda) {
  class Socket implements SimSocket {
    static readonly OPEN = open
    readyState = open
    acceptedBy: { readonly sockets: Map<SimSocket, readonly string[]> } | null = null
    #peer: Socket | null = null
    #context: Context | null = null
    #attachment: unknown = null
    /** What has come before it was accepted. */
    #unheard: (readonly [type: string, code: number])[] = []
    readonly #listeners: (readonly [type: string, listener: Listener])[] = []

    static join(one: Socket, other: Socket): void {
      one.#peer = other
      other.#peer = one
    }

    accept(): void {
      const context = agenda.context()
      this.#context = context
      for (const [type, code] of this.#unheard) agenda.arrive(context, () => this.#hear(type, code))
      this.#unheard = []
    }

    addEventListener(type: string, listener: Listener): void {
      this.#listeners.push([type, listener])
    }

    serializeAttachment(value: unknown): void {
      this.#attachment = cloneOf(value)
    }

    deserializeAttachment(): unknown {
      return cloneOf(this.#attachment)
    }

    close(code = 1005): void {
      if (this.readyState !== open) return
      this.readyState = closing
      const peer = this.#peer as Socket
      const send = () => agenda.arrive(peer.#context ?? agenda.context(), () => peer.#hear('close', code))
      const { life } = agenda.context()
      if (life === null) send()
      else life.afterWrites(send)
    }

    break(): void {
      const peer = this.#peer as Socket
      this.#end()
      if (peer.readyState !== closed)
        agenda.arrive(peer.#context ?? agenda.context(), () => peer.#hear('error', 1006))
    }

    #hear(type: string, code: number): void {
      if (this.readyState === closed) return
      if (this.#context === null && this.acceptedBy === null) {
        this.#unheard.push([type, code])
        return
      }
      this.#end()
      if (this.#peer !== null) this.#peer.#end()
      for (const [of, listener] of this.#listeners) if (of === type) listener({ code })
    }

    #end(): void {
      this.readyState = closed
      this.acceptedBy?.sockets.delete(this)
    }
  }

  class WebSocketPair {
    readonly 0 = new Socket()
    readonly 1 = new Socket()
    constructor() {
      Socket.join(this[0], this[1])
    }
  }

  return { WebSocket: Socket, WebSocketPair }
}
