// What a refused request costs: a key that has spent its hour, against a route that only says hello.
import type { Load } from '../load-process.ts'
import type { RequestKind } from '../requests.ts'
import type { Runtime } from '../runtime.ts'
import { pairedRatio, type Spread, spread } from '../statistics.ts'
import { keyCount } from '../subjects.ts'
import { type Plan, runCell } from './throughput.ts'

export type Refusal = {
  readonly connections: number
  readonly refusedPerSecond: Spread
  readonly helloPerSecond: Spread
  readonly refusedToHello: Spread
}

/** A key that no other benchmark uses. */
export const spentKey = keyCount

export const refused: RequestKind = { path: 'refused', campaignId: 'list50', key: spentKey }

export async function spendHour(runtime: Runtime, load: Load, worker = 'ours'): Promise<void> {
  const port = runtime.workers.get(worker)?.port as number
  const spending = { port, kind: refused, from: 0, connections: 8, warmUpMs: 0, durationMs: 300 }
  for (let isSpent = false; !isSpent; ) {
    const { statuses } = await load.run(spending)
    isSpent = statuses[429] !== undefined && statuses[200] === undefined
  }
}

export async function measureRefusal(
  runtime: Runtime,
  load: Load,
  hello: string,
  plan: Plan,
  allConnections: readonly number[],
): Promise<Refusal[]> {
  await spendHour(runtime, load)
  const results: Refusal[] = []
  for (const connections of allConnections) {
    const ours: number[] = []
    const plain: number[] = []
    for (let round = 0; round < plan.rounds; round++) {
      ours.push((await runCell(runtime, load, 'ours', refused, connections, plan, '429')).perSecond)
      plain.push((await runCell(runtime, load, hello, { path: 'hello' }, connections, plan)).perSecond)
    }
    results.push({
      connections,
      refusedPerSecond: spread(ours),
      helloPerSecond: spread(plain),
      refusedToHello: pairedRatio(ours, plain),
    })
  }
  return results
}
