// `npm test`: everything that guards the project, with one count. The checks run beside each other first,
// then the suite, which wants the machine for itself. Arguments go to vitest: `npm test -- test/unit`. `npm run
// test:own` runs the tests that ask for data again, with their companies in a store of their own (support/store.ts).
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { prepareEnvironment, projectDir } from './environment.ts'

type ProcessResult = { readonly exitCode: number; readonly output: string; readonly durationMs: number }
type Count = { readonly passed: number; readonly failed: number }

const scratchDir = prepareEnvironment()
const bundleDir = join(scratchDir, 'bundle')
let deployed: Promise<ProcessResult> | undefined

/** What asks for data, in workerd. */
const ownSuite = ['spec', 'contract', 'sdk', 'attack', 'runtime']
  .map((folder) => `test/${folder}`)
  .concat('--project=worker', '--project=apart')

const checks: Readonly<Record<string, () => Promise<ProcessResult>>> = {
  'deploy --dry-run': deploy,
  'format and lint': () => run('biome', ['ci', '--error-on-warnings', '--colors=off', '.']),
  types: () => run('tsc', ['--noEmit', '-p', '.']),
  'types of the console': () => run('tsc', ['--noEmit', '-p', 'src/console']),
  'binding types': () =>
    run('wrangler', ['types', '--check', '--include-runtime=false', 'src/bindings.d.ts']),
  'API description': lintApiDescription,
}

try {
  const args = process.argv.slice(2)
  const isOwn = args[0] === '--own'
  if (isOwn) process.env.TEST_STORE = 'own'
  const counts = isOwn
    ? [await runSuite([...ownSuite, ...args.slice(1)])]
    : [await runChecks(), await runSuite(args)]
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
  if (failed > 0) process.exitCode = 1
} finally {
  rmSync(scratchDir, { recursive: true, force: true })
}

/** Two at a time. */
async function runChecks(): Promise<Count> {
  const queue = Object.entries(checks)
  let failed = 0
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const [name, check] = next
      const { exitCode, output, durationMs } = await check()
      const verdict = exitCode === 0 ? 'ok  ' : 'FAIL'
      process.stdout.write(`${verdict}  ${name} (${(durationMs / 1000).toFixed(1)} s)\n`)
      if (exitCode === 0) continue
      failed++
      process.stdout.write(`${output}\n`)
    }
  }
  await Promise.all([work(), work()])
  return { passed: Object.keys(checks).length - failed, failed }
}

/** Its one build serves the API description's check, and the tests of a local deployment (test/docs/server.ts). */
function deploy(): Promise<ProcessResult> {
  deployed ??= run('wrangler', ['deploy', '--dry-run', '--outdir', bundleDir])
  return deployed
}

async function lintApiDescription(): Promise<ProcessResult> {
  const built = await deploy()
  if (built.exitCode !== 0) return built
  return run('redocly', ['lint', 'dist/assets/openapi.json', '--extends=recommended-strict'])
}

async function runSuite(args: readonly string[]): Promise<Count> {
  const report = join(scratchDir, 'vitest.json')
  if (existsSync(bundleDir)) process.env.BUILT_WORKER_DIR = bundleDir
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile=${report}`]
  const { exitCode } = await run('vitest', ['run', ...reporters, ...args], 'inherit')
  const { passed, failed } = readReport(report)
  // A test file that does not load, or an error outside any test, fails the run without failing a test.
  return { passed, failed: exitCode !== 0 && failed === 0 ? 1 : failed }
}

function readReport(file: string): Count {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8')) as {
      numPassedTests: number
      numFailedTests: number
    }
    return { passed: report.numPassedTests, failed: report.numFailedTests }
  } catch {
    return { passed: 0, failed: 0 }
  }
}

/** Runs one of the project's own tools: npm has put them on the PATH. */
function run(
  tool: string,
  args: readonly string[],
  show: 'inherit' | 'pipe' = 'pipe',
): Promise<ProcessResult> {
  const startedAtMs = Date.now()
  const child = spawn(tool, args, {
    cwd: projectDir,
    stdio: ['ignore', show, show],
    env: show === 'pipe' ? { ...process.env, NO_COLOR: '1', FORCE_COLOR: '0' } : process.env,
    shell: process.platform === 'win32',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += chunk
    })
  }
  const done = (exitCode: number) => ({ exitCode, output, durationMs: Date.now() - startedAtMs })
  return new Promise((resolve) => {
    child.on('error', (error) => {
      output += error.message
      resolve(done(1))
    })
    child.on('close', (code) => resolve(done(code ?? 1)))
  })
}
