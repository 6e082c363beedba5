// `npx wrangler dev` on a fresh clone with installed packages, where nobody has run `npm start`: it makes what is
// missing once, and what it prints works. A deployment makes nothing.
import { type ChildProcess, spawn } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, readFileSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { dirOfTest, freePort, ringAsPrinted } from './project.ts'

const projectDir = join(import.meta.dirname, '../..')
/** For what takes seconds where a machine has nothing else to do. */
const patienceMs = 240_000

/** What git has of it that a Worker is made of, and the packages. */
function cloneOfProject(): string {
  const dir = dirOfTest()
  for (const name of ['src', 'migrations'])
    cpSync(join(projectDir, name), join(dir, name), { recursive: true })
  for (const name of ['wrangler.toml', 'package.json', 'tsconfig.json'])
    copyFileSync(join(projectDir, name), join(dir, name))
  symlinkSync(join(projectDir, 'node_modules'), join(dir, 'node_modules'))
  // As the installation of the packages has left it.
  copyFileSync(join(projectDir, '.dev.vars'), join(dir, '.dev.vars'))
  return dir
}

/** wrangler in the clone, by a shell that has the packages' programs, as npx has. */
function wrangler(dir: string, ...words: string[]) {
  const { LEAD_INTAKE_SEEDING: _, CLOUDFLARE_ENV: __, ...env } = process.env
  const path = `${join(projectDir, 'node_modules/.bin')}:${env.PATH}`
  const options = {
    cwd: dir,
    env: { ...env, PATH: path, NO_COLOR: '1', CLOUDFLARE_CF_FETCH_ENABLED: 'false' },
  }
  const child: ChildProcess = spawn('wrangler', words, { ...options, detached: true })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      output += piece
    })
  const ended = new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? -1)))
  const stop = async () => {
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGTERM')
    await ended
  }
  onTestFinished(stop)
  return { printed: () => output.replaceAll(/^\[custom build\] /gm, ''), ended, stop }
}

const ready = (run: ReturnType<typeof wrangler>, times = 1) =>
  vi.waitFor(() => expect(run.printed().split(/Ready on|Reloading local server/)).toHaveLength(times + 1), {
    timeout: patienceMs,
    interval: 200,
  })

it('The first wrangler dev makes the demo, whose form rings; later ones and changes print nothing twice', {
  timeout: 600_000,
}, async () => {
  const dir = cloneOfProject()
  const port = await freePort()
  const base = `http://localhost:${port}`
  const first = wrangler(dir, 'dev', '--port', String(port))
  await ready(first)
  const printed = first.printed()
  expect(printed).toContain(`Lead intake at ${base}, with a demo campaign`)
  expect(printed).toContain('The cron does not run here')
  expect(readFileSync(join(dir, '.wrangler/state/url'), 'utf8')).toBe(base)
  expect((await fetch(`${base}/api/health`)).status).toBe(200)
  const server = {
    base,
    stop: first.stop,
    get printed() {
      return first.printed()
    },
  }
  await ringAsPrinted(server)
  const key = /read key +(lk_\w+)/.exec(printed)?.[1] ?? ''
  const list = await fetch(`${base}/api/v1/leads?campaignId=demo`, { headers: { 'x-api-key': key } })
  expect(((await list.json()) as { data: { count: number } }).data.count).toBe(1)

  utimesSync(join(dir, 'src/index.ts'), new Date(), new Date())
  await ready(first, 2)
  await first.stop()
  const again = wrangler(dir, 'dev', '--port', String(port))
  await ready(again)
  for (const run of [first, again])
    expect(run.printed().match(/write key/g) ?? []).toHaveLength(run === first ? 1 : 0)
  expect((await fetch(`${base}/api/v1/keys/self`, { headers: { 'x-api-key': key } })).status).toBe(200)
  await again.stop()
})

it('A deployment makes no demo, nor does a server of other data', { timeout: 600_000 }, async () => {
  const dir = cloneOfProject()
  const dry = wrangler(dir, 'deploy', '--dry-run')
  expect(await dry.ended).toBe(0)
  const other = wrangler(dir, 'dev', '--port', String(await freePort()), '--persist-to', join(dir, 'other'))
  await ready(other)
  await other.stop()
  for (const run of [dry, other]) expect(run.printed()).not.toContain('demo')
  expect(existsSync(join(dir, '.wrangler/state'))).toBe(false)
})
