// How an attack reports what it saw: figures, and what must be nothing.

export type Report = {
  readonly name: string
  /** In the order of the report. */
  readonly figures: Readonly<Record<string, string | number>>
  /** What must be nothing, and was not. Empty: the service held. */
  readonly broken: readonly string[]
}

/** Counts what an attack finds, and keeps the first few of each kind to look at. */
export function createFindings() {
  const examples = new Map<string, string[]>()
  const counts = new Map<string, number>()
  return {
    add(kind: string, example: string): void {
      counts.set(kind, countOf(kind) + 1)
      const kept = examples.get(kind) ?? []
      if (kept.length < 3) examples.set(kind, [...kept, example.slice(0, 500)])
    },
    countOf,
    all: () =>
      [...counts].map(([kind, count]) => `${kind}: ${count}\n    ${examples.get(kind)?.join('\n    ')}`),
  }
  function countOf(kind: string): number {
    return counts.get(kind) ?? 0
  }
}

export type Findings = ReturnType<typeof createFindings>

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
