// A company in D1 beside one with a store of its own, in alternation in one run: processor time and times of single
// requests, what they cost, and memory.
import { setTimeout as sleep } from 'node:timers/promises'
import { callGroup, type Group, leadGroup } from '../endpoints.ts'
import { type Load, withLoad } from '../load-process.ts'
import { forgetPeak, memoryMib, peakMib } from '../process-usage.ts'
import { requestMaker } from '../requests.ts'
import type { Build, Runtime } from '../runtime.ts'
import { pairedRatio, type Spread, spread } from '../statistics.ts'
import { type OfSides, type Side, sides, withStores } from '../with-stores.ts'
import { type Cost, costSeed, measureCosts } from './cost.ts'
import { readAnswer } from './single-request.ts'
import { type Plan, roundsOf, runCell, warmUp } from './throughput.ts'
import { measureTurns } from './turns.ts'

/** What a company's own store answers. */
const groups: readonly Group[] = [
  {
    ...leadGroup,
    endpoints: leadGroup.endpoints.filter(({ kind }) => !['health', 'refused'].includes(kind.path)),
  },
  callGroup,
]

export type StoreSpeed = {
  readonly request: string
  /** Medians. */
  readonly cpuMs: OfSides<number>
  /** By processor time: above 1 a store of its own costs more. */
  readonly cpuToD1: Spread
  /** Of one request at a time, medians. */
  readonly singleMs: OfSides<number>
}

export type Stores = {
  readonly speeds: readonly StoreSpeed[]
  readonly costs: OfSides<readonly Cost[]>
  readonly memory: OfSides<StoreMemory>
}

export async function measureStores(build: Build, plan: Plan, say: (text: string) => void): Promise<Stores> {
  const speeds: StoreSpeed[] = []
  for (const group of groups) speeds.push(...(await measureSpeeds(build, group, plan, say)))
  const costs = await withStores(build, costSeed, (runtime) => measureCosts(runtime, sides), {
    isCounted: true,
  })
  const costsOf = (side: Side) => costs.filter(({ worker }) => worker === side)
  return {
    speeds,
    costs: { d1: costsOf('d1'), own: costsOf('own') },
    memory: await measureStoreMemory(build),
  }
}

function measureSpeeds(
  build: Build,
  group: Group,
  plan: Plan,
  say: (text: string) => void,
): Promise<StoreSpeed[]> {
  const measureIn = (runtime: Runtime) =>
    withLoad(async (load: Load) => {
      await warmUp(runtime, load, group, sides)
      const results: StoreSpeed[] = []
      for (const endpoint of group.endpoints) {
        const { name, kind } = endpoint
        const cpu: Record<Side, number[]> = { d1: [], own: [] }
        for (let round = 0; round < roundsOf(endpoint, plan); round++)
          for (const side of round % 2 === 0 ? sides : sides.toReversed())
            cpu[side].push((await runCell(runtime, load, side, kind, plan)).cpuMs)
        const turns = await measureTurns(runtime, sides, kind, kind.path === 'bulk' ? 15 : 60)
        const result = {
          request: name,
          cpuMs: { d1: spread(cpu.d1).median, own: spread(cpu.own).median },
          cpuToD1: pairedRatio(cpu.own, cpu.d1),
          singleMs: { d1: spread(turns.d1.ms).median, own: spread(turns.own.ms).median },
        }
        results.push(result)
        say(`${name}: a store of its own / D1 by processor time: ${result.cpuToD1.median.toFixed(2)}`)
      }
      return results
    })
  return withStores(build, group.campaigns, measureIn)
}

export type StoreMemory = { readonly bulkMib: number; readonly listMib: number }

/**
 * The peak of the whole workerd process over what it holds when idle, Worker and store together. Each side in a process
 * of its own: what one has freed would be there for the other.
 */
async function measureStoreMemory(build: Build): Promise<OfSides<StoreMemory>> {
  return { d1: await measureMemoryOf('d1', build), own: await measureMemoryOf('own', build) }
}

function measureMemoryOf(side: Side, build: Build): Promise<StoreMemory> {
  return withStores(build, { hundred: 100, huge: 100_000, bulk: 0 }, async (runtime) => {
    const port = runtime.workers.get(side)?.port as number
    const peakOf = async (request: Buffer) => {
      await sleep(2_000)
      const idleMib = memoryMib(runtime.pid)
      forgetPeak(runtime.pid)
      await readAnswer(port, request)
      return peakMib(runtime.pid) - idleMib
    }
    const list = (campaignId: string) => requestMaker({ path: 'list', campaignId })
    for (let number = 0; number < 50; number++) await readAnswer(port, list('hundred')(number))
    const listMib = await peakOf(list('huge')(0))
    const bulk = requestMaker({ path: 'bulk', campaignId: 'bulk', leads: 1000, metadataBytes: 8100 })
    return { listMib, bulkMib: await peakOf(bulk(1)) }
  })
}
