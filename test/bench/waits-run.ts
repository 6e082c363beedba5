// The part of a run that is about claims that wait: its table.
import { measureWaits, waiterCount, waitingSeed } from './measures/waits.ts'
import type { Build } from './runtime.ts'
import { quantile } from './statistics.ts'
import { fixed, table } from './tables.ts'
import { withRuntime } from './with-runtime.ts'

export async function measureWaiting(
  ours: Build,
  isQuick: boolean,
  say: (text: string) => void,
): Promise<string> {
  const { readyMs, claimedMs, cpuMsPerWait, memoryMib } = await withRuntime(
    { ours: { build: ours, campaigns: waitingSeed } },
    (runtime) => measureWaits(runtime, isQuick ? 100 : 500, say),
  )
  say('waits')
  const rowOf = (what: string, values: readonly number[]) => {
    const sorted = values.toSorted((a, b) => a - b)
    return [what, fixed(quantile(sorted, 0.5), 0), fixed(quantile(sorted, 0.99), 0)]
  }
  return table([
    [`${waiterCount} waiting claims, ${readyMs.length} leads`, 'Median', 'p99'],
    rowOf('ms from the answer of a create to `ready`', readyMs),
    rowOf('ms from the answer of a create to the claimed call', claimedMs),
    ['CPU ms of a wait of 25 s, its claims included', fixed(cpuMsPerWait), ''],
    [`MiB of ${waiterCount} waits`, fixed(memoryMib, 1), ''],
  ])
}
