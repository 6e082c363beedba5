// The times of a call that a dialer follows, in seconds after its start.
import { expect, it } from 'vitest'
import { type DialerCall, firstCall, type StoredEnd } from '../../../src/channels/dialers/dialer-call.ts'
import {
  holdsSeat,
  isForgotten,
  isFresh,
  isLost,
  isOverdue,
  isReportDue,
  mayExtend,
  needsExtension,
  nextAskAtMs,
  nextHangUpAtMs,
  nextStepAtMs,
} from '../../../src/channels/dialers/rounds/follow-call.ts'

const atS = (seconds: number) => seconds * 1000
const begun: DialerCall = {
  ...firstCall,
  callId: 'c1',
  state: 'starting',
  seq: 1,
  timeZone: 'UTC',
  startedAtMs: 0,
  leaseEndsAtMs: atS(600),
}
const live: DialerCall = { ...begun, providerId: 'p1', answeredAtMs: atS(1) }

it.each<[what: string, call: DialerCall, seconds: number | null]>([
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

it.each<[what: string, call: DialerCall, seconds: number, holds: boolean]>([
  ['that is being started', begun, 29, true],
  ['that may have rung, for two minutes', begun, 119.9, true],
  ['that may have rung, two minutes ago', begun, 120, false],
  ['that is live', live, 1000, true],
  ['that is over', { ...live, overAtMs: atS(60) }, 61, false],
  ['that has lasted too long, and is to be hung up', { ...live, isOverdue: true }, 1801, false],
  ['that was over, and is live again', { ...live, overAtMs: atS(60), isLiveAgain: true }, 61, true],
])('Whether a call %s holds a seat', (_, call, seconds, holds) => {
  expect(holdsSeat(call, atS(seconds))).toBe(holds)
})

const end: StoredEnd = {
  outcome: 'busy',
  isUnknown: false,
  mayHear: false,
  notDialled: null,
  callbackAtMs: null,
  durationSeconds: 0,
  unmappedReason: null,
  reason: null,
  isComplete: false,
}
const over: DialerCall = { ...live, overAtMs: atS(60), end }

it('A call that is over is reported when all is said of it, and after three minutes in any case', () => {
  const complete = { ...over, end: { ...end, isComplete: true } }
  expect([isReportDue(complete, atS(60)), isReportDue(over, atS(239)), isReportDue(over, atS(240))]).toEqual([
    true,
    false,
    true,
  ])
  const unreadable = { ...over, isLiveAgain: true, unreadableSinceMs: atS(61) }
  expect(nextStepAtMs({ ...unreadable, askedAtMs: atS(230) }, false, atS(231))).toBe(atS(240))
  expect(isReportDue(unreadable, atS(240))).toBe(true)
  expect(isReportDue({ ...over, reportedAtMs: atS(240) }, atS(999))).toBe(false)
})

it('A call that is reported is asked every five minutes, and a nudge does not change that', () => {
  const reported = { ...over, askedAtMs: atS(240), reportedAtMs: atS(240), nudgedAtMs: atS(250) }
  expect(nextAskAtMs(reported)).toBe(atS(540))
})

it('A lease ends an hour after the longest call at the latest, and then nothing of the call is left', () => {
  const limit = atS(1800 + 3600)
  expect([limit - atS(600), limit - atS(599)].map((ms) => mayExtend(live, 1800, ms))).toEqual([true, false])
  const asked = { ...live, askedAtMs: limit }
  expect([limit + atS(59), limit + atS(60)].map((ms) => isForgotten(asked, 1800, ms))).toEqual([false, true])
  expect(mayExtend(begun, 1800, atS(1))).toBe(false)
})

it('A call that can be asked for is not forgotten before it has answered after the end of its lease', () => {
  const limit = atS(1800 + 3600)
  const isGone = (call: Partial<DialerCall>) => isForgotten({ ...live, ...call }, 1800, limit + atS(9999))
  const unreadable = { askedAtMs: limit, unreadableSinceMs: limit }
  expect([{}, { askedAtMs: limit - 1 }, unreadable, { askedAtMs: limit }].map(isGone)).toEqual([
    false,
    false,
    false,
    true,
  ])
  expect(isGone({ providerId: null, leaseEndsAtMs: limit })).toBe(true)
})

it('A hang-up is tried again after 15 s', () => {
  expect([nextHangUpAtMs(live), nextHangUpAtMs({ ...live, hangUpTriedAtMs: atS(40) })]).toEqual([0, atS(55)])
})

it('A call is given up that could not be asked for an hour, however long it lasts', () => {
  const unreadable = { ...live, unreadableSinceMs: atS(3000) }
  expect([isLost(live, atS(9999)), isLost(unreadable, atS(6599)), isLost(unreadable, atS(6600))]).toEqual([
    false,
    false,
    true,
  ])
})

it.each<[what: string, call: DialerCall, seconds: number, isTooLong: boolean]>([
  ['has lasted almost too long', live, 1799, false],
  ['has lasted too long', live, 1800, true],
  ['is over', { ...live, overAtMs: atS(60) }, 9999, false],
  ['was over, is live again, and lasts too long', { ...live, overAtMs: 1, isLiveAgain: true }, 1800, true],
])('Whether a call is to be hung up that %s', (_, call, seconds, isTooLong) => {
  expect(isOverdue(call, 1800, atS(seconds))).toBe(isTooLong)
})

it('A lease is extended below 200 s', () => {
  expect([400, 401].map((seconds) => needsExtension(live, atS(seconds)))).toEqual([false, true])
})

it('A claim is started without a look at what happened since for two seconds', () => {
  expect([isFresh(0, atS(2)), isFresh(0, atS(2) + 1)]).toEqual([true, false])
})
