// What a run of the suite finds around it, for `npm test` and `npm run test:flaky` alike.
import { existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const projectDir = join(import.meta.dirname, '..')

/** Sets the environment of all that is spawned. Returns its directory for temporary files, which the caller removes. */
export function prepareEnvironment(): string {
  const scratchDir = mkdtempSync(join(roomyMemory() ?? tmpdir(), 'lead-intake-test-'))
  // The databases of the suite too: waiting for the disk would take a third of its time.
  process.env.TMPDIR = scratchDir

  // What Node has compiled of the tools, large as they are, is kept from one process to the next.
  process.env.NODE_COMPILE_CACHE ??= join(projectDir, 'node_modules/.cache/compiled')

  process.env.CLOUDFLARE_CF_FETCH_ENABLED = 'false'
  process.env.WRANGLER_SEND_METRICS = 'false'
  process.env.WRANGLER_HIDE_BANNER = 'true'
  process.env.REDOCLY_TELEMETRY = 'off'
  process.env.REDOCLY_SUPPRESS_UPDATE_NOTICE = 'true'
  return scratchDir
}

/** Where the system keeps files in memory; null where it does not, or has little room for them, as in a container. */
function roomyMemory(): string | null {
  const dir = '/dev/shm'
  if (!existsSync(dir)) return null
  const { bavail, bsize } = statfsSync(dir)
  return bavail * bsize >= 2 ** 32 ? dir : null
}
