// Processor time of a request, and requests per second, of Workers in alternation: in every round each has a turn at
// every endpoint, and who goes first changes. Ratios are taken within a round. Processor time is all of workerd's: what
// a request leaves to do behind its answer is a part of it, and other work on the machine is not.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Endpoint, type Group, type Kind, refused } from '../endpoints.ts'
import type { Load } from '../load-process.ts'
import { cpuSeconds } from '../process-usage.ts'
import type { Runtime } from '../runtime.ts'
import { pairedRatio, type Spread, spread } from '../statistics.ts'

export type Plan = {
  readonly rounds: number
  readonly warmUpMs: number
  readonly durationMs: number
  readonly connections: number
}

export type Throughput = {
  readonly endpoint: Endpoint
  /** Medians. */
  readonly cpuMs: { readonly floor: number; readonly ours: number }
  /** By processor time. */
  readonly oursToFloor: Spread
  /** By requests per second. */
  readonly oursToPeer: Spread
  /** The median. What the floor does not reach is no goal for ours. */
  readonly floorToPeer: number
  /** The load generator's part of a core, at most. */
  readonly loadCpu: number
}

export const contenders = ['floor', 'peer', 'ours'] as const
type Contender = (typeof contenders)[number]

/** A turn of many leads or calls takes long. */
const fewRounds = 5
const takesFewRounds = (kind: Kind) =>
  kind.path === 'bulk' || ('calls' in kind && kind.path !== 'agent' && kind.calls > 10)

let from = 1

/** Everything once before anything is timed. */
export async function warmUp(
  runtime: Runtime,
  load: Load,
  { warmUp, endpoints }: Group,
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    const port = runtime.workers.get(name)?.port as number
    for (const [kind, requests] of warmUp) {
      for (const end = from + requests; from < end; ) {
        const job = { port, kind, from, connections: Math.min(8, requests), warmUpMs: 0, durationMs: 200 }
        from = (await load.run(job)).next
      }
    }
    await settle(runtime.pid)
  }
  if (!endpoints.some(({ kind }) => kind === refused)) return
  for (const name of names) if (!neverRefusing.includes(name)) await spendHour(runtime, load, name)
}

/** The floor only counts, and of the peer no refusal is measured. */
const neverRefusing = ['floor', 'peer']

async function spendHour(runtime: Runtime, load: Load, name: string): Promise<void> {
  const port = runtime.workers.get(name)?.port as number
  const spending = { port, kind: refused, from: 0, connections: 8, warmUpMs: 0, durationMs: 300 }
  for (let isSpent = false; !isSpent; ) {
    const { statuses } = await load.run(spending)
    isSpent = statuses[429] !== undefined && statuses[200] === undefined
  }
}

export async function measureThroughput(
  runtime: Runtime,
  load: Load,
  endpoints: readonly Endpoint[],
  plan: Plan,
  say: (text: string) => void,
): Promise<Throughput[]> {
  const results: Throughput[] = []
  for (const endpoint of endpoints) {
    const perSecond: Record<Contender, number[]> = { floor: [], peer: [], ours: [] }
    const cpuMs: Record<Contender, number[]> = { floor: [], peer: [], ours: [] }
    let loadCpu = 0
    for (let round = 0; round < roundsOf(endpoint, plan); round++) {
      for (let turn = 0; turn < contenders.length; turn++) {
        const side = contenders[(turn + round) % contenders.length] as Contender
        const cell = await runCell(runtime, load, side, endpoint.kind, plan)
        perSecond[side].push(cell.perSecond)
        cpuMs[side].push(cell.cpuMs)
        loadCpu = Math.max(loadCpu, cell.loadCpu)
      }
    }
    const toPeer = (side: Contender) =>
      pairedRatio(perSecond.peer.length === 0 ? [] : perSecond[side], perSecond.peer)
    const result: Throughput = {
      endpoint,
      cpuMs: { floor: spread(cpuMs.floor).median, ours: spread(cpuMs.ours).median },
      oursToFloor: pairedRatio(cpuMs.floor, cpuMs.ours),
      oursToPeer: toPeer('ours'),
      floorToPeer: toPeer('floor').median,
      loadCpu,
    }
    results.push(result)
    const ratios = `${result.oursToFloor.median.toFixed(2)}, ${result.oursToPeer.median.toFixed(2)}`
    say(`${endpoint.name}: ours / floor by processor time, ours / peer by requests: ${ratios}`)
  }
  return results
}

export const roundsOf = ({ kind }: Endpoint, { rounds }: Plan) =>
  takesFewRounds(kind) ? Math.min(fewRounds, rounds) : rounds

/** The status. */
export const expectedOf = (kind: Kind) => (kind === refused ? '429' : kind.path === 'create' ? '201' : '200')

/** On a busy machine a Worker may have to answer 503, by its time limits: such a turn is taken again. */
const triesOfTurn = 4

/** A turn. Its answers have one status. */
export async function runCell(runtime: Runtime, load: Load, name: string, kind: Kind, plan: Plan) {
  for (let tries = 1; ; tries++) {
    const { cell, statuses } = await tryCell(runtime, load, name, kind, plan)
    const expected = expectedOf(kind)
    if (statuses.join() === expected) return cell
    const isBusy = tries < triesOfTurn && statuses.every((status) => [expected, '503'].includes(status))
    if (!isBusy) throw new Error(`${name} answered ${kind.path} with ${statuses.join()}, not ${expected}`)
  }
}

async function tryCell(runtime: Runtime, load: Load, name: string, kind: Kind, plan: Plan) {
  const port = runtime.workers.get(name)?.port as number
  await stockUp(load, port, kind)
  const cpuBefore = cpuSeconds(runtime.pid)
  const { warmUpMs, durationMs } = kind.path === 'report' ? untilEnd : plan
  const outcome = await load.run({ port, kind, from, connections: plan.connections, warmUpMs, durationMs })
  if (kind.path === 'create' || kind.path === 'bulk') await settle(runtime.pid)
  const cpuSpent = cpuSeconds(runtime.pid) - cpuBefore
  from = outcome.next
  const answers = outcome.statuses[expectedOf(kind)] ?? 0
  return {
    statuses: Object.keys(outcome.statuses),
    cell: {
      perSecond: outcome.requestsPerSecond,
      cpuMs: (cpuSpent * 1000) / answers,
      loadCpu: outcome.cpu,
    },
  }
}

/** Of reports, which end with what was claimed for them. */
export const untilEnd = { warmUpMs: 0, durationMs: 30_000 }

/** Claims what the next turn reports. */
export async function stockUp(load: Load, port: number, kind: Kind): Promise<void> {
  if (kind.path !== 'report') return
  const stock = { ...kind, path: 'stock', calls: kind.calls * kind.requests } as const
  from = (await load.run({ port, kind: stock, from, connections: 4, ...untilEnd })).next
}

/** What follows the answers, such as SQLite's checkpoints: then workerd is idle. */
async function settle(pid: number): Promise<void> {
  await sleep(600)
  for (let before = -1; before !== cpuSeconds(pid); await sleep(100)) before = cpuSeconds(pid)
}
