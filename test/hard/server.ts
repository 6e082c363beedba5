// A real server to attack: the Worker bundled as for deployment, in a workerd process of its own, on a state that
// outlives it. Starts it, kills it, and starts it again. What is sent to it is decided elsewhere.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SendBatch } from '../../src/base/database/company-store.ts'
import { databaseWithShortcuts } from '../support/companies/own-store.ts'
import { bundle, childPids, makeScratchDir, startWorkers } from '../support/run/local-worker.ts'

export { migrate } from '../support/database/migrations.ts'

/** Bundles, state and whatever else a run leaves behind. */
export const scratchDir = makeScratchDir('hard')

/** The Worker's code, as it would be deployed. */
export async function bundleWorker(): Promise<string> {
  return readFileSync((await bundle(join(scratchDir, 'bundle'))).script, 'utf8')
}

export type Server = {
  readonly port: number
  /** Of workerd itself. */
  readonly pid: number
  /** That of the company. */
  readonly db: D1Database
  /** Runs a batch in a company's own store. */
  readonly sendTo: (storeName: string) => SendBatch
  /** D1: the same, unless the company has a store of its own. */
  readonly directory: D1Database
  /** What the Worker does by the minute. */
  runCron(): Promise<void>
  /** SIGKILL: nothing is flushed, nothing is said. Its connections break. */
  kill(): Promise<void>
  stop(): Promise<void>
}

const haltingWorker = `import worker, { CompanyStore as Store } from './worker.js'
import { halting } from './halting.js'
export * from './worker.js'
export const CompanyStore = halting(Store)
export default worker`

export type StartOptions = {
  readonly isCounted?: boolean
  /** The name of the company's own store; null: it is in D1. */
  readonly store?: string | null
  /** The code of another version, which the Durable Objects run. Null: this one. */
  readonly objects?: string | null
  /** At which of its calls of D1 a store stops, for halting.js. */
  readonly halt?: { readonly life: number; readonly call: number; readonly isAfter: boolean } | null
}

/** `isCounted`: the Worker stands behind counting.js, which returns what it asks of D1 and of Durable Objects. */
export async function startServer(
  code: string,
  stateDir: string,
  { isCounted = false, store = null, halt = null, objects = null }: StartOptions = {},
): Promise<Server> {
  const counting = { 'counting.js': readFileSync(join(import.meta.dirname, 'counting.js'), 'utf8') }
  const halting = {
    'halting-worker.js': haltingWorker,
    'halting.js': readFileSync(join(import.meta.dirname, 'halting.js'), 'utf8'),
  }
  const modules = { ...(isCounted && counting), ...(halt && halting), 'worker.js': code }
  const bindings = halt ? { HALT: JSON.stringify(halt) } : {}
  const { pid, workers, runCron, stop } = await startWorkers(stateDir, [
    {
      name: 'lead-intake',
      modules,
      limiter: 'RateLimiter',
      bindings,
      ...(objects && { objectsOf: 'before' }),
    },
    ...(objects ? [{ name: 'before', modules: { 'worker.js': objects }, limiter: 'RateLimiter' }] : []),
  ])
  const worker = workers.get('lead-intake')
  if (pid === undefined || worker === undefined)
    throw new Error('No new child process: workerd has not started')
  return {
    ...worker,
    db: store === null ? worker.db : databaseWithShortcuts(worker.sendTo(store)),
    directory: worker.db,
    pid,
    runCron: () => runCron('lead-intake'),
    async kill() {
      process.kill(pid, 'SIGKILL')
      while (childPids().includes(pid)) await new Promise((resolve) => setTimeout(resolve, 5))
      await stop().catch(() => {})
    },
    stop,
  }
}

/** MiB in memory. */
export function residentMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}
