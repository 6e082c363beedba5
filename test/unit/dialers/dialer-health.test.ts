// When a dialer rests and when it stops, as tables of what happened.
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  afterFact,
  type DialerFact,
  type DialerHealth,
  isResting,
  startsAllowed,
  wellDialer,
} from '../../../src/channels/dialers/rounds/dialer-health.ts'
import type { NotDialled } from '../../../src/channels/dialers/template/template.ts'

const startedCall: DialerFact = { kind: 'started' }
const doubt: DialerFact = { kind: 'may_have_rung' }
const fault: DialerFact = { kind: 'ended', outcome: 'failed' }
const silent: DialerFact = { kind: 'ended', outcome: 'abandoned' }
const answered: DialerFact = { kind: 'ended', outcome: 'answered' }
const refused = (because: NotDialled, refusalsBefore: number | null = null, restsBefore = 0): DialerFact => ({
  kind: 'not_dialled',
  because,
  retryAfterMs: null,
  before: refusalsBefore === null ? null : { refusals: refusalsBefore, rests: restsBefore },
})
const lead = refused('lead')
const times = (count: number, fact: DialerFact) => Array<DialerFact>(count).fill(fact)

const healthAfter = (facts: readonly DialerFact[], from: DialerHealth = wellDialer, nowMs = 0) =>
  facts.reduce((health, fact) => afterFact(health, fact, nowMs), from)

/** `stopped`, `resting` with its reason and seconds, or `well`. */
function stateAfter(facts: readonly DialerFact[]): string {
  const { stopped, rest } = healthAfter(facts)
  if (stopped !== null) return `stopped: ${stopped}`
  return rest === null ? 'well' : `resting: ${rest.reason}, ${rest.untilMs / 1000} s`
}

it.each<[what: string, facts: readonly DialerFact[], state: string]>([
  ['an empty account', [refused('account')], 'stopped: account'],
  ['a revoked key', [{ kind: 'key_revoked' }], 'stopped: key_revoked'],
  ['a busy provider', [refused('busy')], 'resting: busy, 30 s'],
  [
    'a busy provider that says how long',
    [{ ...refused('busy'), retryAfterMs: 7000 } as DialerFact],
    'resting: busy, 7 s',
  ],
  [
    'a busy provider that says longer, first',
    [{ ...refused('busy'), retryAfterMs: 60_000 } as DialerFact, refused('busy')],
    'resting: busy, 60 s',
  ],
  ['two refused leads', times(2, lead), 'well'],
  ['three refused leads', times(3, lead), 'stopped: refusing'],
  ['three invalid numbers', times(3, refused('lead:invalid_number')), 'stopped: refusing'],
  ['refused leads with a started call between', [lead, lead, startedCall, lead, lead], 'well'],
  ['refused leads with a busy provider between', [lead, lead, refused('busy'), lead], 'stopped: refusing'],
  ['two doubtful starts', times(2, doubt), 'well'],
  ['three doubtful starts', times(3, doubt), 'resting: no_answer, 60 s'],
  ['doubtful starts with a started call between', [doubt, doubt, startedCall, doubt, doubt], 'well'],
  ['nine faults', times(9, fault), 'well'],
  ['ten faults', [...times(5, fault), ...times(5, silent)], 'resting: failing, 60 s'],
  [
    'ten faults, with starts between',
    times(10, fault).flatMap((one) => [startedCall, one]),
    'resting: failing, 60 s',
  ],
  ['faults with an answered call between', [...times(9, fault), answered, ...times(9, fault)], 'well'],
])('After %s a dialer is as told', (_, facts, state) => expect(stateAfter(facts)).toBe(state))

it('Three starts that a status later calls not dialled stop the dialer, one after the other or at once', () => {
  const inTurn = times(3, lead).reduce((health) => {
    const begun = afterFact(health, startedCall, 0)
    return afterFact(begun, refused('lead', health.refusals), 0)
  }, wellDialer)
  expect(inTurn.stopped).toBe('refusing')
  const atOnce = healthAfter([...times(3, startedCall), ...times(3, refused('lead', 0))])
  expect(atOnce.stopped).toBe('refusing')
})

it('A start that a status later calls not dialled gives the refusals before it back, also when the provider was busy', () => {
  expect(healthAfter([lead, lead, startedCall, refused('busy', 2), lead]).stopped).toBe('refusing')
})

it('A rest is twice as long each time that the try after it goes no better, at most 15 minutes', () => {
  let [health, nowMs] = [healthAfter(times(2, doubt)), 0]
  const minutes = Array.from({ length: 6 }, () => {
    health = afterFact(health, doubt, nowMs)
    const restMs = (health.rest?.untilMs ?? 0) - nowMs
    nowMs += restMs
    return restMs / 60_000
  })
  expect(minutes).toEqual([1, 2, 4, 8, 15, 15])
  const well = afterFact(health, startedCall, nowMs)
  expect(healthAfter(times(3, doubt), well, nowMs).rest?.untilMs).toBe(nowMs + 60_000)
})

it('Calls that began before a rest, and end badly in it, make it no longer', () => {
  const resting = healthAfter(times(10, fault))
  expect(healthAfter(times(5, fault), resting, 30_000).rest).toEqual(resting.rest)
})

it('A start does not end a rest for faults: a call that ends without a fault does', () => {
  const resting = healthAfter(times(10, fault))
  const again = healthAfter([startedCall, fault], resting, 60_000)
  expect(again.rest?.untilMs).toBe(60_000 + 120_000)
  const well = healthAfter([startedCall, answered], again, 180_000)
  expect([startsAllowed(well, 0, 180_000), well.rests]).toEqual([Number.POSITIVE_INFINITY, 0])
})

it('A dialer that rests or is stopped starts nothing, and after a rest it tries one', () => {
  const resting = healthAfter(times(3, doubt))
  expect([0, 59_999, 60_000].map((nowMs) => startsAllowed(resting, 0, nowMs))).toEqual([0, 0, 1])
  expect(startsAllowed(resting, 1, 60_000)).toBe(0)
  expect(startsAllowed(healthAfter([refused('busy')]), 3, 30_000)).toBe(Number.POSITIVE_INFINITY)
  expect(startsAllowed(healthAfter(times(3, lead)), 0, 1e9)).toBe(0)
  expect(startsAllowed(wellDialer, 99, 0)).toBe(Number.POSITIVE_INFINITY)
})

it('A provider that stays busy rests twice as long each time, up to five minutes, until a start succeeds', () => {
  const seconds = (retryAfterMs: number | null) => {
    let [health, nowMs] = [wellDialer, 0]
    return Array.from({ length: 6 }, () => {
      health = afterFact(health, { ...refused('busy'), retryAfterMs } as DialerFact, nowMs)
      const restMs = (health.rest?.untilMs ?? 0) - nowMs
      nowMs += restMs
      return restMs / 1000
    })
  }
  expect(seconds(null)).toEqual([30, 60, 120, 240, 300, 300])
  expect(seconds(3_000)).toEqual([3, 6, 12, 24, 48, 96])
  expect(seconds(400_000)).toEqual([400, 400, 400, 400, 400, 400])
  const twice = healthAfter([refused('busy')], healthAfter([refused('busy')]), 30_000)
  const again = healthAfter([startedCall, refused('busy')], twice, 90_000)
  expect((again.rest?.untilMs ?? 0) - 90_000).toBe(30_000)
})

it('A provider that stays busy rests no shorter because a call from before ends well', () => {
  const ended = healthAfter([answered], healthAfter([refused('busy')]), 20_000)
  const second = healthAfter([refused('busy')], ended, 30_000)
  expect((second.rest?.untilMs ?? 0) - 30_000).toBe(60_000)
})

it('Starts that a busy provider refuses at the same time count as one', () => {
  const together = healthAfter(times(6, refused('busy')))
  expect([together.rests, together.rest?.untilMs]).toEqual([1, 30_000])
})

it('A provider that accepts a call and then says busy rests longer each time, too', () => {
  const first = healthAfter([startedCall, refused('busy', 0)])
  const second = healthAfter([startedCall, refused('busy', 0, first.rests)], first, 30_000)
  expect((second.rest?.untilMs ?? 0) - 30_000).toBe(60_000)
})

it('Whatever happens, a stopped dialer stays stopped, and a rest is never cut short', async () => {
  const outcome = fc.constantFrom('answered', 'failed', 'busy' as const)
  const fact = fc.oneof(
    fc.constantFrom(startedCall, doubt, { kind: 'key_revoked' } as const),
    outcome.map((one) => ({ kind: 'ended', outcome: one }) as DialerFact),
    fc.record({
      kind: fc.constant('not_dialled' as const),
      because: fc.constantFrom('account', 'busy', 'lead' as const),
      retryAfterMs: fc.option(fc.nat(100_000)),
      before: fc.option(fc.record({ refusals: fc.nat(2), rests: fc.nat(9) })),
    }),
  )
  await fc.assert(
    fc.property(fc.array(fc.tuple(fact, fc.nat(60_000))), (steps) => {
      let [health, nowMs] = [wellDialer, 0]
      return steps.every(([one, passedMs]) => {
        const before = health
        nowMs += passedMs
        health = afterFact(before, one, nowMs)
        const keepsStop = before.stopped === null || health.stopped !== null
        const keepsRest =
          !isResting(before, nowMs) || (health.rest?.untilMs ?? 0) >= (before.rest?.untilMs ?? 0)
        return keepsStop && keepsRest
      })
    }),
  )
})
