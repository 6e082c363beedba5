// The p99 of a create at half the rate that saturates the slower of floor and ours. Open loop: a request counts
// from when it was due, so that a stall is charged for every request that it held up.
import type { Load } from '../load-process.ts'
import type { Runtime } from '../runtime.ts'
import { quantile } from '../statistics.ts'

export type Latency = {
  readonly requestsPerSecond: number
  readonly p99Ms: Of<number>
  readonly p50Ms: Of<number>
  /** By p99. */
  readonly oursToFloor: number
}

const contenders = ['floor', 'ours'] as const
type Of<Value> = Readonly<Record<(typeof contenders)[number], Value>>

/** Apart from the numbers that the throughput used, and from those of its bulks. */
let from = 500_000_000

/** In turns of a second, so that what else the machine does meets both; all turns' requests are taken together. */
export async function measureLatency(
  runtime: Runtime,
  load: Load,
  requestsPerSecond: number,
  turns: number,
): Promise<Latency> {
  const latenciesUs: Of<number[]> = { floor: [], ours: [] }
  for (let turn = 0; turn < turns; turn++) {
    for (const name of turn % 2 === 0 ? contenders : contenders.toReversed()) {
      const outcome = await load.run({
        port: runtime.workers.get(name)?.port as number,
        kind: { path: 'create', campaignId: 'create' },
        from,
        connections: 64,
        warmUpMs: 100,
        durationMs: 1000,
        requestsPerSecond,
      })
      from = outcome.next
      latenciesUs[name].push(...outcome.latenciesUs)
    }
  }
  const quantiles = (part: number): Of<number> => {
    const ms = (values: number[]) =>
      quantile(
        values.toSorted((a, b) => a - b),
        part,
      ) / 1000
    return { floor: ms(latenciesUs.floor), ours: ms(latenciesUs.ours) }
  }
  const p99Ms = quantiles(0.99)
  return { requestsPerSecond, p99Ms, p50Ms: quantiles(0.5), oursToFloor: p99Ms.ours / p99Ms.floor }
}
