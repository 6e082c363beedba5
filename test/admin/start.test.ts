// `npm start`, run as a person runs it on a fresh clone: what it prints works, what operators do takes effect
// on the running server, and a second start finds everything as it was.
import { exec } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openLocalDatabase } from '../../src/admin/local/local-database.ts'
import { command, commandJson } from './command.ts'
import { phones } from './import-target.ts'
import {
  askAsPrinted,
  dirOfTest,
  freePort,
  npm,
  ringAsPrinted,
  type Server,
  startAdmin,
  startScript,
  startServer,
} from './project.ts'

/** For what takes seconds where a machine has nothing else to do. */
const patienceMs = 90_000

type Created = { keyId: string; key: string }

/** A company, its keys and a campaign, by the commands of README.md, until a key is revoked. */
async function operate({ base }: Server, stateDir: string): Promise<void> {
  const local = ['--local', '--url', base, '--persist-to', stateDir]
  const run = <Value>(words: string, ...more: string[]) => commandJson<Value>(words, ...local, ...more)
  expect(await run('company create --id acme --name Acme')).toEqual({ companyId: 'acme' })
  const { key: manage } = await run<Created>('key create --company acme --scope manage --name ops')
  await run('campaign create --id spring --name Spring', '--key', manage)
  const words = 'key create --company acme --scope read --name crm --campaign spring'
  const { keyId, key } = await run<Created>(words)
  const read = () => fetch(`${base}/api/v1/leads?campaignId=spring`, { headers: { 'x-api-key': key } })
  expect((await read()).status).toBe(200)
  await run(`key revoke ${keyId} --company acme --yes`)
  expect((await read()).status).toBe(401)
}

async function list(base: string, key: string): Promise<{ status: number; count: number | undefined }> {
  const response = await fetch(`${base}/api/v1/leads?campaignId=demo`, { headers: { 'x-api-key': key } })
  const { data } = (await response.json()) as { data: { count: number } | null }
  return { status: response.status, count: data?.count }
}

function leaveOldClaim(sqlite: DatabaseSync): void {
  const columns = 'claimed_at_ms, token, campaign_number, request_token, picks, is_done'
  sqlite.exec(`insert into claims (${columns}) values (1, 'old', 1, 'old', '[]', 1)`)
  expect(countClaimsBefore(sqlite, 2)).toBe(1)
}

const countClaimsBefore = (sqlite: DatabaseSync, timeMs: number) =>
  sqlite.prepare('select count(*) as claims from claims where claimed_at_ms < ?').get(timeMs)?.claims

/**
 * Has the printed agent play on thirty leads: kills it in the middle, starts it again, and ends it as Ctrl-C does. Then
 * no call is open, and every lead was called.
 */
async function playOn({ printed, base }: Server): Promise<void> {
  const keyOf = (scope: string) => new RegExp(`${scope} key +(lk_\\w+)`).exec(printed)?.[1] ?? ''
  const [write, agent] = [keyOf('write'), keyOf('agent')]
  const ask = async (path: string, key: string, body?: object) => {
    const headers = { 'x-api-key': key, 'Content-Type': 'application/json' }
    const request = body && { method: 'POST', body: JSON.stringify(body) }
    const { data } = (await (await fetch(`${base}/api/v1${path}`, { headers, ...request })).json()) as {
      data: { leads: { attempts: number }[]; calls: unknown[] }
    }
    return data
  }
  const leads = phones(30).map((phoneNumber) => ({ phoneNumber }))
  await ask('/leads/bulk', write, { campaignId: 'demo', leads })

  const line = /npm run admin -- (agent pretend .+)/.exec(printed)?.[1] ?? ''
  const words = line.replace('--speed 60', '--speed 600').replaceAll("'", '').split(' ')
  const killed = startAdmin(words)
  await vi.waitFor(() => expect(killed.printed()).toContain('attempt 1: '), { timeout: patienceMs })
  killed.kill()
  await killed.finished

  const again = startAdmin([...words, '--concurrency', '30'])
  await vi.waitFor(
    async () => {
      const { leads: all } = await ask('/leads?campaignId=demo', write)
      expect(
        all.filter(({ attempts }) => attempts === 0),
        again.errors(),
      ).toEqual([])
    },
    { timeout: patienceMs, interval: 200 },
  )
  again.kill('SIGINT')
  expect(await again.finished).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/\n\d+ calls, .+ released\n$/),
  })
  expect((await ask('/calls?campaignId=demo', agent)).calls).toEqual([])
}

/** Has the printed listener receive what happens. */
async function listenAt({ printed, base }: Server) {
  const listener = startAdmin(
    (/npm run admin -- (webhook listen .+)/.exec(printed)?.[1] ?? '').replaceAll("'", '').split(' '),
  )
  const manage = /manage key +(lk_\w+)/.exec(printed)?.[1] ?? ''
  const webhooks = async () => {
    const answer = await fetch(`${base}/api/v1/webhooks`, { headers: { 'x-api-key': manage } })
    return ((await answer.json()) as { data: { webhooks: object[] } }).data.webhooks.length
  }
  await vi.waitFor(async () => expect(await webhooks()).toBe(1), { timeout: patienceMs, interval: 200 })
  return {
    /** Ends it as Ctrl-C does, once it has received events of so many called leads; then it leaves nothing behind. */
    async endAfter(leads: number) {
      const calledLeads = () => listener.printed().match(/(?<="leadId":")\w+(?=.+"callId")/g) ?? []
      await vi.waitFor(() => expect(new Set(calledLeads()).size).toBe(leads), { timeout: patienceMs })
      listener.kill('SIGINT')
      const { exitCode, stdout, stderr } = await listener.finished
      expect([exitCode, stderr.trim().split('\n').length]).toEqual([0, 1])
      expect(stdout).toMatch(/^\{"type":"leads.created","timestamp":".+","data":\{.+"count":30,.+ evt_\w+\n/)
      expect(await webhooks()).toBe(0)
    },
  }
}

/** A request is one line of its output, without the key or the phone number. */
async function expectOneLine(server: Server): Promise<void> {
  const key = /write key +(lk_\w+)/.exec(server.printed)?.[1] ?? ''
  const requestId = randomUUID()
  const headers = { 'x-api-key': key, 'Content-Type': 'application/json', 'X-Request-Id': requestId }
  const shown = server.printed.length
  const body = JSON.stringify({ campaignId: 'demo', phoneNumber: phones(31)[30] })
  await fetch(`${server.base}/api/v1/leads`, { method: 'POST', headers, body })
  const lines = () => server.printed.split('\n').filter((line) => line.includes(requestId))
  await expect.poll(() => lines().length).toBe(1)
  expect(lines()[0]).toMatch(
    /^POST \/api\/v1\/leads 201, \d+ ms \(limiter \d+, database \d+\), demo, 1 created, key_\w+, \S+$/,
  )
  expect(server.printed).not.toContain('[wrangler:info] POST')
  expect(server.printed.slice(shown)).not.toContain(key)
}

/** Sends what README.md and the API page give for what acts on the company, with the manage key that was printed. */
async function askAsManager({ printed, base }: Server): Promise<void> {
  const manage = /manage key +(lk_\w+)/.exec(printed)?.[1] ?? ''
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const inReadme = [...readme.matchAll(/^(POST|PATCH) (\/api\/v1\/\S+) +(\{.+\})$/gm)]
  expect(inReadme.map(([, , path]) => path)).toEqual(expect.arrayContaining(['/api/v1/webhooks']))
  for (const [, method = '', path = '', body = ''] of inReadme) {
    const headers = { 'x-api-key': manage, 'Content-Type': 'application/json' }
    expect([path, (await fetch(base + path, { method, headers, body })).ok]).toEqual([path, true])
  }

  type Operation = { operationId: string; 'x-codeSamples': { lang: string; source: string }[] }
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  const ofCompany = ['createWebhook', 'suppressNumbers', 'liftSuppressions', 'erasePerson', 'listKeys']
  for (const name of ofCompany) {
    const { 'x-codeSamples': samples = [] } = operations.find((one) => one.operationId === name) ?? {}
    const source = samples.find(({ lang }) => lang === 'Shell')?.source ?? ''
    const pasted = source.replaceAll('https://leads.example.com', base)
    const { stdout } = await promisify(exec)(pasted, { env: { ...process.env, LEAD_INTAKE_KEY: manage } })
    expect([name, JSON.parse(stdout)]).toEqual([name, expect.objectContaining({ success: true })])
  }
}

/** Commands have the key that npm start wrote, whatever the environment says. */
async function expectOwnKey({ base }: Server, stateDir: string): Promise<void> {
  vi.stubEnv('LEAD_INTAKE_KEY', 'lk_other')
  vi.stubEnv('LEAD_INTAKE_URL', 'https://leads.example.com')
  const local = ['--local', '--url', base, '--persist-to', stateDir]
  const stats = await command('lead stats --campaign demo', ...local)
  vi.unstubAllEnvs()
  expect(stats).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^status raw +\d+$/m) })
}

/** On another port. */
const startAgain = async (stateDir: string) =>
  startScript(['src/admin/local/start.ts', '--persist-to', stateDir, '--port', String(await freePort())])
    .finished

it('A local server has the demo, obeys the operator at once, and keeps data and keys', {
  timeout: 5 * patienceMs,
}, async () => {
  const stateDir = dirOfTest()
  const port = await freePort()
  const first = await startServer(stateDir, port)

  expect(first.printed).toContain(`${first.base}/docs\n`)
  expect(first.printed).toContain(`${first.base}/console,`)
  expect(first.printed).not.toMatch(/bindings|RATE_LIMITER/)
  // Only a start with --clock has one.
  const clock = await fetch(`${first.base}/test/clock`)
  expect([clock.status, clock.headers.get('x-test-time')]).toEqual([404, null])
  await askAsPrinted(first)

  const [listening] = await Promise.all([listenAt(first), operate(first, stateDir)])
  await playOn(first)
  await listening.endAfter(30)

  await expectOneLine(first)
  await ringAsPrinted(first)

  await expectOwnKey(first, stateDir)
  const [again, speed] = await Promise.all([
    startAgain(stateDir),
    npm(['run', '--silent', 'demo:speed', '--', '--port', String(port)]),
    askAsManager(first),
  ])
  const inUse = `error: a server runs on ${stateDir} already: use that, or choose another --persist-to\n`
  expect(again).toEqual({ exitCode: 1, stdout: '', stderr: inUse })
  expect(speed).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringMatching(`^error: port ${port} is taken: .+\n$`),
  })

  await first.stop()
  await expect(fetch(first.base)).rejects.toThrow()

  const sqlite = await openLocalDatabase(stateDir)
  onTestFinished(() => sqlite.close())
  leaveOldClaim(sqlite)
  const second = await startServer(stateDir, port)
  // Which the minute's cron forgets.
  await vi.waitFor(() => expect(countClaimsBefore(sqlite, 2)).toBe(0), { timeout: patienceMs })
  expect(second.printed).not.toMatch(/cdn-cgi|Scheduled/)
  expect(second.printed.match(/lk_\w+/g)).toEqual(first.printed.match(/lk_\w+/g))
  expect(await list(second.base, /read key +(lk_\w+)/.exec(second.printed)?.[1] ?? '')).toEqual({
    status: 200,
    count: 33,
  })
})
