// Workers as they would be deployed, in one workerd of their own under Node: bundled by `wrangler deploy --dry-run`,
// each behind a socket of its own, so that a request meets neither Miniflare's entry Worker nor its proxies. Miniflare,
// which wrangler brings, only writes workerd's configuration and lends D1 and Durable Objects. What is sent to them,
// and the rows they start with, is decided elsewhere.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { promisify } from 'node:util'
import type * as MiniflareModule from 'miniflare'
import type { SendBatch } from '../../../src/base/database/company-store.ts'
import { withFewerSteps } from '../database/local-database.ts'

export const projectDir = join(import.meta.dirname, '../../..')

const wranglerPath = createRequire(import.meta.url).resolve('wrangler/package.json')
const { Miniflare, convertV4MiniflareOptions, Log, LogLevel } = createRequire(wranglerPath)(
  'miniflare',
) as typeof MiniflareModule

process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false'
process.env.WRANGLER_SEND_METRICS = 'false'

/**
 * A folder for whatever a run leaves behind, removed when it ends. In memory where the system offers that: a local
 * disk's flush is no part of what is looked at, and a killed process loses as little there as on a disk, and no more.
 */
export function makeScratchDir(name: string): string {
  const dir = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), `lead-intake-${name}-`))
  process.on('exit', () => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** Runs the project's own wrangler, and returns what it prints. `cwd`: where a build finds its files. */
export async function wrangler(args: readonly string[], cwd = projectDir): Promise<string> {
  const program = join(wranglerPath, '../bin/wrangler.js')
  const options = { cwd, timeout: 300_000 }
  return (await promisify(execFile)(process.execPath, [program, ...args], options)).stdout
}

/**
 * The Worker's code in one file, as it would be deployed. `config` is a wrangler.toml, from the project's root; an
 * absolute one is that of another version, and is built in its own folder.
 */
export async function bundle(
  outDir: string,
  config = 'wrangler.toml',
  args: readonly string[] = [],
): Promise<{ readonly script: string; readonly printed: string }> {
  mkdirSync(outDir, { recursive: true })
  const cwd = isAbsolute(config) ? dirname(config) : projectDir
  const printed = await wrangler(['deploy', '--dry-run', '-c', config, '--outdir', outDir, ...args], cwd)
  const script = readdirSync(outDir).find((file) => file.endsWith('.js'))
  if (script === undefined) throw new Error(`Nothing was built of ${config}\n${printed}`)
  writeFileSync(join(outDir, script), codeWithTexts(outDir, script))
  return { script: join(outDir, script), printed }
}

/** A bundle's code. Texts such as migrations, which are modules of their own beside the script, stand in it. */
export function codeWithTexts(outDir: string, script: string): string {
  const code = readFileSync(join(outDir, script), 'utf8')
  return code.replace(
    /\bimport\s*([\w$]+)\s*from\s*"\.\/([^"]+\.sql)"/g,
    (_, name: string, file: string) =>
      `const ${name} = ${JSON.stringify(readFileSync(join(outDir, file), 'utf8'))}`,
  )
}

export type Setup = {
  readonly name: string
  /** By file name; the first is the entry. */
  readonly modules: Readonly<Record<string, string>>
  /** The class of its rate limiter. */
  readonly limiter: string
  /** Texts besides those that every Worker has. */
  readonly bindings?: Readonly<Record<string, string>>
  /** The name of another Worker, whose database it has, and whose Durable Objects where that exports their class. */
  readonly objectsOf?: string
  /** Its Durable Objects are kept in memory between requests, for measures that are not of how files are opened. */
  readonly isKeptAwake?: boolean
}

export type Running = {
  /** Of workerd itself; undefined where there is no /proc. */
  readonly pid: number | undefined
  /** By name. */
  readonly workers: ReadonlyMap<
    string,
    {
      readonly port: number
      readonly db: D1Database
      /** Runs a batch in a company's own store. */
      readonly sendTo: (storeName: string) => SendBatch
    }
  >
  /** Of workerd's inspector, when one was asked for. */
  readonly inspectorPort: number | undefined
  /** Runs what a Worker does by the minute. */
  readonly runCron: (name: string) => Promise<void>
  readonly stop: () => Promise<void>
}

/** Not every Worker has each Durable Object, nor had every version. */
export const exportsClass = (modules: Setup['modules'], name: string) =>
  Object.values(modules).some((code) => new RegExp(`\\bexport\\s*\\{[^}]*\\b${name}\\b`).test(code))

const classOfBinding = {
  WEBHOOK_SENDERS: 'WebhookSender',
  CAMPAIGN_BELLS: 'CampaignBell',
  DIALERS: 'Dialer',
  COMPANY_STORES: 'CompanyStore',
}
const keptAwake = ['RATE_LIMITER', 'COMPANY_STORES']

/** Each Worker has a database and Durable Objects of its own, which outlive it in `stateDir`. */
export async function startWorkers(
  stateDir: string,
  setups: readonly Setup[],
  { isInspected = false } = {},
): Promise<Running> {
  const before = childPids()
  /** Undefined: neither exports the class. */
  const objectsAt = ({ modules, objectsOf }: Setup, className: string) => {
    const other = setups.find(({ name }) => name === objectsOf)
    if (other !== undefined && exportsClass(other.modules, className))
      return { className, useSQLite: true, scriptName: other.name }
    return exportsClass(modules, className) ? { className, useSQLite: true } : undefined
  }
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      cf: false,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs: () => {},
      resourcePersistencePath: stateDir,
      ...(isInspected && { inspectorPort: 0, inspectorHost: '127.0.0.1' }),
      workers: setups.map((setup) => ({
        name: setup.name,
        modules: Object.entries(setup.modules).map(([path, contents]) => ({
          type: 'ESModule' as const,
          path,
          contents,
        })),
        modulesRoot: '.',
        compatibilityDate: '2026-10-01',
        d1Databases: { DB: `db-${setup.objectsOf ?? setup.name}` },
        durableObjects: Object.fromEntries(
          Object.entries({ ...classOfBinding, RATE_LIMITER: setup.limiter }).flatMap(
            ([binding, className]) => {
              const objects = objectsAt(setup, className)
              const isAwake = setup.isKeptAwake === true && keptAwake.includes(binding)
              return objects
                ? [[binding, isAwake ? { ...objects, unsafePreventEviction: true } : objects]]
                : []
            },
          ),
        ),
        bindings: {
          SUPPRESSION_PEPPER: 'pepper of the tests',
          WEBHOOK_ROOT: 'root of the tests',
          ...setup.bindings,
        },
        analyticsEngineDatasets: { METRICS: { dataset: 'lead_intake' } },
        unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
      })),
    } as MiniflareModule.V4MiniflareOptions),
  )
  await miniflare.ready
  const pid = childPids().find((child) => !before.includes(child))
  const workers = await Promise.all(
    setups.map(async ({ name }) => {
      const { port } = await miniflare.unsafeGetDirectURL(name)
      const db = withFewerSteps((await miniflare.getD1Database('DB', name)) as unknown as D1Database)
      const sendTo =
        (storeName: string): SendBatch =>
        async (statements) => {
          const stores = await miniflare.getDurableObjectNamespace('COMPANY_STORES', name)
          const stub = stores.getByName(storeName) as unknown as { batch: SendBatch }
          return stub.batch(statements)
        }
      return [name, { port: Number(port), db, sendTo }] as const
    }),
  )
  return {
    pid,
    workers: new Map(workers),
    inspectorPort: isInspected ? Number((await miniflare.getInspectorURL()).port) : undefined,
    async runCron(name) {
      const worker = (await miniflare.getWorker(name)) as unknown as { scheduled: () => Promise<unknown> }
      await worker.scheduled()
    },
    stop: () => miniflare.dispose(),
  }
}

/** The processes that this one started. None where there is no /proc. */
export function childPids(): number[] {
  try {
    return readdirSync('/proc/self/task')
      .map((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8'))
      .flatMap((list) => list.split(' ').filter(Boolean).map(Number))
  } catch {
    return []
  }
}
