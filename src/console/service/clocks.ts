// When the page reads: at once, and then every 60 seconds while it is visible. And a clock for what counts up or down,
// which sends no request.

import { useEffect, useRef, useState } from 'preact/hooks'
import { serviceNow } from './service-clock.ts'

export const pollEveryMs = 60_000

/** Before a request that failed is sent again. */
export const retryWait = (retryAfterMs: number | null) => Math.max(5_000, retryAfterMs ?? 0)

/** Starts over when `subject` changes. `load` returns how long to wait before the next round; null: as usual. */
export function usePolling(load: () => Promise<number | null>, subject: string): () => void {
  const latest = useRef(load)
  latest.current = load
  const refresh = useRef<() => void>(() => {})
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let nextAtMs = 0
    let [isOver, isLoading] = [false, false]
    const run = async () => {
      clearTimeout(timer)
      if (isOver || isLoading || document.hidden) return
      isLoading = true
      const pauseMs = await latest.current()
      isLoading = false
      const waitMs = pauseMs ?? pollEveryMs
      nextAtMs = Date.now() + waitMs
      if (!isOver) timer = setTimeout(run, waitMs)
    }
    const onVisible = () => {
      if (!document.hidden && Date.now() >= nextAtMs) void run()
    }
    const onOnline = () => void run()
    refresh.current = onOnline
    document.addEventListener('visibilitychange', onVisible)
    addEventListener('online', onOnline)
    void run()
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onVisible)
      removeEventListener('online', onOnline)
    }
  }, [subject])
  return () => refresh.current()
}

/** The time, updated every so often. */
export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(serviceNow())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serviceNow()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}
