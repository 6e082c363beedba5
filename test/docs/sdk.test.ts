// The package of the client, installed into an empty project: checked strictly, and used under the Node of this
// machine, which may be the oldest one supported, and in workerd. The program is its README's samples.
import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestHarness } from 'wrangler'
import { parse } from 'yaml'
import { describeApi } from '../../src/docs/describe-api.ts'
import { bundleSize } from '../support/run/bundle.ts'
import { connectPages } from './connect-page.ts'
import { type Joined, joinServer, projectDir } from './server.ts'

const sdkDir = join(projectDir, 'src/sdk')
const textOf = (file: string) => readFileSync(file, 'utf8')

/** Without the project's own tools in front. */
const path = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((dir) => !dir.includes('node_modules'))
  .join(delimiter)

/** Shorter than a test may take: a program that does not end is named. */
const timeout = 100_000

async function run(program: string, args: readonly string[], cwd = projectDir, env = {}): Promise<string> {
  const options = { cwd, env: { ...process.env, ...env }, timeout }
  const { stdout } = await promisify(execFile)(program, args, options).catch(
    ({ stdout, stderr, killed }: { stdout: string; stderr: string; killed: boolean }) => {
      const how = killed ? 'did not end' : 'failed'
      throw new Error(`${program} ${args.join(' ')} ${how}: ${stdout}${stderr}`)
    },
  )
  return stdout
}

const blocks = [...textOf(join(sdkDir, 'README.md')).matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, block]) => block as string,
)
const [setup = '', ...samples] = blocks

const dial = `
async function dial(phoneNumber: string, signal: AbortSignal) {
  return { answered: phoneNumber !== '' && !signal.aborted, seconds: 20 }
}
`
const askProvider = `
async function askProvider(callId: string): Promise<'answered' | null> {
  return callId === '' ? 'answered' : null
}
`
/** Runs the samples of these numbers at once, each in a thread of its own, and prints what each has printed. */
const runSamples = `
import { text } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
const run = (index) => text(new Worker(\`./out/sample\${index}.js\`, { stdout: true }).stdout)
console.log(JSON.stringify(await Promise.all(process.argv.slice(2).map(run))))
`
/** The function in the webhooks sample has no caller, so it is exported. */
const programOf = (sample: string) =>
  [
    setup,
    sample.includes('dial(') ? dial : '',
    sample.includes('askProvider(') ? askProvider : '',
    sample.replace('async function receive', 'export async function receive'),
    'export {}',
  ].join('\n')

let server: Joined
let dir: string
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lead-intake-sdk-'))
  ;[server] = await Promise.all([joinServer(), install()])
  await Promise.all(samples.map(writeSample))
})
afterAll(async () => {
  rmSync(dir, { recursive: true, force: true })
})

async function install(): Promise<void> {
  // In a copy: building in src would restart the servers of other tests, which watch it.
  const copy = join(dir, 'copy')
  cpSync(sdkDir, copy, { recursive: true, filter: (path) => path !== join(sdkDir, 'dist') })
  const tools = join(projectDir, 'node_modules/.bin')
  await run('npm', ['pack', '--pack-destination', dir], copy, {
    PATH: [tools, process.env.PATH].join(delimiter),
  })
  rmSync(copy, { recursive: true })
  const [tarball = ''] = readdirSync(dir)
  writeFileSync(join(dir, 'package.json'), '{"name":"empty","private":true,"type":"module"}')
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(dir, tarball)], dir)
  mkdirSync(join(dir, 'src'))
  mkdirSync(join(dir, 'node_modules/@types'), { recursive: true })
  mkdirSync(join(dir, 'node_modules/@cloudflare'), { recursive: true })
  for (const name of ['@types/node', 'undici-types', '@cloudflare/workers-types'])
    symlinkSync(join(projectDir, 'node_modules', name), join(dir, 'node_modules', name))
  writeFileSync(join(dir, 'run-samples.js'), runSamples)
}

/** Each sample has its own campaign and key: they run at once, and the agent takes every lead there is. */
async function writeSample(sample: string, index: number): Promise<void> {
  const campaignId = `sample-${index}`
  await server.addCampaign(campaignId)
  const { key } = await server.addKey('manage', campaignId)
  const program = programOf(sample)
    .replace('https://leads.example.com', server.base)
    .replace('lk_...', key)
    .replaceAll("'demo'", `'${campaignId}'`)
  writeFileSync(join(dir, 'src', `sample${index}.ts`), program)
  // The first sample creates the lead that the others expect. A call of one campaign keeps its number from the others.
  const phoneNumber = sample.includes('calls.claim') ? '+14155550143' : '+14155550142'
  if (index > 0) await createLead(campaignId, phoneNumber)
}

async function createLead(campaignId: string, phoneNumber: string): Promise<void> {
  const { status } = await fetch(`${server.base}/api/v1/leads`, {
    method: 'POST',
    headers: { 'x-api-key': server.keys.manage, 'content-type': 'application/json' },
    body: JSON.stringify({ campaignId, phoneNumber }),
  })
  expect(status).toBe(201)
}

const compiler = join(projectDir, 'node_modules/typescript/bin/tsc')
const olderCompiler = join(projectDir, 'test/client/node_modules/typescript/bin/tsc')
const strictly = {
  strict: true,
  exactOptionalPropertyTypes: true,
  // TypeScript's own files: checking them takes as long as all else. Those of the package are checked.
  skipDefaultLibCheck: true,
  target: 'ES2022',
  rootDir: 'src',
  outDir: 'out',
}
const bundled = { module: 'ESNext', moduleResolution: 'Bundler', noEmit: true }
const runtimes = {
  node: { module: 'NodeNext', lib: ['ES2022'], types: ['node'] },
  browser: { ...bundled, lib: ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'], types: [] },
  workers: { ...bundled, lib: ['ES2022'], types: ['@cloudflare/workers-types'], skipLibCheck: true },
}

/** Type-checks the samples as a project for this runtime would. */
async function check(tsc: string, runtime: keyof typeof runtimes): Promise<void> {
  const config = join(dir, `tsconfig.${runtime}.json`)
  writeFileSync(
    config,
    JSON.stringify({ compilerOptions: { ...strictly, ...runtimes[runtime] }, include: ['src'] }),
  )
  await run(process.execPath, [tsc, '-p', config], dir)
}

let compiling: Promise<void> | undefined
/** The samples compiled for Node, once, whichever test needs them first. */
const compiled = () => {
  compiling ??= check(compiler, 'node')
  return compiling
}

it('The package has the version of the service and no dependencies', () => {
  const [ours, its] = [projectDir, sdkDir].map((where) => JSON.parse(textOf(join(where, 'package.json'))))
  expect(its.version).toBe(ours.version)
  expect(Object.keys(its).filter((name) => /dependencies/i.test(name))).toEqual([])
})

// Anybody can take its name in a registry, and the installed package gets the API keys.
it('The package is installed as a packed file on every page that shows the installation', () => {
  const pages = ['README.md', ...connectPages, 'src/sdk/README.md', 'src/admin/operations/deploy.md']
  const texts = [...pages.map((page) => textOf(join(projectDir, page))), describeApi().info.description]
  const installed = texts.flatMap((text) => [
    ...text.matchAll(
      /\b(?:npm (?:install|i|add|exec)|npx|yarn add|pnpm add|bun add) +(\S*lead-intake\S*client\S*)/g,
    ),
  ])
  expect(installed.map(([, what]) => what)).toEqual(['../lead-intake/lead-intake-client-*.tgz'])
})

it('The package is published with provenance, by a tag with its version', () => {
  const workflow = parse(textOf(join(projectDir, '.github/workflows/publish-client.yml')))
  expect(workflow.on).toEqual({ push: { tags: ['client-v*'] } })
  expect(workflow.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
  const commands: string[] = workflow.jobs.publish.steps.map(({ run = '' }: { run?: string }) => run)
  expect(commands.at(-1)).toBe('npm publish -w src/sdk --provenance --access public')
  expect(commands.some((command) => command.includes('client-v$(node -p'))).toBe(true)
})

it('The package describes each method in an editor', () => {
  const methods = ['leads', 'calls', 'operations'].flatMap((name) => {
    const lines = textOf(join(dir, `node_modules/@lead-intake/client/dist/${name}.d.ts`)).split('\n')
    return lines.flatMap((line, index) => {
      const [, method] = /^ {4}(\w+)(?:\(|: \()/.exec(line) ?? []
      return method === undefined ? [] : [{ method, isDescribed: lines[index - 1]?.trim().endsWith('*/') }]
    })
  })
  expect(methods.length).toBeGreaterThan(30)
  expect(methods.filter(({ isDescribed }) => !isDescribed)).toEqual([])
})

// Those that start processes, at once.
it.concurrent('The package has types that match the API description', async () => {
  await run(process.execPath, [join(sdkDir, 'generate-types.ts'), '--check'])
})

it.concurrent('The package is checked strictly, by this TypeScript and an older one, with the types of each runtime', async () => {
  await Promise.all([
    compiled(),
    check(compiler, 'browser'),
    check(compiler, 'workers'),
    check(olderCompiler, 'browser'),
  ])
})

it.concurrent('The package runs the samples of its README under the Node of this machine', async () => {
  await compiled()
  const program = ['run-samples.js', ...samples.keys().map(String)]
  const printed = await run('node', program, dir, { PATH: path })
  expect(JSON.parse(printed)).toEqual([
    expect.stringMatching(/^[0-9A-Za-z]{36} is new\n$/),
    '',
    expect.stringContaining('+14155550142'),
    expect.any(String),
    expect.stringMatching(/^continue after evt_\S+\n$/),
    expect.stringMatching(/^off \[[^\]]*'pretend'\s\]\n$/),
    '',
    '',
    'dial\n',
    expect.stringMatching(/^exists: [0-9A-Za-z]{36}\n$/),
    '',
  ])
  expect(await run('node', ['out/sample0.js'], dir, { PATH: path })).toMatch(
    / exists from an earlier call\n$/,
  )
})

it.concurrent('The package works in workerd', async () => {
  writeFileSync(
    join(dir, 'worker.js'),
    `import { LeadExistsError, LeadIntake } from '@lead-intake/client'
       export default {
         async fetch() {
           const client = new LeadIntake(${JSON.stringify({ baseUrl: server.base, apiKey: server.keys.write })})
           const lead = { campaignId: 'demo', phoneNumber: '+14155550144' }
           const { leadId } = await client.leads.create(lead)
           const error = await client.leads.create(lead).catch((error) => error)
           return Response.json([error instanceof LeadExistsError, error.leadId === leadId])
         },
       }`,
  )
  writeFileSync(
    join(dir, 'wrangler.toml'),
    'name = "client"\nmain = "worker.js"\ncompatibility_date = "2026-10-01"\n',
  )
  const harness = createTestHarness({ root: dir, workers: [{ configPath: 'wrangler.toml' }] })
  try {
    const { url } = await harness.listen()
    expect(await (await fetch(url)).json()).toEqual([true, true])
  } finally {
    await harness.close()
  }
})

it('The package adds at most 5.0 KiB, compressed, to a program that creates leads', async () => {
  writeFileSync(
    join(dir, 'create.js'),
    `${setup}\nawait client.leads.create({ campaignId: 'demo', phoneNumber: '+1' })`,
  )
  expect(bundleSize(join(dir, 'create.js'))).toBeLessThanOrEqual(5 * 1024)
})
