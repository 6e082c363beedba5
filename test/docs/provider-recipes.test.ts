// What the page says for voice providers: the requests that set a dialer are taken as printed, and the agent for any
// other provider compiles with the client, and runs against a service and a stand-in for the provider.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { newPhone } from '../support/database/seed.ts'
import { endReasons } from '../support/dialers/end-reasons.ts'
import { caseOf, namesWhere } from '../support/dialers/preset-cases.ts'
import { blocksOf, pageText } from './connect-page.ts'
import { joinServer, projectDir } from './server.ts'

const recipesDir = join(projectDir, 'dist/client/recipes')

/** The programs of the page, as files. */
function writeRecipes(client: string, provider = 'https://voice.example.com'): string {
  mkdirSync(recipesDir, { recursive: true })
  const dir = mkdtempSync(join(recipesDir, 'of-'))
  for (const block of blocksOf('calls/any-provider', 'ts')) {
    const name = /^\/\/ (\S+)\n/.exec(block)?.[1] ?? 'none'
    const program = block
      .replace("'@lead-intake/client'", JSON.stringify(client))
      .replace('https://voice.example.com', provider)
    writeFileSync(join(dir, name), `${program}\nexport {}\n`)
  }
  return dir
}

afterAll(() => rmSync(recipesDir, { recursive: true, force: true }))

describe('Who lets the service call', () => {
  /** The dialers that a page sets. */
  const dialersOf = (page: string): Record<string, unknown>[] => [
    ...blocksOf(page, 'sh').map((block) => JSON.parse(/-d '(.*)'\n$/s.exec(block)?.[1] ?? '')),
    ...blocksOf(page, 'json').map((block) => JSON.parse(block)),
  ]

  it.each([
    ['custom-template', 'custom'],
    ...namesWhere(() => true).map((name) => [caseOf(name).page, name]),
  ])('The dialer of the page %s is taken as printed', async (page, preset) => {
    const server = await joinServer()
    const { key } = await server.addKey('manage')
    await server.addCampaign('spring')
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const dialers = dialersOf(`calls/${page}`)
    expect(dialers).toEqual([expect.objectContaining({ preset })])
    for (const dialer of dialers) {
      const answer = await fetch(`${server.base}/api/v1/campaigns/spring/dialer`, {
        method: 'PUT',
        headers,
        body: JSON.stringify({ ...dialer, enabled: false }),
      })
      expect([answer.status, await answer.json()]).toMatchObject([200, { error: null }])
    }
  })

  it.each(Object.keys(endReasons) as (keyof typeof endReasons)[])(
    'The page %s names the version of the package that its preset is checked against',
    (preset) => {
      const { packageName, version } = endReasons[preset]
      expect(pageText(`calls/${preset}`)).toContain(`\`${packageName}\` ${version}`)
    },
  )
})

describe('An agent for any telephone provider', () => {
  it('A refused dial costs no attempt, and a killed process finds its calls again', {
    timeout: 120_000,
  }, async () => {
    const server = await joinServer()
    const { key } = await server.addKey('manage')
    await server.addCampaign('spring')
    const sent: Record<string, unknown>[] = []
    let isOver = false
    const provider = createServer(async (request, response) => {
      const body = JSON.parse((await text(request)) || '{}')
      if (request.method === 'POST') sent.push(body)
      const call = isOver ? { state: 'ended', hasTalked: true, seconds: 5 } : { state: 'queued' }
      response.writeHead(body.to === refused ? 400 : 200).end(JSON.stringify({ id: 'v1', ...call }))
    }).listen(0, '127.0.0.1')
    await once(provider, 'listening')
    const { port } = provider.address() as AddressInfo
    const clientSource = join(projectDir, 'src/sdk/src/lead-intake.ts')
    const dir = writeRecipes(clientSource, `http://127.0.0.1:${port}`)
    const env = { ...process.env, LEAD_INTAKE_URL: server.base, LEAD_INTAKE_KEY: key }
    const run = () => spawn(process.execPath, ['agent.ts'], { cwd: dir, env, stdio: 'ignore' })
    let program = run()
    onTestFinished(async () => {
      program.kill('SIGKILL')
      provider.close()
    })
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const [refused, dialled] = [newPhone(), newPhone()]
    const ids: string[] = []
    for (const phoneNumber of [refused, dialled]) {
      const body = JSON.stringify({ campaignId: 'spring', phoneNumber, metadata: { name: 'Ada' } })
      const created = await fetch(`${server.base}/api/v1/leads`, { method: 'POST', headers, body })
      ids.push(((await created.json()) as { data: { leadId: string } }).data.leadId)
    }
    const callsOf = async (leadId?: string) => {
      const answer = await fetch(`${server.base}/api/v1/leads/${leadId}/calls`, { headers })
      return ((await answer.json()) as { data: { calls: { outcome: string | null }[] } }).data.calls
    }
    const kept = () => {
      if (!existsSync(join(dir, 'calls.db'))) return []
      const db = new DatabaseSync(join(dir, 'calls.db'), { readOnly: true, timeout: 5_000 })
      try {
        return db.prepare('select id from calls').all()
      } finally {
        db.close()
      }
    }
    await vi.waitUntil(() => sent.length === 2 && kept().length === 2, { timeout: 60_000 })
    expect(sent).toContainEqual({ to: dialled, metadata: { name: 'Ada' } })
    program.kill('SIGKILL')
    await once(program, 'exit')
    isOver = true
    program = run()
    await vi.waitUntil(async () => (await callsOf(ids[1]))[0]?.outcome !== null, { timeout: 60_000 })
    expect(await callsOf(ids[1])).toEqual([expect.objectContaining({ outcome: 'answered', attempt: 1 })])
    expect(sent).toHaveLength(2)
    await vi.waitUntil(async () => (await callsOf(ids[0]))[0]?.outcome !== null, { timeout: 60_000 })
    expect(await callsOf(ids[0])).toEqual([expect.objectContaining({ outcome: 'released' })])
  })

  it('The programs compile with the client', async () => {
    const dir = writeRecipes('@lead-intake/client')
    const compilerOptions = {
      paths: { '@lead-intake/client': ['../../../../src/sdk/src/lead-intake.ts'] },
      types: ['node'],
      lib: ['ES2024', 'DOM'],
      allowImportingTsExtensions: true,
    }
    const config = { extends: '../../../../tsconfig.json', compilerOptions, include: ['*.ts'], exclude: [] }
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify(config))
    const compiler = join(projectDir, 'node_modules/typescript/bin/tsc')
    await promisify(execFile)(process.execPath, [compiler, '--noEmit', '-p', dir]).catch((failed) => {
      throw new Error(failed.stdout + failed.stderr)
    })
  })
})
