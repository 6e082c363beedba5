// The Worker as it is, bundled once. An isolate is that bundle evaluated anew, as a function whose parameters are all
// that it must not have from Node: time, chance, timers, the network. Nothing global is changed.
import nodeCrypto from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { compileFunction } from 'node:vm'
import type { Agenda } from './agenda.ts'
import type { ObjectClass } from './objects.ts'
import type { Outside } from './outside.ts'

type Esbuild = typeof import('esbuild')
type Listener = (request: Request, env: object, ctx: object) => Promise<Response>
type Cron = (controller: object, env: object, ctx: object) => Promise<void>
type WorkerModule = Record<string, ObjectClass> & { default: { fetch: Listener; scheduled: Cron } }

export type Isolate = {
  readonly fetch: Listener
  readonly scheduled: Cron
  readonly classOf: (name: string) => ObjectClass
}

/** A change of the source, which a world must find. */
export type Planted = { readonly file: string; readonly find: string; readonly replace: string }

const projectDir = join(import.meta.dirname, '../../..')
const require = createRequire(import.meta.url)
const { build } = createRequire(require.resolve('wrangler'))('esbuild') as Esbuild

/** What the bundle must not take from Node, by name. */
const owned = [
  ...[
    'globalThis',
    'require',
    'module',
    'Date',
    'Math',
    'crypto',
    'fetch',
    'console',
    'navigator',
    'Response',
  ],
  ...[
    'setTimeout',
    'clearTimeout',
    'setInterval',
    'AbortSignal',
    'WebSocket',
    'WebSocketPair',
    'scheduler',
    'keeper',
  ],
] as const

type Values = Readonly<Record<(typeof owned)[number], unknown>>
export type Program = (values: Values) => void

/**
 * What a statement is rendered to is the same in each isolate, and takes a third of a world's time: it is kept by its
 * place.
 */
const renderedOnce: Changes = [
  ['  made++\n', '  const keep = keeper(made++)\n'],
  [
    "rendered = renderQuery(typeof query === 'function' ? query() : query)",
    "rendered = keep(() => renderQuery(typeof query === 'function' ? query() : query))",
  ],
]

const workersModule = `export class DurableObject { constructor(ctx, env) { this.ctx = ctx; this.env = env } }
export class WorkerEntrypoint extends DurableObject {}
export class RpcTarget {}
export const env = {}`

export async function bundleWorker(planted: Planted | null = null): Promise<Program> {
  const { outputFiles } = await build({
    ...{
      bundle: true,
      format: 'cjs',
      platform: 'neutral',
      target: 'es2024',
      write: false,
      logLevel: 'error',
    },
    entryPoints: [join(projectDir, 'src/index.ts')],
    conditions: ['workerd', 'worker', 'browser'],
    mainFields: ['module', 'main'],
    external: ['node:*'],
    loader: { '.sql': 'text', '.txt': 'text', '.html': 'text' },
    plugins: [
      {
        name: 'simulation',
        setup(builder) {
          builder.onResolve({ filter: /^cloudflare:workers$/ }, ({ path }) => ({
            path,
            namespace: 'workers',
          }))
          builder.onLoad({ filter: /.*/, namespace: 'workers' }, () => ({ contents: workersModule }))
          for (const [file, changes] of changesOf(planted)) {
            const filter = new RegExp(`${file.replaceAll('.', '\\.')}$`)
            builder.onLoad({ filter }, () => ({ contents: readChanged(file, changes), loader: 'ts' }))
          }
        },
      },
    ],
  })
  const compiled = compileFunction(outputFiles[0]?.text ?? '', [...owned], { filename: 'worker.js' })
  const kept = new Map<number, unknown>()
  return (values) => {
    let isLoading = true
    const keeper = (place: number) => {
      // One that is made later may be another in each isolate.
      const isKept = isLoading
      return (render: () => unknown) => {
        if (!isKept) return render()
        if (!kept.has(place)) kept.set(place, render())
        return kept.get(place)
      }
    }
    compiled(...owned.map((name) => (name === 'keeper' ? keeper : values[name])))
    isLoading = false
  }
}

type Changes = readonly (readonly [find: string, replace: string])[]

/** By file. Each text is there exactly once. */
function changesOf(planted: Planted | null): ReadonlyMap<string, Changes> {
  const changes = new Map([['src/base/database/database.ts', renderedOnce]])
  if (planted !== null)
    changes.set(planted.file, [...(changes.get(planted.file) ?? []), [planted.find, planted.replace]])
  return changes
}

function readChanged(file: string, changes: Changes): string {
  return changes.reduce(
    (text, [find, replace]) => {
      if (text.split(find).length !== 2) throw new Error(`${file} has not exactly one: ${find}`)
      return text.replace(find, () => replace)
    },
    readFileSync(join(projectDir, file), 'utf8'),
  )
}

export type IsolateOptions = {
  readonly agenda: Agenda
  readonly outside: Outside
  readonly sockets: { readonly WebSocket: unknown; readonly WebSocketPair: unknown }
  readonly log: (entry: unknown) => void
}

export function createIsolate(program: Program, { agenda, outside, sockets, log }: IsolateOptions): Isolate {
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
  const crypto = { getRandomValues: fill, randomUUID, subtle }
  const say = Object.fromEntries(['log', 'info', 'warn', 'error', 'debug'].map((level) => [level, log]))
  const math: Math = Object.create(Math, { random: { value: () => chance().fraction() } })
  const modules: Readonly<Record<string, object>> = {
    'node:crypto': { ...nodeCrypto, randomUUID, randomBytes: (count: number) => fill(Buffer.alloc(count)) },
    'node:timers/promises': { scheduler: timers.scheduler },
  }
  const abortSignal = new Proxy(AbortSignal, {
    get: (target, name) => (name === 'timeout' ? timers.abortAfter : Reflect.get(target, name)),
  })
  const values = {
    ...{
      Date: OwnedDate,
      Math: math,
      crypto,
      fetch: outside.fetch,
      console: say,
      Response: UpgradableResponse,
    },
    ...{ setTimeout: timers.setTimeout, clearTimeout: timers.clearTimeout, setInterval: undefined },
    ...{
      scheduler: timers.scheduler,
      AbortSignal: abortSignal,
      navigator: { userAgent: 'Cloudflare-Workers' },
    },
    ...sockets,
  }
  const module = { exports: {} as WorkerModule }
  const scope = Object.defineProperties(Object.create(globalThis), Object.getOwnPropertyDescriptors(values))
  program({
    ...values,
    globalThis: scope,
    module,
    require: (name: string) => modules[name] ?? require(name),
  } as never)
  const { default: worker, ...classes } = module.exports
  return { ...worker, classOf: (name) => classes[name] as ObjectClass }
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

/** Node has no answer of 101. */
class UpgradableResponse extends Response {
  override readonly webSocket: WebSocket | null = null
  constructor(body?: BodyInit | null, init: ResponseInit & { webSocket?: WebSocket | null } = {}) {
    const isUpgrade = init.status === 101
    super(body, isUpgrade ? { ...init, status: 200 } : init)
    if (!isUpgrade) return
    Object.defineProperty(this, 'status', { value: 101 })
    this.webSocket = init.webSocket ?? null
  }
}

/** Settled at once, over Node's own: its Web Crypto answers from other threads. */
const subtle = {
  digest: async (algorithm: string | { name: string }, data: Uint8Array) => {
    const name = typeof algorithm === 'string' ? algorithm : algorithm.name
    const digest = nodeCrypto.createHash(name.replace('-', '').toLowerCase()).update(data).digest()
    return digest.buffer.slice(digest.byteOffset, digest.byteOffset + digest.byteLength)
  },
}
