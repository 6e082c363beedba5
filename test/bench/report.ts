// What a run has found, as tables of text, the last one against the targets. Numbers come from measures/, and are
// neither taken nor weighed here.
import type { Far } from './measures/far.ts'
import { hopsMs } from './measures/far.ts'
import type { Growth } from './measures/growth.ts'
import type { Latency } from './measures/latency.ts'
import type { Memory } from './measures/memory.ts'
import type { Refusal } from './measures/refusal.ts'
import { endpoints, type Throughput } from './measures/throughput.ts'
import type { Upload } from './measures/upload.ts'
import { atLeast, atMost, fixed, table, targetsTable, throughputTable, type Verdict } from './tables.ts'

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

export function verdicts(found: Findings): Verdict[] {
  const { latency, memory, upload } = found
  return [
    ...found.throughput.map((row) =>
      atLeast(`${row.endpoint}, ${row.connections} conn.: ours / floor`, 0.9, row.oursToFloor),
    ),
    ...found.throughput.map((row) =>
      atLeast(`${row.endpoint}, ${row.connections} conn.: ours / peer`, peerTarget(row), row.oursToPeer),
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
    atMost('client that creates a lead, gzip', 4, upload.clientGzipKib, ' KiB'),
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

const peerTarget = (row: Throughput) =>
  endpoints.find(({ name }) => name === row.endpoint)?.peerTarget ?? Number.NaN

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

export function reportText(found: Findings): string {
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
  const targets = targetsTable(verdicts(found))
  return [throughputTable(found.throughput), create, far, targets].join('\n\n')
}
