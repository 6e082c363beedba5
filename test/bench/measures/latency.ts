// The p99 of a create at half the rate that saturates the slower of floor and ours. Open loop: a request counts
// from when it was due, so that a stall is charged for every request that it held up.
import type { Load } from '../load-process.ts'
import type { Runtime } from '../runtime.ts'
import { pairedRatio, quantile, type Spread, spread } from '../statistics.ts'

export type Latency = {
  readonly requestsPerSecond: number
  readonly p99Ms: { readonly floor: Spread; readonly ours: Spread }
  readonly p50Ms: { readonly floor: Spread; readonly ours: Spread }
  readonly oursToFloor: Spread
}

/** Apart from the numbers that the throughput used, and from those of its bulks. */
let from = 500_000_000

export async function measureLatency(
  runtime: Runtime,
  load: Load,
  requestsPerSecond: number,
  rounds: number,
  durationMs: number,
): Promise<Latency> {
  const p99 = { floor: [] as number[], ours: [] as number[] }
  const p50 = { floor: [] as number[], ours: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['floor', 'ours'] as const) : (['ours', 'floor'] as const)
    for (const name of order) {
      const outcome = await load.run({
        port: runtime.workers.get(name)?.port as number,
        kind: { path: 'create', campaignId: 'create' },
        from,
        connections: 64,
        warmUpMs: 200,
        durationMs,
        requestsPerSecond,
      })
      from = outcome.next
      p99[name].push(quantile(outcome.latenciesUs, 0.99) / 1000)
      p50[name].push(quantile(outcome.latenciesUs, 0.5) / 1000)
    }
  }
  return {
    requestsPerSecond,
    p99Ms: { floor: spread(p99.floor), ours: spread(p99.ours) },
    p50Ms: { floor: spread(p50.floor), ours: spread(p50.ours) },
    oursToFloor: pairedRatio(p99.ours, p99.floor),
  }
}
