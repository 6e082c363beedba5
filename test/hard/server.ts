// A real server to attack: the Worker bundled as for deployment, in a workerd process of its own, on a state that
// outlives it. Starts it, kills it, starts it again, and reads its tables. What is sent to it is told elsewhere.
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type * as MiniflareModule from 'miniflare'

const projectDir = join(import.meta.dirname, '../..')
const wranglerPath = createRequire(import.meta.url).resolve('wrangler/package.json')
const { Miniflare, convertV4MiniflareOptions, Log, LogLevel } = createRequire(wranglerPath)(
  'miniflare',
) as typeof MiniflareModule

process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false'
process.env.WRANGLER_SEND_METRICS = 'false'

/**
 * Bundles, state and whatever else a run leaves behind: removed when it ends. In memory where the system offers
 * that: a killed process loses as little there as on a disk, and no more, and each round is sooner done.
 */
export const scratchDir = mkdtempSync(
  join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'lead-intake-hard-'),
)
process.on('exit', () => rmSync(scratchDir, { recursive: true, force: true }))

/** The Worker's code, as it would be deployed. */
export async function bundleWorker(): Promise<string> {
  const outDir = join(scratchDir, 'bundle')
  const program = join(wranglerPath, '../bin/wrangler.js')
  await promisify(execFile)(process.execPath, [program, 'deploy', '--dry-run', '--outdir', outDir], {
    cwd: projectDir,
  })
  const script = readdirSync(outDir).find((file) => file.endsWith('.js')) as string
  return readFileSync(join(outDir, script), 'utf8')
}

export type Server = {
  readonly port: number
  /** Of workerd itself. */
  readonly pid: number
  readonly db: D1Database
  /** SIGKILL: nothing is flushed, nothing is said. Its connections break. */
  kill(): Promise<void>
  stop(): Promise<void>
}

/** `isCounted`: the Worker stands behind counting.js, which tells what it asks of D1 and of Durable Objects. */
export async function startServer(
  code: string,
  stateDir: string,
  { isCounted = false } = {},
): Promise<Server> {
  const worker = { type: 'ESModule' as const, path: 'worker.js', contents: code }
  const counting = {
    type: 'ESModule' as const,
    path: 'counting.js',
    contents: readFileSync(join(import.meta.dirname, 'counting.js'), 'utf8'),
  }
  const before = childPids()
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      cf: false,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: () => {},
      resourcePersistencePath: stateDir,
      workers: [
        {
          name: 'lead-intake',
          modules: isCounted ? [counting, worker] : [worker],
          modulesRoot: '.',
          compatibilityDate: '2026-10-01',
          d1Databases: { DB: 'lead-intake' },
          durableObjects: { RATE_LIMITER: { className: 'RateLimiter', useSQLite: true } },
          analyticsEngineDatasets: { METRICS: { dataset: 'lead_intake' } },
          // Straight to the Worker, so that nothing stands between it and what is sent.
          unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
        },
      ],
    } as MiniflareModule.V4MiniflareOptions),
  )
  await miniflare.ready
  const pid = childPids().find((child) => !before.includes(child))
  if (pid === undefined) throw new Error('No new child process: workerd has not started')
  const { port: boundPort } = await miniflare.unsafeGetDirectURL('lead-intake')
  return {
    port: Number(boundPort),
    pid,
    db: (await miniflare.getD1Database('DB', 'lead-intake')) as unknown as D1Database,
    async kill() {
      process.kill(pid, 'SIGKILL')
      while (childPids().includes(pid)) await new Promise((resolve) => setTimeout(resolve, 5))
      await miniflare.dispose().catch(() => {})
    },
    stop: () => miniflare.dispose(),
  }
}

export async function migrate(db: D1Database): Promise<void> {
  const dir = join(projectDir, 'migrations')
  for (const file of readdirSync(dir).filter((name) => name.endsWith('.sql'))) {
    const statements = readFileSync(join(dir, file), 'utf8').split('--> statement-breakpoint')
    await db.batch(statements.map((statement) => db.prepare(statement)))
  }
}

/** MiB in memory. */
export function residentMib(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

function childPids(): number[] {
  return readdirSync('/proc/self/task')
    .map((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8'))
    .flatMap((list) => list.split(' ').filter(Boolean).map(Number))
}
