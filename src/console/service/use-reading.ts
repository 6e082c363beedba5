// When a panel loads its own data: at once, again with each round of the watch until it succeeds, and once more when the
// service recovers, or with every round. So it sends requests no more often than the watch does.
import { useEffect, useRef } from 'preact/hooks'

/** A round of the watch (watch-campaign.ts). */
export type Round = {
  /** When it was sent. */
  readonly atMs: number
  /** How often a round succeeded after one that failed. */
  readonly recoveries: number
}

/** `read` returns whether it succeeded. */
export function useReading(
  read: () => Promise<boolean>,
  { atMs, recoveries }: Round,
  isEveryRound = false,
): void {
  const readAt = useRef<number | null>(null)
  useEffect(() => {
    if (readAt.current === recoveries && !isEveryRound) return
    let isOver = false
    void read().then((isRead) => {
      if (!isOver && isRead) readAt.current = recoveries
    })
    return () => {
      isOver = true
    }
  }, [atMs, recoveries])
}
