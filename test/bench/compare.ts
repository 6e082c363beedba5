// Whether a change pays: the working tree beside a commit, in alternation, as `npm run bench` compares Workers.
// `node test/bench/compare.ts <commit> [endpoint,...] [connections] [rounds]`; `;` separates endpoints too, and without any
// all are compared. Each side has the tables of its own migrations, so that an index costs the side that has it. Ratios
// above 1: the working tree is faster. Rows and SQL, of those requests that cost.ts measures, are of one request each.
import { join } from 'node:path'
import { unpackCommit } from '../support/commit.ts'
import { endpointNames, findEndpoints } from './endpoints.ts'
import { type Load, withLoad } from './load-process.ts'
import { type Cost, costSeed, measureCosts } from './measures/cost.ts'
import { runCell, warmUp } from './measures/throughput.ts'
import { build, type Runtime, type StartOptions, scratchDir, start } from './runtime.ts'
import { pairedRatio, type Spread, spread } from './statistics.ts'
import { type Campaigns, seed } from './subjects.ts'

const [commit = 'HEAD', wanted = '', connections = '16', rounds = '15'] = process.argv.slice(2)
const names = wanted.split(/[,;]/).flatMap((name) => name.trim() || [])
const group = findEndpoints(names.length === 0 ? endpointNames : names)
const plan = { rounds: Number(rounds), warmUpMs: 50, durationMs: 300, connections: Number(connections) }

const workers = ['ours', 'before'] as const
type Cell = Awaited<ReturnType<typeof runCell>>

const beforeDir = join(scratchDir, 'before')
unpackCommit(commit, beforeDir)
const setups = {
  ours: { build: await build('ours', 'wrangler.toml', 'RateLimiter') },
  before: {
    build: await build('before', join(beforeDir, 'wrangler.toml'), 'RateLimiter'),
    migrationsDir: join(beforeDir, 'migrations'),
  },
}
await withSides(group.campaigns, {}, (runtime) => withLoad((load) => compareTimes(runtime, load)))
await withSides(costSeed, { isFar: true }, compareCosts)

async function withSides(
  campaigns: Campaigns,
  options: StartOptions,
  use: (runtime: Runtime) => Promise<void>,
): Promise<void> {
  const runtime = await start(setups, options)
  try {
    for (const { db } of runtime.workers.values()) await seed(db, 'project', campaigns)
    await use(runtime)
  } finally {
    await runtime.stop()
  }
}

async function compareTimes(runtime: Runtime, load: Load): Promise<void> {
  await warmUp(runtime, load, group, workers)
  for (const { name, kind } of group.endpoints) {
    const cells = { ours: [] as Cell[], before: [] as Cell[] }
    for (let round = 0; round < plan.rounds; round++) {
      for (const worker of round % 2 === 0 ? workers : workers.toReversed())
        cells[worker].push(await runCell(runtime, load, worker, kind, plan))
    }
    const of = (part: keyof Cell, worker: (typeof workers)[number]) => cells[worker].map((cell) => cell[part])
    const cpuMs = workers.map((worker) => spread(of('cpuMs', worker)).median.toFixed(3))
    console.log(
      `${name}: ${show(pairedRatio(of('perSecond', 'ours'), of('perSecond', 'before')))},` +
        ` by processor time ${show(pairedRatio(of('cpuMs', 'before'), of('cpuMs', 'ours')))},` +
        ` ${cpuMs.join(' / ')} ms`,
    )
  }
}

async function compareCosts(runtime: Runtime): Promise<void> {
  const costs = await measureCosts(runtime, workers, 0)
  for (const { name } of group.endpoints) {
    const [own, before] = workers.map((worker) =>
      costs.find((cost) => cost.worker === worker && cost.request === name),
    )
    if (own === undefined || before === undefined) continue
    const beside = (of: (cost: Cost) => number) => `${of(own)} / ${of(before)}`
    console.log(
      `${name}: rows read ${beside(({ inAll }) => inAll.rowsRead)}, written ${beside(({ inAll }) => inAll.rowsWritten)},` +
        ` statements ${beside(({ trips }) => trips.statements)}, bytes of SQL ${beside(({ trips }) => trips.sqlBytes)}`,
    )
  }
}

function show({ median, min, max }: Spread): string {
  return `${median.toFixed(3)} (${min.toFixed(2)} to ${max.toFixed(2)})`
}
