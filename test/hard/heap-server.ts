// The Worker in a workerd whose isolates have a bounded heap: past it the process ends, as an isolate past its memory
// does on Cloudflare. V8 is lenient to a single large object, and buffers lie outside. D1 is played outside of that
// process, by SQLite under Node behind the protocol of D1's own binding, so that what the binding costs the Worker is
// counted, and what a database needs is not.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

export type HeapServer = {
  readonly port: number
  readonly isAlive: () => boolean
  stop(): Promise<void>
}

/** `dir` is made. The databases of Durable Objects are in memory, outside of the heap. */
export async function startHeapServer(code: string, dir: string, db: StubDatabase, heapMib: number) {
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'worker.js'), code)
  writeFileSync(join(dir, 'config.capnp'), configOf(db.port, heapMib))
  const args = ['serve', '--experimental', '--control-fd=3', join(dir, 'config.capnp')]
  const workerd = spawn(workerdPath(), args, { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => workerd.on('close', () => resolve()))
  // The trace that V8 writes when it ends the process is of no use, but the pipe must not fill up.
  workerd.stderr?.resume()
  const port = await Promise.race([
    portOf(workerd),
    ended.then(() => Promise.reject(new Error('no workerd'))),
  ])
  const server: HeapServer = {
    port,
    isAlive: () => workerd.exitCode === null && workerd.signalCode === null,
    async stop() {
      workerd.kill()
      await ended
    },
  }
  return server
}

function workerdPath(): string {
  const wrangler = createRequire(import.meta.url).resolve('wrangler/package.json')
  return (createRequire(wrangler)('workerd') as { default: string }).default
}

const configOf = (d1Port: number, heapMib: number) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  v8Flags = ["--max-heap-size=${heapMib}"],
  services = [
    (name = "worker", worker = (
      modules = [(name = "worker.js", esModule = embed "worker.js")],
      compatibilityDate = "2026-10-01",
      compatibilityFlags = ["enable_request_signal"],
      durableObjectNamespaces = [
        (className = "RateLimiter", uniqueKey = "limiter", enableSql = true),
        (className = "CampaignBell", uniqueKey = "bells", enableSql = true),
      ],
      durableObjectStorage = (inMemory = void),
      bindings = [
        (name = "RATE_LIMITER", durableObjectNamespace = "RateLimiter"),
        (name = "CAMPAIGN_BELLS", durableObjectNamespace = "CampaignBell"),
        (name = "DB", wrapped = (
          moduleName = "cloudflare-internal:d1-api",
          innerBindings = [(name = "fetcher", service = "d1")],
        )),
      ],
    )),
    (name = "d1", external = (address = "127.0.0.1:${d1Port}", http = ())),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "worker")],
);
`

/** workerd prints which port it was given. */
async function portOf(workerd: ChildProcess): Promise<number> {
  let printed = ''
  for await (const part of workerd.stdio[3] as AsyncIterable<Buffer>) {
    printed += part
    const port = /"socket":"http","port":(\d+)/.exec(printed)?.[1]
    if (port !== undefined) return Number(port)
  }
  throw new Error('workerd prints no port')
}

export type StubDatabase = { readonly port: number; readonly sqlite: DatabaseSync; stop(): void }

/** A migrated database in memory, and a server that answers for it as D1 does. */
export async function startStubDatabase(): Promise<StubDatabase> {
  const sqlite = new DatabaseSync(':memory:')
  const migrations = join(import.meta.dirname, '../../migrations')
  for (const file of readdirSync(migrations).filter((name) => name.endsWith('.sql')))
    sqlite.exec(readFileSync(join(migrations, file), 'utf8'))
  const server = createServer(async (incoming, outgoing) => {
    const asked = JSON.parse(await textOf(incoming)) as Query | Query[]
    outgoing.setHeader('content-type', 'application/json')
    outgoing.end(JSON.stringify(answer(sqlite, [asked].flat())))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    sqlite,
    stop: () => {
      server.closeAllConnections()
      server.close()
      sqlite.close()
    },
  }
}

type Query = { readonly sql: string; readonly params: readonly SQLInputValue[] }

/** Of each database. */
const prepared = new WeakMap<DatabaseSync, Map<string, StatementSync>>()

function prepare(sqlite: DatabaseSync, sql: string): StatementSync {
  const known = prepared.get(sqlite) ?? new Map<string, StatementSync>()
  prepared.set(sqlite, known)
  const statement = known.get(sql) ?? sqlite.prepare(sql)
  known.set(sql, statement)
  return statement
}

function answer(sqlite: DatabaseSync, queries: readonly Query[]): unknown {
  sqlite.exec('begin')
  try {
    const results = queries.map(({ sql, params }) => {
      const statement = prepare(sqlite, sql)
      statement.setReturnArrays(true)
      const rows = statement.all(...params)
      return {
        success: true,
        results: { columns: statement.columns().map((column) => column.name), rows },
        meta: { changes: Number(sqlite.prepare('select changes() as changed').get()?.changed) },
      }
    })
    sqlite.exec('commit')
    return results
  } catch (error) {
    sqlite.exec('rollback')
    return [{ success: false, error: (error as Error).message }]
  }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
