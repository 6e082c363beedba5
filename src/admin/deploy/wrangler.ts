// Runs wrangler: its environment, its processes, and its messages reduced to one line.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'

export const projectDir = join(import.meta.dirname, '../../..')

// Local work must not wait for a network: no sample of Cloudflare's request data, no telemetry, no banner, which checks
// for a newer version.
process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false'
process.env.WRANGLER_SEND_METRICS = 'false'
process.env.WRANGLER_HIDE_BANNER = 'true'

// The project's own wrangler, not one on the PATH, run by the same Node.
const program = join(createRequire(import.meta.url).resolve('wrangler/package.json'), '../bin/wrangler.js')

// MB for young objects. To make that room little by little takes an eighth of the time that wrangler takes to load.
const roomy = '--min-semi-space-size=32'

export function spawnWrangler(args: readonly string[], options: SpawnOptions): ChildProcess {
  return spawn(process.execPath, [roomy, program, ...args], { cwd: projectDir, ...options })
}

type WranglerResult = { readonly exitCode: number; readonly stdout: string; readonly output: string }

/** Runs it without a terminal, so that it asks no questions. */
export async function runWrangler(args: readonly string[]): Promise<WranglerResult> {
  const child = spawnWrangler(args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' },
  })
  const [stdout, stderr, [exitCode]] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    once(child, 'close'),
  ])
  return { exitCode: exitCode ?? 1, stdout, output: stdout + stderr }
}

const loginHint =
  'not logged in to Cloudflare: run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID'

/** What went wrong, in one line, from wrangler's output. */
export function reasonOf(output: string): string {
  if (/CLOUDFLARE_API_TOKEN environment variable|Not logged in|Authentication error|10000\]/.test(output)) {
    return loginHint
  }
  if (output.includes('More than one account available')) {
    return 'the login has more than one account: set CLOUDFLARE_ACCOUNT_ID'
  }
  if (/fetch failed|ENOTFOUND|ECONNREFUSED/.test(output)) return 'Cloudflare cannot be reached'
  const plain = stripVTControlCharacters(output)
  // With --json it is a JSON document.
  const line = /(?:\[ERROR\]\s*|"text": ")(.+)/.exec(plain)?.[1] ?? plain.trim().split('\n').at(-1)
  return line?.trim() || 'wrangler printed nothing'
}
