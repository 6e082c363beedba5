// A gate that the world plays: slow, silent, failing, nonsense and contradictions by the seed; what it has said yes to,
// and which campaigns surely have it.
import { phoneOf } from '../cast.ts'
import { drawsOf } from '../draws.ts'
import type { Service } from '../platform/service.ts'
import type { Gates, Known } from './known.ts'

export const gateHost = 'gate.example.com'
export const keepHours = 1

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

export function openGate(service: Service, known: Known, seed: number): void {
  let requests = 0
  service.hosts.set(gateHost, async (_, init) => {
    const { phone, place } = JSON.parse(String(init.body))
    const draws = drawsOf(seed, `gate request ${++requests}`)
    const [status, body] = answers[draws.pick(usual)]
    const takesMs = draws.isOneOf(10) ? draws.below(20_000) : draws.below(400)
    if (status === 200 && body.status === 'clear' && !('litigator' in body))
      known.gates.yeses.push({ place, phone: phoneOf(known.cast, phone), atMs: service.agenda.nowMs() })
    return { takesMs, answered: Response.json(body, { status }) }
  })
}

export const placeOf = (company: number, campaign: number) => `${company}/${campaign}`

const add = (map: Map<string, number>, place: string, n: number) => map.set(place, (map.get(place) ?? 0) + n)

/** `change` returns whether the gate holds from now on; null: no answer came. */
export async function changing(
  { held, busy, changes }: Gates,
  place: string,
  nowMs: () => number,
  change: () => Promise<boolean | null>,
): Promise<void> {
  held.delete(place)
  add(busy, place, 1)
  add(changes, place, 1)
  const before = changes.get(place)
  const isHeld = await change()
  if (isHeld === null) return
  add(busy, place, -1)
  if (isHeld && busy.get(place) === 0 && changes.get(place) === before) held.set(place, nowMs())
}

/** The answer may be as old as that. */
const slackMs = 60_000

/** Whether a call at this time lacks a yes. */
export function lacksYes(
  known: Known,
  company: number,
  campaign: number,
  phone: number,
  atMs: number,
): boolean {
  const place = placeOf(company, campaign)
  const sinceMs = known.gates.held.get(place)
  // After a restore the gate is the one of before.
  if (sinceMs === undefined || sinceMs >= atMs || known.restored.has(company)) return false
  const oldestMs = atMs - keepHours * 3_600_000 - slackMs - known.jumpedMs
  return !known.gates.yeses.some((yes) => yes.place === place && yes.phone === phone && yes.atMs >= oldestMs)
}
