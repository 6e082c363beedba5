// Requests per second of the three Workers, in alternation: in every round each has a turn at every endpoint and
// number of connections, and who goes first changes. Beside it the processor time that workerd spent on a
// request, which other work on the machine disturbs less.
import type { Load } from '../load-process.ts'
import { cpuSeconds } from '../process-usage.ts'
import type { RequestKind } from '../requests.ts'
import type { Runtime } from '../runtime.ts'
import { pairedRatio, type Spread, spread } from '../statistics.ts'
import { addressCount, keyCount } from '../subjects.ts'

export const contenders = ['floor', 'peer', 'ours'] as const
export type Contender = (typeof contenders)[number]

/** Leads that the campaigns of the comparison begin with. */
export const campaigns = { create: 0, bulk: 0, list50: 50, list1000: 1000 }

export type Endpoint = {
  readonly name: string
  readonly kind: RequestKind
  readonly peerTarget: number
}
export const endpoints: readonly Endpoint[] = [
  { name: 'create', kind: { path: 'create', campaignId: 'create' }, peerTarget: 1.5 },
  { name: 'list of 50', kind: { path: 'list', campaignId: 'list50' }, peerTarget: 1.5 },
  { name: 'list of 1000', kind: { path: 'list', campaignId: 'list1000' }, peerTarget: 1.5 },
  {
    name: 'bulk of 1000',
    kind: { path: 'bulk', campaignId: 'bulk', leads: 1000, metadataBytes: 214 },
    peerTarget: 4,
  },
  { name: 'health', kind: { path: 'health' }, peerTarget: 1.5 },
]

export type Plan = { readonly rounds: number; readonly warmUpMs: number; readonly durationMs: number }

export type Throughput = {
  readonly endpoint: string
  readonly peerTarget: number
  readonly connections: number
  readonly perSecond: Record<Contender, Spread>
  readonly cpuMs: Record<Contender, number>
  /** As oursToFloor, by processor time: what it would be if nothing else ran. */
  readonly oursToFloorByCpu: Spread
  readonly oursToFloor: Spread
  readonly oursToPeer: Spread
  /** The load generator's part of a core, at most. */
  readonly loadCpu: number
}

/** A turn of bulks at 64 connections takes three seconds. */
const bulkRounds = 5

let from = 1

/** Keys and addresses get their Durable Objects, and the code its optimised form, before anything is timed. */
export async function warmUp(
  runtime: Runtime,
  load: Load,
  names: readonly string[] = contenders,
): Promise<void> {
  for (const name of names) {
    const port = runtime.workers.get(name)?.port as number
    const turn = async (kind: RequestKind, requests: number) => {
      for (const end = from + requests; from < end; ) {
        const { next } = await load.run({ port, kind, from, connections: 8, warmUpMs: 0, durationMs: 200 })
        from = next
      }
    }
    await turn({ path: 'list', campaignId: 'list50' }, keyCount)
    await turn({ path: 'health' }, addressCount)
    await turn({ path: 'bulk', campaignId: 'bulk', leads: 1, metadataBytes: 60 }, keyCount)
    await turn({ path: 'create', campaignId: 'create' }, keyCount)
  }
}

export async function measureThroughput(
  runtime: Runtime,
  load: Load,
  plan: Plan,
  allConnections: readonly number[],
  onProgress: (text: string) => void,
): Promise<Throughput[]> {
  const results: Throughput[] = []
  for (const endpoint of endpoints) {
    for (const connections of allConnections) {
      const perSecond: Record<Contender, number[]> = { floor: [], peer: [], ours: [] }
      const cpuMs: Record<Contender, number[]> = { floor: [], peer: [], ours: [] }
      let loadCpu = 0
      const rounds = endpoint.kind.path === 'bulk' ? bulkRounds : plan.rounds
      for (let round = 0; round < rounds; round++) {
        for (let turn = 0; turn < contenders.length; turn++) {
          const name = contenders[(turn + round) % contenders.length] as Contender
          const cell = await runCell(runtime, load, name, endpoint.kind, connections, plan)
          perSecond[name].push(cell.perSecond)
          cpuMs[name].push(cell.cpuMs)
          loadCpu = Math.max(loadCpu, cell.loadCpu)
        }
      }
      const result: Throughput = {
        endpoint: endpoint.name,
        peerTarget: endpoint.peerTarget,
        connections,
        perSecond: forEach((name) => spread(perSecond[name])),
        cpuMs: forEach((name) => spread(cpuMs[name]).median),
        oursToFloor: pairedRatio(perSecond.ours, perSecond.floor),
        oursToPeer: pairedRatio(perSecond.ours, perSecond.peer),
        oursToFloorByCpu: pairedRatio(cpuMs.floor, cpuMs.ours),
        loadCpu,
      }
      results.push(result)
      onProgress(
        `${endpoint.name} x${connections}: ours/floor ${result.oursToFloor.median.toFixed(2)},` +
          ` by CPU ${result.oursToFloorByCpu.median.toFixed(2)}, ours/peer ${result.oursToPeer.median.toFixed(2)}`,
      )
    }
  }
  return results
}

export async function runCell(
  runtime: Runtime,
  load: Load,
  name: string,
  kind: RequestKind,
  connections: number,
  plan: Plan,
  expected?: string,
) {
  const port = runtime.workers.get(name)?.port as number
  const cpuBefore = cpuSeconds(runtime.pid)
  const outcome = await load.run({ port, kind, from, connections, ...plan })
  const cpuSpent = cpuSeconds(runtime.pid) - cpuBefore
  from = outcome.next
  const statuses = Object.keys(outcome.statuses)
  const wanted = expected ?? (kind.path === 'create' ? '201' : '200')
  if (statuses.join() !== wanted) {
    throw new Error(`${name} answered ${kind.path} with ${JSON.stringify(outcome.statuses)}, not ${wanted}`)
  }
  const answers = outcome.statuses[wanted] ?? 0
  return { perSecond: outcome.requestsPerSecond, cpuMs: (cpuSpent * 1000) / answers, loadCpu: outcome.cpu }
}

function forEach<T>(of: (name: Contender) => T): Record<Contender, T> {
  return { floor: of('floor'), peer: of('peer'), ours: of('ours') }
}
