// Whether a change pays: the working tree beside a commit, in alternation, as `npm run bench` compares Workers.
// `node test/bench/compare.ts <commit> [endpoint,...] [connections] [rounds]`; the endpoints are those of the
// tables, and `refused`. Each has the tables of its own migrations, so that an index costs the side that has it. Above 1,
// the working tree is faster.
import { join } from 'node:path'
import { unpackCommit } from '../support/commit.ts'
import { isCalling } from './calling-requests.ts'
import { startLoad } from './load-process.ts'
import { callingEndpoints, callingSeed, callingWarmUp } from './measures/calling.ts'
import { refused, spendHour, spentKey } from './measures/refusal.ts'
import { campaigns, endpoints, runCell, warmUp } from './measures/throughput.ts'
import { build, type RunningWorker, scratchDir, start } from './runtime.ts'
import { pairedRatio, type Spread, spread } from './statistics.ts'
import { seed } from './subjects.ts'

const all = [...endpoints, { name: 'refused', kind: refused }]
const withCalls = [...all, ...callingEndpoints]
const [commit = 'HEAD', wanted = all.map(({ name }) => name).join(), connections = '16', rounds = '15'] =
  process.argv.slice(2)

const workers = ['ours', 'before'] as const
type Contender = (typeof workers)[number]
type Cell = Awaited<ReturnType<typeof runCell>>
const plan = { rounds: Number(rounds), warmUpMs: 50, durationMs: 300 }

const beforeDir = join(scratchDir, 'before')
unpackCommit(commit, beforeDir)
const load = startLoad()
try {
  const runtime = await start({
    ours: { build: await build('ours', 'wrangler.toml', 'RateLimiter') },
    before: {
      build: await build('before', join(beforeDir, 'wrangler.toml'), 'RateLimiter'),
      migrationsDir: join(beforeDir, 'migrations'),
    },
  })
  const kinds = wanted.split(',').map((name) => {
    const kind = withCalls.find((endpoint) => endpoint.name === name)?.kind
    if (kind === undefined) throw new Error(`no endpoint ${name}`)
    return { name, kind }
  })
  const hasCalls = kinds.some(({ kind }) => isCalling(kind))
  try {
    for (const { db } of runtime.workers.values() as Iterable<RunningWorker>) {
      await seed(db, 'project', { ...campaigns, ...(hasCalls ? callingSeed : {}) }, spentKey + 1)
    }
    await warmUp(runtime, load, workers)
    if (hasCalls) await warmUp(runtime, load, workers, callingWarmUp)
    for (const { name, kind } of kinds) {
      const status = kind === refused ? '429' : undefined
      if (kind === refused) for (const worker of workers) await spendHour(runtime, load, worker)
      const cells = { ours: [] as Cell[], before: [] as Cell[] }
      for (let round = 0; round < plan.rounds; round++) {
        for (const worker of round % 2 === 0 ? workers : workers.toReversed()) {
          cells[worker].push(await runCell(runtime, load, worker, kind, Number(connections), plan, status))
        }
      }
      const of = (part: keyof Cell, worker: Contender) => cells[worker].map((cell) => cell[part])
      const cpuMs = workers.map((worker) => spread(of('cpuMs', worker)).median.toFixed(3))
      console.log(
        `${name}: ${show(pairedRatio(of('perSecond', 'ours'), of('perSecond', 'before')))},` +
          ` by processor time ${show(pairedRatio(of('cpuMs', 'before'), of('cpuMs', 'ours')))},` +
          ` ${cpuMs.join(' / ')} ms`,
      )
    }
  } finally {
    await runtime.stop()
  }
} finally {
  load.stop()
}

function show({ median, min, max }: Spread): string {
  return `${median.toFixed(3)} (${min.toFixed(2)} to ${max.toFixed(2)})`
}
