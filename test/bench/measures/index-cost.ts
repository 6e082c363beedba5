// What the search index costs a bulk: the Worker beside itself with triggers that leave every lead out, in turns.
import type { Build, RunningWorker } from '../runtime.ts'
import { spread } from '../statistics.ts'
import { withRuntime } from '../with-runtime.ts'
import { measureTurns } from './turns.ts'

const campaigns = { index: 0 }
const bulk = { path: 'bulk', campaignId: 'index', leads: 1000, metadataBytes: 214 } as const

/** Processor time of a bulk, medians. */
export type IndexCost = { readonly withMs: number; readonly withoutMs: number }

export function measureIndexCost(build: Build, isQuick: boolean): Promise<IndexCost> {
  return withRuntime({ indexed: { build, campaigns }, bare: { build, campaigns } }, async (runtime) => {
    const { db } = runtime.workers.get('bare') as RunningWorker
    await db.prepare('update search_place set place = -1').run()
    const turns = await measureTurns(runtime, ['indexed', 'bare'], bulk, isQuick ? 25 : 60)
    return { withMs: spread(turns.indexed.cpuMs).median, withoutMs: spread(turns.bare.cpuMs).median }
  })
}
