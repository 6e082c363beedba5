// A do-not-call for a call whose lead was erased: the id of the call is enough. Of restores, which take leads as well,
// it is in runtime/own-store/restore-calls.test.ts.
import { beforeEach, expect, it } from 'vitest'
import { type AgentWorld, agentIn, openAtAllHours, seedAgent } from '../../support/calling/agent.ts'
import { dayMs, hourMs, minuteMs } from '../../support/calling/calling.ts'
import { clockAt, iso, stopClockAtNoon } from '../../support/calling/noon.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { revokeKey, seedCampaign, seedCompany, seedKey } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

const anyNumber = {
  ...openAtAllHours,
  numberLimits: { minGapMinutes: null, per24Hours: null, per7Days: null },
}

type World = Pick<AgentWorld, 'add' | 'claim' | 'manageKey' | 'campaignId'>

const ask = async ({ manageKey }: World, method: string, path: string, body?: object) =>
  dataOf(await api(manageKey).request(method, path, body), 200) as Record<string, unknown>
const erase = (world: World, leadId: string) => ask(world, 'DELETE', `/api/v1/leads/${leadId}`)
const claimed = async (world: World) =>
  (await world.claim({ limit: 10 })).calls.map(({ lead }) => lead.phoneNumber)

/** Two companies with a campaign of the same id and a lead of the same number. */
async function seedPair() {
  const world = await seedAgent(anyNumber)
  const companyId = await seedCompany()
  const foreign = {
    ...(await agentIn({ companyId, campaign: await seedCampaign(companyId, world.campaignId) })),
    campaignId: world.campaignId,
  }
  await foreign.change(anyNumber)
  return { world, foreign }
}

/** A call that was reported in time, of a lead that was erased since; the neighbour has the same. */
async function seedLost(outcome = 'answered') {
  const { world, foreign } = await seedPair()
  const call = await world.call()
  const { phoneNumber } = call.lead
  for (const [own, { callId, lead }] of [
    [world, call],
    [foreign, await foreign.call({ phoneNumber })],
  ] as const) {
    await own.report([{ callId, outcome }])
    await erase(own, lead._id)
  }
  clockAt(minuteMs)
  return { world, foreign, callId: call.callId, phoneNumber }
}

const recorded = (callId: string) => [
  { callId, result: 'do_not_call_recorded', leadId: null, status: null, attempts: null, nextCallAt: null },
]

it.each([
  ['the outcome', { outcome: 'do_not_call' }],
  ['a flag beside the outcome that was reported before', { outcome: 'answered', doNotCall: true }],
  ['a flag beside another outcome', { outcome: 'busy', doNotCall: true }],
])(
  'A do-not-call for a call of an erased lead holds in the whole company, and in no other: %s',
  async (_, said) => {
    const { world, foreign, callId, phoneNumber } = await seedLost()
    const second = await world.another()
    expect((await world.report([{ callId, ...said }])).results).toEqual(recorded(callId))
    expect((await world.report([{ callId, ...said }])).results).toEqual(recorded(callId))
    for (const own of [world, second, foreign]) await own.add({ phoneNumber })
    expect([await claimed(world), await claimed(second)]).toEqual([[], []])
    expect(await claimed(foreign)).toEqual([phoneNumber])
  },
)

it('Any other outcome for a call of an erased lead is unknown, and suppresses nothing', async () => {
  const { world, callId, phoneNumber } = await seedLost()
  for (const outcome of ['answered', 'busy', 'wrong_number', 'not_interested'])
    expect((await world.report([{ callId, outcome }])).results).toEqual([
      { ...recorded(callId)[0], result: 'unknown_call' },
    ])
  expect(await world.release([{ callId }])).toMatchObject([{ result: 'unknown_call' }])
  await world.add({ phoneNumber })
  expect(await claimed(world)).toEqual([phoneNumber])
})

it.each([
  ['answered', false],
  ['released', true],
])(
  'A do-not-call for a call that was %s takes leads of the number that have come since from the queue',
  async (_, isReleased) => {
    const { world, foreign } = await seedPair()
    const second = await world.another()
    const [said, spelled] = ['+525512345678', '+5215512345678']
    const { callId, lead } = await world.call({ phoneNumber: said })
    const before = await second.add({ phoneNumber: spelled })
    if (isReleased) await world.release([{ callId }])
    else await world.report([{ callId, outcome: 'answered' }])
    await erase(world, lead._id)
    clockAt(minuteMs)
    const since = [await world.add({ phoneNumber: said }), await world.add({ phoneNumber: spelled })]
    const other = await world.add()
    await foreign.add({ phoneNumber: said })
    // A call to one of them goes on: it is told to stop.
    const [live] = (await world.claim()).calls
    expect(await world.report([{ callId, outcome: 'do_not_call' }])).toMatchObject({
      results: recorded(callId),
    })
    expect(await world.extend([live?.callId as string])).toMatchObject([{ stop: 'suppressed' }])
    await world.report([{ callId: live?.callId, outcome: 'busy' }])
    const { suppressions } = await ask(world, 'GET', '/api/v1/suppressions')
    expect(
      (suppressions as { phoneNumber: string; reason: string }[]).map((one) => [one.phoneNumber, one.reason]),
    ).toEqual([
      [spelled, 'do_not_call'],
      [said, 'do_not_call'],
    ])
    for (const { leadId } of [before, ...since])
      expect(await ask(world, 'GET', `/api/v1/leads/${leadId}/calling`)).toMatchObject({ callable: false })
    clockAt(2 * hourMs)
    expect([await claimed(world), await claimed(second)]).toEqual([[other.phoneNumber], []])
    expect(await claimed(foreign)).toEqual([said])
  },
)

it('A do-not-call for a call of an erased lead has the rights of a report', async () => {
  const { world, foreign, callId, phoneNumber } = await seedLost()
  const second = await world.another()
  const { companyId } = world
  const ofOther = await seedKey({ companyId, campaign: second.campaign, scope: 'agent' })
  const writer = await seedKey({ companyId, scope: 'write' })
  const revoked = await seedKey({ companyId, scope: 'agent' })
  await revokeKey(revoked.id)
  const say = (key: string, id = callId) =>
    api(key).request('POST', '/api/v1/calls/report', { calls: [{ callId: id, outcome: 'do_not_call' }] })
  expectFailure(await say(writer.key), 403, 'Insufficient permissions')
  expectFailure(await say(revoked.key), 401, 'Invalid or inactive API key')
  const forged = `${callId.slice(0, -1)}${callId.endsWith('a') ? 'b' : 'a'}`
  for (const answer of [
    await say(foreign.agentKey),
    await say(ofOther.key),
    await say(world.agentKey, forged),
  ])
    expect(dataOf(answer, 200)).toMatchObject({ results: [{ result: 'unknown_call' }] })
  const { leadId } = await world.add({ phoneNumber })
  expect(await ask(world, 'GET', `/api/v1/leads/${leadId}/calling`)).toMatchObject({ callable: true })
  const own = await seedKey({ companyId, campaign: world.campaign, scope: 'agent' })
  expect(dataOf(await say(own.key), 200)).toMatchObject({ results: recorded(callId) })
  await second.add({ phoneNumber })
  expect([await claimed(world), await claimed(second)]).toEqual([[], []])
})

it('A do-not-call for a call of an erased lead is not recorded when the claim in the same report is refused', async () => {
  const { world, callId, phoneNumber } = await seedLost()
  const body = { calls: [{ callId, outcome: 'do_not_call' }], claim: { campaignId: 'none' } }
  expectFailure(
    await api(world.agentKey).request('POST', '/api/v1/calls/report', body),
    403,
    'Campaign not found or access denied',
  )
  await world.add({ phoneNumber })
  const { results, claim } = await world.report([{ callId, outcome: 'do_not_call' }], {})
  expect([results, claim?.calls]).toEqual([recorded(callId), []])
})

it('A do-not-call for a call of an erased lead withdraws every consent of the number that was given until then', async () => {
  const { world, callId, phoneNumber } = await seedLost()
  await world.change({ requireConsent: { purpose: 'offers' } })
  const consent = (ms: number) => ({ purpose: 'offers', givenAt: iso(ms) })
  // They come with no lead; the second by a clock that is ahead.
  const given = [consent(30_000), consent(4 * minuteMs)].map((one) => ({ phoneNumber, ...one }))
  await ask(world, 'POST', '/api/v1/consents', { consents: given })
  await world.report([{ callId, outcome: 'do_not_call' }])
  await world.add({ phoneNumber })
  await ask(world, 'DELETE', '/api/v1/suppressions', { phoneNumbers: [phoneNumber] })
  expect(await claimed(world)).toEqual([])
  clockAt(5 * minuteMs)
  expect(await claimed(world)).toEqual([])
  await ask(world, 'POST', '/api/v1/consents', { consents: [{ phoneNumber, ...consent(5 * minuteMs) }] })
  expect(await claimed(world)).toEqual([phoneNumber])
})

it('A do-not-call for a call of an erased lead suppresses again after somebody has removed the suppression', async () => {
  const { world, callId, phoneNumber } = await seedLost()
  await world.report([{ callId, outcome: 'do_not_call' }])
  const { leadId } = await world.add({ phoneNumber })
  expect(await world.lift([phoneNumber])).toMatchObject({ lifted: 1 })
  expect(await claimed(world)).toEqual([phoneNumber])
  await world.report([{ callId, outcome: 'do_not_call' }])
  expect(await ask(world, 'GET', `/api/v1/leads/${leadId}/calling`)).toMatchObject({
    blockers: [{ code: 'suppressed' }, { code: 'leased' }],
  })
})

it('A do-not-call for a call of an erased lead is told as a suppression, once', async () => {
  const { world, callId } = await seedLost()
  const told = async () => {
    const { events } = await ask(world, 'GET', '/api/v1/events?types=suppression.added')
    return (events as { data: object }[]).map(({ data }) => data)
  }
  expect(await told()).toEqual([])
  await world.report([{ callId, outcome: 'do_not_call' }])
  await world.report([{ callId, outcome: 'do_not_call' }])
  expect(await told()).toEqual([{ campaignId: null, count: 1 }])
})

it.each(['an erasure of the person', 'retention'])(
  'A do-not-call is heard for a week after a call whose lead is gone by %s',
  async (how) => {
    const { world, foreign } = await seedPair()
    await world.change({ retentionDays: 1 })
    const calls = [await world.call(), await world.call()]
    for (const { callId, lead } of calls) {
      await world.report([{ callId, outcome: 'answered' }])
      await foreign.add({ phoneNumber: lead.phoneNumber })
      if (how === 'retention') continue
      await ask(world, 'POST', '/api/v1/erasures', { phoneNumber: lead.phoneNumber, suppress: false })
    }
    const [soon, late] = calls.map(({ callId, lead }) => ({ callId, phoneNumber: lead.phoneNumber }))
    clockAt(2 * dayMs)
    await runCron()
    expect(
      await companyDb
        .prepare('select count(*) as n from leads where phone_number in (?1, ?2)')
        .bind(soon?.phoneNumber, late?.phoneNumber)
        .first('n'),
    ).toBe(2)
    clockAt(7 * dayMs - minuteMs)
    await runCron()
    expect((await world.report([{ callId: soon?.callId, outcome: 'do_not_call' }])).results).toMatchObject([
      { result: 'do_not_call_recorded' },
    ])
    clockAt(7 * dayMs + minuteMs)
    await runCron()
    expect((await world.report([{ callId: late?.callId, outcome: 'do_not_call' }])).results).toMatchObject([
      { result: 'unknown_call' },
    ])
    for (const one of [soon, late]) await world.add({ phoneNumber: one?.phoneNumber })
    expect(await claimed(world)).toEqual([late?.phoneNumber])
    expect((await claimed(foreign)).toSorted()).toEqual([soon?.phoneNumber, late?.phoneNumber].toSorted())
  },
)
