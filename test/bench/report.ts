// What a run has found, as tables of text, the last one against the targets. Numbers come from measures/, and are
// neither taken nor weighed here.
import type { Far } from './measures/far.ts'
import { hopsMs } from './measures/far.ts'
import type { Growth } from './measures/growth.ts'
import type { Latency } from './measures/latency.ts'
import type { Memory } from './measures/memory.ts'
import type { Refusal } from './measures/refusal.ts'
import { contenders, type Throughput } from './measures/throughput.ts'
import type { Upload } from './measures/upload.ts'
import type { Spread } from './statistics.ts'

export type Findings = {
  readonly throughput: readonly Throughput[]
  readonly refusals: ReadonlyMap<string, readonly Refusal[]>
  readonly latency: Latency
  readonly growth: readonly Growth[]
  readonly floorGrowth: readonly Growth[]
  readonly memory: Memory
  readonly far: readonly Far[]
  readonly limiterRows: number
  readonly upload: Upload
}

/** One line of the targets' table. */
export type Verdict = {
  readonly measure: string
  readonly target: string
  readonly found: string
  readonly met: boolean
}

const fixed = (value: number, digits = 2) => (Number.isNaN(value) ? 'n/a' : value.toFixed(digits))
const ranged = ({ median, min, max }: Spread) => `${fixed(median)} (${fixed(min)} to ${fixed(max)})`

function atLeast(measure: string, target: number, found: Spread): Verdict {
  return { measure, target: `>= ${target.toFixed(2)}`, found: ranged(found), met: found.median >= target }
}

function atMost(measure: string, target: number, found: number, unit = '', detail = ''): Verdict {
  return {
    measure,
    target: `<= ${target}${unit}`,
    found: `${fixed(found)}${unit}${detail}`,
    met: found <= target,
  }
}

export function verdicts(found: Findings): Verdict[] {
  const { latency, memory, upload } = found
  return [
    ...found.throughput.map((row) =>
      atLeast(`${row.endpoint}, ${row.connections} conn.: ours / floor`, 0.9, row.oursToFloor),
    ),
    ...found.throughput.map((row) =>
      atLeast(`${row.endpoint}, ${row.connections} conn.: ours / peer`, row.peerTarget, row.oursToPeer),
    ),
    ...[...found.refusals].flatMap(([hello, rows]) =>
      rows.map((row) =>
        atLeast(`429, ${row.connections} conn.: ours / hello (${hello})`, 0.8, row.refusedToHello),
      ),
    ),
    atMost('p99 of create at half load: ours / floor', 1.15, latency.oursToFloor),
    ...found.growth.map((row) =>
      atMost(
        `${row.measure}: 1,000,000 leads / 1,000`,
        1.25,
        row.ratio,
        '',
        ` (${fixed(row.largeMs.median)} / ${fixed(row.smallMs.median)} ms; floor ${fixed(floorGrowth(found, row))})`,
      ),
    ),
    atMost('list of 100,000: peak memory above idle', 64, memory.listPeakMib, ' MiB'),
    atMost('list of 100,000 / of 100: first byte', 1.5, memory.firstByteRatio),
    atMost(
      'bulk of 1000 x 8 KiB: peak memory above idle',
      96,
      memory.bulkPeakMib,
      ' MiB',
      ` (floor ${fixed(memory.floorBulkPeakMib, 0)})`,
    ),
    atMost('rows written per lead: D1', 4, rowsPerLead(found.far)),
    atMost('rows written per admission: limiter', 1, found.limiterRows),
    atMost('upload, gzip', 60, upload.gzipKib, ' KiB', ` (peer ${fixed(upload.peerGzipKib, 0)})`),
    atMost(
      'start-up, active time',
      15,
      upload.startUpMs,
      ' ms',
      ` (hello ${fixed(upload.helloStartUpMs, 1)})`,
    ),
    ...found.far
      .filter((row) => row.worker === 'ours')
      .map((row) =>
        atMost(
          `far from home, ${row.endpoint}: warm / hops`,
          1.05,
          row.warmMs / hopsMs,
          '',
          floorFar(found, row),
        ),
      ),
  ]
}

function floorGrowth({ floorGrowth }: Findings, { measure }: Growth): number {
  return floorGrowth.find((row) => row.measure === measure)?.ratio ?? Number.NaN
}

function floorFar({ far }: Findings, { endpoint }: Far): string {
  const floor = far.find((row) => row.worker === 'floor' && row.endpoint === endpoint)
  return ` (floor ${fixed((floor?.warmMs ?? Number.NaN) / hopsMs)})`
}

function rowsPerLead(far: readonly Far[]): number {
  const create = far.find((row) => row.worker === 'ours' && row.endpoint === 'create')
  return create?.trips.rowsWritten ?? Number.NaN
}

export function table(rows: readonly (readonly string[])[]): string {
  const [header = []] = rows
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = widths.map((width) => '-'.repeat(width))
  return [line(header), line(rule), ...rows.slice(1).map(line)].join('\n')
}

export function reportText(found: Findings): string {
  const perSecond = table([
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
    ...found.throughput.map((row) => [
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
  const { latency } = found
  const create = table([
    [`Create at ${fixed(latency.requestsPerSecond, 0)} per second`, 'floor ms', 'ours ms'],
    ['p50', fixed(latency.p50Ms.floor), fixed(latency.p50Ms.ours)],
    ['p99', fixed(latency.p99Ms.floor), fixed(latency.p99Ms.ours)],
  ])
  const far = table([
    [
      `Far from home (${hopsMs} ms of hops)`,
      'Worker',
      'cold / hops',
      'warm / hops',
      'limiter calls',
      'D1 trips',
    ],
    ...found.far.map((row) => [
      row.endpoint,
      row.worker,
      fixed(row.coldMs / hopsMs),
      fixed(row.warmMs / hopsMs),
      String(row.trips.limiter),
      String(row.trips.database),
    ]),
  ])
  const targets = table([
    ['Measure', 'Target', 'Found', ''],
    ...verdicts(found).map((row) => [row.measure, row.target, row.found, row.met ? 'met' : 'MISSED']),
  ])
  return [perSecond, create, far, targets].join('\n\n')
}
