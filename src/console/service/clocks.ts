// When the page reads: at once, and then every 60 seconds while it is visible, or as often as a caller says (pace.ts).
// And a clock for what counts up or down, which sends no request.

import { useEffect, useRef, useState } from 'preact/hooks'
import { onChange } from './activity.ts'
import { usualEveryMs } from './pace.ts'
import { serviceNow } from './service-clock.ts'

/** Before a request that failed is sent again. */
export const retryWait = (retryAfterMs: number | null) => Math.max(5_000, retryAfterMs ?? 0)

/**
 * Starts over when `subject` changes, of which `isCurrent` tells. `load` returns how long to wait before the next
 * round, with Infinity until it is asked for; null: as `everyMs` says, which is asked again when something is changed
 * here.
 */
export function usePolling(
  load: (isCurrent: () => boolean) => Promise<number | null>,
  subject: string,
  everyMs: () => number = () => usualEveryMs,
): () => void {
  const latest = useRef({ load, everyMs })
  latest.current = { load, everyMs }
  const refresh = useRef<() => void>(() => {})
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let nextAtMs = 0
    let [isOver, isLoading, mustWait] = [false, false, false]
    const run = async () => {
      clearTimeout(timer)
      if (isOver || isLoading || document.hidden) return
      isLoading = true
      const pauseMs = await latest.current.load(() => !isOver)
      isLoading = false
      mustWait = pauseMs !== null
      plan(pauseMs ?? latest.current.everyMs())
    }
    const plan = (waitMs: number) => {
      clearTimeout(timer)
      nextAtMs = Date.now() + waitMs
      if (!isOver && waitMs < Infinity) timer = setTimeout(run, waitMs)
    }
    const onSooner = () => {
      const waitMs = latest.current.everyMs()
      if (!isLoading && !mustWait && Date.now() + waitMs < nextAtMs) plan(waitMs)
    }
    const onVisible = () => {
      if (!document.hidden && Date.now() >= nextAtMs) void run()
    }
    const onOnline = () => {
      if (nextAtMs < Infinity) void run()
    }
    refresh.current = () => void run()
    document.addEventListener('visibilitychange', onVisible)
    addEventListener('online', onOnline)
    const endListening = onChange(onSooner)
    void run()
    return () => {
      isOver = true
      clearTimeout(timer)
      endListening()
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
