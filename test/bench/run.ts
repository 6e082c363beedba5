// `npm run bench`: measures the service beside its floor and a peer, and prints the tables of README.md. Options:
// `--quick` for a look in some minutes; `--only throughput,calling,...` for some of the parts below; `--save` writes
// what was measured into README.md; `--connections` for another number than that of the goals; `--help` says so.
import { readFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { bundleSize } from '../support/run/bundle.ts'
import { callGroup, type Group, leadGroup } from './endpoints.ts'
import { withLoad } from './load-process.ts'
import { measureBeside } from './measures/beside.ts'
import { measureClaimGrowth } from './measures/claims.ts'
import { measureCompanies } from './measures/companies.ts'
import { costSeed, limiterRows, measureCosts } from './measures/cost.ts'
import { measureDialers } from './measures/dialers.ts'
import { measureEvents } from './measures/events.ts'
import { measureGrowth } from './measures/growth.ts'
import { measureIndexCost } from './measures/index-cost.ts'
import { measureMemory } from './measures/memory.ts'
import { measureStores } from './measures/stores.ts'
import { contenders, measureThroughput, warmUp } from './measures/throughput.ts'
import { measureWaits, shapes } from './measures/waits.ts'
import { save, textOf } from './page.ts'
import { benchDir, projectDir } from './runtime.ts'
import * as storeRows from './store-tables.ts'
import * as rows from './tables.ts'
import { withRuntime } from './with-runtime.ts'
import { type Builds, buildAll } from './workers.ts'

/** Of `--help`. Also the options that there are. */
const optionTexts = {
  quick: 'a look in some minutes: fewer rounds, and shorter ones',
  save: 'writes what was measured into test/bench/README.md',
  only: 'measures some of the parts below, with commas between: --only throughput,calling',
  connections: 'connections of the load generator (16, for which the goals are)',
  help: 'prints this',
}

const options = readOptions()
const plan = {
  rounds: options.quick ? 9 : 11,
  warmUpMs: 50,
  durationMs: options.quick ? 250 : 350,
  connections: Number(options.connections),
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        quick: { type: 'boolean', default: false },
        save: { type: 'boolean', default: false },
        only: { type: 'string' },
        connections: { type: 'string', default: '16' },
        help: { type: 'boolean', short: 'h', default: false },
      } satisfies Record<keyof typeof optionTexts, NonNullable<ParseArgsConfig['options']>[string]>,
    })
    if (!/^[1-9]\d{0,3}$/.test(values.connections)) fail('--connections is a number, such as 16')
    return values
  } catch (error) {
    return fail((error as Error).message)
  }
}

function fail(problem: string): never {
  process.stderr.write(`error: ${problem}\nWhat there is: npm run bench -- --help\n`)
  process.exit(1)
}

const startedAt = performance.now()
function say(text: string) {
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`)
}

/** A run that hangs is no result. */
setTimeout(() => {
  console.error('The benchmark did not end within 90 minutes')
  process.exit(1)
}, 5_400_000).unref()

async function speed({ floor, peer, ours }: Builds, all: Group): Promise<rows.Row[]> {
  // Neither floor nor peer has a refusal to compare ours with.
  const group = { ...all, endpoints: all.endpoints.filter(({ kind }) => kind.path !== 'refused') }
  const { campaigns } = group
  const workers = {
    floor: { build: floor, campaigns },
    peer: { build: peer, campaigns },
    ours: { build: ours, campaigns },
  }
  const results = await withRuntime(workers, (runtime) =>
    withLoad(async (load) => {
      await warmUp(runtime, load, group, contenders)
      say('warm')
      return measureThroughput(runtime, load, group.endpoints, plan, say)
    }),
  )
  say(
    `the load generator took ${Math.max(...results.map(({ loadCpu }) => loadCpu)).toFixed(2)} of a core at most`,
  )
  return results.map(rows.speedRow)
}

async function costs({ floor, ours }: Builds): Promise<rows.Tables> {
  const workers = { floor: { build: floor, campaigns: costSeed }, ours: { build: ours, campaigns: costSeed } }
  const measure = withRuntime(
    workers,
    async (runtime) => ({
      costs: await measureCosts(runtime, ['floor', 'ours']),
      limiter: await limiterRows(runtime, 'ours'),
    }),
    { isCounted: true },
  )
  const { costs, limiter } = await measure
  return { 'What does it cost': rows.costRows(costs), 'In all': [rows.limiterRow(limiter)] }
}

type Part = { readonly says: string; readonly measure: (builds: Builds) => Promise<rows.Tables> }

/** By their names in `--only`, in the order of a run. */
const parts: Readonly<Record<string, Part>> = {
  upload: {
    says: 'size of the Worker, of the peer and of the client',
    measure: async ({ ours, peer }) => {
      const clientKib = bundleSize(join(benchDir, 'create-by-client.ts')) / 1024
      return { 'In all': rows.uploadRows(ours.gzipKib, peer.gzipKib, clientKib) }
    },
  },
  cost: {
    says: 'rows, trips and bytes of SQL of each request, beside the floor',
    measure: costs,
  },
  memory: {
    says: 'peak of memory under a list of 100,000 leads and a bulk of 8 MB',
    measure: async (builds) => ({ 'In all': rows.memoryRows(await measureMemory(builds)) }),
  },
  throughput: {
    says: 'processor time and requests per second: create, lists, bulk, health',
    measure: async (builds) => ({ 'How fast': await speed(builds, leadGroup) }),
  },
  calling: {
    says: 'the same for claims and reports',
    measure: async (builds) => ({ 'How fast': await speed(builds, callGroup) }),
  },
  growth: {
    says: 'times among 1,000 and 1,000,000 leads',
    measure: async (builds) => ({
      'How does it grow': [
        ...rows.growthRows(await measureGrowth(builds.ours), await measureGrowth(builds.floor)),
        ...rows.claimGrowthRows(await measureClaimGrowth(builds)),
      ],
    }),
  },
  events: {
    says: 'from the commit to a webhook, and what listeners cost',
    measure: async ({ ours }) => ({
      'In all': rows.eventRows(await measureEvents(ours, plan, options.quick, say)),
    }),
  },
  stores: {
    says: 'a company with a store of its own beside one in D1',
    measure: async ({ ours }) => {
      const stores = await measureStores(ours, plan, say)
      return { 'A store of its own': storeRows.storeRows(stores), 'In all': storeRows.memoryRows(stores) }
    },
  },
  companies: {
    says: '1, 10 and 100 companies, in D1 and with stores of their own',
    measure: async ({ ours }) => ({
      'Many companies': storeRows.companyRows(await measureCompanies(ours, plan, say)),
    }),
  },
  dialers: {
    says: 'from a lead to the request that starts its call, and what a call costs',
    measure: async ({ ours }) => ({
      'In all': rows.dialerRows(await measureDialers(ours, options.quick, say)),
    }),
  },
  index: {
    says: 'what the search index costs a bulk',
    measure: async ({ ours }) => ({ 'In all': rows.indexRows(await measureIndexCost(ours, options.quick)) }),
  },
  beside: {
    says: 'how long a create takes beside ten bulks at once',
    measure: async ({ ours }) => ({ 'In all': rows.besideRows(await measureBeside(ours, options.quick)) }),
  },
  waits: {
    says: 'from a lead to the agent that waits for it',
    measure: async ({ ours }) => {
      const inShape = (shape: keyof typeof shapes) => measureWaits(ours, shapes[shape], options.quick, say)
      return { 'In all': rows.waitRows(await inShape('many'), await inShape('one')) }
    },
  },
}

const wanted = options.only?.split(',') ?? Object.keys(parts)
const unknown = wanted.filter((name) => !(name in parts))
if (options.help) {
  console.log(helpText())
  process.exit()
}
if (unknown.length > 0) fail(`no part ${unknown.join()}`)

const builds = await buildAll()
say('built')
const measured: Partial<Record<rows.Heading, rows.Row[]>> = {}
for (const [name, { measure }] of Object.entries(parts)) {
  if (!wanted.includes(name)) continue
  for (const [heading, more] of Object.entries(await measure(builds)) as [rows.Heading, rows.Row[]][])
    measured[heading] = [...(measured[heading] ?? []), ...more]
  say(name)
}
const words = process.argv.slice(2).filter((word) => word !== '--save')
const command = ['npm run bench', ...(words.length > 0 ? ['--', ...words] : [])].join(' ')
const caption = `${new Date().toISOString().slice(0, 10)}, \`${command}\`;\n${await versions()}.`
console.log(`\n${textOf(measured)}\n\n${caption}`)
if (options.save) await save(measured, caption)

function helpText(): string {
  const table = (entries: readonly (readonly [string, string])[]) =>
    entries.map(([name, text]) => `  ${name.padEnd(16)}${text}`).join('\n')
  return `npm run bench -- [options]

Measures the service beside a floor (the least that a correct service must do) and a peer (what a team would write in a
day), and prints tables with the goals: up to an hour in all. Use a quiet machine: rows and sizes are exact on any,
times
are not. A busy one makes requests wait or fail by their time limits: those are sent again.

Options:
${table(Object.entries(optionTexts).map(([name, text]) => [`--${name}`, text]))}

Parts:
${table(Object.entries(parts).map(([name, { says }]) => [name, says]))}

Whether a change pays: node test/bench/compare.ts <commit> [endpoint,...] [connections] [rounds]
Where the time goes:   node test/bench/profile.ts <endpoint> [connections] [ours|own|floor]
More in test/bench/README.md.`
}

async function versions(): Promise<string> {
  const version = async (name: string) =>
    JSON.parse(await readFile(join(projectDir, 'node_modules', name, 'package.json'), 'utf8')).version
  const of = async (name: string) => `${name} ${await version(name)}`
  const packages = await Promise.all(['workerd', 'wrangler', 'hono', 'drizzle-orm', 'zod'].map(of))
  return [`node ${process.versions.node}`, ...packages, `${cpus().length} x ${cpus()[0]?.model}`].join(', ')
}
