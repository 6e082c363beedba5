// A gate that the world plays: slow, silent, failing, nonsense and contradictions by the seed; what it was asked
// and has said, and which campaigns surely have it.
import { phoneOf } from '../cast.ts'
import { drawsOf } from '../draws.ts'
import type { FaultName } from '../faults.ts'
import type { Call } from '../observed.ts'
import type { Stage } from '../people/person.ts'
import type { Service } from '../platform/service.ts'
import type { Gates, Known } from './known.ts'

export const gateHost = 'gate.example.com'
export const keepHours = 1
/** What takes longer may be no answer. */
const patienceMs = 4_000
const slowMs = 5_000

const answers = {
  yes: [200, { status: 'clear' }],
  no: [200, { status: 'listed', litigator: true }],
  later: [200, { status: 'in_meeting' }],
  contradicts: [200, { status: 'clear', litigator: true }],
  nonsense: [200, { status: 'perhaps' }],
  fails: [503, { status: 'clear' }],
} as const
const usual = [
  'yes',
  'yes',
  'yes',
  'yes',
  'yes',
  'yes',
  'no',
  'later',
  'contradicts',
  'nonsense',
  'fails',
] as const

const faultsOf: Readonly<Partial<Record<(typeof usual)[number], FaultName>>> = {
  contradicts: 'gate contradicts',
  nonsense: 'gate nonsense',
  fails: 'gate fails',
}

export function openGate(service: Service, known: Known, seed: number): void {
  const met = new Map<string, number>()
  service.hosts.set(gateHost, async (_, init, leftMs) => {
    const { phone, place, question } = JSON.parse(String(init.body))
    // Each company, and each lead, has draws of its own.
    const whom = `${place} ${phone}`
    add(met, whom, 1)
    const draws = drawsOf(seed, `gate ${whom} ${met.get(whom)}`)
    const drawn = draws.pick(usual)
    const [status, body] = answers[drawn]
    const takesMs = draws.isOneOf(10) ? draws.below(20_000) : draws.below(400)
    const fault = faultsOf[drawn]
    if (fault !== undefined) service.met(fault)
    if (takesMs >= slowMs) service.met('gate slow')
    const isNo = 'litigator' in body
    const isYes = status === 200 && body.status === 'clear' && !isNo
    // Who tries a gate asks for nobody's call.
    const isTried = service.agenda.context().exchange?.operation === 'tryGate'
    if (!isTried)
      known.gates.asked.push({
        ...{ place, phone: phoneOf(known.cast, phone), atMs: service.agenda.nowMs() },
        ...{ question, isYes, isNo },
        // Also where its answer takes long on its way.
        isHeard: service.agenda.nowMs() - leftMs + takesMs + known.slowestMs / 2 < patienceMs,
      })
    return { takesMs, answered: Response.json(body, { status }) }
  })
}

export const placeOf = (company: number, campaign: number) => `${company}/${campaign}`

const add = (map: Map<string, number>, place: string, n: number) => map.set(place, (map.get(place) ?? 0) + n)

/**
 * `change` returns which gate there is from now on: none, or one that holds or calls when it is silent. Its question is
 * the number of the action.
 */
export async function changing(
  { set, busy, changes }: Gates,
  place: string,
  { nowMs, action }: Pick<Stage, 'nowMs' | 'action'>,
  change: () => Promise<'none' | 'hold' | 'call' | 'no answer'>,
): Promise<void> {
  set.delete(place)
  add(busy, place, 1)
  add(changes, place, 1)
  const before = changes.get(place)
  const is = await change()
  if (is === 'no answer') return
  add(busy, place, -1)
  if (is !== 'none' && busy.get(place) === 0 && changes.get(place) === before)
    set.set(place, { sinceMs: nowMs(), isHolding: is === 'hold', question: action })
}

/** The answer may be as old as that. */
const slackMs = 60_000

type Claimed = Pick<Call, 'company' | 'campaign' | 'phone' | 'claimedAtMs'>

/** What a call lacks that begins behind a gate. Null: nothing, or nobody knows for sure which gate there is. */
export function lackOf({ company, campaign, phone, claimedAtMs }: Claimed, known: Known): string | null {
  const place = placeOf(company, campaign)
  const gate = known.gates.set.get(place)
  // After a restore the gate is the one of before.
  if (gate === undefined || gate.sinceMs >= claimedAtMs || known.restored.has(company)) return null
  const asked = known.gates.asked.filter(
    (one) => one.place === place && one.phone === phone && one.question === gate.question,
  )
  const oldestMs = claimedAtMs - keepHours * 3_600_000 - slackMs - known.jumpedMs
  if (gate.isHolding && !asked.some(({ isYes, atMs }) => isYes && atMs >= oldestMs))
    return `phone ${phone} is called without a fresh yes of the campaign's gate`
  // Two leads of a phone that has two spellings are asked about apart.
  const last = known.cast.phones[phone]?.spellings.length === 1 ? asked.at(-1) : undefined
  return last?.isNo && last.isHeard && last.atMs > gate.sinceMs && last.atMs < claimedAtMs - patienceMs
    ? `phone ${phone} is called, to which the campaign's gate has said no`
    : null
}
