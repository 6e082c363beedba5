// Counts the posts of a source that were refused since the last one was noted. In this isolate alone: when it ends, they
// are lost.
import { remember } from '../rate-limits/memory-windows.ts'

const counts = new Map<string, number>()
const maxSources = 10_000

/** One more. Returns how many there are now. */
export function countRefused(sourceId: string): number {
  const count = (counts.get(sourceId) ?? 0) + 1
  remember(counts, sourceId, count, maxSources)
  return count
}

export const forgetRefused = (sourceId: string): void => {
  counts.delete(sourceId)
}
