// The rate limit as anyone would write it who has no care for memory or speed: every admission is kept for ever
// and counted again for each request. It shares no code with src/sliding-window.ts, so that neither can hide
// the other's mistake. Holds for clocks that step back at most 5 s; beyond that the rule is another.
import type { Decision, Window, WindowReading } from '../../../src/base/rate-limits/sliding-window.ts'

export type Oracle = {
  readonly decide: (windows: readonly Window[], nowMs: number) => Decision
  /** All times at which a unit of the window was spent. */
  readonly spent: (name: string) => readonly number[]
}

export function createOracle(): Oracle {
  const admissions = new Map<string, number[]>()
  let newestMs = -Infinity

  const spent = (name: string) => admissions.get(name) ?? []
  const countAt = (window: Window, atMs: number) =>
    spent(window.name).filter((spentAtMs) => spentAtMs <= atMs && atMs < spentAtMs + window.windowMs).length

  /** The first moment after `atMs` at which fewer units count; when none does, that of one spent at `atMs`. */
  function nextRiseMs(window: Window, atMs: number): number {
    const leaving = spent(window.name).map((spentAtMs) => spentAtMs + window.windowMs)
    const later = leaving.filter((leavesAtMs) => leavesAtMs > atMs)
    return Math.min(...later, atMs + window.windowMs)
  }

  const read = (window: Window, atMs: number): WindowReading => ({
    window,
    remaining: window.limit - countAt(window, atMs),
    resetAtMs: nextRiseMs(window, atMs),
  })

  function report(admitted: boolean, shown: WindowReading, readings: WindowReading[]): Decision {
    const { window, remaining, resetAtMs } = shown
    return { admitted, limit: window.limit, remaining, resetAtMs, readings }
  }

  function decide(windows: readonly Window[], nowMs: number): Decision {
    const atMs = Math.max(nowMs, newestMs)
    const full = windows.filter((window) => countAt(window, atMs) >= window.limit)
    if (full.length > 0) {
      const readings = windows.map((window) => read(window, atMs))
      const refusing = readings.filter(({ remaining }) => remaining <= 0)
      const longest = Math.max(...refusing.map(({ resetAtMs }) => resetAtMs))
      const shown = refusing.find(({ resetAtMs }) => resetAtMs === longest) as WindowReading
      return report(false, shown, readings)
    }
    newestMs = atMs
    for (const { name } of windows) admissions.set(name, [...spent(name), atMs])
    const readings = windows.map((window) => read(window, atMs))
    const fewest = Math.min(...readings.map(({ remaining }) => remaining))
    const shown = readings.find(({ remaining }) => remaining === fewest) as WindowReading
    return report(true, shown, readings)
  }

  return { decide, spent }
}
