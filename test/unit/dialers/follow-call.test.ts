// The times of a call that a dialer follows, in seconds after its start.
import { expect, it } from 'vitest'
import {
  type FollowedCall,
  holdsSeat,
  isFresh,
  isLost,
  isReportDue,
  needsExtension,
  nextAskAtMs,
} from '../../../src/dialers/rounds/follow-call.ts'

const atS = (seconds: number) => seconds * 1000
const begun: FollowedCall = {
  callId: 'c1',
  startedAtMs: 0,
  providerId: null,
  answeredAtMs: null,
  askedAtMs: null,
  nudgedAtMs: null,
  unreadableSinceMs: null,
  overAtMs: null,
  reportedAtMs: null,
  leaseEndsAtMs: atS(600),
}
const live: FollowedCall = { ...begun, providerId: 'p1', answeredAtMs: atS(1) }

it.each<[what: string, call: FollowedCall, seconds: number | null]>([
  ['before the answer to its start: never', { ...begun, nudgedAtMs: 1 }, null],
  ['first: 15 s after that answer', live, 16],
  ['then: 15 s after the last asking', { ...live, askedAtMs: atS(16) }, 31],
  ['after a nudge: at once', { ...live, askedAtMs: atS(16), nudgedAtMs: atS(25) }, 25],
  [
    'after a nudge soon after the last asking: 5 s after it',
    { ...live, askedAtMs: atS(16), nudgedAtMs: atS(17) },
    21,
  ],
  ['after a nudge before the answer to its start: at that answer', { ...live, nudgedAtMs: atS(0.5) }, 1],
  [
    'after a nudge that comes late: no later than without it',
    { ...live, askedAtMs: atS(16), nudgedAtMs: atS(40) },
    31,
  ],
])('A call is asked for %s', (_, call, seconds) => {
  expect(nextAskAtMs(call)).toBe(seconds === null ? null : atS(seconds))
})

it.each<[what: string, call: FollowedCall, seconds: number, holds: boolean]>([
  ['that is being started', begun, 29, true],
  ['that may have rung, for two minutes', begun, 119.9, true],
  ['that may have rung, two minutes ago', begun, 120, false],
  ['that is live', live, 1000, true],
  ['that is over', { ...live, overAtMs: atS(60) }, 61, false],
])('Whether a call %s holds a seat', (_, call, seconds, holds) => {
  expect(holdsSeat(call, atS(seconds))).toBe(holds)
})

it('A call that is over is reported when all is said of it, and after three minutes in any case', () => {
  expect([isReportDue(0, true, 0), isReportDue(0, false, atS(179)), isReportDue(0, false, atS(180))]).toEqual(
    [true, false, true],
  )
})

it.each<[what: string, call: FollowedCall, seconds: number, lost: boolean]>([
  ['has lasted almost too long', live, 1799, false],
  ['has lasted too long', live, 1800, true],
  [
    'could not be asked for almost an hour',
    { ...live, startedAtMs: atS(3000), unreadableSinceMs: 0 },
    3599,
    false,
  ],
  ['could not be asked for an hour', { ...live, startedAtMs: atS(3000), unreadableSinceMs: 0 }, 3600, true],
  ['is over', { ...live, overAtMs: atS(60) }, 9999, false],
])('Whether a call is given up that %s', (_, call, seconds, lost) => {
  expect(isLost(call, 1800, atS(seconds))).toBe(lost)
})

it('A lease is extended below 200 s, but not that of a call which nothing can be asked of', () => {
  expect([400, 401].map((seconds) => needsExtension(live, atS(seconds)))).toEqual([false, true])
  expect(needsExtension(begun, atS(500))).toBe(false)
})

it('A claim is started without a look at what happened since for two seconds', () => {
  expect([isFresh(0, atS(2)), isFresh(0, atS(2) + 1)]).toEqual([true, false])
})
