// Where one Worker spends its processor time, by function, as workerd's inspector measures:
// `node test/bench/profile.ts create [connections] [ours|own|floor] [isolate] [file.cpuprofile]`; `d1:db` is the
// isolate of the database. `own`: the company has a store of its own, which runs in the Worker's isolate. For finding
// out why a goal is missed; no part of a run. Endpoints as in endpoints.ts. Functions have names once `minify` in
// wrangler.toml is off.
import { mkdir, writeFile } from 'node:fs/promises'
import { databaseWithShortcuts } from '../support/companies/own-store.ts'
import { type Endpoint, findEndpoints } from './endpoints.ts'
import { type Load, withLoad } from './load-process.ts'
import { stockUp, untilEnd, warmUp } from './measures/throughput.ts'
import { build, type RunningWorker, scratchDir, start } from './runtime.ts'
import { seed } from './subjects.ts'

type Frame = { functionName: string; url: string; lineNumber: number }
type Profile = {
  nodes: { id: number; callFrame: Frame; children?: number[] }[]
  samples: number[]
  timeDeltas: number[]
}

const [endpoint = 'create', connections = '16', worker = 'ours', isolate = worker, outfile] =
  process.argv.slice(2)
const durationMs = 3000
const group = findEndpoints([endpoint])

const setups = {
  ours: ['wrangler.toml', 'RateLimiter'],
  own: ['wrangler.toml', 'RateLimiter'],
  floor: ['test/bench/floor/wrangler.toml', 'FloorLimiter'],
} as const
await mkdir(scratchDir, { recursive: true })
const [config, limiter] = setups[worker as keyof typeof setups]
const setup = { build: await build(worker, config, limiter) }
const runtime = await start({ [worker]: setup }, { inspect: true })
try {
  await withLoad(profileUnder)
} finally {
  await runtime.stop()
}

async function profileUnder(load: Load): Promise<void> {
  const { db, port, sendTo } = runtime.workers.get(worker) as RunningWorker
  const storeOf = worker === 'own' ? (name: string) => databaseWithShortcuts(sendTo(name)) : null
  await seed(db, 'project', group.campaigns, { count: 1, storeOf })
  await warmUp(runtime, load, group, [worker])
  const [{ kind: turn }] = group.endpoints as [Endpoint]
  const kind = turn.path === 'report' ? { ...turn, requests: turn.requests * 10 } : turn
  const job = { port, kind, connections: Number(connections), warmUpMs: 0 }
  const run = async (from: number, durationMs: number) =>
    load.run({ ...job, from, durationMs, ...(kind.path === 'report' && untilEnd) })
  await stockUp(load, port, kind)
  const warm = await run(100_000, 500)
  await stockUp(load, port, kind)
  const { profile, outcome } = await profiled(runtime.inspectorPort as number, () =>
    run(warm.next, durationMs),
  )
  console.log(`${endpoint}: ${Math.round(outcome.requestsPerSecond)} per second`)
  const answers = Object.values(outcome.statuses).reduce((a, b) => a + b, 0)
  console.log(byFunction(profile, answers))
  if (outfile !== undefined) await writeFile(outfile, JSON.stringify(profile))
}

async function profiled<T>(inspectorPort: number, work: () => Promise<T>) {
  const targets = (await (await fetch(`http://127.0.0.1:${inspectorPort}/json`)).json()) as {
    id: string
    webSocketDebuggerUrl: string
  }[]
  const target = targets.find(({ id }) => id.includes(isolate)) ?? targets[0]
  const socket = new WebSocket(target?.webSocketDebuggerUrl as string)
  await new Promise((resolve) => socket.addEventListener('open', resolve, { once: true }))
  let id = 0
  const ask = (method: string, params = {}) =>
    new Promise<{ profile: Profile }>((resolve) => {
      const asked = ++id
      socket.addEventListener('message', function onMessage({ data }) {
        const message = JSON.parse(String(data)) as { id?: number; result: { profile: Profile } }
        if (message.id !== asked) return
        socket.removeEventListener('message', onMessage)
        resolve(message.result)
      })
      socket.send(JSON.stringify({ id: asked, method, params }))
    })
  await ask('Profiler.enable')
  await ask('Profiler.setSamplingInterval', { interval: 200 })
  await ask('Profiler.start')
  const outcome = await work()
  const { profile } = await ask('Profiler.stop')
  socket.close()
  return { profile, outcome }
}

/** Self time of each function, and of it with all it calls, in microseconds per request. */
function byFunction(profile: Profile, requests: number): string {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const parents = new Map(
    profile.nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id] as const)),
  )
  const nameOf = ({ callFrame }: { callFrame: Frame }) =>
    `${callFrame.functionName || '(anonymous)'} ${callFrame.url.split('/').at(-1)}:${callFrame.lineNumber + 1}`
  const self = new Map<string, number>()
  const total = new Map<string, number>()
  profile.samples.forEach((sample, index) => {
    const us = (profile.timeDeltas[index] ?? 0) / requests
    const node = nodes.get(sample)
    if (node === undefined) return
    self.set(nameOf(node), (self.get(nameOf(node)) ?? 0) + us)
    const seen = new Set<string>()
    for (let at: number | undefined = sample; at !== undefined; at = parents.get(at)) {
      const name = nameOf(nodes.get(at) as { callFrame: Frame })
      if (!seen.has(name)) total.set(name, (total.get(name) ?? 0) + us)
      seen.add(name)
    }
  })
  const top = (map: Map<string, number>) =>
    [...map]
      .sort((a, b) => b[1] - a[1])
      .slice(0, 40)
      .map(([name, us]) => `${us.toFixed(1).padStart(9)}  ${name}`)
      .join('\n')
  return `self, µs per request\n${top(self)}\n\nwith callees, µs per request\n${top(total)}`
}
