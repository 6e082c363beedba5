// `npm start`, run as a person runs it on a fresh clone: what it prints works, what operators do takes effect
// on the running server, and a second start finds everything as it was.
import { exec } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hashApiKey } from '../../src/access/api-key.ts'
import { findApiKey } from '../../src/access/store/rights.ts'
import { openLocalDatabase } from '../../src/admin/database.ts'
import { ensureDemo } from '../../src/admin/demo.ts'
import { adminJson, freePort, npm, removeDir, startServer, temporaryDir } from './project.ts'

function stateDirOfTest(): string {
  const dir = temporaryDir()
  onTestFinished(() => removeDir(dir))
  return dir
}

type Created = { id: string; key: string }

async function list(base: string, key: string): Promise<{ status: number; count: number | undefined }> {
  const response = await fetch(`${base}/api/v1/leads?campaignId=demo`, { headers: { 'x-api-key': key } })
  const { data } = (await response.json()) as { data: { count: number } | null }
  return { status: response.status, count: data?.count }
}

describe('npm start', () => {
  it('serves the demo, obeys the operator at once, and keeps data and keys', {
    timeout: 120_000,
  }, async () => {
    const stateDir = stateDirOfTest()
    const port = await freePort()
    const first = await startServer(stateDir, port)

    expect(first.printed).toContain(`${first.base}/docs\n`)
    expect(first.printed).not.toMatch(/bindings|RATE_LIMITER/)
    const pasted = first.printed.match(/curl .+/g) ?? []
    const answers: unknown[] = []
    for (const line of pasted) answers.push(JSON.parse((await promisify(exec)(line)).stdout))
    const lead = expect.objectContaining({ priority: 0 })
    expect(answers).toEqual([
      { success: true, data: { leadId: expect.any(String) }, error: null },
      { success: true, data: { leads: [lead], count: 1 }, error: null },
      { success: true, data: { lead }, error: null },
    ])

    const words = 'key create --company demo --scope read --name probe'
    const { id, key } = await adminJson<Created>(stateDir, words)
    expect(await list(first.base, key)).toEqual({ status: 200, count: 1 })
    await adminJson(stateDir, `key revoke ${id}`)
    expect(await list(first.base, key)).toEqual({ status: 401, count: undefined })

    await first.stop()
    await expect(fetch(first.base)).rejects.toThrow()

    const second = await startServer(stateDir, port)
    expect(second.printed.match(/lk_\w+/g)).toEqual(first.printed.match(/lk_\w+/g))
    expect(await list(second.base, /read key +(lk_\w+)/.exec(second.printed)?.[1] ?? '')).toEqual({
      status: 200,
      count: 1,
    })
  })

  it('says in one line that the port is taken', async () => {
    const port = await freePort()
    const other = createServer().listen(port, '127.0.0.1')
    onTestFinished(() => {
      other.close()
    })
    const finished = await npm(['start', '--silent', '--', '--port', String(port)])
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

describe('The demo keys', () => {
  it('are mended when file and database disagree', async () => {
    const stateDir = stateDirOfTest()
    const file = join(stateDir, 'demo-keys.json')
    const { db, close } = await openLocalDatabase(stateDir)
    onTestFinished(close)
    const isActive = async (key: string) => (await findApiKey(db, hashApiKey(key), Date.now())) !== null

    const first = await ensureDemo(db, stateDir)
    expect(await ensureDemo(db, stateDir)).toEqual(first)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(first.keys)

    rmSync(file)
    const second = await ensureDemo(db, stateDir)
    expect(second.keys).not.toEqual(first.keys)
    expect([await isActive(first.keys.write), await isActive(second.keys.write)]).toEqual([false, true])

    writeFileSync(file, JSON.stringify({ ...second.keys, read: first.keys.read }))
    const third = await ensureDemo(db, stateDir)
    expect(third.keys.write).toBe(second.keys.write)
    expect([await isActive(second.keys.read), await isActive(third.keys.read)]).toEqual([false, true])
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(third.keys)
  })
})
