// What `npm start -- --clock` does besides: how wrangler bundles the Worker with its test clock, the state directory,
// and who drives the clock. This runs beside the service, not in it.

import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { CommandFailed } from '../command-failed.ts'
import { projectDir } from '../deploy/wrangler.ts'

/** Where the clock's service has its data and its keys. */
export const clockStateDir = join(projectDir, '.wrangler/clock')

/** Arguments of wrangler: another entry, in which the test clock stands for the machine's. */
export const clockedBundle = [
  'src/admin/clock/clocked-worker.ts',
  ...['--define', 'Date.now:globalThis.testClockNow', '--define', 'setTimeout:globalThis.testClockTimer'],
]

const markName = 'clock'

/** Empties it, except for the lock. Throws CommandFailed where another start keeps its data: that is never deleted. */
export async function emptyStateDir(stateDir: string, lockName: string): Promise<void> {
  const names = (await readdir(stateDir)).filter((name) => !name.startsWith(lockName))
  if (names.length > 0 && !names.includes(markName))
    throw new CommandFailed(`${stateDir} has data that --clock would delete: choose another --persist-to`)
  for (const name of names) await rm(join(stateDir, name), { recursive: true })
  await writeFile(join(stateDir, markName), '')
}

/**
 * From now on, until this process ends. After the service has loaded changed code, its clock continues where it was.
 */
export function keepClockDriven(base: string): { readonly bring: (form: string) => void } {
  let driving = new AbortController()
  let form: string | null = null
  void drive()
  return {
    /** From then on people send this form, while the clock is run. */
    bring: (path) => {
      form = path
      driving.abort()
    },
  }

  async function drive(): Promise<void> {
    for (let last = 'null'; ; await setTimeout(50)) {
      driving = new AbortController()
      try {
        // Compressed, it would arrive late.
        const headers = { 'Content-Type': 'application/json', 'Accept-Encoding': 'identity' }
        const { body } = await fetch(`${base}/test/clock/drive`, {
          method: 'POST',
          headers,
          body: `{"clock":${last},"form":${JSON.stringify(form)}}`,
          signal: driving.signal,
        })
        if (body !== null)
          for await (const line of createInterface(Readable.fromWeb(body as never))) last = line
      } catch {
        // It does not answer while it loads.
      }
    }
  }
}
