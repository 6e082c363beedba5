// `npm start -- --demo-store own`, as a person runs it: the demo of a company with a store of its own, in a real object. What
// it prints works, and the operator's commands reach the store.
import { exec } from 'node:child_process'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { openLocalDatabase } from '../../src/admin/database.ts'
import { ensureDemo } from '../../src/admin/local/demo.ts'
import { admin, adminJson, freePort, npm, removeDir, startServer, temporaryDir } from './project.ts'

function stateDirOfTest(): string {
  const dir = temporaryDir()
  onTestFinished(() => removeDir(dir))
  return dir
}

it('The demo on a store of its own answers as the shared one, obeys the operator, and stays where it is', {
  timeout: 450_000,
}, async () => {
  const stateDir = stateDirOfTest()
  const port = await freePort()
  const first = await startServer(stateDir, port, onTestFinished, ['--demo-store', 'own'])
  const answers: unknown[] = []
  for (const line of first.printed.match(/curl .+/g) ?? [])
    answers.push(JSON.parse((await promisify(exec)(line)).stdout))
  const lead = expect.objectContaining({ priority: 0 })
  const call = expect.objectContaining({ attempt: 1 })
  expect(answers).toEqual([
    { success: true, data: { leadId: expect.any(String) }, error: null },
    { success: true, data: { leads: [lead], count: 1 }, error: null },
    { success: true, data: { lead }, error: null },
    { success: true, data: { calls: [call], reason: null, retryAfterSeconds: null }, error: null },
    { success: true, data: { results: [expect.objectContaining({ status: 'concluded' })] }, error: null },
  ])

  /** The cron lets the store do it, here without waiting for the minute. */
  async function carriedOut<Result>(work: Promise<Result>): Promise<Result> {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    while (!isDone) {
      await fetch(`${first.base}/cdn-cgi/local/scheduled`)
      await Promise.race([done, setTimeout(200)])
    }
    return done
  }
  const words = 'key create --company demo --scope read --name probe'
  const { id, key } = await carriedOut(adminJson<{ id: string; key: string }>(stateDir, words))
  const statusOf = async () =>
    (await fetch(`${first.base}/api/v1/leads?campaignId=demo`, { headers: { 'x-api-key': key } })).status
  expect(await statusOf()).toBe(200)
  expect(await carriedOut(admin(stateDir, `key revoke ${id}`))).toMatchObject({ exitCode: 0 })
  expect(await statusOf()).toBe(401)
  const [company] = await adminJson<object[]>(stateDir, 'company list')
  expect(company).toMatchObject({ id: 'demo', store: 'own', leads: 1 })
  const to = new Date(Date.now() - 60_000).toISOString()
  expect((await carriedOut(admin(stateDir, `company restore demo --to ${to}`))).stderr).toMatch(
    /error: the store cannot be restored: .+ \(a local server keeps no history\)\n$/,
  )

  await first.stop()
  const second = await startServer(stateDir, port)
  expect(second.printed.match(/lk_\w+/g)).toEqual(first.printed.match(/lk_\w+/g))
  await second.stop()
  const shared = await npm([
    'start',
    '--silent',
    '--',
    '--demo-store',
    'shared',
    '--port',
    String(port),
    '--persist-to',
    stateDir,
  ])
  expect(shared).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('has a store of its own: use another'),
  })
})

it('A demo in the shared database is left there, and the way out is named', async () => {
  const stateDir = stateDirOfTest()
  const { db, close } = await openLocalDatabase(stateDir)
  await ensureDemo(db, stateDir)
  await close()
  const options = ['--demo-store', 'own', '--port', String(await freePort()), '--persist-to', stateDir]
  const { exitCode, stderr } = await npm(['start', '--silent', '--', ...options])
  expect([exitCode, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^error: the demo in .+ is in the shared database: use another --persist-to, .+\n$/,
    ),
  ])
})
