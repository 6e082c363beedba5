// A story: all that happens in a world, made whole from its seed before the world runs. It is data, so that it can be
// kept, made shorter, and told again.
import { type Cast, drawCast } from './cast.ts'
import { type Draws, drawsOf } from './draws.ts'
import { faultNames, faults, type PlannedFault } from './faults.ts'
import { allDeeds, deedOf, type NamedDeed } from './people/everybody.ts'
import type { Args } from './people/person.ts'

export type Action = {
  /** Stays when others are taken out: it names the draws of the action. */
  readonly n: number
  /** After the start. */
  readonly atMs: number
  readonly who: string
  readonly does: string
  readonly with: Args
}

export type Story = {
  readonly seed: number
  /** 0: each answer comes at once. 1: it may take seconds. */
  readonly interleaving: number
  readonly cast: Cast
  readonly actions: readonly Action[]
  readonly faults: readonly PlannedFault[]
}

export const hexOf = (seed: number) => `0x${seed.toString(16).padStart(8, '0')}`

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000]

/** Until the next action: mostly at once or soon, at times much later. */
function drawGapMs(draws: Draws): number {
  const kind = draws.below(40)
  if (kind < 18) return draws.below(50)
  if (kind < 30) return draws.below(5 * secondMs)
  if (kind < 36) return draws.below(90 * secondMs)
  if (kind < 39) return draws.below(70 * minuteMs)
  return draws.below(16 * hourMs)
}

/** Some worlds have much of what others do not have at all. */
function drawWeights(
  draws: Draws,
  only: readonly string[],
): readonly (readonly [deed: NamedDeed, upTo: number])[] {
  let sum = 0
  return allDeeds.map((deed) => {
    const own = draws.child(`${deed.who} ${deed.does}`)
    const drawn = deed.isRare && own.below(8) > 0 ? 0 : deed.weight * own.pick([0, 1, 1, 1, 1, 5])
    sum += only.includes(deed.does) ? 20 : drawn
    return [deed, sum]
  })
}

type Theme = {
  /** The first ones bring leads: without any, nothing happens. */
  readonly opening: readonly NamedDeed[]
  /** Where half of the world happens. Null: nowhere in particular. */
  readonly place: Pick<Args, 'company' | 'campaign'> | null
}

/** Some worlds are about one campaign, and a dialer or a gate that it has from the beginning. */
function drawTheme(draws: Draws, cast: Cast): Theme {
  const lead = deedOf('crm', 'createLead')
  const first = draws.pick([null, null, null, deedOf('voice', 'setDialer'), deedOf('gatekeeper', 'setGate')])
  if (first === null) return { opening: [lead, lead, lead], place: null }
  const company = draws.below(cast.companies.length)
  const campaign = draws.below(cast.companies[company]?.campaigns.length ?? 1)
  return { opening: [lead, first, lead, lead, lead], place: { company, campaign } }
}

export type PlanOptions = {
  readonly isLong: boolean
  /** Deeds that the world has many of, and the only faults that it has. */
  readonly only: readonly string[]
}

export function planStory(seed: number, { isLong, only }: PlanOptions = { isLong: false, only: [] }): Story {
  const draws = drawsOf(seed, 'story')
  const cast = drawCast(draws.child('cast'), isLong)
  const weights = drawWeights(draws.child('weights'), only)
  const sum = weights.at(-1)?.[1] ?? 0
  const count = isLong ? 200 + draws.below(400) : 40 + draws.below(80)
  const theme = drawTheme(draws.child('theme'), cast)
  let atMs = 0
  const actions = Array.from({ length: count }, (_, n): Action => {
    const own = draws.child(`action ${n}`)
    const drawn = own.below(Math.max(1, sum))
    const chosen = theme.opening[n] ?? weights.find(([, upTo]) => drawn < upTo)?.[0]
    const { who, does, plan } = chosen ?? deedOf('agent', 'claim')
    atMs += drawGapMs(own)
    const args = plan(own.child('with'), cast)
    const isThere = theme.place !== null && 'campaign' in args && (n < theme.opening.length || own.isOneOf(2))
    return { n, atMs, who, does, with: isThere ? { ...args, ...theme.place } : args }
  })
  const interleaving = draws.pick([0, 0, 0.2, 1, 1, 3])
  // Then it is compared with what it is without one of its companies.
  const isCalm = cast.companies.length > 1 && only.length === 0 && draws.isOneOf(4)
  return {
    seed,
    interleaving: isCalm ? 0 : interleaving,
    cast,
    actions,
    faults: isCalm ? [] : drawFaults(draws.child('faults'), actions, isLong, only),
  }
}

function drawFaults(
  draws: Draws,
  actions: readonly Action[],
  isLong: boolean,
  only: readonly string[],
): readonly PlannedFault[] {
  const wanted = faultNames.filter((name) => only.includes(name))
  const names = wanted.length > 0 ? wanted : faultNames
  const count = isLong ? draws.below(20) : draws.below(4)
  const drawn = Array.from({ length: count }, () => {
    const name = draws.pick(names)
    const action = draws.pick(actions)
    const isTimed = faults[name].place === 'time'
    return {
      name,
      action: isTimed ? null : action.n,
      step: 1 + draws.below(3),
      atMs: isTimed ? action.atMs + draws.below(2_000) : 0,
    }
  })
  return wanted.length > 0 ? drawn : [...drawn, ...interruptionsOf(draws, actions)]
}

/** Moves and restores take long, and begin rarely: few faults would come in the middle of one. */
const interruptionsOf = (draws: Draws, actions: readonly Action[]): readonly PlannedFault[] =>
  actions.flatMap(({ n, does, atMs }): PlannedFault[] => {
    const own = draws.child(`interruption ${n}`)
    if (!own.isOneOf(3)) return []
    if (does === 'restoreCompany')
      return [{ name: 'object dies', action: n, step: 2 + own.below(10), atMs: 0 }]
    if (does !== 'moveCompany') return []
    const name = own.pick(['objects die', 'isolate forgets'] as const)
    return [{ name, action: null, step: 1, atMs: atMs + own.below(5_000) }]
  })

/** Numbered, with times and faults. */
export function wordsOf({ seed, interleaving, cast, actions, faults: planned }: Story): string[] {
  const start = new Date(cast.startMs).toISOString()
  const companies = cast.companies.map(({ id, store }) => `${id} (${store})`).join(', ')
  const head = `${hexOf(seed)}: from ${start}, ${companies}, ${cast.phones.length} phones, interleaving ${interleaving}`
  const told = actions.map(({ n, atMs, who, does, with: args }) => {
    const trouble = planned
      .filter(({ action }) => action === n)
      .map(({ name, step }) => `; ${faults[name].says} (step ${step})`)
    return [atMs, `${n}. ${timeOf(atMs)} ${who} ${deedOf(who, does).says(args)}${trouble.join('')}`] as const
  })
  const timed = planned
    .filter(({ action }) => action === null)
    .map(({ name, atMs }) => [atMs, `   ${timeOf(atMs)} ${faults[name].says}`] as const)
  return [head, ...[...told, ...timed].sort(([one], [other]) => one - other).map(([, words]) => words)]
}

function timeOf(ms: number): string {
  const [hours, minutes] = [Math.floor(ms / hourMs), Math.floor((ms % hourMs) / minuteMs)]
  return `${hours}:${String(minutes).padStart(2, '0')}:${((ms % minuteMs) / secondMs).toFixed(3).padStart(6, '0')}`
}
