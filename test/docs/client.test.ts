// A client that is generated from the served API description, and the examples and samples of the description, against
// a running server and its demo campaign.
import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import { describeApi } from '../../src/docs/describe-api.ts'
import { type Joined, joinServer, projectDir } from './server.ts'

const generator = join(projectDir, 'test/client/node_modules/openapi-typescript/bin/cli.js')
const compiler = join(projectDir, 'node_modules/typescript/bin/tsc')

/** Runs a program and returns its output. Throws if it fails. */
async function run(program: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...args], {
    cwd: projectDir,
  }).catch((failed: { stdout: string; stderr: string }) => {
    throw new Error(failed.stdout + failed.stderr)
  })
  return stdout
}

let server: Joined
beforeAll(async () => {
  server = await joinServer()
})

type Body = { content: { 'application/json': { examples: Record<string, { value: object }> } } }
type Operation = { requestBody?: Body }

it('A generated client compiles, and creates, lists and bulk-creates leads', async () => {
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

it('The samples of the description in TypeScript compile with our client', async () => {
  const samplesDir = join(projectDir, 'dist/client/samples')
  rmSync(samplesDir, { recursive: true, force: true })
  mkdirSync(samplesDir, { recursive: true })
  const operations = Object.values(describeApi().paths).flatMap((item) => Object.values(item))
  for (const { operationId, security, 'x-codeSamples': samples = [] } of operations) {
    const [sample] = samples.filter(({ lang }) => lang === 'TypeScript')
    const isForOperator = security.some(({ ApiKey }) => ApiKey?.includes('operate'))
    if (!isForOperator) writeFileSync(join(samplesDir, `${operationId}.ts`), sample?.source ?? 'none')
  }
  const compilerOptions = {
    paths: { '@lead-intake/client': ['../../../src/sdk/src/lead-intake.ts'] },
    types: ['node'],
    lib: ['ES2024', 'DOM'],
    // A sample shows what it gets.
    noUnusedLocals: false,
  }
  const config = { extends: '../../../tsconfig.json', compilerOptions, include: ['*.ts'], exclude: [] }
  writeFileSync(join(samplesDir, 'tsconfig.json'), JSON.stringify(config))
  await run(compiler, '--noEmit', '-p', samplesDir)
})

/** Replaces those members that the value has. */
function fill(value: unknown, members: Readonly<Record<string, unknown>>): unknown {
  const own = Object.keys(members).filter((name) => Object.hasOwn(value as object, name))
  return { ...(value as object), ...Object.fromEntries(own.map((name) => [name, members[name]])) }
}

it('The examples of the description work against the demo campaign', async () => {
  const { base, keys } = server
  const document = (await (await fetch(`${base}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  // The operator's need another key, and other companies than the demo's.
  const isOfCompanies = ([path]: readonly [string, unknown]) => !/^\/api\/v1\/(companies|restor)/.test(path)
  const examples = Object.entries(document.paths)
    .filter(isOfCompanies)
    .flatMap(([path, item]) =>
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
  const send = (method: string, path: string, value: unknown) =>
    fetch(base + path, { method, headers, body: JSON.stringify(value) })
  const create = async (path: string, value: unknown) =>
    (await (await send('POST', path, value)).json()) as { data: Record<string, string> }
  const lead = await create('/api/v1/leads', { campaignId: 'demo', phoneNumber: '+14155550177' })
  const webhook = await create('/api/v1/webhooks', {
    url: 'https://example.com/',
    types: ['call.reported'],
    campaignId: 'demo',
  })
  const key = await create('/api/v1/keys', { name: 'crm', scope: 'read' })
  // Values that no example can know.
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  const known = { leadId: lead.data.leadId, previousExpiresAt: inAnHour, since: new Date().toISOString() }
  const ids: Record<string, string> = { ...lead.data, ...webhook.data, ...key.data, campaignId: 'demo' }
  for (const [index, { method, path, value }] of examples.entries()) {
    // A claim that may wait for a lead finds one: it would wait for 25 s.
    if ('waitSeconds' in value)
      await create('/api/v1/leads', { campaignId: 'demo', phoneNumber: `+1415555${9000 + index}` })
    // An example before it erases the other.
    if (path.endsWith('/preview'))
      known.leadId = (
        await create('/api/v1/leads', { campaignId: 'demo', phoneNumber: '+14155550178' })
      ).data.leadId
    const answer = await send(
      method,
      path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name),
      fill(value, known),
    )
    const creates =
      /^\/api\/v1\/(leads|webhooks|campaigns|campaigns\/\{campaignId\}\/sources|members|keys|keys\/\{keyId\}\/rotate)$/
    const starts = path.endsWith('/dialer/test')
    const success = starts ? 202 : method === 'POST' && creates.test(path) ? 201 : 200
    expect([method, path, answer.status]).toEqual([method, path, success])
    // The examples behind it are for the source or the member that it creates.
    if (!/\/(?:sources|members)$/.test(path)) continue
    const { data } = (await answer.json()) as { data: Record<string, string> }
    for (const id of ['sourceId', 'memberId']) ids[id] = data[id] ?? ids[id] ?? ''
  }
})
