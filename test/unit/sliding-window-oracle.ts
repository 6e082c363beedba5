// The rate limit as anyone would write it who has no care for memory or speed: every admission is kept for ever
// and counted again for each request. It shares no code with src/sliding-window.ts, so that neither can hide
// the other's mistake. Holds for clocks that step back at most 5 s; beyond that the rule is another.
import type { Decision, Window } from '../../src/sliding-window.ts'

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

  /** The first moment from `atMs` on at which fewer units count than now. */
  function nextRiseMs(window: Window, atMs: number): number {
    const leaving = spent(window.name).map((spentAtMs) => spentAtMs + window.windowMs)
    const later = leaving.filter((leavesAtMs) => leavesAtMs > atMs)
    return Math.min(...later)
  }

  function report(window: Window, admitted: boolean, atMs: number): Decision {
    const remaining = window.limit - countAt(window, atMs)
    return { admitted, limit: window.limit, remaining, resetAtMs: nextRiseMs(window, atMs) }
  }

  function decide(windows: readonly Window[], nowMs: number): Decision {
    const atMs = Math.max(nowMs, newestMs)
    const full = windows.filter((window) => countAt(window, atMs) >= window.limit)
    if (full.length > 0) {
      const reports = full.map((window) => report(window, false, atMs))
      const longest = Math.max(...reports.map(({ resetAtMs }) => resetAtMs))
      return reports.find(({ resetAtMs }) => resetAtMs === longest) as Decision
    }
    newestMs = atMs
    for (const { name } of windows) admissions.set(name, [...spent(name), atMs])
    const reports = windows.map((window) => report(window, true, atMs))
    const fewest = Math.min(...reports.map(({ remaining }) => remaining))
    return reports.find(({ remaining }) => remaining === fewest) as Decision
  }

  return { decide, spent }
}
