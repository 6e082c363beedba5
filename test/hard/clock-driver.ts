// A service with a test clock, as `npm start -- --clock` serves it, in a workerd of its own; and the clock, run from
// here.
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { clockedBundle } from '../../src/admin/clock/start-clock.ts'
import type { TestClock } from '../../src/admin/clock/test-clock.ts'
import { migrate } from '../support/database/migrations.ts'
import { bundle, startWorkers } from '../support/run/local-worker.ts'
import { sendJson } from './client.ts'
import { scratchDir } from './server.ts'

export type ClockedService = Awaited<ReturnType<typeof startClocked>>

/** `beginsAtMs`: what its clock shows at first. */
export async function startClocked(beginsAtMs: number) {
  const outDir = join(scratchDir, 'clock-bundle')
  const code = readFileSync((await bundle(outDir, 'wrangler.toml', clockedBundle)).script, 'utf8')
  const setup = { name: 'lead-intake', modules: { 'worker.js': code }, limiter: 'RateLimiter' }
  const { workers, stop } = await startWorkers(join(scratchDir, 'clock'), [setup])
  const { port, db } = workers.get('lead-intake') as { port: number; db: D1Database }
  await migrate(db)
  const first = {
    state: 'real',
    aheadMs: beginsAtMs - Date.now(),
    atMs: 0,
    untilMs: null,
    stopsAtEvent: false,
  } as const
  const driving = await drive(port, first)
  const post = async (body: object) => {
    const { status, text } = await sendJson(port, '', 'POST', '/test/clock', body)
    if (status !== 200) throw new Error(`The clock answered ${status} ${text}`)
  }
  return {
    port,
    db,
    /** Resolves with the clock after its next step. */
    step: driving.step,
    runTo: (ms: number) => post({ runTo: new Date(ms).toISOString() }),
    pause: () => post({ pause: true }),
    async read(): Promise<{ readonly nowMs: number; readonly isReal: boolean }> {
      const { text } = await sendJson(port, '', 'GET', '/test/clock')
      const { now, state } = JSON.parse(text).data
      return { nowMs: Date.parse(now), isReal: state === 'real' }
    },
    async stop() {
      driving.end()
      await stop()
    },
  }
}

/** Asks again whenever a drive has ended. */
async function drive(port: number, first: TestClock) {
  const bodyOf = (clock: TestClock) => JSON.stringify({ clock, form: null })
  let last = bodyOf(first)
  let hasEnded = false
  let stop = () => {}
  let stepped = Promise.withResolvers<TestClock>()
  const begin = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = { 'content-type': 'application/json' }
      const options = { host: '127.0.0.1', port, method: 'POST', path: '/test/clock/drive', headers }
      const outgoing = request(options, (answer) => {
        const lines = createInterface(answer)
        lines.on('line', (line) => {
          const clock: TestClock = JSON.parse(line)
          last = bodyOf(clock)
          stepped.resolve(clock)
          stepped = Promise.withResolvers()
          resolve()
        })
        lines.on('close', () => !hasEnded && void begin())
        lines.on('error', reject)
      })
      outgoing.on('error', reject)
      outgoing.end(last)
      stop = () => outgoing.destroy()
    })
  await begin()
  return {
    step: () => stepped.promise,
    end: () => {
      hasEnded = true
      stop()
    },
  }
}
