// Requests per second of the three Workers, in alternation: in every round each has a turn at every endpoint and
// number of connections, and who goes first changes. Beside it the processor time that workerd spent on a
// request, which other work on the machine disturbs less.
import { type CallingKind, isCalling } from '../calling-requests.ts'
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

export type Endpoint<Kind = RequestKind | CallingKind> = {
  readonly name: string
  readonly kind: Kind
}
export type LeadEndpoint = Endpoint<RequestKind> & { readonly peerTarget: number }
export const endpoints: readonly LeadEndpoint[] = [
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

/** A turn of bulks at 64 connections takes three seconds, and claims of a hundred take many leads. */
const fewRounds = 5
const takesFewRounds = (kind: RequestKind | CallingKind) =>
  kind.path === 'bulk' || (isCalling(kind) && kind.calls > 10)

let from = 1

/** Keys and addresses get their Durable Objects, and the code its optimised form, before anything is timed. */
export async function warmUp(
  runtime: Runtime,
  load: Load,
  names: readonly string[] = contenders,
  turns: readonly (readonly [kind: RequestKind | CallingKind, requests: number])[] = warmingTurns,
): Promise<void> {
  for (const name of names) {
    const port = runtime.workers.get(name)?.port as number
    const job = { port, warmUpMs: 0, durationMs: 200 }
    for (const [kind, requests] of turns) {
      for (const end = from + requests; from < end; ) {
        const { next } = await load.run({ ...job, kind, from, connections: Math.min(8, requests) })
        from = next
      }
    }
  }
}

const warmingTurns = [
  [{ path: 'list', campaignId: 'list50' }, keyCount],
  [{ path: 'health' }, addressCount],
  [{ path: 'bulk', campaignId: 'bulk', leads: 1, metadataBytes: 60 }, keyCount],
  [{ path: 'create', campaignId: 'create' }, keyCount],
] as const

export async function measureThroughput(
  runtime: Runtime,
  load: Load,
  endpoints: readonly Endpoint[],
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
      const rounds = takesFewRounds(endpoint.kind) ? Math.min(fewRounds, plan.rounds) : plan.rounds
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
  kind: RequestKind | CallingKind,
  connections: number,
  plan: Plan,
  expected?: string,
) {
  const port = runtime.workers.get(name)?.port as number
  if (kind.path === 'report') {
    const stock = { ...kind, path: 'stock', calls: kind.calls * kind.requests } as const
    from = (await load.run({ port, kind: stock, from, connections: 4, warmUpMs: 0, durationMs: 30_000 })).next
  }
  const cpuBefore = cpuSeconds(runtime.pid)
  // Reports end with what was claimed for them.
  const time = kind.path === 'report' ? { warmUpMs: 0, durationMs: 30_000 } : plan
  const outcome = await load.run({ port, kind, from, connections, ...time })
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
