// The Workers that are compared, built as a deployment would and run side by side in one workerd: each with what it
// needs to be measured, and its database migrated. How Workers are built and started is in
// test/support/run/local-worker.ts.
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SendBatch } from '../../src/base/database/company-store.ts'
import { migrate } from '../support/database/migrations.ts'
import {
  bundle,
  exportsClass,
  makeScratchDir,
  type Running,
  startWorkers,
} from '../support/run/local-worker.ts'

export { projectDir, wrangler } from '../support/run/local-worker.ts'

export const benchDir = import.meta.dirname

/** Builds and databases of this run. */
export const scratchDir = makeScratchDir('bench')

// However a run ends, it leaves nothing behind: Miniflare ends workerd, and the load generator ends with its parent.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

export type Build = { readonly script: string; readonly gzipKib: number; readonly limiter: string }

/** `config` is a wrangler.toml, from the project's root; `limiter` its Durable Object class. */
export async function build(
  name: string,
  config: string,
  limiter: string,
  args: readonly string[] = [],
): Promise<Build> {
  const { script, printed } = await bundle(join(scratchDir, 'build', name), config, args)
  return { script, gzipKib: Number(/gzip: ([\d.]+) KiB/.exec(printed)?.[1]), limiter }
}

export type RunningWorker = {
  readonly name: string
  readonly port: number
  readonly db: D1Database
  /** Runs a batch in a company's own store. */
  readonly sendTo: (storeName: string) => SendBatch
  /** What it does by the minute. */
  readonly runCron: () => Promise<void>
}

export type Runtime = {
  readonly workers: ReadonlyMap<string, RunningWorker>
  readonly pid: number
  /** workerd's inspector, when one was asked for. */
  readonly inspectorPort: number | undefined
  stop(): Promise<void>
}

/**
 * `migrationsDir`: a folder of SQL, where its tables are not the project's. `objectsOf`: another Worker, with whose
 * database and objects it works, as another isolate of it.
 */
export type WorkerSetup = {
  readonly build: Build
  readonly migrationsDir?: string
  readonly objectsOf?: string | undefined
}

export type StartOptions = { readonly inspect?: boolean; readonly isCounted?: boolean }

/**
 * Durable Objects are kept in memory between requests: otherwise every measure would show how fast workerd opens files.
 */
export async function start(
  setups: Record<string, WorkerSetup>,
  { inspect = false, isCounted = false }: StartOptions = {},
): Promise<Runtime> {
  const stateDir = join(scratchDir, `state-${Math.random().toString(36).slice(2)}`)
  const running: Running = await startWorkers(
    stateDir,
    Object.entries(setups).map(([name, { build, objectsOf }]) => ({
      name,
      ...(objectsOf !== undefined && { objectsOf }),
      modules: modulesOf(name, build, isCounted),
      limiter: build.limiter,
      isKeptAwake: true,
    })),
    { isInspected: inspect },
  )
  for (const [name, { db }] of running.workers)
    if (setups[name]?.objectsOf === undefined) await migrate(db, setups[name]?.migrationsDir)
  return {
    workers: new Map(
      [...running.workers].map(([name, worker]) => [
        name,
        { name, ...worker, runCron: () => running.runCron(name) },
      ]),
    ),
    pid: running.pid ?? 0,
    inspectorPort: running.inspectorPort,
    async stop() {
      await running.stop()
      await rm(stateDir, { recursive: true, force: true })
    },
  }
}

function modulesOf(name: string, { script, limiter }: Build, isCounted: boolean): Record<string, string> {
  const code = readFileSync(script, 'utf8')
  const main = isCounted ? countedModule(name, limiter) : mainModule(name)
  return {
    'main.js': exportsClass({ code }, 'CompanyStore') ? `${main}\n${silentStores(name)}` : main,
    'console.js': collectedConsole,
    ...(isCounted && { 'counted.js': readFileSync(join(benchDir, 'counted.js'), 'utf8') }),
    [`${name}.js`]: code,
  }
}

/** The cron does not run for companies in D1, so no alarm may ring for those beside them. */
const silentStores = (name: string) => `import * as stores from './${name}.js'
export class CompanyStore extends stores.CompanyStore { async alarm() {} }`

const mainModule = (name: string) =>
  `import './console.js'\nexport * from './${name}.js'\nexport { default } from './${name}.js'`

const countedModule = (name: string, limiter: string) => `import './console.js'
import * as plain from './${name}.js'
import { counting, countTrips } from './counted.js'
export * from './${name}.js'
const Limiter = counting(plain.${limiter})
export { Limiter as ${limiter} }
export default countTrips(plain.default)`

/**
 * On a person's machine workerd renders every log call for a terminal and writes it to a pipe, which takes longer
 * than many a request; deployed, it hands the values on as JSON. So a log call costs its JSON here, in every
 * Worker alike.
 */
const collectedConsole = `let last
console.log = (...values) => { last = JSON.stringify(values) }
globalThis.lastLogged = () => last`
