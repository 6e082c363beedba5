// When a panel loads its own data: at once, again with each round of the watch until it succeeds, and once more when
// the service recovers, or with every round. So it sends requests no more often than the watch does.
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Campaign } from '../../sdk/src/models.ts'
import { settle } from './answer.ts'
import { usePolling } from './clocks.ts'
import { serviceNow } from './service-clock.ts'

/** A round of the watch (watch-campaign.ts). */
export type Round = {
  /** When it was sent. */
  readonly atMs: number
  /** How often a round succeeded after one that failed. */
  readonly recoveries: number
}

/** What a panel of the settings gets. `campaign`: null on the page of the company. */
export type PanelProps = { readonly campaign: Campaign | null; readonly round: Round }

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

/** The data of one request, read in that way. It stays when a later read fails. */
export function useData<Data>(request: () => Promise<Data>, round: Round, isEveryRound = false) {
  const [data, setData] = useState<Data | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const load = async () => {
    const { data, error } = await settle(request())
    if (data !== null) setData(data)
    setFailure(error)
    return data !== null
  }
  useReading(load, round, isEveryRound)
  return { data, setData, failure, load }
}

/** Rounds without a request of their own, for pages outside of a campaign: what could not be read is read again. */
export function useRound(): Round {
  const [atMs, setAtMs] = useState(serviceNow)
  usePolling(async () => {
    setAtMs(serviceNow())
    return null
  }, '')
  return { atMs, recoveries: 0 }
}
