// The whole of a local deployment, assets included, on a port that nobody uses. For the tests of what the origin
// serves, and of those who use it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestHarness } from 'wrangler'
import { atAllHours, companyId as demoCompanyId, ensureDemo } from '../../src/admin/local/demo.ts'
import { campaignOfKey, campaignId as demoCampaignId } from '../../src/admin/local/local-keys.ts'
import { insertOperatorKey } from '../../src/admin/operator-keys.ts'
import { makeKey, makeOperatorKey } from '../../src/base/access/api-key.ts'
import { keyScopes, type Scope } from '../../src/base/access/scope.ts'
import { randomBase62 } from '../../src/base/base62.ts'
import { LeadIntake } from '../../src/sdk/src/lead-intake.ts'
import { configure, createCampaign, createCompany, createKey } from '../support/companies/administration.ts'
import { withFewerSteps } from '../support/database/local-database.ts'
import { migrate } from '../support/database/migrations.ts'
import { bundle } from '../support/run/local-worker.ts'

export const projectDir = join(import.meta.dirname, '../..')

/**
 * Worker and assets, built once for all servers of this process, or of the run (test/run.ts): a build for each took as
 * long as all else of a start.
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

async function listen() {
  const worker = { configPath: 'wrangler.toml', prebuiltWorkerDir: await builtWorker() }
  const harness = createTestHarness({ root: projectDir, workers: [worker] })
  const { url } = await harness.listen()
  const { DB } = await harness.getWorker<Env>().getEnv()
  const db = withFewerSteps(DB)
  await migrate(db)
  return { base: url.origin, harness, db }
}

/** For a test that looks at all there is: a database with the demo alone. The caller closes the harness. */
export async function startServer() {
  const { base, harness, db } = await listen()
  const keysDir = mkdtempSync(join(tmpdir(), 'lead-intake-demo-'))
  try {
    const keys = await ensureDemo(base, await addOperatorKey(db), keysDir)
    // So that its leads are the tests' to call.
    await new LeadIntake({ baseUrl: base, apiKey: keys.manage }).campaigns.dialer.update('demo', {
      enabled: false,
    })
    return { base, harness, ...companyOn(db, demoCompanyId), keys }
  } finally {
    rmSync(keysDir, { recursive: true, force: true })
  }
}

/** As `npm start` and `npm run deploy` do. */
export async function addOperatorKey(db: D1Database): Promise<string> {
  const { key, material } = makeOperatorKey()
  await db.prepare(insertOperatorKey(material, Date.now())).run()
  return key
}

export type Server = Awaited<ReturnType<typeof startServer>>

/** Of this process, with which it ends. */
let shared: ReturnType<typeof listen> | undefined

/** The server that the test files of this process share. */
export function sharedServer() {
  shared ??= listen()
  return shared
}

/** A company like the demo, which no other test has, on the shared server. */
export async function joinServer() {
  const { base, db } = await sharedServer()
  const companyId = `company-${randomBase62(8)}`
  await createCompany(db, { id: companyId, name: 'Demo', createdAtMs: Date.now() })
  const company = companyOn(db, companyId)
  await company.addCampaign(demoCampaignId)
  const keyOf = async (scope: Scope) =>
    [scope, (await company.addKey(scope, campaignOfKey(scope))).key] as const
  const keys = Object.fromEntries(await Promise.all(keyScopes.map(keyOf))) as Record<Scope, string>
  return { base, ...company, keys }
}

export type Joined = Awaited<ReturnType<typeof joinServer>>

const companyOn = (db: D1Database, companyId: string) => ({
  db,
  async addKey(scope: Scope, campaignId: string | null = null) {
    const { key, material } = makeKey()
    const rights = { companyId, campaignId, scope, name: 'examples' } as const
    await createKey(db, { ...material, ...rights, expiresAtMs: null, nowMs: Date.now() })
    return { id: material.id, key }
  },
  /** Callable at all hours, as the demo is. */
  async addCampaign(campaignId: string) {
    await createCampaign(db, { id: campaignId, companyId, name: campaignId, createdAtMs: Date.now() })
    await configure(db, { companyId, campaignId }, atAllHours)
  },
})
