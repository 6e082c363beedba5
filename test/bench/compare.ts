// Whether a change pays: the working tree beside a commit, in alternation, as `npm run bench` compares Workers.
// `node test/bench/compare.ts <commit> [endpoint,...] [connections] [rounds]`; `;` separates endpoints too, and without any
// all are compared. Each side has the tables of its own migrations, so that an index costs the side that has it. Ratios
// above 1: the working tree is faster.
import { join } from 'node:path'
import { unpackCommit } from '../support/commit.ts'
import { endpointNames, findEndpoints } from './endpoints.ts'
import { withLoad } from './load-process.ts'
import { runCell, warmUp } from './measures/throughput.ts'
import { build, type RunningWorker, scratchDir, start } from './runtime.ts'
import { pairedRatio, type Spread, spread } from './statistics.ts'
import { seed } from './subjects.ts'

const [commit = 'HEAD', wanted = '', connections = '16', rounds = '15'] = process.argv.slice(2)
const names = wanted.split(/[,;]/).flatMap((name) => name.trim() || [])
const group = findEndpoints(names.length === 0 ? endpointNames : names)
const plan = { rounds: Number(rounds), warmUpMs: 50, durationMs: 300, connections: Number(connections) }

const workers = ['ours', 'before'] as const
type Cell = Awaited<ReturnType<typeof runCell>>

const beforeDir = join(scratchDir, 'before')
unpackCommit(commit, beforeDir)
const runtime = await start({
  ours: { build: await build('ours', 'wrangler.toml', 'RateLimiter') },
  before: {
    build: await build('before', join(beforeDir, 'wrangler.toml'), 'RateLimiter'),
    migrationsDir: join(beforeDir, 'migrations'),
  },
})
try {
  for (const { db } of runtime.workers.values() as Iterable<RunningWorker>)
    await seed(db, 'project', group.campaigns)
  await withLoad(async (load) => {
    await warmUp(runtime, load, group, workers)
    for (const { name, kind } of group.endpoints) {
      const cells = { ours: [] as Cell[], before: [] as Cell[] }
      for (let round = 0; round < plan.rounds; round++) {
        for (const worker of round % 2 === 0 ? workers : workers.toReversed())
          cells[worker].push(await runCell(runtime, load, worker, kind, plan))
      }
      const [ours, before] = workers.map((worker) => cells[worker].map(({ cpuMs }) => cpuMs)) as [
        number[],
        number[],
      ]
      const perSecond = (worker: (typeof workers)[number]) => cells[worker].map((cell) => cell.perSecond)
      console.log(
        `${name}: ${show(pairedRatio(perSecond('ours'), perSecond('before')))},` +
          ` by processor time ${show(pairedRatio(before, ours))},` +
          ` ${spread(ours).median.toFixed(3)} / ${spread(before).median.toFixed(3)} ms`,
      )
    }
  })
} finally {
  await runtime.stop()
}

function show({ median, min, max }: Spread): string {
  return `${median.toFixed(3)} (${min.toFixed(2)} to ${max.toFixed(2)})`
}
