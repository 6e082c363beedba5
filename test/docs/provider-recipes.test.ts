// The recipes for telephone providers compile with the client, give an outcome to every reason that the provider's package
// lists, and run against a service and a stand-in for Vapi.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { newPhone } from '../support/database/seed.ts'
import { endReasons } from '../support/dialers/end-reasons.ts'
import { blocksOf, sectionOf } from './connect-page.ts'
import { joinServer, projectDir } from './server.ts'

type Provider = {
  dial: (lead: object, callId: string) => Promise<string>
  result: (id: string) => Promise<{ outcome: string } | null | undefined>
  hangUp: (id: string) => Promise<unknown>
}

const recipesDir = join(projectDir, 'dist/client/recipes')

/** The programs of the page, as files. */
function writeRecipes(client: string, changed = (source: string) => source): string {
  const dir = mkdtempSync(join(recipesDir, 'of-'))
  for (const title of ['Any telephone provider', 'Twilio', 'Vapi', 'Retell']) {
    const [source = 'none'] = blocksOf(title, 'ts')
    const name = title === 'Any telephone provider' ? 'call-with' : title.toLowerCase()
    const program = source.replace("'@lead-intake/client'", JSON.stringify(client))
    writeFileSync(
      join(dir, `${name}.ts`),
      `${name === 'call-with' ? program : changed(program)}\nexport {}\n`,
    )
  }
  return dir
}
const clientSource = join(projectDir, 'src/sdk/src/lead-intake.ts')

/** What a recipe hands to `callWith`. Its `fetch`, and that of Twilio's package, answer `answer`. */
async function providerOf(name: string, answer: (url: URL, sent: object) => object): Promise<Provider> {
  const dir = writeRecipes(clientSource, (program) =>
    program.replace('./call-with.ts', './kept.ts').replace("'twilio'", "'./vendor.ts'"),
  )
  const kept: Provider[] = []
  vi.stubGlobal('kept', kept)
  vi.stubGlobal('fetch', async (url: URL, sent: object) => Response.json(answer(url, sent)))
  writeFileSync(
    join(dir, 'kept.ts'),
    "export * from './call-with.ts'\nexport const callWith = (one) => globalThis.kept.push(one)",
  )
  writeFileSync(
    join(dir, 'vendor.ts'),
    `const calls = () => ({ fetch: async () => (await fetch()).json() })
    calls.create = async (call) => (await fetch('create', call)).json()
    export default () => ({ calls })`,
  )
  await import(join(dir, `${name}.ts`))
  return kept[0] as Provider
}

/** Of a call that is over. */
const ended: Record<string, (reason: string, roles: string[]) => object> = {
  vapi: (endedReason, roles) => {
    const messages = roles.map((role) => ({ role }))
    return {
      status: 'ended',
      endedReason,
      endedAt: new Date().toISOString(),
      analysis: {},
      artifact: { messages },
    }
  },
  retell: (disconnection_reason, roles) => {
    const transcript_object = roles.map((role) => ({ role }))
    return { call_status: 'ended', disconnection_reason, duration_ms: 5000, transcript_object }
  },
  twilio: (status) => ({ status, answeredBy: null, duration: '5' }),
}

describe('The recipes for telephone providers', () => {
  mkdirSync(recipesDir, { recursive: true })
  const complaints = vi.spyOn(console, 'error')
  afterEach(() => {
    vi.unstubAllGlobals()
    complaints.mockReset()
  })
  afterAll(() => {
    complaints.mockRestore()
    rmSync(recipesDir, { recursive: true, force: true })
  })

  it.each(['Vapi', 'Retell', 'Twilio'])(
    'Every reason that the package of %s lists has an outcome, and the page names its version',
    async (title) => {
      const name = title.toLowerCase() as keyof typeof endReasons
      const { packageName, version, reasons } = endReasons[name]
      expect(sectionOf(title)).toContain(`\`${packageName}\` ${version}`)
      let answer = {}
      const { result } = await providerOf(name, () => answer)
      for (const reason of reasons) {
        answer = ended[name]?.(reason, []) as object
        const isLive = name === 'twilio' && ['queued', 'ringing', 'in-progress'].includes(reason)
        expect((await result('id')) !== undefined, reason).toBe(!isLive)
      }
      expect(complaints).not.toHaveBeenCalled()
    },
  )

  it.each(['Vapi', 'Retell'])('Nobody who has talked on a call of %s is called again', async (title) => {
    const name = title.toLowerCase() as keyof typeof endReasons
    let answer = {}
    const { result } = await providerOf(name, () => answer)
    for (const reason of [...endReasons[name].reasons, 'a-reason-of-tomorrow']) {
      answer = ended[name]?.(reason, ['system', 'bot', 'user']) as object
      const isVoicemail = ['voicemail', 'voicemail_reached', 'ivr_reached'].includes(reason)
      expect(await result('id'), reason).toMatchObject({ outcome: isVoicemail ? 'voicemail' : 'answered' })
    }
  })

  it.each([
    ['vapi', 'assistant-ended-call-after-message-spoken', 'answered'],
    ['vapi', 'assistant-ended-call-with-hangup-task', 'answered'],
    ['vapi', 'call.in-progress.twilio-completed-call', 'answered'],
    ['vapi', 'call.in-progress.sip-completed-call', 'answered'],
    ['vapi', 'vonage-completed', 'answered'],
    ['vapi', 'call.in-progress.error-vapifault-worker-died', 'abandoned'],
    ['vapi', 'pipeline-no-available-llm-model', 'abandoned'],
    ['vapi', 'a-reason-of-tomorrow', 'abandoned'],
    ['vapi', 'call.start.error-subscription-concurrency-limit-reached', null],
    ['retell', 'ivr_reached', 'voicemail'],
    ['retell', 'error_asr', 'abandoned'],
    ['retell', 'concurrency_limit_reached', null],
    ['twilio', 'completed', 'answered'],
  ])('A call of %s that ends with %s, without a transcript, is %s', async (name, reason, outcome) => {
    const { result } = await providerOf(name, () => ended[name]?.(reason, []) as object)
    expect((await result('id'))?.outcome ?? null).toBe(outcome)
  })

  it('A fault of Vapi waits for what was said, which comes later', async () => {
    let answer = { ...ended.vapi?.('worker-shutdown', []), analysis: null }
    const { result } = await providerOf('vapi', () => answer)
    expect(await result('id')).toBeUndefined()
    answer = { ...ended.vapi?.('worker-shutdown', ['user']), analysis: null }
    expect(await result('id')).toMatchObject({ outcome: 'answered' })
  })

  it('A refused dial costs no attempt, and a killed process finds its calls again', {
    timeout: 120_000,
  }, async () => {
    const server = await joinServer()
    const { key } = await server.addKey('manage')
    await server.addCampaign('spring')
    const sent: { url: string; body: Record<string, unknown> }[] = []
    let isOver = false
    const vapi = createServer(async (request, response) => {
      const body = JSON.parse((await text(request)) || '{}')
      if (request.method === 'POST') sent.push({ url: request.url as string, body })
      const isRefused = body.customer?.number === refused
      const call = isOver
        ? ended.vapi?.('call.in-progress.twilio-completed-call', ['bot', 'user'])
        : { status: 'queued' }
      response.writeHead(isRefused ? 400 : 200).end(JSON.stringify({ id: 'v1', ...call }))
    }).listen(0, '127.0.0.1')
    await once(vapi, 'listening')
    const { port } = vapi.address() as AddressInfo
    const dir = writeRecipes(clientSource, (program) =>
      program.replace('https://api.vapi.ai', `http://127.0.0.1:${port}`),
    )
    const env = {
      ...process.env,
      LEAD_INTAKE_URL: server.base,
      LEAD_INTAKE_KEY: key,
      VAPI_ASSISTANT_ID: 'a1',
    }
    const run = () => spawn(process.execPath, ['vapi.ts'], { cwd: dir, env, stdio: 'ignore' })
    let program = run()
    onTestFinished(async () => {
      program.kill('SIGKILL')
      vapi.close()
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
    expect(sent.map(({ url, body }) => [url, Object.keys(body)])).toEqual(
      Array(2).fill(['/call', ['assistantId', 'customer', 'assistantOverrides']]),
    )
    expect(sent.find(({ body }) => JSON.stringify(body).includes(dialled))?.body.assistantOverrides).toEqual({
      variableValues: { name: 'Ada' },
      metadata: { callId: expect.any(String) },
    })
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

  it('A call of Retell is ended by a request, and Twilio looks for a machine while the call is connected', async () => {
    const sent: object[] = []
    const retell = await providerOf('retell', ({ href }, { method }: { method?: string }) => {
      sent.push([method, href])
      return {}
    })
    await retell.hangUp('c1')
    expect(sent).toEqual([['POST', 'https://api.retellai.com/v2/stop-call/c1']])
    const twilio = await providerOf('twilio', (_url, call) => {
      sent.push(call)
      return { sid: 'CA1' }
    })
    expect(await twilio.dial({ phoneNumber: '+14155550123' }, 'call')).toBe('CA1')
    expect(sent[1]).toMatchObject({ machineDetection: 'Enable', asyncAmd: 'true' })
  })

  it('They compile with the client', async () => {
    const dir = writeRecipes('@lead-intake/client')
    // Its own types are not installed here.
    const call = '{ sid: string; status: string; answeredBy: string | null; duration: string | null }'
    writeFileSync(
      join(dir, 'vendors.d.ts'),
      `declare module 'twilio' {
        type Calls = { (sid: string): { fetch(): Promise<${call}>; update(to: { status: 'completed' }): Promise<unknown> }
          create(call: { to: string; from: string; url: string; machineDetection: string; asyncAmd: string;
            timeout: number }): Promise<${call}> }
        export default function twilio(sid?: string, token?: string): { calls: Calls }
      }`,
    )
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
