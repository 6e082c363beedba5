// What an assistant says at the end of a call, through to the queue: every no suppresses, and a callback rings at the
// minute that was agreed.
import { expect, it } from 'vitest'
import type { Template } from '../../../src/channels/dialers/template/template.ts'
import { appointmentRank } from '../../../src/queue/leads/store/queue.ts'
import {
  dayMs,
  hourMs,
  leadRow,
  minuteMs,
  noonMs,
  openSettings,
  seedCallingWorld,
} from '../../support/calling/calling.ts'
import { companyDb } from '../../support/database/store.ts'
import { seedDialling, withFate } from '../../support/dialers/dialling.ts'
import { fakeTemplate } from '../../support/dialers/fake-provider.ts'
import {
  flagsThatSayNo,
  otherFlags,
  otherOutcomes,
  outcomesThatSayNo,
} from '../../support/dialers/said-noes.ts'
import { seedSaying } from '../../support/dialers/saying.ts'
import { newPhone } from '../../support/world.ts'

/** Words at `outcome`, and flags beside it. */
const noes: readonly Readonly<Record<string, unknown>>[] = [
  ...['do_not_call', 'Do Not Call', 'DO-NOT-CALL', 'doNotCall', 'do not call.', 'dnc', 'DNC', 'd.n.c.'],
  ...['opt out', 'opt-out', 'OptOut', 'opted out', 'Opted-Out', 'opt_out_requested', 'unsubscribe'],
  ...['Unsubscribe!', 'stop calling', 'STOP_CALLING', 'remove from list', 'Remove-From-List', 'dó not cåll'],
].map((outcome): Record<string, unknown> => ({ outcome }))
const flags: typeof noes = [
  ...[true, 1, 'true', 'TRUE', 'yes', 'Y', ' 1 '].map((doNotCall) => ({ doNotCall })),
  ...[{ do_not_call: true }, { doNotCall: false, do_not_call: 'yes' }],
  ...[
    { outcome: 'interested', doNotCall: true },
    { outcome: 'answered', do_not_call: 'Yes' },
  ],
]

const everyNo = [
  ...noes,
  ...flags,
  ...flagsThatSayNo.map((doNotCall) => ({ doNotCall })),
  ...outcomesThatSayNo.map((outcome) => ({ outcome })),
]
const everyOther = [
  { outcome: 'later maybe' },
  ...otherFlags.map((doNotCall) => ({ doNotCall })),
  ...otherOutcomes.map((outcome) => ({ outcome })),
]

it('Every spelling of a no suppresses the number, no other does, and no campaign of the company leases it', async () => {
  const saidBy = new Map(everyNo.map((said) => [newPhone(), said]))
  const others = new Map(everyOther.map((said) => [newPhone(), said]))
  const world = await seedDialling({
    settings: { ...openSettings, callsPerMinute: 600 },
    dialer: { maxLive: 100 },
    fateOf: (phoneNumber) => withFate({ said: saidBy.get(phoneNumber) ?? others.get(phoneNumber) ?? {} }),
  })
  const phones = [...saidBy.keys(), ...others.keys()]
  const [neighbour, stranger] = [await world.another(), await seedCallingWorld()]
  for (const phoneNumber of phones) {
    await world.lead({ phoneNumber })
    await stranger.add({ phoneNumber })
  }
  await world.pass(900)
  expect(new Set(world.provider.rung.map(({ phoneNumber }) => phoneNumber))).toEqual(new Set(phones))
  const { results } = await companyDb
    .prepare(
      'select phone_number as "phoneNumber" from suppressions where company_id = ?1 and campaign_number = 0',
    )
    .bind(world.companyId)
    .run<{ phoneNumber: string }>()
  const suppressed = new Set(results.map(({ phoneNumber }) => phoneNumber))
  expect([...saidBy].filter(([phone]) => !suppressed.has(phone))).toEqual([])
  expect([...others].filter(([phone]) => suppressed.has(phone))).toEqual([])
  for (const phoneNumber of phones) await neighbour.add({ phoneNumber }, world.clock.ms)
  // The gap between two calls of one number is over then.
  const leased: string[] = []
  // A claim takes so many suppressed ones from the queue as it looks at.
  for (let i = 0; i < 10; i++) {
    const { calls } = await neighbour.claim(world.clock.ms + 2 * dayMs + i * minuteMs, { maxCalls: 100 })
    leased.push(...calls.map(({ lead }) => JSON.parse(lead).phoneNumber))
  }
  expect(leased.toSorted()).toEqual([...others.keys()].toSorted())
  const elsewhere = await stranger.claim(world.clock.ms, { maxCalls: 100 })
  expect(elsewhere.calls).toHaveLength(100)
}, 60_000)

it('A person who answered in words that are no outcome is not called again, and no alert holds the words', async () => {
  const said = { outcome: 'My name is Ada, ring +49 30 123' }
  const world = await seedDialling({ fateOf: () => withFate({ said }) })
  const { phoneNumber } = await world.lead()
  await world.pass(120)
  expect(await world.outcomesOf(phoneNumber)).toEqual(['answered'])
  expect(world.simulated.memory.state.unmapped?.reason).toBe('outcome_not_understood')
  const details = await companyDb
    .prepare(
      'select d.details from call_details as d join leads as l on l.seq = d.seq where l.phone_number = ?1',
    )
    .bind(phoneNumber)
    .first<{ details: string }>()
  expect(JSON.parse(details?.details ?? '')).toMatchObject({ saidOutcome: said.outcome })
  expect(JSON.stringify(world.simulated.memory.state)).not.toMatch(/Ada|123/)
})

it.each([
  ['Australia/Lord_Howe', '2026-10-03T09:00:00+10:30', '2026-10-03T23:10', '2026-10-03T23:10:00+10:30'],
  ['Australia/Lord_Howe', '2026-10-03T09:00:00+10:30', '2026-10-04T09:40', '2026-10-04T09:40:00+11:00'],
  ['Australia/Lord_Howe', '2027-04-03T09:00:00+11:00', '2027-04-03 20:15:00', '2027-04-03T20:15:00+11:00'],
  ['Australia/Lord_Howe', '2027-04-03T09:00:00+11:00', '2027-04-04 20:15:00', '2027-04-04T20:15:00+10:30'],
  ['Asia/Kathmandu', '2026-10-24T09:00:00+05:45', '2026-10-26T10:20', '2026-10-26T10:20:00+05:45'],
  ['Europe/Berlin', '2026-10-24T09:00:00+02:00', '2026-10-24T22:05', '2026-10-24T22:05:00+02:00'],
  ['Europe/Berlin', '2026-10-24T09:00:00+02:00', '2026-10-25T22:05', '2026-10-25T22:05:00+01:00'],
  ['Europe/Berlin', '2027-03-27T09:00:00+01:00', '2027-03-27T22:05', '2027-03-27T22:05:00+01:00'],
  ['Europe/Berlin', '2027-03-27T09:00:00+01:00', '2027-03-28T22:05', '2027-03-28T22:05:00+02:00'],
  ['Europe/Berlin', '2027-03-27T09:00:00+01:00', 'tomorrow', '2027-03-28T09:01:00+02:00'],
])(
  'In %s, a callback of %s without an offset, %s, rings at %s',
  async (timeZone, calledAt, callbackAt, ringsAt) => {
    const world = await seedDialling({
      settings: { ...openSettings, timeZone: 'America/New_York' },
      fateOf: () => withFate({ said: { outcome: 'callback', callbackAt } }),
    })
    world.clock.ms = Date.parse(calledAt)
    const { phoneNumber } = await world.lead({ timeZone })
    await world.pass(120)
    const rings = () => world.provider.rung.map(({ startedAtMs }) => startedAtMs)
    expect(rings()).toEqual([Date.parse(calledAt)])
    expect(await leadRow(world.campaign, phoneNumber)).toMatchObject({ queue_rank: appointmentRank })
    // An end without a usable time is counted from when the call was seen to be over.
    const dueMs = (await leadRow(world.campaign, phoneNumber)).due_at_ms ?? 0
    expect(Math.floor(dueMs / 60_000) * 60_000).toBe(Date.parse(ringsAt))
    await world.pass((Date.parse(ringsAt) - world.clock.ms) / 1000 - 1)
    expect(rings()).toHaveLength(1)
    await world.pass(61)
    expect(rings()[1]).toBe(dueMs)
  },
)

it('A lead without a zone of its own is called back by the clock of its campaign', async () => {
  const world = await seedDialling({
    settings: { ...openSettings, timeZone: 'Asia/Kathmandu' },
    fateOf: () => withFate({ said: { outcome: 'callback_requested', callbackAt: '2026-11-19T10:00' } }),
  })
  const { phoneNumber } = await world.lead()
  await world.pass(120)
  const { due_at_ms } = await leadRow(world.campaign, phoneNumber)
  expect(due_at_ms).toBe(Date.parse('2026-11-19T10:00:00+05:45'))
})

it('A callback in the past does not ring three times within 30 s: it comes on the next day', async () => {
  const callbackAt = new Date(noonMs - 24 * hourMs).toISOString()
  const world = await seedDialling({
    fateOf: () => withFate({ said: { outcome: 'callback_requested', callbackAt } }),
  })
  await world.lead()
  await world.pass(23 * 3600)
  expect(world.provider.rung).toHaveLength(1)
  await world.pass(2 * 3600)
  expect(world.provider.rung).toHaveLength(2)
})

const [talks, no, all] = [{ talked: true }, { analysis: { doNotCall: true } }, { isAll: true }]
const complete = { at: '/isAll', equals: true } as const
const toldInParts: Template = { ...fakeTemplate, status: { ...fakeTemplate.status, complete } }

it.each<[what: string, says: readonly object[], outcome: string]>([
  ['a no that comes with all the rest', [{}, { ...talks, ...no, ...all }], 'do_not_call'],
  ['a no that comes next', [{}, { ...talks, ...no }], 'do_not_call'],
  ['a no that comes before the words', [no, talks], 'do_not_call'],
  ['a no that comes after the words', [talks, no], 'do_not_call'],
  ['talk that comes next', [{}, talks], 'answered'],
  ['talk that the provider then forgets', [talks, {}], 'answered'],
  ['talk that the complete answer does not have', [talks, all], 'answered'],
  ['talk before it is said to have failed', [talks, { reason: 'crashed' }], 'answered'],
  ['talk before nobody is said to have taken it', [talks, { reason: 'no-answer' }], 'answered'],
])('A call of which the provider says that it was not dialled keeps %s', async (_, says, outcome) => {
  for (const reason of ['no-credit', 'number-wrong']) {
    const world = await seedSaying({ dialer: { template: toldInParts } })
    const talking = await world.lead()
    await world.pass(1)
    const undialled = await world.lead()
    await world.pass(15)
    const ended = { state: 'ended', reason }
    world.says.set('p2', { ...ended, ...no })
    for (const said of says) {
      world.says.set('p1', { ...ended, ...said })
      await world.pass(15)
    }
    await world.pass(190)
    const doNotCall = outcome === 'do_not_call' ? 1 : 0
    expect(await world.callsOf(talking.phoneNumber)).toMatchObject([{ outcome, doNotCall }])
    expect(await world.outcomesOf(undialled.phoneNumber)).toEqual(['released'])
    await world.pass(2000)
    expect(await world.outcomesOf(talking.phoneNumber)).toEqual([outcome])
  }
})
