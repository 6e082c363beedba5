// The Workers of a run, built as for deployment.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Build, benchDir, build, scratchDir } from './runtime.ts'

export type Builds = Readonly<Record<'floor' | 'peer' | 'ours', Build>>

export async function buildAll(): Promise<Builds> {
  await mkdir(scratchDir, { recursive: true })
  if (!existsSync(join(benchDir, 'peer/node_modules')))
    await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund', '--prefix', join(benchDir, 'peer')])
  const [floor, peer, ours] = await Promise.all([
    build('floor', 'test/bench/floor/wrangler.toml', 'FloorLimiter'),
    build('peer', 'test/bench/peer/wrangler.toml', 'DurableObjectRateLimiter'),
    build('ours', 'wrangler.toml', 'RateLimiter'),
  ])
  return { floor, peer, ours }
}
