// What the model's sequences are made of: settings, and all that agents, CRMs, operators and the clock may do.
import fc from 'fast-check'
import { defaultCallingHours } from '../../../src/queue/campaigns/calling-hours.ts'
import { type ReportedOutcome, reportedOutcomes } from '../../../src/queue/campaigns/outcomes.ts'
import type { SettingsChange } from '../../../src/queue/campaigns/settings.ts'
import { alwaysOpen, dayMs, hourMs, minuteMs } from '../../support/calling/calling.ts'
import type { Delivery } from './waiting-agents.ts'

/** The Friday before the clocks of Europe change; those of New York follow a week later. */
export const startMs = Date.UTC(2026, 9, 23, 11)

export const zones = ['', '', 'Asia/Tokyo', 'America/New_York']
export const phoneCount = 5

export const settings: readonly SettingsChange[] = [
  { timeZone: 'Europe/Berlin', callingHours: alwaysOpen, appointmentHours: alwaysOpen },
  { timeZone: 'Europe/Berlin', callingHours: defaultCallingHours, maxAttempts: 2 },
  { numberLimits: { minGapMinutes: null, per24Hours: null, per7Days: null } },
  { numberLimits: null },
  { numberLimits: { per24Hours: 1, per7Days: 2 } },
  { paused: true },
  { paused: null },
  { timeZone: null },
  { timeZone: 'Asia/Tokyo' },
  { maxAttempts: 1 },
  { maxAttempts: 9 },
  { leaseSeconds: 60 },
  { closedDates: ['2026-10-26', '2026-10-27'] },
  { closedDates: null },
  {
    outcomes: { busy: { class: 'done' }, unknown: { minutes: 0 }, answered: { class: 'retry', minutes: 1 } },
  },
  {
    outcomes: {
      unknown: { class: 'done' },
      do_not_call: { class: 'retry' },
      voicemail: { class: 'appointment' },
    },
  },
  { outcomes: null },
  { maxLiveCalls: 1 },
  { maxLiveCalls: 3 },
  { maxLiveCalls: null },
  { callsPerMinute: 1 },
  { callsPerMinute: 90 },
  { callsPerMinute: null },
  { requireConsent: null },
  { requireConsent: { purpose: 'calls', maxAgeDays: 2 } },
  { requireConsent: { purpose: 'offers', maxAgeDays: 1 } },
  { requireConsent: { purpose: 'calls', maxAgeDays: null } },
]

export const purposes = ['calls', 'offers']

export type Consent = {
  readonly purpose: number
  readonly givenInMs: number
  readonly lastsMs: number | null
  readonly reference: string | null
}

export type Action =
  | {
      do: 'add'
      campaign: number
      phone: number
      zone: number
      priority: number
      scheduledInMs: number | null
      consent: Consent | null
    }
  | { do: 'consents'; phone: number; given: readonly Consent[]; again: number | null }
  | { do: 'withdraw'; phone: number; purpose: number | null; atInMs: number | null }
  | { do: 'erase'; phone: number }
  | { do: 'claim'; campaign: number; maxCalls: number; leaseSeconds: number | null; isKeyed: boolean }
  | { do: 'await'; campaign: number; maxCalls: number }
  | { do: 'repeat'; which: number }
  | { do: 'report'; which: number; outcome: ReportedOutcome; callbackInMs: number | null; doNotCall: boolean }
  | { do: 'release'; which: number; delaySeconds: number }
  | { do: 'extend'; which: number; leaseSeconds: number | null }
  | { do: 'suppress'; phone: number; campaign: number | null }
  | { do: 'lift'; phone: number; campaign: number | null }
  | { do: 'requeue'; which: number }
  | { do: 'explain'; which: number }
  | {
      do: 'change'
      which: number
      priority: number | null
      zone: number | null
      /** Null: not named; empty: cleared. */
      schedule: { readonly inMs: number | null } | null
    }
  | { do: 'settings'; campaign: number; change: number }
  | { do: 'wait'; ms: number }
  | { do: 'waitFor'; what: 'due' | 'lease' | 'opening'; which: number; plusMs: number }
  | { do: 'rest'; campaign: number }
  | { do: 'cron' }

const nat = (max: number) => fc.integer({ min: 0, max })
const some = <Kind extends Action['do']>(kind: Kind, rest: object): fc.Arbitrary<Action> =>
  fc.record({ do: fc.constant(kind), ...rest }) as unknown as fc.Arbitrary<Action>
const times = [-hourMs - 1, -hourMs, 0, 1, 700, 10_000, 30 * minuteMs, 5 * hourMs, 2 * dayMs]
const mostly = fc.nat({ max: 1 })
/** Every other time it is the required consent. */
const change = fc.oneof(
  nat(settings.length - 1),
  nat(3).map((last) => settings.length - 1 - last),
)
const givenTimes = [0, 0, -1, -hourMs, -hourMs, -2 * dayMs, -3 * dayMs, 1, 3 * minuteMs, 5 * minuteMs]
const consent: fc.Arbitrary<Consent> = fc.record({
  purpose: fc.constantFrom(0, 0, 0, 1),
  givenInMs: fc.constantFrom(...givenTimes),
  lastsMs: fc.option(fc.constantFrom(0, 1, 5 * minuteMs, 90 * minuteMs, dayMs, 4 * dayMs), { freq: 3 }),
  reference: fc.constantFrom(null, null, 'form 2'),
})

export const action: fc.Arbitrary<Action & { isLost: boolean; delivery: Delivery }> = fc
  .tuple(
    fc.oneof(
      {
        weight: 6,
        arbitrary: some('add', {
          campaign: nat(1),
          phone: nat(phoneCount - 1),
          zone: nat(zones.length - 1),
          priority: fc.constantFrom(0, 0, 5, 100),
          scheduledInMs: fc.option(fc.constantFrom(...times)),
          consent: fc.option(consent),
        }),
      },
      {
        weight: 9,
        arbitrary: some('claim', {
          campaign: mostly,
          maxCalls: fc.constantFrom(1, 1, 2, 5),
          leaseSeconds: fc.option(fc.constantFrom(30, 7200)),
          isKeyed: fc.boolean(),
        }),
      },
      {
        weight: 9,
        arbitrary: some('await', { campaign: mostly, maxCalls: fc.constantFrom(1, 1, 3) }),
      },
      { weight: 2, arbitrary: some('repeat', { which: nat(20) }) },
      {
        weight: 8,
        arbitrary: some('report', {
          which: nat(20),
          outcome: fc.constantFrom(...reportedOutcomes),
          callbackInMs: fc.option(fc.constantFrom(...times)),
          doNotCall: fc.constantFrom(false, false, false, true),
        }),
      },
      {
        weight: 3,
        arbitrary: some('release', { which: nat(20), delaySeconds: fc.constantFrom(0, 60, 86_400) }),
      },
      {
        weight: 2,
        arbitrary: some('extend', { which: nat(20), leaseSeconds: fc.option(fc.constantFrom(30, 600)) }),
      },
      { weight: 1, arbitrary: some('suppress', { phone: nat(phoneCount - 1), campaign: fc.option(nat(1)) }) },
      {
        weight: 2,
        arbitrary: some('lift', { phone: nat(phoneCount - 1), campaign: fc.option(nat(1), { freq: 1 }) }),
      },
      {
        weight: 6,
        arbitrary: some('consents', {
          phone: nat(phoneCount - 1),
          given: fc.array(consent, { minLength: 1, maxLength: 2 }),
          again: fc.option(nat(20), { freq: 3 }),
        }),
      },
      {
        weight: 3,
        arbitrary: some('withdraw', {
          phone: nat(phoneCount - 1),
          purpose: fc.option(nat(1)),
          atInMs: fc.option(fc.constantFrom(0, -1, -hourMs, -2 * dayMs, 4 * minuteMs)),
        }),
      },
      { weight: 1, arbitrary: some('erase', { phone: nat(phoneCount - 1) }) },
      { weight: 2, arbitrary: some('requeue', { which: nat(20) }) },
      {
        weight: 4,
        arbitrary: some('change', {
          which: nat(20),
          priority: fc.option(fc.constantFrom(0, 5, 100)),
          zone: fc.option(nat(zones.length - 1)),
          schedule: fc.option(fc.record({ inMs: fc.option(fc.constantFrom(...times), { freq: 2 }) })),
        }),
      },
      { weight: 2, arbitrary: some('explain', { which: nat(20) }) },
      { weight: 4, arbitrary: some('settings', { campaign: nat(1), change }) },
      {
        weight: 3,
        arbitrary: some('wait', {
          ms: fc.constantFrom(1, 300, 1000, 8_000, 16 * minuteMs, hourMs, 9 * hourMs, dayMs, 8 * dayMs),
        }),
      },
      {
        weight: 6,
        arbitrary: some('waitFor', {
          what: fc.constantFrom('due', 'lease', 'opening'),
          which: nat(20),
          plusMs: fc.constantFrom(-5_000, -1, 0, 1, 1999, 2000),
        }),
      },
      { weight: 3, arbitrary: some('rest', { campaign: mostly }) },
      { weight: 2, arbitrary: some('cron', {}) },
    ),
    fc.constantFrom(false, false, true),
    fc.constantFrom<Delivery>('rung', 'rung', 'rung', 'doubled', 'dropped'),
  )
  .map(([each, isLost, delivery]) => ({ ...each, isLost, delivery }))
