// Some companies, and many: all in one D1 beside each with a store of its own. Requests take turns over them.
import { callGroup, type Group, leadGroup } from '../endpoints.ts'
import { type Load, withLoad } from '../load-process.ts'
import type { Build, Runtime } from '../runtime.ts'
import { pairedRatio, type Spread, spread } from '../statistics.ts'
import { type OfSides, type Side, sides, withStores } from '../with-stores.ts'
import { type Plan, runCell, warmUp } from './throughput.ts'

const companyCounts = [1, 10, 100]
/** Of all companies together: more than a run claims. */
const queuedLeads = 200_000

export type CompanySpeed = {
  readonly companies: number
  readonly request: string
  /** Medians. */
  readonly perSecond: OfSides<number>
  readonly cpuMs: OfSides<number>
  /** By processor time: above 1 stores of their own cost more. */
  readonly cpuToD1: Spread
}

export async function measureCompanies(
  build: Build,
  plan: Plan,
  say: (text: string) => void,
): Promise<CompanySpeed[]> {
  const results: CompanySpeed[] = []
  for (const companies of companyCounts) {
    const group = groupOf(companies)
    const measureIn = (runtime: Runtime) => withLoad((load) => measure(runtime, load, group, plan))
    const measured = await withStores(build, group.campaigns, measureIn, { companies })
    results.push(...measured.map((result) => ({ companies, ...result })))
    say(`${companies} companies`)
  }
  return results
}

function groupOf(companies: number): Group {
  // A report's key may be of another company than its claim's.
  const warmUp = [...leadGroup.warmUp, ...callGroup.warmUp].filter(
    ([kind]) => kind.path !== 'health' && kind.path !== 'agent',
  )
  return {
    endpoints: [...leadGroup.endpoints, ...callGroup.endpoints].filter(({ name }) =>
      ['create', 'claim of 10'].includes(name),
    ),
    campaigns: { create: 0, bulk: 0, list50: 50, calls: Math.ceil(queuedLeads / companies) },
    warmUp,
  }
}

async function measure(
  runtime: Runtime,
  load: Load,
  group: Group,
  plan: Plan,
): Promise<Omit<CompanySpeed, 'companies'>[]> {
  await warmUp(runtime, load, group, sides)
  const results: Omit<CompanySpeed, 'companies'>[] = []
  for (const { name, kind } of group.endpoints) {
    const cells: Record<Side, Awaited<ReturnType<typeof runCell>>[]> = { d1: [], own: [] }
    for (let round = 0; round < plan.rounds; round++)
      for (const side of round % 2 === 0 ? sides : sides.toReversed())
        cells[side].push(await runCell(runtime, load, side, kind, plan))
    const of = (side: Side, part: 'cpuMs' | 'perSecond') => cells[side].map((cell) => cell[part])
    const medians = (part: 'cpuMs' | 'perSecond') => ({
      d1: spread(of('d1', part)).median,
      own: spread(of('own', part)).median,
    })
    results.push({
      request: name,
      perSecond: medians('perSecond'),
      cpuMs: medians('cpuMs'),
      cpuToD1: pairedRatio(of('own', 'cpuMs'), of('d1', 'cpuMs')),
    })
  }
  return results
}
