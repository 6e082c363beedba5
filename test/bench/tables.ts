// The tables of the page, row by row, from what was measured: how fast, how it grows, what it costs. A row's first cell
// is its name. Which goals there are is in endpoints.ts and here.
import { type Beside, bulksBeside } from './measures/beside.ts'
import type { ClaimGrowth } from './measures/claims.ts'
import type { Cost } from './measures/cost.ts'
import { type Dialling, dialerCount } from './measures/dialers.ts'
import { type Events, manyEndpoints } from './measures/events.ts'
import type { Growth } from './measures/growth.ts'
import type { IndexCost } from './measures/index-cost.ts'
import type { Memory } from './measures/memory.ts'
import type { Throughput } from './measures/throughput.ts'
import { shapes, type Waits, waiterCountOf } from './measures/waits.ts'
import { quantile, type Spread, spread } from './statistics.ts'

export type Row = readonly string[]

/** Headings of README.md, and the heads of the tables that they have. */
export const heads = {
  'How fast': ['16 connections', 'CPU ms: floor, ours', 'ours / floor, CPU', 'Goal', 'ours / peer', 'Goal'],
  'How does it grow': ['From 1,000 to 1,000,000 leads', 'ms', 'Ratio', "Floor's", 'Goal'],
  'What does it cost': [
    'ours / floor',
    'Rows read',
    'Rows written',
    'Goal',
    'D1 + objects',
    'Statements',
    'Bytes of SQL',
  ],
  'A store of its own': [
    'Own / D1',
    'CPU',
    'Goal',
    'CPU ms',
    'ms of one request',
    'Rows read',
    'Rows written',
    'D1 + objects',
  ],
  'Many companies': ['All in one D1, each its own store', 'Requests a second', 'CPU ms', 'Own / D1, CPU'],
  'In all': ['Memory, size, events, waits', 'Found', 'Goal'],
} as const
export type Heading = keyof typeof heads
export type Tables = Partial<Record<Heading, readonly Row[]>>

export const fixed = (value: number, digits = 2) => (Number.isNaN(value) ? '' : value.toFixed(digits))
export const ranged = ({ median, min, max }: Spread, digits = 2) =>
  Number.isNaN(median) ? '' : `${fixed(median, digits)} (${fixed(min, digits)}–${fixed(max, digits)})`

/** A goal, and by how much it is missed. */
function atLeast(goal: number | undefined, found: number): string {
  if (goal === undefined) return ''
  return `${fixed(goal)} ${found >= goal ? 'met' : `missed by ${fixed(goal - found)}`}`
}
export function atMost(goal: number, found: number, digits = 2): string {
  return `${fixed(goal, digits)} ${found <= goal ? 'met' : `missed by ${fixed(found - goal, digits)}`}`
}

/** What the floor does not reach is no goal. */
const atLeastAsFloor = (goal: number | undefined, found: number, floor: number) =>
  goal !== undefined && floor < goal ? `none: floor ${fixed(floor)}` : atLeast(goal, found)

export const speedRow = ({ endpoint, cpuMs, oursToFloor, oursToPeer, floorToPeer }: Throughput): Row => [
  endpoint.name,
  `${fixed(cpuMs.floor)}, ${fixed(cpuMs.ours)}`,
  ranged(oursToFloor),
  atLeast(endpoint.goals.floor, oursToFloor.median),
  ranged(oursToPeer),
  atLeastAsFloor(endpoint.goals.peer, oursToPeer.median, floorToPeer),
]

export function growthRows(ours: readonly Growth[], floor: readonly Growth[]): Row[] {
  return ours.map(({ measure, smallMs, largeMs, ratio }, index) => {
    const floorRatio = floor[index]?.ratio ?? Number.NaN
    return growthRow(measure, smallMs.median, largeMs.median, ratio, floorRatio)
  })
}

const growthRow = (what: string, smallMs: number, largeMs: number, ratio: number, floor: number): Row => [
  what,
  `${fixed(smallMs)}, ${fixed(largeMs)}`,
  fixed(ratio),
  fixed(floor),
  atMost(1.25, ratio),
]

export function claimGrowthRows({ sizes, behind, floorSizes }: ClaimGrowth): Row[] {
  const [small = Number.NaN, large = Number.NaN] = sizes.map(({ ms }) => ms.median)
  const [floorSmall = Number.NaN, floorLarge = Number.NaN] = floorSizes.map(({ ms }) => ms.median)
  const [own, peer] = behind
  return [
    growthRow('claim of 10, all due', small, large, large / small, floorLarge / floorSmall),
    [
      'claim of 10 behind 1,000,000 not due: ours, peer',
      `${fixed(own?.ms.median ?? Number.NaN)}, ${fixed(peer?.ms.median ?? Number.NaN)}`,
      fixed(peer?.toFirst.median ?? Number.NaN),
      '',
      atLeast(3, peer?.toFirst.median ?? Number.NaN),
    ],
  ]
}

export function costRows(costs: readonly Cost[]): Row[] {
  const floors = new Map(costs.filter(({ worker }) => worker === 'floor').map((cost) => [cost.request, cost]))
  return costs.flatMap((own) => {
    const floor = floors.get(own.request)
    if (own.worker !== 'ours' || floor === undefined) return []
    const beside = (of: (cost: Cost) => number) => `${of(own)} / ${of(floor)}`
    return [
      [
        own.request,
        beside(({ inAll }) => inAll.rowsRead),
        beside(({ inAll }) => inAll.rowsWritten),
        atMost(floor.inAll.rowsWritten, own.inAll.rowsWritten, 0),
        `${own.trips.database} + ${own.trips.objects}`,
        beside(({ trips }) => trips.statements),
        beside(({ trips }) => trips.sqlBytes),
      ],
    ]
  })
}

export const limiterRow = (rows: number): Row => [
  'rows that the limiter writes for a request',
  fixed(rows, 0),
  atMost(1, rows, 0),
]

export function memoryRows({ listPeakMib, firstByteRatio, bulkPeakMib, floorBulkPeakMib }: Memory): Row[] {
  return [
    ['list of 100,000: peak over idle, MiB', fixed(listPeakMib, 0), atMost(64, listPeakMib, 0)],
    ['list of 100,000 / of 100: first byte', fixed(firstByteRatio), atMost(1.5, firstByteRatio)],
    [
      'bulk of 1000 x 8 KiB: peak over idle, MiB (floor)',
      `${fixed(bulkPeakMib, 0)} (${fixed(floorBulkPeakMib, 0)})`,
      atMost(Math.max(96, floorBulkPeakMib), bulkPeakMib, 0),
    ],
  ]
}

export const uploadRows = (ours: number, peer: number, client: number): Row[] => [
  ['upload, KiB gzip (peer)', `${fixed(ours, 1)} (${fixed(peer, 0)})`, atMost(160, ours, 1)],
  ['client that creates a lead, KiB gzip', fixed(client), atMost(4, client)],
]

/** Median and p99. */
const quantiles = (values: readonly number[]) => {
  const sorted = values.toSorted((a, b) => a - b)
  return `${fixed(quantile(sorted, 0.5), 0)}, ${fixed(quantile(sorted, 0.99), 0)}`
}

export function eventRows({ sending, listening }: Events): Row[] {
  return [
    [
      `events a second: to 1 endpoint, to ${manyEndpoints} in all`,
      [sending.perSecondToOne, sending.perSecondToMany].map((all) => fixed(spread(all).median, 0)).join(', '),
      '',
    ],
    ['ms from a create to its receipt', quantiles(sending.fromCommitMs), ''],
    [
      `CPU with the log read, with a webhook: ${listening.map(({ request }) => request).join('; ')}`,
      listening
        .map(
          ({ logToNobody, webhookToNobody }) =>
            `${fixed(logToNobody.median)}, ${fixed(webhookToNobody.median)}`,
        )
        .join('; '),
      '',
    ],
  ]
}

export const indexRows = ({ withMs, withoutMs }: IndexCost): Row[] => [
  [
    'CPU ms of a bulk of 1000 with the search index, without',
    `${fixed(withMs, 1)}, ${fixed(withoutMs, 1)}`,
    '',
  ],
]

export function besideRows({ aloneMs, besideMs, bulksPerSecond }: Beside): Row[] {
  const p99Ms = quantile(
    besideMs.toSorted((a, b) => a - b),
    0.99,
  )
  return [
    [
      `create: ms alone; beside ${bulksBeside} bulks at once, of which there are so many a second`,
      `${quantiles(aloneMs)}; ${quantiles(besideMs)}; ${fixed(bulksPerSecond, 1)}`,
      atMost(250, p99Ms, 0),
    ],
  ]
}

export function waitRows(many: Waits, one: Waits): Row[] {
  const times = ({ readyMs, claimedMs }: Waits) => `${quantiles(readyMs)}; ${quantiles(claimedMs)}`
  const costs = ({ cpuMsPerWait, memoryMib }: Waits) => `${fixed(cpuMsPerWait)}, ${fixed(memoryMib, 0)}`
  const [ofMany, ofOne] = [
    `${waiterCountOf(shapes.many)} waiting claims`,
    `${waiterCountOf(shapes.one)} in ${shapes.one.isolates} isolates, of one campaign`,
  ]
  const slowest = quantile(
    one.claimedMs.toSorted((a, b) => a - b),
    0.99,
  )
  return [
    [`${ofMany}: ms from a create to \`ready\`; to the claimed call`, times(many), ''],
    [`${ofMany}: CPU ms of a wait of 25 s, MiB of all`, costs(many), ''],
    [`${ofOne}: ms to \`ready\`; to the call`, times(one), atMost(50, slowest, 0)],
    [`${ofOne}: CPU ms of a wait, MiB of all`, costs(one), ''],
  ]
}

export function dialerRows({ receivedMs, postedMs, cpuMsPerCall }: Dialling): Row[] {
  const row = (from: string, ms: readonly number[]): Row => [
    `${dialerCount} dialers: ms from a ${from} to its start at the provider`,
    quantiles(ms),
    atMost(
      100,
      quantile(
        ms.toSorted((a, b) => a - b),
        0.99,
      ),
      0,
    ),
  ]
  return [
    row('create', receivedMs),
    row('post of a form', postedMs),
    [`${dialerCount} dialers: CPU ms of a call, from start to report`, fixed(cpuMsPerCall), ''],
  ]
}
