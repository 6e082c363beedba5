// The agents that the README and the page of the API print, run as printed against a local service: each waits, and
// calls a lead that is created then. A variant whose tools this machine does not have is skipped.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { agentGuide } from '../../src/docs/agent-guide.ts'
import { newPhone } from '../support/database/seed.ts'
import { type Joined, joinServer, projectDir } from './server.ts'

const blocksOf = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\`$`, 'gms'))].map(
    ([, block]) => block as string,
  )
const [loop = '', callAndReport = ''] = blocksOf(agentGuide, 'sh')
const [python = ''] = blocksOf(agentGuide, 'python')
const readme = readFileSync(join(projectDir, 'README.md'), 'utf8')
const typescript = blocksOf(readme, 'ts').find((block) => block.includes('runAgent')) ?? ''

const canRun = (program: string, ...args: string[]) => spawnSync(program, args).status === 0
const hasShell = canRun('bash', '-c', 'curl --version && jq --version')
const hasPython = canRun('python3', '-c', 'import json, urllib.request')

let server: Joined
beforeAll(async () => {
  server = await joinServer()
})

type Claimed = { readonly calls: readonly unknown[]; readonly reason: string | null }

/** In front of the service: notes what each claim is answered, in order. */
async function listen() {
  const answers: string[] = []
  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of incoming) parts.push(part)
    const { host, connection, 'content-length': length, ...headers } = incoming.headers
    const answer = await fetch(server.base + incoming.url, {
      method: 'POST',
      headers: headers as Record<string, string>,
      body: Buffer.concat(parts),
    })
    const text = await answer.text()
    if (incoming.url?.endsWith('/claim')) {
      const { calls, reason } = (JSON.parse(text) as { data: Claimed }).data
      answers.push(reason ?? `${calls.length} calls`)
    }
    outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  }
  // The agent is killed while it waits again, and the service ends before the wait.
  const proxy = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return { answers, base: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
}

/**
 * Starts the agent, creates a lead when it waits, and returns what its claims were answered until the lead was called.
 */
async function answersUntilCalled(
  campaignId: string,
  start: (place: { dir: string; base: string; key: string }) => ChildProcess,
): Promise<string[]> {
  await server.addCampaign(campaignId)
  const { key } = await server.addKey('manage', campaignId)
  const { answers, base } = await listen()
  const dir = mkdtempSync(join(tmpdir(), 'lead-intake-agent-'))
  const agent = start({ dir, base, key })
  const ended = new Promise<void>((resolve) => agent.on('close', () => resolve()))
  let complaints = ''
  agent.stderr?.setEncoding('utf8').on('data', (text) => {
    complaints += text
  })
  onTestFinished(async () => {
    if (agent.pid !== undefined && agent.exitCode === null) process.kill(-agent.pid, 'SIGKILL')
    await ended
    rmSync(dir, { recursive: true, force: true })
  })
  const ask = async (path: string, body?: object) => {
    const answer = await fetch(server.base + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return ((await answer.json()) as { data: { leadId: string; lead: { status: string } } }).data
  }
  const waits = server.db.prepare(
    `select 1 from calling_settings s join campaigns c on c.number = s.campaign_number
      where c.id = ?1 and s.waited_for_until_ms is not null`,
  )
  const patiently = async (what: string, isSo: () => Promise<boolean>) => {
    while (!(await isSo())) {
      if (agent.exitCode !== null) throw new Error(`the agent ended before ${what}: ${complaints}`)
      await sleep(100)
    }
  }
  await patiently('it waited', async () => (await waits.bind(campaignId).first()) !== null)
  const { leadId } = await ask('/api/v1/leads', { campaignId, phoneNumber: newPhone() })
  const isCalled = async () => (await ask(`/api/v1/leads/${leadId}`)).lead.status === 'concluded'
  await patiently('it called the lead', isCalled)
  return answers
}

/** In a process group of its own, which ends with all that it has started. */
const run = (program: string, args: readonly string[], cwd: string, env: Record<string, string>) =>
  spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })

/** As printed, except the service, and the campaign that no other test uses. */
const at = (text: string, base: string, campaignId: string) =>
  text
    .replaceAll('https://leads.example.com', base)
    .replaceAll('http://localhost:8787', base)
    .replace(/(["'])demo\1/g, `$1${campaignId}$1`)

const patienceMs = 120_000

it('A lead that is created while the agent waits is called by the agent of the README', {
  timeout: patienceMs,
}, async () => {
  const answers = await answersUntilCalled('typescript', ({ dir, base, key }) => {
    const client = join(projectDir, 'src/sdk/src/lead-intake.ts')
    const dial =
      'const dial = async (phoneNumber: string, signal: AbortSignal) =>\n' +
      '  ({ answered: phoneNumber !== "" && !signal.aborted, seconds: 20 })\n'
    writeFileSync(
      join(dir, 'agent.ts'),
      dial + at(typescript, base, 'typescript').replace("'@lead-intake/client'", `'${client}'`),
    )
    return run('node', ['agent.ts'], dir, {
      LEAD_INTAKE_KEY: key,
      PATH: [join(projectDir, 'node_modules/.bin'), process.env.PATH].join(delimiter),
    })
  })
  expect(answers).toContain('1 calls')
})

it.skipIf(!hasShell)(
  'A lead that is created while the agent waits is called by the agent in shell (needs bash, curl, jq)',
  { timeout: patienceMs },
  async () => {
    const answers = await answersUntilCalled('shell', ({ dir, base, key }) => {
      writeFileSync(join(dir, 'call-and-report'), at(callAndReport, base, 'shell'), { mode: 0o755 })
      return run('bash', ['-c', at(loop, base, 'shell')], dir, { LEAD_INTAKE_KEY: key })
    })
    expect(answers).toContain('1 calls')
  },
)

it.skipIf(!hasPython)(
  'A lead that is created while the agent waits is called by the agent in Python (needs python3)',
  { timeout: patienceMs },
  async () => {
    const answers = await answersUntilCalled('python', ({ dir, base, key }) => {
      writeFileSync(join(dir, 'agent.py'), at(python, base, 'python'))
      return run('python3', ['agent.py'], dir, { LEAD_INTAKE_KEY: key })
    })
    expect(answers).toContain('1 calls')
  },
)

it('The agent in Python has at most 30 lines, and uses only the standard library', () => {
  expect(python.trimEnd().split('\n').length).toBeLessThanOrEqual(30)
  const imported = /^import (.+)$/m.exec(python)?.[1]?.split(', ').toSorted()
  expect(imported).toEqual(['json', 'os', 'time', 'urllib.error', 'urllib.request', 'uuid'])
  expect(python).not.toMatch(/^from /m)
})
