// `npm start -- --clock`: a campaign as the page "See two weeks" prints it, for one week or two
// (support/run/thorough.ts), what the clock refuses, and that nothing of it is in any other start or deployment.
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { clockedBundle, emptyStateDir } from '../../src/admin/clock/start-clock.ts'
import { openReceiver } from '../../src/admin/local/webhook-receiver.ts'
import { builtWorker } from '../docs/server.ts'
import { bundle, codeWithTexts, startWorkers } from '../support/run/local-worker.ts'
import { isThorough } from '../support/run/thorough.ts'
import { dirOfTest, freePort, removeDir, type Server, startServer, temporaryDir } from './project.ts'

const dayMs = 86_400_000
/** Of the page's example, by when each of its leads has its end. `.ci/run` runs all of it. */
const days = isThorough ? 14 : 7
const projectDir = join(import.meta.dirname, '../..')
const keyOf = ({ printed }: Server, scope: string) =>
  new RegExp(`^ +${scope} key +(lk_\\w+)`, 'm').exec(printed)?.[1] ?? ''

type Shown = {
  readonly now: string
  readonly speed: number
  readonly state: string
  readonly until: string | null
}
type Answer<Data> = {
  readonly status: number
  readonly code: string | null
  readonly data: Data
  readonly error: string | null
}

async function ask<Data = Shown>(
  url: string,
  method = 'GET',
  body?: unknown,
  headers: Record<string, string> = {},
) {
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
  const typed = body === undefined ? {} : { 'Content-Type': 'application/json' }
  const answer = await fetch(url, { method, headers: { ...typed, ...headers }, ...sent })
  expect(answer.headers.get('x-test-time')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const { data, error } = (await answer.json()) as { data: Data; error: string | null }
  return {
    status: answer.status,
    code: answer.headers.get('x-error-code'),
    data,
    error,
  } satisfies Answer<Data>
}

/** The lines of the page in another terminal, as a shell runs them one after the other. */
async function paste(lines: string, { base, printed }: Server): Promise<string> {
  const manage = keyOf({ base, printed } as Server, 'manage')
  const own = lines
    .replace(/^URL=.*$/m, `URL=${base}`)
    .replace(/^MANAGE_KEY=.*$/m, `MANAGE_KEY=${manage}`)
    .replace(/\b14 (?=\* 864e5)/, `${days} `)
    .replace(/^npm run .*admin/m, `LEAD_INTAKE_KEY=${manage} $&`)
  const options = { cwd: projectDir, maxBuffer: 2 ** 24 }
  return (await promisify(execFile)('sh', ['-ec', own], options)).stdout
}

/** The Worker with its clock, built once for the tests of this file. */
let code: Promise<string> | undefined
const bundleDir = temporaryDir()
afterAll(() => removeDir(bundleDir))
function clockedCode(): Promise<string> {
  code ??= bundle(bundleDir, 'wrangler.toml', clockedBundle).then(({ script }) =>
    readFileSync(script, 'utf8'),
  )
  return code
}

describe('The clock of a local service', () => {
  it('The page "See two weeks" shows what it prints, and what the clock refuses is refused', {
    timeout: 600_000,
  }, async () => {
    const stateDir = dirOfTest()
    // As an earlier start left it.
    await emptyStateDir(stateDir, 'serving.sqlite')
    writeFileSync(join(stateDir, 'left'), '')
    writeFileSync(join(stateDir, 'demo-keys.json'), '{}')
    const server = await startServer(stateDir, await freePort(), onTestFinished, ['--clock'])
    expect(existsSync(join(stateDir, 'left'))).toBe(false)
    const url = `${server.base}/test/clock`
    const headers = { 'x-api-key': keyOf(server, 'manage') }
    const api = <Data>(method: string, path: string, body?: unknown) =>
      ask<Data>(`${server.base}/api/v1${path}`, method, body, headers)
    const to = (ms: number) => ({ runTo: new Date(Date.now() + ms).toISOString() })

    const { data: real } = await ask(url)
    expect(real).toEqual({ now: real.now, speed: 1, state: 'real', until: null })
    expect(Math.abs(Date.parse(real.now) - Date.now())).toBeLessThan(60_000)
    for (const bad of [
      '{',
      {},
      { runTo: 'soon' },
      { runTo: 1 },
      to(-1_000),
      to(31.01 * dayMs),
      { pause: false },
      { nextEvent: false },
      { ...to(dayMs), pause: true },
    ])
      expect([bad, (await ask(url, 'POST', bad)).status]).toEqual([bad, 400])
    expect((await ask(url, 'POST', to(dayMs), { 'Content-Type': 'text/plain' })).status).toBe(415)
    expect((await ask(url, 'POST', to(dayMs), { Origin: 'https://example.com' })).status).toBe(403)
    expect((await ask(url, 'DELETE')).status).toBe(405)
    expect((await ask(`${url}/other`)).status).toBe(404)
    expect(await ask(url, 'POST', { pause: true })).toMatchObject({ status: 200, data: { state: 'real' } })

    type KeyOfList = { readonly name: string; readonly expiresAt: string | null }
    const { data: listed } = await api<{ keys: readonly KeyOfList[] }>('GET', '/keys')
    const ends = listed.keys
      .filter(({ name }) => name.startsWith('demo '))
      .map(({ expiresAt }) => Date.parse(expiresAt ?? ''))
    expect(ends.length).toBeGreaterThanOrEqual(4)
    for (const endMs of ends) expect(Math.abs(endMs - Date.now() - 365 * dayMs)).toBeLessThan(dayMs)

    const vapi = {
      preset: 'vapi',
      variables: { assistantId: 'a', phoneNumberId: 'p' },
      secrets: { apiKey: 'secret of the test' },
    }
    expect(await api('POST', '/campaigns', { id: 'real', name: 'Real', timeZone: 'UTC' })).toMatchObject({
      status: 201,
    })
    expect((await api('PUT', '/campaigns/real/dialer', vapi)).status).toBe(200)
    expect(await ask(url, 'POST', to(dayMs))).toMatchObject({ status: 409, code: 'dialer_is_real' })
    expect((await api('PATCH', '/campaigns/real/dialer', { enabled: false })).status).toBe(200)

    const received: string[] = []
    const receiver = await openReceiver(0, ({ text }) => received.push(text), expect.fail)
    onTestFinished(receiver.close)
    const { data: webhook } = await api<{ secret: string }>('POST', '/webhooks', {
      url: receiver.url,
      types: ['lead.concluded'],
    })
    receiver.expect(webhook.secret)

    const page = readFileSync(join(projectDir, 'src/docs/two-weeks.md'), 'utf8')
    const [start, ...blocks] = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block as string)
    expect(start).toBe('npm start -- --clock\n')
    expect(blocks.join('')).toContain('Date.now() + 14 * 864e5')
    const printed = await paste(blocks.join(''), server)
    expect(printed).not.toContain('"success":false')
    const [, statistics = ''] = /(\{"success":true,"data":\{"status".+?"error":null\})/.exec(printed) ?? []
    const { status, series } = JSON.parse(statistics).data as {
      status: object
      series: readonly { claimed: number }[]
    }
    expect(status).toEqual({ raw: 0, attempting: 0, concluded: 24, exhausted: 6 })
    expect(series.length).toBeGreaterThanOrEqual(days)
    // By digit: five are reached at once, two at the second attempt, one at the third; one says no at the second, and
    // one stays away.
    expect(series.reduce((sum, { claimed }) => sum + claimed, 0)).toBe(3 * (5 + 2 * 2 + 3 + 2 + 3))
    // The receiver checks them by the time of this machine.
    const own = () => received.filter((text) => text.includes('"campaignId":"weeks"'))
    await expect.poll(() => own().length).toBe(24)

    // People have come to the demo, ten a day, and were called, some again.
    const demo = await api<{
      status: Record<string, number>
      series: { created: number; claimed: number }[]
    }>('GET', `/campaigns/demo/stats?bucket=day&from=${encodeURIComponent(real.now)}`)
    const sumOf = (count: 'created' | 'claimed') =>
      demo.data.series.reduce((sum, bucket) => sum + bucket[count], 0)
    expect(Math.abs(sumOf('created') - 10 * days)).toBeLessThanOrEqual(10)
    for (const { created } of demo.data.series.slice(1, -1)) expect(created).toBe(10)
    expect(sumOf('claimed')).toBeGreaterThan(sumOf('created') * 1.2)
    for (const state of ['concluded', 'exhausted']) expect(demo.data.status[state]).toBeGreaterThan(0)
    // `clock run` has said so, a line a day, and the sum of all campaigns.
    const lines = [
      // An answer of curl ends without a line break.
      ...printed.matchAll(/(?:^|\})(\w{3} \d+ \w{3}|Sum): (\d+) leads?, (\d+) calls?, (\d+) answered$/gm),
    ]
    expect(lines.at(-1)?.[1]).toBe('Sum')
    expect(lines.length - 1).toBeGreaterThanOrEqual(days)
    const sumsOfDays = [2, 3, 4].map((place) =>
      lines.slice(0, -1).reduce((sum, line) => sum + Number(line[place]), 0),
    )
    expect(sumsOfDays).toEqual([2, 3, 4].map((place) => Number(lines.at(-1)?.[place])))
    expect(sumsOfDays[0]).toBeGreaterThanOrEqual(30 + sumOf('created'))

    const { data: after } = await ask(url)
    expect(after).toMatchObject({ speed: 1, state: 'real', until: null })
    expect(Date.parse(after.now) - Date.now()).toBeGreaterThan((days - 0.1) * dayMs)

    const refused = { status: 409, code: 'clock_is_not_real', data: null }
    expect(await api('PUT', '/campaigns/demo/dialer', vapi)).toMatchObject(refused)
    expect(await api('PATCH', '/campaigns/demo/dialer', { preset: 'vapi' })).toMatchObject(refused)
    expect(await api('PATCH', '/campaigns/real/dialer', { enabled: true })).toMatchObject(refused)
    expect(await api('POST', '/campaigns/real/dialer/check', {})).toMatchObject(refused)
    const tested = { phoneNumber: '+4915112345678' }
    expect(await api('POST', '/campaigns/real/dialer/test', tested)).toMatchObject(refused)
    expect(await api('PUT', '/campaigns/real/dial%65r?a=b', vapi)).toMatchObject(refused)
    expect((await ask(`${server.base}/api/%E0`)).status).toBe(404)
    expect((await api('PATCH', '/campaigns/real/dialer', { enabled: false })).status).toBe(200)
    expect((await api('PATCH', '/campaigns/demo/dialer', { enabled: true })).status).toBe(200)
    expect((await api('PUT', '/campaigns/none/dialer', { preset: 'pretend' })).status).toBe(403)

    const long = { runTo: new Date(Date.parse(after.now) + 20 * dayMs).toISOString() }
    expect(await ask(url, 'POST', long)).toMatchObject({
      status: 200,
      data: { speed: 1440, until: long.runTo },
    })
    expect(await ask(url, 'POST', long)).toMatchObject({ status: 409, code: 'clock_is_running' })
    const { data: paused } = await ask(url, 'POST', { pause: true })
    expect(paused).toMatchObject({ speed: 0, state: 'paused', until: long.runTo })
    expect((await ask(url)).data).toEqual(paused)
    // At the latest when the campaign opens for the lead that is created now.
    expect((await api('POST', '/leads', { campaignId: 'weeks', phoneNumber: '+14155550999' })).status).toBe(
      201,
    )
    expect(await ask(url, 'POST', { nextEvent: true })).toMatchObject({ status: 200, data: { speed: 1440 } })
    await expect.poll(async () => (await ask(url)).data.state, { timeout: 120_000 }).toBe('real')
    const { data: event } = await ask(url)
    expect(Date.parse(event.now) - Date.parse(paused.now)).toBeLessThan(4 * dayMs)
  })

  it('A directory with data of another start is not emptied', async () => {
    const stateDir = dirOfTest()
    writeFileSync(join(stateDir, 'demo-keys.json'), '{}')
    await expect(emptyStateDir(stateDir, 'serving.sqlite')).rejects.toThrow(
      'has data that --clock would delete',
    )
    expect(existsSync(join(stateDir, 'demo-keys.json'))).toBe(true)
  })

  it('A request that comes before the clock is known waits for it, and is answered then', async () => {
    const modules = { 'worker.js': await clockedCode() }
    const { workers, stop } = await startWorkers(dirOfTest(), [
      { name: 'lead-intake', modules, limiter: 'RateLimiter' },
    ])
    onTestFinished(stop)
    const url = `http://localhost:${workers.get('lead-intake')?.port}/test/clock`
    const early = Promise.all([1, 2, 3].map(() => ask(url, 'POST', {})))
    // It connects after them.
    const drive = await fetch(`${url}/drive`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: 'null',
    })
    expect((await early).map(({ status }) => status)).toEqual([400, 400, 400])
    await drive.body?.cancel()
  })

  it('Neither a deployed Worker nor a local one without the flag contains anything of it', async () => {
    const marks = [
      '/test/clock',
      'X-Test-Time',
      'clock_is_not_real',
      'clock_is_running',
      'testClockNow',
      'testClockTimer',
    ]
    const dir = await builtWorker()
    const without = codeWithTexts(dir, 'index.js')
    const clocked = await clockedCode()
    for (const mark of marks)
      expect([mark, clocked.includes(mark), without.includes(mark)]).toEqual([mark, true, false])
    // All of its code has the clock: the machine's is read where it must be, by other names.
    expect(clocked).not.toContain('Date.now')
  })
})
