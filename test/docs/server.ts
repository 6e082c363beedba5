// The whole of a local deployment, assets included, on an empty database with the demo of `npm start`, and a port
// that nobody uses. For the tests of what the origin serves, and of those who use it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestHarness } from 'wrangler'
import type { Scope } from '../../src/access/scope.ts'
import { createCampaign, createKey } from '../../src/access/store/administration.ts'
import { makeKey } from '../../src/admin/keys.ts'
import { atAllHours, ensureDemo } from '../../src/admin/local/demo.ts'
import { configureOnce } from '../../src/campaigns/store/configure.ts'
import { bundle } from '../support/local-worker.ts'
import { migrate } from '../support/migrations.ts'

export const projectDir = join(import.meta.dirname, '../..')

/**
 * Worker and assets, built once for all servers of this process, or of the run (test/run.ts): a build for each took as long
 * as all else of a start.
 */
let built: Promise<string> | undefined

/** Into a directory that nobody removes but the run whose temporary files are its own (test/environment.ts). */
async function build(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), 'lead-intake-built-'))
  await bundle(dir)
  return dir
}

/** Its folder. */
export function builtWorker(): Promise<string> {
  built ??= Promise.resolve(process.env.BUILT_WORKER_DIR ?? build())
  return built
}

export async function startServer() {
  const worker = { configPath: 'wrangler.toml', prebuiltWorkerDir: await builtWorker() }
  const harness = createTestHarness({ root: projectDir, workers: [worker] })
  const { url } = await harness.listen()
  const { DB } = await harness.getWorker<Env>().getEnv()
  await migrate(DB)

  const keysDir = mkdtempSync(join(tmpdir(), 'lead-intake-demo-'))
  try {
    const { keys } = await ensureDemo(DB, keysDir)
    return {
      base: url.origin,
      keys,
      harness,
      db: DB,
      addKey: (scope: Scope, campaignId: string | null = null) => addKey(DB, scope, campaignId),
      addCampaign: (campaignId: string) => addCampaign(DB, campaignId),
    }
  } finally {
    rmSync(keysDir, { recursive: true, force: true })
  }
}

/** Of the demo's company. */
async function addKey(
  db: D1Database,
  scope: Scope,
  campaignId: string | null,
): Promise<{ readonly id: string; readonly key: string }> {
  const { key, material } = makeKey()
  const rights = { companyId: await companyOf(db), campaignId, scope, name: 'examples' } as const
  const { kind } = await createKey(db, { ...material, ...rights, expiresAtMs: null, nowMs: Date.now() })
  if (kind !== 'created') throw new Error(kind)
  return { id: material.id, key }
}

/** To the demo's company, and callable at all hours as the demo is. */
async function addCampaign(db: D1Database, campaignId: string): Promise<void> {
  const createdAtMs = Date.now()
  const companyId = await companyOf(db)
  await createCampaign(db, { id: campaignId, companyId, name: campaignId, createdAtMs })
  await configureOnce(db, { companyId, campaignId }, atAllHours)
}

async function companyOf(db: D1Database): Promise<string> {
  const company = await db.prepare('select id from companies').first<{ id: string }>()
  return company?.id as string
}

export type Server = Awaited<ReturnType<typeof startServer>>
