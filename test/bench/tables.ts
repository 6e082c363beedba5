// How a result is printed: a table of text, the throughput's, and the verdicts against the targets.
import { contenders, type Throughput } from './measures/throughput.ts'
import type { Spread } from './statistics.ts'

/** One line of the targets' table. */
export type Verdict = {
  readonly measure: string
  readonly target: string
  readonly found: string
  readonly met: boolean
}

export const fixed = (value: number, digits = 2) => (Number.isNaN(value) ? 'n/a' : value.toFixed(digits))
export const ranged = ({ median, min, max }: Spread, digits = 2) =>
  `${fixed(median, digits)} (${fixed(min, digits)} to ${fixed(max, digits)})`

export function atLeast(measure: string, target: number, found: Spread): Verdict {
  return { measure, target: `>= ${target.toFixed(2)}`, found: ranged(found), met: found.median >= target }
}

export function atMost(measure: string, target: number, found: number, unit = '', detail = ''): Verdict {
  return {
    measure,
    target: `<= ${target}${unit}`,
    found: `${fixed(found)}${unit}${detail}`,
    met: found <= target,
  }
}

export function table(rows: readonly (readonly string[])[]): string {
  const [header = []] = rows
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = widths.map((width) => '-'.repeat(width))
  return [line(header), line(rule), ...rows.slice(1).map(line)].join('\n')
}

export function throughputTable(throughput: readonly Throughput[]): string {
  return table([
    [
      'Requests per second',
      'Conn.',
      ...contenders,
      'ours / floor',
      'ours / peer',
      'CPU ms/request',
      'ours / floor by CPU',
      'Load CPU',
    ],
    ...throughput.map((row) => [
      row.endpoint,
      String(row.connections),
      ...contenders.map((name) => fixed(row.perSecond[name].median, 0)),
      ranged(row.oursToFloor),
      ranged(row.oursToPeer),
      contenders.map((name) => fixed(row.cpuMs[name])).join(' / '),
      ranged(row.oursToFloorByCpu),
      fixed(row.loadCpu),
    ]),
  ])
}

export function targetsTable(verdicts: readonly Verdict[]): string {
  return table([
    ['Measure', 'Target', 'Found', ''],
    ...verdicts.map((row) => [row.measure, row.target, row.found, row.met ? 'met' : 'MISSED']),
  ])
}
