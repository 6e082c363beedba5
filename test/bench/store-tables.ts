// The tables of the page about companies with stores of their own, row by row, from what was measured. In each cell D1
// stands first.
import type { CompanySpeed } from './measures/companies.ts'
import type { Cost } from './measures/cost.ts'
import type { Stores } from './measures/stores.ts'
import { atMost, fixed, type Row, ranged } from './tables.ts'
import type { OfSides } from './with-stores.ts'

/** More than this, and stores of their own are not worth having. */
const mostCpu = 1.1

const both = (of: OfSides<number>, digits = 2) => `${fixed(of.d1, digits)}, ${fixed(of.own, digits)}`

export function storeRows({ speeds, costs }: Stores): Row[] {
  return speeds.map(({ request, cpuMs, cpuToD1, singleMs }) => {
    const costOf = (all: readonly Cost[]) => all.find((cost) => cost.request === request) as Cost
    const [d1, own] = [costOf(costs.d1), costOf(costs.own)]
    const beside = (of: (cost: Cost) => number | string) => `${of(d1)}, ${of(own)}`
    return [
      request,
      ranged(cpuToD1),
      atMost(mostCpu, cpuToD1.median),
      both(cpuMs),
      both(singleMs),
      beside(({ inAll }) => inAll.rowsRead),
      beside(({ inAll }) => inAll.rowsWritten),
      beside(({ trips }) => `${trips.database} + ${trips.objects}`),
    ]
  })
}

export const memoryRows = ({ memory }: Stores): Row[] => [
  [
    'list of 100,000 in D1, in a store of its own: peak over idle, MiB',
    both({ d1: memory.d1.listMib, own: memory.own.listMib }, 0),
    '',
  ],
  [
    'bulk of 1000 x 8 KiB in D1, in a store of its own: peak over idle, MiB',
    both({ d1: memory.d1.bulkMib, own: memory.own.bulkMib }, 0),
    '',
  ],
]

export const companyRows = (speeds: readonly CompanySpeed[]): Row[] =>
  speeds.map(({ companies, request, perSecond, cpuMs, cpuToD1 }) => [
    `${companies}: ${request}`,
    both(perSecond, 0),
    both(cpuMs),
    ranged(cpuToD1),
  ])
