// `npm start`, run as a person runs it on a fresh clone: what it prints works, what operators do takes effect
// on the running server, and a second start finds everything as it was.
import { exec } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { keyScopes } from '../../src/access/scope.ts'
import { localDatabaseFile } from '../../src/admin/deploy/wrangler-config.ts'
import { ensureDemo } from '../../src/admin/local/demo.ts'
import { openLocalDatabase } from '../../src/admin/local/local-database.ts'
import { isOpenAt, type Schedule } from '../../src/campaigns/calling-hours.ts'
import { LeadIntake } from '../../src/sdk/src/lead-intake.ts'
import { addOperatorKey, startServer as startWorker } from '../docs/server.ts'
import { phones } from './import-target.ts'
import {
  adminJson,
  adminWith,
  freePort,
  npm,
  removeDir,
  type Server,
  startAdmin,
  startScript,
  startServer,
  temporaryDir,
} from './project.ts'

/** For what takes seconds where a machine has nothing else to do. */
const patienceMs = 90_000

function stateDirOfTest(): string {
  const dir = temporaryDir()
  onTestFinished(() => removeDir(dir))
  return dir
}

type Created = { keyId: string; key: string }

/** A service with the demo, and how to make it again. */
async function serviceWithDemo() {
  const { base, db, harness } = await startWorker()
  onTestFinished(() => harness.close())
  const stateDir = stateDirOfTest()
  const operator = await addOperatorKey(db)
  const demo = (store?: 'own') => ensureDemo(base, operator, stateDir, store)
  return { base, stateDir, demo, keys: await demo() }
}

/** A company, its keys and a campaign, by the commands of README.md, until a key is revoked. */
async function operate({ base }: Server, stateDir: string): Promise<void> {
  const local = ['--local', '--url', base]
  const run = <Value>(words: string, ...more: string[]) =>
    adminJson<Value>(stateDir, words, ...local, ...more)
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

async function leaveOldClaim(db: D1Database): Promise<void> {
  const columns = 'claimed_at_ms, token, campaign_number, request_token, picks, is_done'
  await db.batch([db.prepare(`insert into claims (${columns}) values (1, 'old', 1, 'old', '[]', 1)`)])
  expect(await countClaimsBefore(db, 2)).toBe(1)
}

async function countClaimsBefore(db: D1Database, timeMs: number): Promise<number | undefined> {
  const count = db.prepare('select count(*) as claims from claims where claimed_at_ms < ?1').bind(timeMs)
  return (await db.batch<{ claims: number }>([count]))[0]?.results[0]?.claims
}

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
    { timeout: patienceMs, interval: 1_000 },
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

describe('npm start', () => {
  it('serves the demo, obeys the operator at once, and keeps data and keys', {
    timeout: 5 * patienceMs,
  }, async () => {
    const stateDir = stateDirOfTest()
    const port = await freePort()
    const first = await startServer(stateDir, port)

    expect(first.printed).toContain(`${first.base}/docs\n`)
    expect(first.printed).toContain(`${first.base}/console,`)
    expect(first.printed).not.toMatch(/bindings|RATE_LIMITER/)
    const pasted = first.printed.match(/curl .+/g) ?? []
    const answers: unknown[] = []
    for (const line of pasted) answers.push(JSON.parse((await promisify(exec)(line)).stdout))
    const lead = expect.objectContaining({ priority: 0 })
    const call = expect.objectContaining({
      attempt: 1,
      lead: expect.objectContaining({ status: 'attempting' }),
    })
    const result = expect.objectContaining({ result: 'recorded', status: 'concluded' })
    expect(answers).toEqual([
      { success: true, data: { leadId: expect.any(String) }, error: null },
      { success: true, data: { leads: [lead], count: 1 }, error: null },
      { success: true, data: { lead }, error: null },
      { success: true, data: { calls: [call], reason: null, retryAfterSeconds: null }, error: null },
      { success: true, data: { results: [result] }, error: null },
    ])

    const listening = await listenAt(first)
    await playOn(first)
    await listening.endAfter(30)

    await askAsManager(first)

    await operate(first, stateDir)

    // With the key that npm start wrote, whatever the environment says.
    const elsewhere = { LEAD_INTAKE_KEY: 'lk_other', LEAD_INTAKE_URL: 'https://leads.example.com' }
    const local = ['--local', '--url', first.base, '--persist-to', stateDir]
    const stats = await adminWith(elsewhere, 'lead stats --campaign demo', ...local)
    expect(stats).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^status raw +\d+$/m) })

    const again = await npm([
      ...['start', '--silent', '--', '--persist-to', stateDir],
      ...['--port', String(await freePort())],
    ])
    const inUse = `error: a server runs on ${stateDir} already: use that, or choose another --persist-to\n`
    expect(again).toEqual({ exitCode: 1, stdout: '', stderr: inUse })
    const speed = await npm(['run', '--silent', 'demo:speed', '--', '--port', String(port)])
    expect(speed).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(`^error: port ${port} is taken: .+\n$`),
    })

    await first.stop()
    await expect(fetch(first.base)).rejects.toThrow()

    const { db, close } = await openLocalDatabase(stateDir)
    onTestFinished(close)
    await leaveOldClaim(db)
    const second = await startServer(stateDir, port)
    // Which the minute's cron forgets.
    await vi.waitFor(async () => expect(await countClaimsBefore(db, 2)).toBe(0), { timeout: patienceMs })
    expect(second.printed).not.toMatch(/cdn-cgi|Scheduled/)
    expect(second.printed.match(/lk_\w+/g)).toEqual(first.printed.match(/lk_\w+/g))
    expect(await list(second.base, /read key +(lk_\w+)/.exec(second.printed)?.[1] ?? '')).toEqual({
      status: 200,
      count: 31,
    })
  })

  it.each(['0000_init.sql', '0019_key_ends.sql'])(
    'leaves a database as it is that has applied %s',
    async (name) => {
      const stateDir = stateDirOfTest()
      const file = localDatabaseFile(stateDir)
      mkdirSync(dirname(file), { recursive: true })
      const sqlite = new DatabaseSync(file)
      onTestFinished(() => sqlite.close())
      sqlite.exec(`create table d1_migrations (id integer primary key, name text unique, applied_at text);
      insert into d1_migrations (name) values ('${name}')`)
      const all = () => JSON.stringify(sqlite.prepare('select * from sqlite_schema').all())
      const before = all()
      const args = ['--port', String(await freePort()), '--persist-to', stateDir]
      expect(await npm(['start', '--silent', '--', ...args])).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `error: the local database is of a version before 2.0, which cannot be upgraded: move ${stateDir} away, or give another directory with --persist-to\n`,
      })
      expect(all()).toBe(before)
    },
  )

  it('says in one line that the port is taken', async () => {
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => {
      other.close()
    })
    const finished = await npm([
      'start',
      '--silent',
      '--',
      '--port',
      String(port),
      '--persist-to',
      stateDirOfTest(),
    ])
    expect(finished).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: port ${port} is taken: choose another with \`npm start -- --port <number>\`\n`,
    })
  })

  it('says in one line that the database cannot be migrated', async () => {
    const stateDir = stateDirOfTest()
    const { db, close } = await openLocalDatabase(stateDir)
    await db.batch([db.prepare('delete from d1_migrations')])
    await close()
    const options = ['--port', String(await freePort()), '--persist-to', stateDir]
    const { exitCode, stderr } = await npm(['start', '--silent', '--', ...options])
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringMatching(/^error: migrating the local database failed: .+\n$/),
    })
  })
})

describe('npm run demo:speed', () => {
  it('Has a database of its own, and leaves nothing behind', { timeout: 2 * patienceMs }, async () => {
    const temporary = stateDirOfTest()
    const words = ['src/admin/local/demo-speed.ts', '--port', String(await freePort())]
    const speed = startScript(words, { TMPDIR: temporary })
    await vi.waitFor(() => expect(speed.printed()).toMatch(/called after \d+ ms/), { timeout: patienceMs })
    expect(readdirSync(temporary)).toContainEqual(expect.stringMatching(/^lead-intake-speed-/))
    speed.kill('SIGINT')
    expect(await speed.finished).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/median \d+ ms/),
    })
    expect(readdirSync(temporary)).toEqual([])
  })
})

describe('The demo', () => {
  it('may call at any hour, and is left as its developer has it', async () => {
    const { base, keys, demo } = await serviceWithDemo()
    const client = new LeadIntake({ baseUrl: base, apiKey: keys.manage })
    const { timeZone, callingHours, closedDates, queue } = await client.campaigns.get('demo')
    expect(queue.reason).toBe('empty')
    const schedule = { timeZone: timeZone ?? 'none', hours: callingHours, closedDates } as object as Schedule
    for (const day of ['2026-11-22T03:00:00Z', '2026-11-18T23:59:59Z'])
      expect(isOpenAt(schedule, Date.parse(day))).toBe(true)

    await client.campaigns.update('demo', { timeZone: null, maxAttempts: 9 })
    await demo()
    expect(await client.campaigns.get('demo')).toMatchObject({ timeZone: null, maxAttempts: 9 })
  })

  it('has its keys repaired when file and database disagree', async () => {
    const { base, stateDir, keys: first, demo } = await serviceWithDemo()
    const file = join(stateDir, 'demo-keys.json')
    const statusOf = async (key: string) =>
      (await fetch(`${base}/api/v1/keys/self`, { headers: { 'x-api-key': key } })).status
    expect(Object.keys(first).sort()).toEqual([...keyScopes, 'operator'].sort())
    expect(await demo()).toEqual(first)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(first)
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const { write, read } = first
    writeFileSync(file, JSON.stringify({ write, read }))
    const grown = await demo()
    expect(grown).toMatchObject({ write, read })
    expect([await statusOf(first.agent), await statusOf(grown.agent)]).toEqual([401, 200])

    // One of another scope.
    writeFileSync(file, JSON.stringify({ ...grown, manage: grown.agent }))
    const widened = await demo()
    expect(widened).toEqual({ ...grown, manage: expect.any(String) })
    expect([grown.agent, grown.manage]).not.toContain(widened.manage)

    rmSync(file)
    const second = await demo()
    expect([await statusOf(first.write), await statusOf(second.write)]).toEqual([401, 200])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(second)
  })

  it('stays in the store that it has, and the way out is named', async () => {
    const { demo } = await serviceWithDemo()
    await expect(demo('own')).rejects.toThrow(
      /^the demo in .+ is in the shared database: use another --persist-to, or leave out --demo-store own$/,
    )
  })
})
