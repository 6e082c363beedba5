// Clients that nobody here wrote: what a generator makes of the description as it is served, and the examples that
// the description gives, against a running server and its demo campaign.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { projectDir, type Server, startServer } from './server.ts'

const generator = join(projectDir, 'test/client/node_modules/openapi-typescript/bin/cli.js')
const compiler = join(projectDir, 'node_modules/typescript/bin/tsc')

/** Runs a program to its end, and returns what it prints. Fails when it does. */
async function run(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    cwd: projectDir,
  }).catch((failed: { stdout: string; stderr: string }) => {
    throw new Error(failed.stdout + failed.stderr)
  })
  return stdout
}

let server: Server
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.harness.close())

type Body = { content: { 'application/json': { examples: Record<string, { value: object }> } } }
type Operation = { requestBody?: Body }

describe('A generated client', () => {
  it('is typed as it should, and creates, lists and bulk-creates', async () => {
    const { base, keys } = server
    await run(generator, `${base}/openapi.json`, '--output', 'dist/client/api.d.ts')
    await run(compiler, '--noEmit', '-p', 'test/client')

    expect(JSON.parse(await run('test/client/client.ts', base, keys.write, keys.read))).toEqual({
      created: 201,
      again: 'Lead already exists',
      bulk: ['created', 'skipped', 'invalid'],
      listed: [
        { phoneNumber: '+14155550191', priority: 7 },
        { phoneNumber: '+14155550192', priority: 0 },
      ],
      nextCursor: null,
      read: { name: 'Ada' },
      health: 'ok',
    })
  })
})

describe('The examples of the description', () => {
  it('work against the demo campaign', async () => {
    const { base, keys } = server
    const document = (await (await fetch(`${base}/openapi.json`)).json()) as {
      paths: Record<string, Record<string, Operation>>
    }
    const examples = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { requestBody }]) =>
        Object.values(requestBody?.content['application/json'].examples ?? {}).map(({ value }) => ({
          method: method.toUpperCase(),
          path,
          value,
        })),
      ),
    )
    expect(examples.length).toBeGreaterThan(10)
    const headers = { 'x-api-key': keys.manage, 'content-type': 'application/json' }
    const make = async (path: string, body: object) => {
      const answer = await fetch(base + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return ((await answer.json()) as { data: { leadId: string; webhookId: string } }).data
    }
    const { leadId } = await make('/api/v1/leads', { campaignId: 'demo', phoneNumber: '+14155550177' })
    const webhook = { url: 'https://example.com/', types: ['lead.erased'], campaignId: 'demo' }
    const { webhookId } = await make('/api/v1/webhooks', webhook)
    for (const { method, path, value } of examples) {
      const places = { '{campaignId}': 'demo', '{leadId}': leadId, '{webhookId}': webhookId }
      const url = base + path.replace(/\{\w+\}/, (name) => places[name as keyof typeof places])
      // A lead that is there, and a day in the last 90, which that of the example will not be for ever.
      const actual = { leadId, since: new Date().toISOString() }
      const sent = Object.entries(value).map(([name, it]) => [
        name,
        actual[name as keyof typeof actual] ?? it,
      ])
      const body = JSON.stringify(Object.fromEntries(sent))
      const answer = await fetch(url, { method, headers, body })
      const success = /^\/api\/v1\/(leads|webhooks)$/.test(path) ? 201 : 200
      expect([method, path, answer.status]).toEqual([method, path, success])
    }
  })
})
