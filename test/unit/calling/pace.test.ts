// The arithmetic of the pace: a table of named cases, the same as SQL and as the naive pace has it, and what holds of
// any sequence of claims.
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { statement } from '../../../src/base/database/database.ts'
import { heldAt } from '../../../src/queue/calling/store/sql/capacity.ts'
import { callsInPace, pacedAfter, pacedUntilMs } from '../../../src/queue/campaigns/store/pace.ts'
import * as naive from '../../support/calling/pace.ts'

const nowMs = Date.UTC(2026, 10, 18, 12)
const nowUs = nowMs * 1000

type Case = readonly [callsPerMinute: number | null, pacedUntilUs: number | null, atMs: number]
type Row = { readonly fits: number | null; readonly after: number | null; readonly fromMs: number | null }

const ask = statement(sql`select ${callsInPace(sql`s.at_ms`)} as fits,
    ${pacedAfter(sql`s.at_ms`, sql`${callsInPace(sql`s.at_ms`)}`)} as after, ${pacedUntilMs} as "fromMs"
  from (select item.value ->> 0 as calls_per_minute, item.value ->> 1 as paced_until_us, item.value ->> 2 as at_ms
    from json_each(${sql.placeholder('cases')}) as item) as s`)

/** What the statements of a claim say. */
async function paceOf(cases: readonly Case[]): Promise<Row[]> {
  const { results } = await ask(env.DB, { cases: JSON.stringify(cases) }).all<Row>()
  return results
}

it.each<[name: string, pace: Case, fits: number | null, fromMs: number | null]>([
  ['none', [null, null, nowMs], null, null],
  ['none any more, whatever was used', [null, nowUs + 9e9, nowMs], null, null],
  ['60 a minute begins with one', [60, null, nowMs], 1, null],
  ['60 a minute: none 1 ms before the second is over', [60, nowUs + 1_000_000, nowMs + 999], 0, nowMs + 1000],
  ['60 a minute: one when the second is over', [60, nowUs + 1_000_000, nowMs + 1000], 1, nowMs + 1000],
  ['60 a minute: one after an hour, not 3,600', [60, nowUs, nowMs + 3_600_000], 1, nowMs],
  ['600 a minute begins with ten', [600, null, nowMs], 10, null],
  ['600 a minute: one more every 100 ms', [600, nowUs + 1_000_000, nowMs + 100], 1, nowMs + 100],
  ['600 a minute: none 1 ms before that', [600, nowUs + 1_000_000, nowMs + 99], 0, nowMs + 100],
  ['600 a minute: five after half a second', [600, nowUs + 1_000_000, nowMs + 500], 5, nowMs + 100],
  ['600 a minute: ten after a second, and no more', [600, nowUs + 1_000_000, nowMs + 9_000], 10, nowMs + 100],
  [
    '1 a minute: none 1 ms before the minute is over',
    [1, nowUs + 60_000_000, nowMs + 59_999],
    0,
    nowMs + 60_000,
  ],
  ['1 a minute: one when the minute is over', [1, nowUs + 60_000_000, nowMs + 60_000], 1, nowMs + 60_000],
  [
    '7 a minute: a gap that is no whole number is rounded up',
    [7, nowUs + 8_571_429, nowMs + 8_571],
    0,
    nowMs + 8_572,
  ],
  ['90 a minute begins with one', [90, null, nowMs], 1, null],
  ['90 a minute: one more after a third of a second', [90, nowUs + 666_667, nowMs + 334], 1, nowMs + 334],
  ['60,000 a minute begins with a thousand', [60_000, null, nowMs], 1000, null],
  ['a clock that went back gets nothing', [60, nowUs + 1_000_000, nowMs - 60_000], 0, nowMs + 1000],
])('The pace %s', async (_, pace, fits, fromMs) => {
  expect(await paceOf([pace])).toMatchObject([{ fits, fromMs }])
})

it('The pace moves by as many gaps as calls have begun, from now at the earliest', async () => {
  const rows = await paceOf([
    [60, null, nowMs],
    [60, nowUs - 5_000_000, nowMs],
    [600, nowUs + 500_000, nowMs],
    [60, nowUs + 1, nowMs],
  ])
  expect(rows.map(({ fits, after }) => [fits, (after ?? 0) - nowUs])).toEqual([
    [1, 1_000_000],
    [1, 1_000_000],
    [5, 1_000_000],
    [0, 1],
  ])
})

it('The pace is the same for the naive pace, whatever the numbers', async () => {
  const cases = fc.sample(
    fc.tuple(
      fc.integer({ min: 1, max: 60_000 }),
      fc.oneof(fc.integer({ min: -2_000_000, max: 3_000_000 }), fc.integer({ min: -9e7, max: 9e7 })),
      fc.integer({ min: 0, max: 3000 }),
    ),
    2_000,
  )
  const moved = cases.map(([pace, us, ms]) => [pace, nowUs + us, nowMs + ms] as const)
  const expected = moved.map(([pace, untilUs, atMs]) => {
    const fits = naive.callsThatFit(pace, untilUs, atMs)
    return {
      fits,
      after: naive.pacedAfter(pace, untilUs, atMs, fits),
      fromMs: naive.fitsFromMs(pace, untilUs),
    }
  })
  expect(await paceOf(moved)).toEqual(expected)
})

it('The pace lets w seconds hold at most floor(w * rate + max(1, rate)) calls, however claims come', () => {
  const claims = fc.array(
    fc.record({
      afterMs: fc.oneof(fc.integer({ min: 0, max: 50 }), fc.integer({ min: 0, max: 3000 })),
      wanted: fc.integer({ min: 1, max: 100 }),
    }),
    { minLength: 1, maxLength: 60 },
  )
  const pace = fc.oneof(
    fc.constantFrom(1, 7, 60, 90, 119, 600, 1_199, 60_000),
    fc.integer({ min: 1, max: 60_000 }),
  )
  fc.assert(
    fc.property(pace, claims, (callsPerMinute, claimed) => {
      let [atMs, untilUs] = [nowMs, 0]
      const begun: number[] = []
      for (const { afterMs, wanted } of claimed) {
        atMs += afterMs
        const calls = Math.min(wanted, naive.callsThatFit(callsPerMinute, untilUs, atMs))
        untilUs = naive.pacedAfter(callsPerMinute, untilUs, atMs, calls)
        begun.push(...Array<number>(calls).fill(atMs))
      }
      expect(naive.callsOverPace(callsPerMinute, begun)).toBe(0)
    }),
    { numRuns: 200 },
  )
})

it('The pace gives nearly all that it allows to claims that come all the time', () => {
  for (const callsPerMinute of [1, 7, 60, 90, 600, 6_000]) {
    let [untilUs, begun] = [0, 0]
    for (let atMs = nowMs; atMs < nowMs + 120_000; atMs += 10) {
      const calls = naive.callsThatFit(callsPerMinute, untilUs, atMs)
      untilUs = naive.pacedAfter(callsPerMinute, untilUs, atMs, calls)
      begun += calls
    }
    expect(begun).toBeGreaterThanOrEqual(2 * callsPerMinute)
    expect(begun).toBeLessThanOrEqual(2 * callsPerMinute + Math.max(1, callsPerMinute / 60))
  }
})

it.each<[name: string, pacedUntilMs: number | null, placeFreeAtMs: number | null, held: unknown]>([
  ['nothing without cap and pace', null, null, null],
  ['nothing when both have room', 1000, 999, null],
  ['the pace', 1001, null, { by: 'pace', untilMs: 1001 }],
  ['the cap', null, 1001, { by: 'cap', untilMs: 1001 }],
  ['the cap, when it lasts longer', 1001, 2000, { by: 'cap', untilMs: 2000 }],
  ['the pace, when it lasts longer', 2000, 1001, { by: 'pace', untilMs: 2000 }],
])('What holds a campaign back is %s', (_, paced, placeFreeAtMs, held) => {
  expect(heldAt({ pacedUntilMs: paced, placeFreeAtMs }, 1000)).toEqual(held)
})
