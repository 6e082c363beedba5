// The Worker as it is, bundled once. An isolate is that bundle evaluated anew, as a function whose parameters are all
// that it must not have from Node: time, chance, timers, the network. Nothing global is changed.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { compileFunction } from 'node:vm'
import type { Agenda } from './agenda.ts'
import type { ObjectClass } from './objects.ts'
import type { Outside } from './outside.ts'
import { ownedBy } from './owned.ts'

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
    'Blob',
  ],
] as const

type Values = Readonly<Record<(typeof owned)[number], unknown>>
type Evaluate = (values: Values) => void
/** The Worker, and the client for TypeScript. */
export type Program = { readonly worker: Evaluate; readonly client: Evaluate }

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

type Compiled = (...values: unknown[]) => void
const evaluate = (compiled: Compiled, values: Values) => compiled(...owned.map((name) => values[name]))

export async function bundle(planted: Planted | null = null): Promise<Program> {
  const [worker, client] = await Promise.all([
    compile('src/index.ts', planted),
    compile('src/sdk/src/lead-intake.ts', planted),
  ])
  return { worker: keeping(worker), client: (values) => evaluate(client, values) }
}

async function compile(entry: string, planted: Planted | null): Promise<Compiled> {
  const { outputFiles } = await build({
    ...{
      bundle: true,
      format: 'cjs',
      platform: 'neutral',
      target: 'es2024',
      write: false,
      logLevel: 'error',
    },
    entryPoints: [join(projectDir, entry)],
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
  return compileFunction(outputFiles[0]?.text ?? '', [...owned], { filename: entry }) as Compiled
}

/** With what its statements are rendered to. */
function keeping(worker: Compiled): Evaluate {
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
    evaluate(worker, { ...values, keeper })
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
  const { values: common, modules } = ownedBy(agenda, log)
  const values = {
    ...common,
    ...{ fetch: outside.fetch, Response: UpgradableResponse, navigator: { userAgent: 'Cloudflare-Workers' } },
    ...sockets,
  }
  const module = { exports: {} as WorkerModule }
  const scope = Object.defineProperties(Object.create(globalThis), Object.getOwnPropertyDescriptors(values))
  const ours: Readonly<Record<string, object>> = modules
  program.worker({
    ...values,
    globalThis: scope,
    module,
    require: (name: string) => ours[name] ?? require(name),
  } as never)
  const { default: worker, ...classes } = module.exports
  return { ...worker, classOf: (name) => classes[name] as ObjectClass }
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
