// The whole of a local deployment, assets included, on an empty database with the demo of `npm start`, and a port
// that nobody uses. For the tests of what the origin serves, and of those who use it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestHarness } from 'wrangler'
import { ensureDemo } from '../../src/admin/demo.ts'
import { migrate } from '../support/migrations.ts'

export const projectDir = join(import.meta.dirname, '../..')

export async function startServer() {
  const harness = createTestHarness({ root: projectDir, workers: [{ configPath: 'wrangler.toml' }] })
  const { url } = await harness.listen()
  const { DB } = await harness.getWorker<Env>().getEnv()
  await migrate(DB)

  const keysDir = mkdtempSync(join(tmpdir(), 'lead-intake-demo-'))
  try {
    const { keys } = await ensureDemo(DB, keysDir)
    return { base: url.origin, keys, harness }
  } finally {
    rmSync(keysDir, { recursive: true, force: true })
  }
}

export type Server = Awaited<ReturnType<typeof startServer>>
