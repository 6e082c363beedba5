// `npm run test:flaky -- --runs 10`: runs the suite so many times, every second time beside two busy loops, and names
// the tests whose outcome was not the same in every run. Paths behind it name a part of the suite.
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { prepareEnvironment, projectDir } from './environment.ts'
import { differingTests, type Outcomes, outcomesOf, type SuiteReport } from './support/run/outcomes.ts'

/** Longer than any run takes: for loops that nobody has ended. */
const mostBusyMs = 3_600_000

const { values, positionals } = parseArgs({
  options: { runs: { type: 'string', default: '10' } },
  allowPositionals: true,
})
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) {
  process.stderr.write('error: --runs takes a whole number from 1\n')
  process.exit(2)
}

const scratchDir = prepareEnvironment()
try {
  const all: Outcomes[] = []
  for (let number = 1; number <= runs; number++) all.push(await runOnce(number))
  const differing = differingTests(all)
  for (const { name, outcomes } of differing) process.stdout.write(`\n${name}\n  ${outcomes.join(', ')}\n`)
  process.stdout.write(`\n${differing.length} differing tests\n`)
  if (differing.length > 0) process.exitCode = 1
} finally {
  rmSync(scratchDir, { recursive: true, force: true })
}

async function runOnce(number: number): Promise<Outcomes> {
  const isBusy = number % 2 === 0
  const startedAtMs = Date.now()
  const loops = isBusy ? [keepBusy(), keepBusy()] : []
  const report = join(scratchDir, `run-${number}.json`)
  try {
    const exitCode = await ended(
      spawn('vitest', ['run', '--reporter=json', `--outputFile=${report}`, ...positionals], {
        cwd: projectDir,
        stdio: 'ignore',
        shell: process.platform === 'win32',
      }),
    )
    const outcomes = outcomesOf(readReport(report), exitCode, projectDir)
    const failed = [...outcomes].filter(([, outcome]) => outcome === 'failed')
    const seconds = Math.round((Date.now() - startedAtMs) / 1000)
    process.stdout.write(
      `run ${number} of ${runs}${isBusy ? ', beside two busy loops' : ''}: ${failed.length} failed (${seconds} s)\n`,
    )
    for (const [name] of failed) process.stdout.write(`  ${name}\n`)
    return outcomes
  } finally {
    for (const loop of loops) loop.kill()
  }
}

/** A process that keeps a core busy until it is ended, this one ends, or its time is over. */
function keepBusy(): ChildProcess {
  const loop = `const endsAtMs = Date.now() + ${mostBusyMs}
    while (Date.now() < endsAtMs && process.ppid === ${process.pid});`
  return spawn(process.execPath, ['-e', loop], { stdio: 'ignore' })
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.on('error', () => resolve(1))
    child.on('close', (code) => resolve(code ?? 1))
  })
}

function readReport(file: string): SuiteReport | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SuiteReport
  } catch {
    return null
  }
}
