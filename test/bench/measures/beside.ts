// How long a create takes beside ten bulks at once, one create after the other. The load generator sends the bulks,
// this process the creates.
import { setTimeout as sleep } from 'node:timers/promises'
import { open, untilServed } from '../connection.ts'
import { withLoad } from '../load-process.ts'
import { requestMaker } from '../requests.ts'
import type { Build, RunningWorker } from '../runtime.ts'
import { withRuntime } from '../with-runtime.ts'

export const bulksBeside = 10
const bulk = { path: 'bulk', campaignId: 'beside', leads: 1000, metadataBytes: 200 } as const
const create = requestMaker({ path: 'create', campaignId: 'beside' })

export type Beside = {
  readonly aloneMs: readonly number[]
  readonly besideMs: readonly number[]
  readonly bulksPerSecond: number
}

export function measureBeside(ours: Build, isQuick: boolean): Promise<Beside> {
  return withRuntime({ ours: { build: ours, campaigns: { beside: 0 } } }, ({ workers }) =>
    withLoad(async (load) => {
      const { port } = workers.get('ours') as RunningWorker
      const connection = await open(port)
      // Far from the numbers of the bulks.
      let number = 500_000
      const timeCreates = async (until: () => boolean) => {
        const times: number[] = []
        while (!until()) {
          const startedAtMs = performance.now()
          const request = create(number++)
          const status = await untilServed(connection, () => connection.send(request))
          // One that was answered 503 may have been stored.
          if (status !== 201 && status !== 409) throw new Error(`a create was answered with ${status}`)
          times.push(performance.now() - startedAtMs)
          await sleep(5)
        }
        return times
      }
      const creates = (count: number) => {
        let left = count
        return timeCreates(() => left-- === 0)
      }
      await creates(100)
      const aloneMs = await creates(300)
      let isOver = false
      const durationMs = isQuick ? 8_000 : 20_000
      const job = { port, kind: bulk, from: 1, connections: bulksBeside, warmUpMs: 500, durationMs }
      const bulks = load.run(job).finally(() => {
        isOver = true
      })
      const [besideMs, { requestsPerSecond, statuses }] = await Promise.all([
        timeCreates(() => isOver),
        bulks,
      ])
      connection.close()
      if (Object.keys(statuses).join() !== '200')
        throw new Error(`bulks were answered with ${JSON.stringify(statuses)}`)
      return { aloneMs, besideMs, bulksPerSecond: requestsPerSecond }
    }),
  )
}
