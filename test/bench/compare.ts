// Whether a change pays: the working tree beside a commit, in alternation, as `npm run bench` compares Workers.
// `node test/bench/compare.ts <commit> [endpoint,...] [connections] [rounds]`; `;` separates endpoints too, and without
// any all are compared. Each side has the tables of its own migrations, so that an index costs the side that has it.
// Ratios above 1: the working tree is faster. With one connection each request is a turn of its own: it takes a hundred
// rounds and more, and finds differences of 1 or 2 % on a busy machine; brackets: where the median lies with 95 %. Rows
// and SQL, of those requests that cost.ts measures, are of one request each.
import { join } from 'node:path'
import { unpackCommit } from '../support/run/commit.ts'
import { endpointNames, findEndpoints, type Kind } from './endpoints.ts'
import { type Load, withLoad } from './load-process.ts'
import { type Cost, costSeed, measureCosts } from './measures/cost.ts'
import { runCell, warmUp } from './measures/throughput.ts'
import { measureTurns } from './measures/turns.ts'
import { build, type Runtime, type StartOptions, scratchDir, start } from './runtime.ts'
import { medianWithin, pairedRatio, type Spread, spread } from './statistics.ts'
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
await withSides(costSeed, { isCounted: true }, compareCosts)

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
    if (plan.connections === 1) {
      await compareTurns(runtime, name, kind)
      continue
    }
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

async function compareTurns(runtime: Runtime, name: string, kind: Kind): Promise<void> {
  const turns = await measureTurns(runtime, workers, kind, plan.rounds)
  const compared = (['ms', 'cpuMs'] as const).map((part) => {
    const [ours, before] = [turns.ours[part], turns.before[part]]
    const { median, min, max } = medianWithin(before.map((value, turn) => value / (ours[turn] as number)))
    const medians = [ours, before].map((values) => spread(values).median.toFixed(3)).join(' / ')
    return `${median.toFixed(3)} [${min.toFixed(3)} to ${max.toFixed(3)}], ${medians} ms`
  })
  console.log(`${name}: ${compared[0]}; by processor time ${compared[1]}`)
}

async function compareCosts(runtime: Runtime): Promise<void> {
  const costs = await measureCosts(runtime, workers)
  for (const { name } of group.endpoints) {
    const [own, before] = workers.map((worker) =>
      costs.find((cost) => cost.worker === worker && cost.request === name),
    )
    if (own === undefined || before === undefined) continue
    const beside = (of: (cost: Cost) => number) => `${of(own)} / ${of(before)}`
    console.log(
      `${name}: rows read ${beside(({ inAll }) => inAll.rowsRead)}, written ` +
        `${beside(({ inAll }) => inAll.rowsWritten)}, statements ${beside(({ trips }) => trips.statements)}, bytes ` +
        `of SQL ${beside(({ trips }) => trips.sqlBytes)}`,
    )
  }
}

function show({ median, min, max }: Spread): string {
  return `${median.toFixed(3)} (${min.toFixed(2)} to ${max.toFixed(2)})`
}
