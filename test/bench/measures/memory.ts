// The peak of the whole workerd process over what it holds when idle, while it answers one large request. Its
// share of D1 is counted in, which in production runs elsewhere.
import { setTimeout as sleep } from 'node:timers/promises'
import { forgetPeak, memoryMib, peakMib } from '../process-usage.ts'
import { requestMaker } from '../requests.ts'
import type { Build, Runtime } from '../runtime.ts'
import { spread } from '../statistics.ts'
import { withRuntime } from '../with-runtime.ts'
import { readAnswer } from './single-request.ts'

const memorySeed = { hundred: 100, huge: 100_000, bulk: 0 }

export type Memory = {
  readonly listPeakMib: number
  readonly bulkPeakMib: number
  readonly floorBulkPeakMib: number
  readonly firstByteRatio: number
}

export function measureMemory({ ours, floor }: Readonly<Record<'ours' | 'floor', Build>>): Promise<Memory> {
  const workers = {
    ours: { build: ours, campaigns: memorySeed },
    floor: { build: floor, campaigns: memorySeed },
  }
  return withRuntime(workers, measureIn)
}

async function measureIn(runtime: Runtime): Promise<Memory> {
  const port = (name: string) => runtime.workers.get(name)?.port as number
  const list = (campaignId: string, number: number) => requestMaker({ path: 'list', campaignId })(number)
  for (let number = 0; number < 50; number++) await readAnswer(port('ours'), list('hundred', number))

  const firstByteMs: Record<string, number[]> = { hundred: [], huge: [] }
  for (let number = 0; number < 20; number++) {
    for (const campaignId of ['hundred', 'huge']) {
      const { firstByteMs: ms } = await readAnswer(port('ours'), list(campaignId, number), 1)
      firstByteMs[campaignId]?.push(ms)
      await sleep(30)
    }
  }
  const peakOf = async (name: string, request: Buffer) => {
    await sleep(1500)
    const idleMib = memoryMib(runtime.pid)
    forgetPeak(runtime.pid)
    await readAnswer(port(name), request)
    return peakMib(runtime.pid) - idleMib
  }
  const bulk = requestMaker({ path: 'bulk', campaignId: 'bulk', leads: 1000, metadataBytes: 8100 })
  const listed = await peakOf('ours', list('huge', 0))
  const imported = await peakOf('ours', bulk(1))
  const floorImported = await peakOf('floor', bulk(2))
  return {
    listPeakMib: listed,
    bulkPeakMib: imported,
    floorBulkPeakMib: floorImported,
    firstByteRatio: spread(firstByteMs.huge ?? []).median / spread(firstByteMs.hundred ?? []).median,
  }
}
