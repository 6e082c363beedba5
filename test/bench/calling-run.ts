// The part of a run that is about claims and reports: in which databases it is measured, and how it is reported.
import { startLoad } from './load-process.ts'
import {
  behindSeed,
  behindSide,
  type Cost,
  callingEndpoints,
  callingSeed,
  callingWarmUp,
  callsPerRound,
  inOneRequest,
  inTwoRequests,
  largeLeads,
  largeQueues,
  largeSide,
  measureClaims,
  measureCosts,
  peerBehindSide,
  smallQueues,
  smallSide,
} from './measures/calling.ts'
import { hopsMs } from './measures/far.ts'
import { contenders, measureThroughput, type Plan, type Throughput, warmUp } from './measures/throughput.ts'
import type { Build } from './runtime.ts'
import type { Spread } from './statistics.ts'
import { atLeast, atMost, fixed, table, targetsTable, throughputTable, type Verdict } from './tables.ts'
import { withRuntime } from './with-runtime.ts'

type Builds = Record<'floor' | 'peer' | 'ours' | 'farFloor' | 'farOurs' | 'farPeer', Build>
type Claims = { readonly ms: Spread; readonly toFirst: Spread }

/** Claims of 10: of a small and a large campaign, and of ours and the peer's behind leads that are not due. */
type Growth = Record<'sizes' | 'behind' | 'floorSizes', readonly Claims[]>

const samples = 180

/** Written: of a claim 4 a lead and 1, of a report 3 a lead. Nothing is set for what a report reads. */
const rowTargets: Record<string, { readonly read?: number; readonly written: number }> = {
  'claim of 10': { read: 1_039, written: 41 },
  'report of 10': { written: 30 },
  [inOneRequest]: { written: 71 },
}

export async function measureCalling(
  builds: Builds,
  plan: Plan,
  allConnections: readonly number[],
  say: (text: string) => void,
): Promise<string> {
  const costs = await measureFarCosts(builds)
  say('rows and trips of calls')
  const growth = await grow(builds)
  say('growth of claims')
  const { floor, peer, ours } = builds
  const workers = {
    floor: { build: floor, campaigns: callingSeed },
    peer: { build: peer, campaigns: callingSeed },
    ours: { build: ours, campaigns: callingSeed },
  }
  const throughput = await withRuntime(workers, async (runtime) => {
    const load = startLoad()
    try {
      await warmUp(runtime, load, contenders, callingWarmUp)
      return await measureThroughput(runtime, load, callingEndpoints, plan, allConnections, say)
    } finally {
      load.stop()
    }
  })
  return textOf(throughput, growth, costs)
}

function measureFarCosts({ farFloor, farOurs, farPeer }: Builds): Promise<Cost[]> {
  const campaigns = { calls: 50_000 }
  const workers = {
    floor: { build: farFloor, campaigns },
    peer: { build: farPeer, campaigns },
    ours: { build: farOurs, campaigns },
  }
  return withRuntime(workers, (runtime) => measureCosts(runtime, 6))
}

async function grow({ ours, peer, floor }: Builds): Promise<Growth> {
  const own = {
    small: { build: ours, campaigns: smallQueues },
    large: { build: ours, campaigns: largeQueues },
    peer: { build: peer, campaigns: behindSeed },
  }
  const growth = await withRuntime(own, async (runtime) => ({
    sizes: await measureClaims(runtime, [smallSide, largeSide], samples),
    behind: await measureClaims(runtime, [behindSide, peerBehindSide], samples / 3),
  }))
  const floors = {
    small: { build: floor, campaigns: smallQueues },
    large: { build: floor, campaigns: { large: largeLeads } },
  }
  const floorSizes = await withRuntime(floors, (runtime) =>
    measureClaims(runtime, [smallSide, largeSide], samples),
  )
  return { ...growth, floorSizes }
}

function textOf(throughput: readonly Throughput[], growth: Growth, costs: readonly Cost[]): string {
  const costTable = table([
    [
      `Ten calls, far from home (${hopsMs} ms)`,
      'Worker',
      'warm / hops',
      'D1 trips',
      'rows read',
      'rows written',
    ],
    ...costs.map(({ what, worker, ms, trips }) => [
      what,
      worker,
      fixed(ms / hopsMs),
      String(trips.database),
      String(trips.rowsRead),
      String(trips.rowsWritten),
    ]),
  ])
  const verdicts = [...growthVerdicts(growth), ...agentVerdicts(throughput), ...costVerdicts(costs)]
  return [throughputTable(throughput), costTable, targetsTable(verdicts)].join('\n\n')
}

const median = (claims: Claims | undefined) => claims?.ms.median ?? Number.NaN

function growthVerdicts({ sizes, behind, floorSizes }: Growth): Verdict[] {
  const [small, large] = sizes
  const [own, peers] = behind
  const detail = `${fixed(median(large))} / ${fixed(median(small))} ms; floor ${fixed(median(floorSizes[1]) / median(floorSizes[0]))}`
  return [
    atMost('claim of 10: 1,000,000 due / 1,000', 1.25, median(large) / median(small), '', ` (${detail})`),
    atLeast(
      `claim of 10 behind 1,000,000 that are not due: peer / ours (${fixed(median(peers))} / ${fixed(median(own))} ms)`,
      3,
      peers?.toFirst ?? { median: Number.NaN, min: Number.NaN, max: Number.NaN },
    ),
  ]
}

const agents = 16

function agentVerdicts(throughput: readonly Throughput[]): Verdict[] {
  const leads = (endpoint: string, requests: number) =>
    throughput
      .filter((row) => row.endpoint === endpoint && row.connections === agents)
      .map(({ perSecond: { ours } }) =>
        atLeast(`leads a second, ${endpoint}, ${agents} agents`, 2000, times(ours, callsPerRound / requests)),
      )
  return [...leads(inOneRequest, 1), ...leads(inTwoRequests, 2)]
}

const times = ({ median, min, max }: Spread, factor: number): Spread => ({
  median: median * factor,
  min: min * factor,
  max: max * factor,
})

function costVerdicts(costs: readonly Cost[]): Verdict[] {
  const ours = costs.filter(({ worker }) => worker === 'ours')
  return ours.flatMap(({ what, trips }) => {
    const { read, written } = rowTargets[what] ?? {}
    return [
      ...(read === undefined ? [] : [atMost(`${what}: rows read`, read, trips.rowsRead)]),
      ...(written === undefined ? [] : [atMost(`${what}: rows written`, written, trips.rowsWritten)]),
    ]
  })
}
