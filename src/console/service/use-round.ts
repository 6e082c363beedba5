// Rounds without a request of their own, for pages outside of a campaign: what could not be read is read again.
import { useState } from 'preact/hooks'
import { usePolling } from './clocks.ts'
import { serviceNow } from './service-clock.ts'
import type { Round } from './use-reading.ts'

export function useRound(): Round {
  const [atMs, setAtMs] = useState(serviceNow)
  usePolling(async () => {
    setAtMs(serviceNow())
    return null
  }, '')
  return { atMs, recoveries: 0 }
}
