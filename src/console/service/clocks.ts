// When the page looks: at once, and then every half a minute while somebody can see it; and a second hand for what runs
// down, which asks nothing.

import { useEffect, useRef, useState } from 'preact/hooks'
import { serviceNow } from './service-clock.ts'

export const pollEveryMs = 30_000

/** `look` again is asked for by a change of `about`. It may say how many seconds it wants to be left alone. */
export function usePolling(look: () => Promise<number | null>, about: string): () => void {
  const latest = useRef(look)
  latest.current = look
  const again = useRef<() => void>(() => {})
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let nextAtMs = 0
    let [isOver, isLooking] = [false, false]
    const run = async () => {
      clearTimeout(timer)
      if (isOver || isLooking || document.hidden) return
      isLooking = true
      const pauseSeconds = await latest.current()
      isLooking = false
      const waitMs = Math.max(pollEveryMs, (pauseSeconds ?? 0) * 1000)
      nextAtMs = Date.now() + waitMs
      if (!isOver) timer = setTimeout(run, waitMs)
    }
    const onSeen = () => {
      if (!document.hidden && Date.now() >= nextAtMs) void run()
    }
    const onReached = () => void run()
    again.current = onReached
    document.addEventListener('visibilitychange', onSeen)
    addEventListener('online', onReached)
    void run()
    return () => {
      isOver = true
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', onSeen)
      removeEventListener('online', onReached)
    }
  }, [about])
  return () => again.current()
}

/** Now, told anew every so often. */
export function useNow(everyMs: number): number {
  const [nowMs, setNowMs] = useState(serviceNow())
  useEffect(() => {
    const timer = setInterval(() => setNowMs(serviceNow()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return nowMs
}
