// What a bundle gets in place of Node's own: time, chance and timers of the agenda, and what Node answers from other
// threads, settled at once.
import nodeCrypto, { type KeyObject } from 'node:crypto'
import type { Agenda } from './agenda.ts'

export type Owned = ReturnType<typeof ownedBy>

export function ownedBy(agenda: Agenda, log: (entry: unknown) => void) {
  const chance = () => agenda.context().ids
  class OwnedDate extends Date {
    constructor(...args: unknown[]) {
      if (args.length === 0) super(agenda.nowMs())
      else super(...(args as [number]))
    }
    static override now(): number {
      return agenda.nowMs()
    }
  }
  const timers = timersOf(agenda)
  const fill = <Values extends ArrayBufferView>(values: Values): Values => {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
    const ids = chance()
    for (let at = 0; at < bytes.length; at++) bytes[at] = ids.next()
    return values
  }
  const randomUUID = () => {
    const bytes = fill(new Uint8Array(16))
    bytes[6] = ((bytes[6] as number) & 15) | 64
    bytes[8] = ((bytes[8] as number) & 63) | 128
    const hex = Buffer.from(bytes).toString('hex')
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
  }
  const math: Math = Object.create(Math, { random: { value: () => chance().fraction() } })
  const abortSignal = new Proxy(AbortSignal, {
    get: (target, name) => (name === 'timeout' ? timers.abortAfter : Reflect.get(target, name)),
  })
  return {
    /** By their names in the bundle. */
    values: {
      ...{ Date: OwnedDate, Math: math, Blob: SettledBlob, AbortSignal: abortSignal },
      crypto: { getRandomValues: fill, randomUUID, subtle },
      console: Object.fromEntries(['log', 'info', 'warn', 'error', 'debug'].map((level) => [level, log])),
      ...{ setTimeout: timers.setTimeout, clearTimeout: timers.clearTimeout, setInterval: undefined },
      scheduler: timers.scheduler,
    },
    modules: {
      'node:crypto': { ...nodeCrypto, randomUUID, randomBytes: (count: number) => fill(Buffer.alloc(count)) },
      'node:timers/promises': { scheduler: timers.scheduler },
    },
  }
}

function timersOf(agenda: Agenda) {
  let last = 0
  const running = new Map<number, () => void>()
  const clearTimeout = (timer: number) => {
    running.get(timer)?.()
    running.delete(timer)
  }
  const setTimeout = (run: () => void, ms = 0) => {
    const [timer, context] = [++last, agenda.context()]
    const end = () => {
      running.delete(timer)
      agenda.within(context, run)
    }
    running.set(timer, agenda.arrive(context, end, ms))
    return timer
  }
  const wait = (ms: number) =>
    new Promise<void>((resolve) => void agenda.arrive(agenda.context(), resolve, ms))
  const abortAfter = (ms: number) => {
    const controller = new AbortController()
    setTimeout(
      () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')),
      ms,
    )
    return controller.signal
  }
  return { setTimeout, clearTimeout, scheduler: { wait }, abortAfter }
}

type Algorithm = string | { readonly name: string; readonly hash?: Algorithm }
type Key = { readonly own: KeyObject; readonly hash: string }

const nameOf = (algorithm: Algorithm) => (typeof algorithm === 'string' ? algorithm : algorithm.name)
/** As `node:crypto` calls it. */
const hashOf = (algorithm: Algorithm) => nameOf(algorithm).replace('-', '').toLowerCase()
const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  buffer.slice(byteOffset, byteOffset + byteLength)

/** What the bundles use of it: HMAC with a secret, RSA with a public key as JWK. */
const subtle = {
  digest: async (algorithm: Algorithm, data: Uint8Array) =>
    bufferOf(nodeCrypto.createHash(hashOf(algorithm)).update(data).digest()),
  importKey: async (
    format: 'raw' | 'jwk',
    key: never,
    algorithm: Exclude<Algorithm, string>,
  ): Promise<Key> => {
    const hash = hashOf(algorithm.hash ?? 'SHA-256')
    if (format === 'raw') return { own: nodeCrypto.createSecretKey(key), hash }
    return { own: nodeCrypto.createPublicKey({ key, format }), hash }
  },
  verify: async (_: Algorithm, { own, hash }: Key, signature: ArrayBuffer, data: ArrayBuffer) => {
    const [signed, bytes] = [Buffer.from(signature), Buffer.from(data)]
    if (own.type !== 'secret') return nodeCrypto.createVerify(hash).update(bytes).verify(own, signed)
    return nodeCrypto.createHmac(hash, own).update(bytes).digest().equals(signed)
  },
}

/** As `verifyWebhook` uses it. */
class SettledBlob {
  readonly #bytes: Buffer
  constructor(parts: readonly (string | Uint8Array | ArrayBuffer | SettledBlob)[]) {
    const bytesOf = (part: (typeof parts)[number]) =>
      part instanceof SettledBlob ? part.#bytes : Buffer.from(part as string)
    this.#bytes = Buffer.concat(parts.map(bytesOf))
  }
  async arrayBuffer(): Promise<ArrayBufferLike> {
    return bufferOf(this.#bytes)
  }
  async text(): Promise<string> {
    return this.#bytes.toString('utf8')
  }
}
