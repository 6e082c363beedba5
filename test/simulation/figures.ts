// The figures of a run: what its worlds did in sum, as a run prints them at its end, and as src/docs/tested.md tells
// them.
import { createHash } from 'node:crypto'
import { countedNames, type FaultName, faultNames, faults } from './faults.ts'
import type { Done } from './process.ts'
import { hexOf } from './story.ts'

/** A fault that never happens in so many worlds proves nothing. */
const worldsForAllFaults = 2_000

export type Figures = {
  readonly worlds: { readonly seed: number; readonly digest: string }[]
  readonly broken: { readonly seed: number; readonly promise: string }[]
  readonly faults: Map<FaultName, number>
  actions: number
  requests: number
  cpuMs: number
}

export const noFigures = (): Figures => ({
  ...{ worlds: [], broken: [], actions: 0, requests: 0, cpuMs: 0 },
  faults: new Map(countedNames.map((name) => [name, 0])),
})

export type Counted = Pick<Done, 'seed' | 'digest' | 'actions' | 'requests' | 'faults' | 'broken' | 'cpuMs'>

export function addTo(figures: Figures, done: Counted): void {
  const { seed, digest, broken } = done
  figures.worlds.push({ seed, digest })
  if (broken !== null) figures.broken.push({ seed, promise: broken.promise })
  for (const [name, count] of done.faults)
    figures.faults.set(name as FaultName, (figures.faults.get(name as FaultName) ?? 0) + count)
  figures.actions += done.actions
  figures.requests += done.requests
  figures.cpuMs += done.cpuMs
}

/** Of all worlds, in whatever order they were run. */
export function digestOf({ worlds }: Figures): string {
  const digest = createHash('sha256')
  for (const world of worlds.toSorted((one, other) => one.seed - other.seed)) digest.update(world.digest)
  return digest.digest('hex').slice(0, 32)
}

/** `only`: as in PlanOptions. */
export function neverHappened(figures: Figures, only: readonly string[]): readonly FaultName[] {
  if (figures.worlds.length < worldsForAllFaults) return []
  const wanted = faultNames.filter((name) => only.includes(name))
  return (wanted.length > 0 ? wanted : countedNames).filter((name) => figures.faults.get(name) === 0)
}

/** What a run ends with. */
export const linesOf = (figures: Figures): readonly string[] => [
  `digest ${digestOf(figures)}`,
  `${figures.worlds.length} worlds, ${figures.actions} actions, ${figures.requests} requests in ` +
    `${(figures.cpuMs / 1000).toFixed(1)} s of processor time`,
  ...[...figures.faults].map(([name, count]) => `${name} ${count}`),
]

export type Run = {
  readonly first: number
  readonly isLong: boolean
  /** Of its end, as 2026-11-29. */
  readonly day: string
  readonly minutes: number
  readonly processes: number
  readonly commit: string
}

const [begin, end] = ['<!-- figures -->\n', '<!-- end of figures -->\n']

/** The page with the figures of this run, in place of those of the run before. */
export function withFigures(page: string, figures: Figures, run: Run): string {
  const [before, rest = '', ...more] = page.split(begin)
  const [old, after, ...others] = rest.split(end)
  if (before === undefined || old === undefined || after === undefined || more.length + others.length > 0)
    throw new Error(`The page has not one place between ${begin.trim()} and ${end.trim()}`)
  return [before, begin, `\n${told(figures, run)}\n\n`, end, after].join('')
}

function told(figures: Figures, { first, isLong, day, minutes, processes, commit }: Run): string {
  const { worlds, broken, actions, requests } = figures
  const [size, count] = [isLong ? 'long' : 'short', worlds.length]
  const spent = `${Number(minutes.toFixed(1))} minutes in ${processes} ${processes === 1 ? 'process' : 'processes'}`
  const replay = `npm run simulate -- --seed ${hexOf(first)} --worlds ${count}${isLong ? ' --long' : ''}`
  return [
    `The last run, of ${day}, at commit \`${commit}\`: ${figure(count)} ${size} worlds, ${figure(actions)} ` +
      `actions, ${figure(requests)} requests, in ${spent}. ${verdictOf(broken)} At that commit, \`${replay}\` runs ` +
      `the same worlds, and ends with \`digest ${digestOf(figures)}\`.`,
    '',
    '| Fault | What goes wrong | Times |',
    '| --- | --- | --- |',
    ...[...figures.faults].map(([name, times]) => `| ${name} | ${faults[name].says} | ${figure(times)} |`),
  ].join('\n')
}

function verdictOf(broken: Figures['broken']): string {
  if (broken.length === 0) return 'No world broke a promise.'
  const seeds = broken.slice(0, 5).map(({ seed, promise }) => `\`${hexOf(seed)}\` broke “${promise}”`)
  const left = broken.length - seeds.length
  return `${seeds.join(', ')}${left > 0 ? `, and ${left} more worlds broke one` : ''}.`
}

const figure = (value: number) => value.toLocaleString('en-US')
