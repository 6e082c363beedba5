// Catches what the service writes to its log and to Analytics Engine, so that a test can search it.
import { inspect } from 'node:util'
import { vi } from 'vitest'

export type Logs = {
  /** What was logged as an object: one per request. */
  readonly records: Record<string, unknown>[]
  /** Everything that was logged, in one text to search. Errors with their stacks and causes. */
  text(): string
}

const levels = ['debug', 'log', 'info', 'warn', 'error', 'trace'] as const

/** Catches the log until `vi.restoreAllMocks()`. */
export function catchLogs(): Logs {
  const records: Record<string, unknown>[] = []
  const lines: string[] = []
  for (const level of levels) {
    vi.spyOn(console, level).mockImplementation((...args: unknown[]) => {
      lines.push(args.map((arg) => inspect(arg, { depth: 20 })).join(' '))
      for (const arg of args)
        if (typeof arg === 'object' && arg !== null) records.push(arg as Record<string, unknown>)
    })
  }
  return { records, text: () => lines.join('\n') }
}

/** An Analytics Engine dataset that keeps its points. */
export function catchMetrics() {
  const points: AnalyticsEngineDataPoint[] = []
  const METRICS = { writeDataPoint: (point: AnalyticsEngineDataPoint) => void points.push(point) }
  return { METRICS, points }
}

/** An Analytics Engine dataset that refuses every point. */
export const brokenMetrics = {
  writeDataPoint() {
    throw new Error('Analytics Engine refuses')
  },
}
