// `npm run bench`: measures the service against its floor, against a peer, and far from its database, in one run.
// The order of the measures, and what each is given; those of calls, events and waits are in
// calling-run.ts, events-run.ts and waits-run.ts. Options: `--quick` for a look in some minutes, `--save` to keep the result in README.md,
// `--only throughput,calling,...` for a part of it.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { measureCalling } from './calling-run.ts'
import { measureEvents } from './events-run.ts'
import { startLoad } from './load-process.ts'
import { type Far, limiterRowsPerAdmission, measureFar } from './measures/far.ts'
import { type Growth, largeSeed, measureGrowth, smallSeed } from './measures/growth.ts'
import { type Latency, measureLatency } from './measures/latency.ts'
import { type Memory, measureMemory, memorySeed } from './measures/memory.ts'
import { measureRefusal, type Refusal } from './measures/refusal.ts'
import { campaigns, endpoints, measureThroughput, type Throughput, warmUp } from './measures/throughput.ts'
import { measureUpload, type Upload } from './measures/upload.ts'
import { type Findings, reportText } from './report.ts'
import { type Build, benchDir, build, projectDir, scratchDir } from './runtime.ts'
import { measureWaiting } from './waits-run.ts'
import { withRuntime } from './with-runtime.ts'

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    save: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})
const leadParts = ['upload', 'far', 'memory', 'growth', 'throughput']
const parts = options.only?.split(',') ?? [...leadParts, 'calling', 'events', 'waits']
const wants = (part: string) => parts.includes(part)
const plan = options.quick
  ? { rounds: 9, warmUpMs: 50, durationMs: 250 }
  : { rounds: 11, warmUpMs: 50, durationMs: 350 }
const allConnections = options.quick ? [16] : [1, 16, 64]

/** What follows such a line in README.md is the result of the last run that measured it. */
const headings = {
  leads: '## Last run: leads',
  calls: '## Last run: calls',
  events: '## Last run: events',
  waits: '## Last run: waits',
}

const startedAt = performance.now()
function say(text: string) {
  console.log(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${text}`)
}

/** A run that hangs is no result. */
setTimeout(() => {
  console.error('The benchmark did not end within 20 minutes')
  process.exit(1)
}, 1_200_000).unref()

type Builds = Record<'floor' | 'peer' | 'ours' | 'hello' | 'farFloor' | 'farOurs' | 'farPeer', Build>

const buildOurs = () => build('ours', 'wrangler.toml', 'RateLimiter')

async function buildAll(): Promise<Builds> {
  if (!existsSync(join(benchDir, 'peer/node_modules'))) {
    await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund', '--prefix', join(benchDir, 'peer')])
  }
  const [floor, peer, ours, hello, farFloor, farOurs, farPeer] = await Promise.all([
    build('floor', 'test/bench/floor/wrangler.toml', 'FloorLimiter'),
    build('peer', 'test/bench/peer/wrangler.toml', 'DurableObjectRateLimiter'),
    buildOurs(),
    build('hello', 'test/bench/hello/wrangler.toml', ''),
    build('far-floor', 'test/bench/floor/wrangler.toml', 'FloorLimiter', ['test/bench/far/floor.ts']),
    build('far-ours', 'test/bench/far/wrangler.toml', 'RateLimiter'),
    build('far-peer', 'test/bench/peer/wrangler.toml', 'DurableObjectRateLimiter', [
      'test/bench/peer/src/far.ts',
    ]),
  ])
  return { floor, peer, ours, hello, farFloor, farOurs, farPeer }
}

type Compared = { throughput: Throughput[]; refusals: Map<string, Refusal[]>; latency: Latency }

async function compare(builds: Builds): Promise<Compared> {
  const { floor, peer, ours, hello } = builds
  const workers = {
    floor: { build: floor, campaigns },
    peer: { build: peer, campaigns },
    ours: { build: ours, campaigns },
    hello: { build: hello },
  }
  return withRuntime(workers, async (runtime) => {
    const load = startLoad()
    try {
      await warmUp(runtime, load)
      say('warm')
      const throughput = await measureThroughput(runtime, load, endpoints, plan, allConnections, say)
      const refusals = new Map<string, Refusal[]>()
      for (const [name, label] of [
        ['hello', 'Hono'],
        ['floor', 'no framework'],
      ] as const) {
        refusals.set(label, await measureRefusal(runtime, load, name, plan, allConnections))
      }
      say('refusals')
      const atSaturation = throughput.find(
        (row) => row.endpoint === 'create' && row.connections === allConnections.at(-1),
      )
      const { floor, ours } = (atSaturation as Throughput).perSecond
      const half = Math.min(floor.median, ours.median) / 2
      const latency = await measureLatency(runtime, load, half, options.quick ? 8 : 20)
      say('latency')
      return { throughput, refusals, latency }
    } finally {
      load.stop()
    }
  })
}

function grow(build: Build): Promise<Growth[]> {
  const workers = {
    small: { build, campaigns: smallSeed },
    large: { build, campaigns: largeSeed },
  }
  return withRuntime(workers, measureGrowth)
}

function fill({ ours, floor }: Builds): Promise<Memory> {
  const workers = {
    ours: { build: ours, campaigns: memorySeed },
    floor: { build: floor, campaigns: memorySeed },
  }
  return withRuntime(workers, measureMemory)
}

function moveAway({ farFloor, farOurs, farPeer }: Builds): Promise<{ far: Far[]; limiterRows: number }> {
  const workers = {
    floor: { build: farFloor, campaigns },
    peer: { build: farPeer, campaigns },
    ours: { build: farOurs, campaigns },
  }
  return withRuntime(workers, async (runtime) => ({
    far: await measureFar(runtime, options.quick ? 3 : 5),
    limiterRows: await limiterRowsPerAdmission(runtime),
  }))
}

const none: Upload = {
  clientGzipKib: Number.NaN,
  gzipKib: Number.NaN,
  peerGzipKib: Number.NaN,
  startUpMs: Number.NaN,
  helloStartUpMs: Number.NaN,
}

await mkdir(scratchDir, { recursive: true })
const caption = `${new Date().toISOString().slice(0, 10)}, ${await versions()}.`
if (parts.some((part) => part !== 'waits')) await measureCompared(await buildAll())
if (wants('waits')) {
  await print(headings.waits, await measureWaiting(await buildOurs(), options.quick, say))
}

/** All that is measured beside other Workers. */
async function measureCompared(builds: Builds): Promise<void> {
  say('built')
  if (leadParts.some(wants)) await print(headings.leads, reportText(await measureLeads(builds)))
  if (wants('calling')) {
    await print(headings.calls, await measureCalling(builds, plan, allConnections, say))
  }
  if (wants('events')) await print(headings.events, await measureEvents(builds, plan, options.quick, say))
}

async function measureLeads(builds: Builds): Promise<Findings> {
  const upload = wants('upload') ? await measureUpload(builds.ours.gzipKib, builds.peer.gzipKib) : none
  const noMemory = {
    listPeakMib: NaN,
    listedMib: NaN,
    bulkPeakMib: NaN,
    floorBulkPeakMib: NaN,
    firstByteRatio: NaN,
  }
  const { far, limiterRows } = wants('far') ? await moveAway(builds) : { far: [], limiterRows: NaN }
  say('far from home')
  const memory = wants('memory') ? await fill(builds) : noMemory
  say('memory')
  const growth = wants('growth') ? await grow(builds.ours) : []
  const floorGrowth = wants('growth') ? await grow(builds.floor) : []
  say('growth')
  const nothing = { floor: NaN, ours: NaN }
  const compared = wants('throughput')
    ? await compare(builds)
    : {
        throughput: [],
        refusals: new Map(),
        latency: {
          requestsPerSecond: NaN,
          p99Ms: nothing,
          p50Ms: nothing,
          oursToFloor: NaN,
        },
      }
  return { ...compared, growth, floorGrowth, memory, far, limiterRows, upload }
}

async function versions(): Promise<string> {
  const version = async (name: string) =>
    JSON.parse(await readFile(join(projectDir, 'node_modules', name, 'package.json'), 'utf8')).version
  const of = async (name: string) => `${name} ${await version(name)}`
  const packages = await Promise.all(['workerd', 'wrangler', 'hono', 'drizzle-orm', 'zod'].map(of))
  return [`node ${process.versions.node}`, ...packages, `${cpus().length} x ${cpus()[0]?.model}`].join(', ')
}

/** Prints the result, and keeps it in place of the one before if requested. */
async function print(heading: string, text: string): Promise<void> {
  console.log(`\n${heading}\n\n${text}\n\n${caption}`)
  if (!options.save) return
  const path = join(benchDir, 'README.md')
  const sections = (await readFile(path, 'utf8')).split(/^(?=## )/m)
  const others = sections.filter((section) => !section.startsWith(`${heading}\n`))
  const own = `${heading}\n\n${caption}\n\n${text}\n`
  await writeFile(path, [...others.map((section) => `${section.trimEnd()}\n`), own].join('\n'))
}
