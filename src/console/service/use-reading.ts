// When a panel reads what is its own: at once, again with each round of the watch until it was read, and anew when the
// service is back after rounds that failed, or with every round. So it asks no more often than the watch does.
import { useEffect, useRef } from 'preact/hooks'

/** Of the watch (watch-campaign.ts). */
export type Round = {
  /** When it was answered. */
  readonly atMs: number
  /** How often the service has come back so far. */
  readonly returns: number
}

/** `read` says whether it was answered. */
export function useReading(
  read: () => Promise<boolean>,
  { atMs, returns }: Round,
  isEveryRound = false,
): void {
  const readAt = useRef<number | null>(null)
  useEffect(() => {
    if (readAt.current === returns && !isEveryRound) return
    let isOver = false
    void read().then((isRead) => {
      if (!isOver && isRead) readAt.current = returns
    })
    return () => {
      isOver = true
    }
  }, [atMs, returns])
}
