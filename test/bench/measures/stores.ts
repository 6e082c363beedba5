// A company in D1 beside one with a store of its own: the same Worker, in alternation in one run.
import { setTimeout as sleep } from 'node:timers/promises'
import { databaseWithShortcuts } from '../../support/own-store.ts'
import type { Group } from '../endpoints.ts'
import type { Load } from '../load-process.ts'
import { withLoad } from '../load-process.ts'
import { forgetPeak, memoryMib, peakMib } from '../process-usage.ts'
import { requestMaker } from '../requests.ts'
import { type Build, type RunningWorker, type Runtime, start } from '../runtime.ts'
import { pairedRatio, type Spread, spread } from '../statistics.ts'
import { type Campaigns, ownStore, seed } from '../subjects.ts'
import { readAnswer } from './single-request.ts'
import { runCell, warmUp } from './throughput.ts'

export const sides = ['d1', 'own'] as const
type Side = (typeof sides)[number]

/** A Worker for each, with the same leads. */
export async function withStores<T>(
  build: Build,
  campaigns: Campaigns,
  use: (runtime: Runtime) => Promise<T>,
): Promise<T> {
  const runtime = await start({ d1: { build }, own: { build } })
  try {
    const [d1, own] = sides.map((side) => runtime.workers.get(side) as RunningWorker) as [
      RunningWorker,
      RunningWorker,
    ]
    await seed(d1.db, 'project', campaigns)
    await seed(databaseWithShortcuts(own.sendTo(ownStore)), 'project', campaigns, own.db)
    return await use(runtime)
  } finally {
    await runtime.stop()
  }
}

export type StoresSpeed = {
  readonly name: string
  readonly cpuMs: Readonly<Record<Side, Spread>>
  readonly perSecond: Readonly<Record<Side, Spread>>
  /** Of a store of its own to D1: above 1 it costs more. */
  readonly cpuToD1: Spread
}

export function measureStores(
  build: Build,
  group: Group,
  plan: Parameters<typeof runCell>[4],
  say: (text: string) => void,
): Promise<StoresSpeed[]> {
  return withStores(build, group.campaigns, (runtime) =>
    withLoad(async (load: Load) => {
      await warmUp(runtime, load, group, sides)
      const results: StoresSpeed[] = []
      for (const { name, kind } of group.endpoints) {
        const cells = {
          d1: [] as Awaited<ReturnType<typeof runCell>>[],
          own: [] as Awaited<ReturnType<typeof runCell>>[],
        }
        for (let round = 0; round < plan.rounds; round++)
          for (const side of round % 2 === 0 ? sides : sides.toReversed())
            cells[side].push(await runCell(runtime, load, side, kind, plan))
        const of = (side: Side, part: 'cpuMs' | 'perSecond') => cells[side].map((cell) => cell[part])
        const result = {
          name,
          cpuMs: { d1: spread(of('d1', 'cpuMs')), own: spread(of('own', 'cpuMs')) },
          perSecond: { d1: spread(of('d1', 'perSecond')), own: spread(of('own', 'perSecond')) },
          cpuToD1: pairedRatio(of('own', 'cpuMs'), of('d1', 'cpuMs')),
        }
        results.push(result)
        say(
          `${name}: processor time ${result.cpuMs.d1.median.toFixed(3)} ms in D1, ${result.cpuMs.own.median.toFixed(3)} ms in a store of its own, ratio ${result.cpuToD1.median.toFixed(2)} (${result.cpuToD1.min.toFixed(2)} to ${result.cpuToD1.max.toFixed(2)}); requests a second ${result.perSecond.d1.median.toFixed(0)}, ${result.perSecond.own.median.toFixed(0)}`,
        )
      }
      return results
    }),
  )
}

export type StoresMemory = Readonly<Record<Side, { readonly bulkMib: number; readonly listMib: number }>>

/** The peak of the whole workerd process over what it holds when idle, Worker and store together. */
export function measureStoresMemory(build: Build): Promise<StoresMemory> {
  return withStores(build, { huge: 100_000, bulk: 0 }, async (runtime) => {
    const peakOf = async (side: Side, request: Buffer) => {
      await sleep(2_000)
      const idleMib = memoryMib(runtime.pid)
      forgetPeak(runtime.pid)
      await readAnswer(runtime.workers.get(side)?.port as number, request)
      return peakMib(runtime.pid) - idleMib
    }
    const list = requestMaker({ path: 'list', campaignId: 'huge' })
    const bulk = requestMaker({ path: 'bulk', campaignId: 'bulk', leads: 1000, metadataBytes: 8100 })
    const of = async (side: Side, number: number) => ({
      listMib: await peakOf(side, list(number)),
      bulkMib: await peakOf(side, bulk(number)),
    })
    await of('d1', 0)
    await of('own', 1)
    return { d1: await of('d1', 2), own: await of('own', 3) }
  })
}
