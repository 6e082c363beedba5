// Builds Workers as a deployment would (`wrangler deploy --dry-run`) and runs them side by side in one workerd,
// each behind a socket of its own, so that a request meets neither Miniflare's entry Worker nor its proxies.
// Miniflare, which wrangler brings, only writes workerd's configuration and lends D1 and Durable Objects.
import { execFile } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type * as MiniflareModule from 'miniflare'

export const benchDir = import.meta.dirname
export const projectDir = join(benchDir, '../..')
/**
 * Builds and databases of this run. In memory where the system offers that: a local disk's flush is no part of
 * what is compared, and without it the floor gains most.
 */
const scratchRoot = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
export const scratchDir = join(scratchRoot, `lead-intake-bench-${process.pid}`)

// However a run ends, it leaves nothing behind: Miniflare ends workerd, and the load generator ends with its parent.
process.on('exit', () => rmSync(scratchDir, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const wranglerRequire = createRequire(
  createRequire(join(benchDir, 'runtime.ts')).resolve('wrangler/package.json'),
)
const { Miniflare, convertV4MiniflareOptions, Log, LogLevel } = wranglerRequire(
  'miniflare',
) as typeof MiniflareModule

const run = promisify(execFile)

export type Build = { readonly script: string; readonly gzipKib: number; readonly limiter: string }

/** `config` is a wrangler.toml, from the project's root; `limiter` its Durable Object class. */
export async function build(
  name: string,
  config: string,
  limiter: string,
  args: string[] = [],
): Promise<Build> {
  const outDir = join(scratchDir, 'build', name)
  await mkdir(outDir, { recursive: true })
  const { stdout } = await wrangler(['deploy', '--dry-run', '-c', config, '--outdir', outDir, ...args])
  const gzip = /gzip: ([\d.]+) KiB/.exec(stdout)?.[1]
  const script = (await readdir(outDir)).find((file) => file.endsWith('.js'))
  if (script === undefined) throw new Error(`${name}: nothing was built\n${stdout}`)
  return { script: join(outDir, script), gzipKib: Number(gzip), limiter }
}

export async function wrangler(args: string[]): Promise<{ stdout: string }> {
  const bin = join(dirname(wranglerRequire.resolve('wrangler/package.json')), 'bin/wrangler.js')
  return run(process.execPath, [bin, ...args], { cwd: projectDir, timeout: 60_000 })
}

export type RunningWorker = {
  readonly name: string
  readonly port: number
  readonly db: D1Database
}

export type Runtime = {
  readonly workers: ReadonlyMap<string, RunningWorker>
  readonly pid: number
  /** workerd's inspector, when one was asked for. */
  readonly inspectorPort: number | undefined
  stop(): Promise<void>
}

export type WorkerSetup = { readonly build: Build; readonly migrations: string[] }

/**
 * Each Worker gets a database and Durable Objects of its own, which are kept in memory between requests: else
 * every measure would tell how fast workerd opens files.
 */
export async function start(
  setups: Record<string, WorkerSetup>,
  options: { inspect?: boolean; terminalLog?: boolean } = {},
): Promise<Runtime> {
  const stateDir = join(scratchDir, `state-${Math.random().toString(36).slice(2)}`)
  await mkdir(stateDir, { recursive: true })
  const names = Object.keys(setups)
  const before = await childPids()
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      cf: false,
      log: new Log(LogLevel.ERROR),
      handleStructuredLogs: () => {},
      resourcePersistencePath: stateDir,
      ...(options.inspect ? { inspectorPort: 0, inspectorHost: '127.0.0.1' } : {}),
      workers: await Promise.all(
        names.map(async (name) => {
          const { build } = setups[name] as WorkerSetup
          return {
            name,
            modules: [
              module('main.js', mainModule(name, options.terminalLog === true)),
              module('console.js', collectedConsole),
              module(`${name}.js`, await readFile(build.script, 'utf8')),
            ],
            modulesRoot: '.',
            compatibilityDate: '2026-10-01',
            d1Databases: { DB: `db-${name}` },
            durableObjects: {
              RATE_LIMITER: { className: build.limiter, useSQLite: true, unsafePreventEviction: true },
            },
            analyticsEngineDatasets: { METRICS: { dataset: 'bench' } },
            unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
          }
        }),
      ),
    } as MiniflareModule.V4MiniflareOptions),
  )
  await miniflare.ready
  const pid = (await childPids()).find((child) => !before.includes(child)) ?? 0
  const workers = new Map<string, RunningWorker>()
  for (const name of names) {
    const url = await miniflare.unsafeGetDirectURL(name)
    const db = (await miniflare.getD1Database('DB', name)) as unknown as D1Database
    for (const text of (setups[name] as WorkerSetup).migrations) {
      await db.batch(splitStatements(text).map((statement) => db.prepare(statement)))
    }
    workers.set(name, { name, port: Number(url.port), db })
  }
  return {
    workers,
    pid,
    inspectorPort: options.inspect ? Number((await miniflare.getInspectorURL()).port) : undefined,
    async stop() {
      await miniflare.dispose()
      await rm(stateDir, { recursive: true, force: true })
    },
  }
}

const module = (path: string, contents: string) => ({ type: 'ESModule' as const, path, contents })

const mainModule = (name: string, terminalLog: boolean) =>
  `${terminalLog ? '' : `import './console.js'\n`}export * from './${name}.js'\nexport { default } from './${name}.js'`

/**
 * On a person's machine workerd renders every log call for a terminal and writes it to a pipe, which takes longer
 * than many a request; deployed, it hands the values on as JSON. So a log call costs its JSON here, in every
 * Worker alike.
 */
const collectedConsole = `let last
console.log = (...values) => { last = JSON.stringify(values) }
globalThis.lastLogged = () => last`

function splitStatements(sql: string): string[] {
  return sql
    .replaceAll('--> statement-breakpoint', '')
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
}

/** Of the working tree, or of another in `tree`. */
export async function projectMigrations(tree: string = projectDir): Promise<string[]> {
  const dir = join(tree, 'migrations')
  const files = (await readdir(dir)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(files.map((file) => readFile(join(dir, file), 'utf8')))
}

/** The processes that this one started. Empty where there is no /proc. */
async function childPids(): Promise<number[]> {
  try {
    const threads = await readdir('/proc/self/task')
    const lists = await Promise.all(
      threads.map((thread) => readFile(`/proc/self/task/${thread}/children`, 'utf8')),
    )
    return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  } catch {
    return []
  }
}
