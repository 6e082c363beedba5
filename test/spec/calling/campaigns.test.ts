// Calling, campaigns: their settings as they are read and changed, who sees which, and what is in the queue (D39, D44
// to D46, D49, D60, D61). What is invalid in settings is in the catalogue.
import { beforeEach, expect, it } from 'vitest'
import { agentIn, openAtAllHours, type Settings, seedAgent } from '../../support/calling/agent.ts'
import { hourMs, minuteMs } from '../../support/calling/calling.ts'
import { clockAt, iso, stopClockAtNoon } from '../../support/calling/noon.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { seedCampaign, seedKey, seedWorld } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

const business = [['09:00', '17:00']]
const daytime = [['08:00', '21:00']]

/** What a campaign has that nobody has configured (D44, D46). */
const defaults = {
  archived: false,
  paused: false,
  timeZone: null,
  callingHours: {
    mon: business,
    tue: business,
    wed: business,
    thu: business,
    fri: business,
    sat: [],
    sun: [],
  },
  appointmentHours: Object.fromEntries(
    ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, daytime]),
  ),
  closedDates: [],
  maxAttempts: 3,
  leaseSeconds: 600,
  maxLiveCalls: null,
  callsPerMinute: null,
  numberLimits: { minGapMinutes: 15, per24Hours: 3, per7Days: 7 },
  outcomes: {
    answered: { class: 'done', minutes: 60 },
    not_interested: { class: 'done', minutes: 60 },
    wrong_number: { class: 'dead', minutes: 60 },
    invalid_number: { class: 'dead', minutes: 60 },
    do_not_call: { class: 'dead', minutes: 60 },
    no_answer: { class: 'retry', minutes: 60 },
    busy: { class: 'retry', minutes: 15 },
    voicemail: { class: 'retry', minutes: 240 },
    failed: { class: 'retry', minutes: 30 },
    abandoned: { class: 'retry', minutes: 4_320 },
    callback_requested: { class: 'appointment', minutes: 60 },
    unknown: { class: 'retry', minutes: 60 },
  },
  retentionDays: null,
  retentionSuppresses: true,
  requireConsent: null,
}
const withoutQueue = ({ queue: _, ...settings }: Settings & { queue?: unknown }) => settings

async function seedUntouched() {
  const world = await seedWorld()
  return { ...world, ...(await agentIn(world)) }
}

it('Settings are the defaults until somebody changes them (D44, D46)', async () => {
  const agent = await seedUntouched()
  const { campaignId: id } = agent
  expect(await agent.settings()).toEqual({
    id,
    name: id,
    ...defaults,
    queue: {
      queued: 0,
      leased: 0,
      heldForConsent: 0,
      gate: null,
      isCapped: false,
      reason: 'not_configured',
      nextOpening: null,
      failingAgents: [],
      agentsWaiting: 0,
    },
  })
})

it('Settings change where a change names them, and stay where it does not', async () => {
  const agent = await seedUntouched()
  await agent.change({
    timeZone: 'Europe/Berlin',
    callingHours: { sat: [['10:00', '14:00']], fri: [] },
    numberLimits: { per24Hours: null },
    outcomes: { busy: { minutes: 5 }, voicemail: { class: 'dead' } },
  })
  expect(withoutQueue(await agent.change({ maxAttempts: 5, closedDates: ['2026-12-25'] }))).toEqual({
    id: agent.campaignId,
    name: agent.campaignId,
    ...defaults,
    timeZone: 'Europe/Berlin',
    callingHours: { ...defaults.callingHours, sat: [['10:00', '14:00']], fri: [] },
    closedDates: ['2026-12-25'],
    maxAttempts: 5,
    numberLimits: { ...defaults.numberLimits, per24Hours: null },
    outcomes: {
      ...defaults.outcomes,
      busy: { class: 'retry', minutes: 5 },
      voicemail: { class: 'dead', minutes: 240 },
    },
  })
})

it('Settings go back to the defaults with null', async () => {
  const agent = await seedAgent({ ...openAtAllHours, maxAttempts: 9, outcomes: { busy: { minutes: 1 } } })
  await agent.change({ outcomes: { busy: null } })
  expect((await agent.settings()).outcomes).toEqual(defaults.outcomes)
  const nulls = Object.fromEntries(Object.keys(defaults).map((name) => [name, null]))
  expect(withoutQueue(await agent.change(nulls))).toMatchObject(defaults)
})

it('Settings can let numbers come in again after retention', async () => {
  const agent = await seedAgent()
  expect((await agent.change({ retentionSuppresses: false })).retentionSuppresses).toBe(false)
  expect((await agent.settings()).retentionSuppresses).toBe(false)
  expect((await agent.change({ retentionSuppresses: null })).retentionSuppresses).toBe(true)
})

it('Settings are taken as they were given, which changes nothing', async () => {
  const agent = await seedAgent()
  const read = await agent.settings()
  expect(await agent.change(read)).toEqual(read)
})

it('Settings have a name, which the operator sees too', async () => {
  const agent = await seedAgent()
  expect((await agent.change({ name: 'Frühling 2027' })).name).toBe('Frühling 2027')
  const data = dataOf(await agent.ask('GET', '/api/v1/campaigns'), 200)
  expect(data).toMatchObject({ campaigns: [{ id: agent.campaignId, name: 'Frühling 2027' }] })
})

it('Settings know a time zone by its exact spelling alone (D60)', async () => {
  const agent = await seedAgent()
  for (const timeZone of ['UTC', 'Etc/UTC', 'GMT', 'Europe/Kyiv'])
    expect((await agent.change({ timeZone })).timeZone).toBe(timeZone)
  for (const timeZone of ['europe/berlin', 'Europe/BERLIN', '+05:30', 'utc', ''])
    expectFailure(
      await agent.ask('PATCH', agent.campaignPath, { timeZone }, { key: agent.manageKey }),
      400,
      'timeZone must be the name of a time zone, such as Europe/Berlin',
    )
})

it('Settings change nothing when one of them is invalid', async () => {
  const agent = await seedAgent()
  const before = await agent.settings()
  const body = { name: 'Other', maxAttempts: 9, numberLimits: { perHour: 1 } }
  const answer = await agent.ask('PATCH', agent.campaignPath, body, { key: agent.manageKey })
  expect(answer.status).toBe(400)
  expect(await agent.settings()).toEqual(before)
})

it('Settings are followed by the next claim: hours that change, a maximum that is lowered', async () => {
  const agent = await seedAgent()
  await agent.change({ callingHours: { wed: [['13:00', '14:00']] } })
  const added = await agent.add()
  expect(await agent.claim()).toMatchObject({ calls: [], reason: 'outside_hours', retryAfterSeconds: 30 })
  await agent.change({ callingHours: { wed: [['12:00', '14:00']] } })
  const [call] = (await agent.claim()).calls
  await agent.report([{ callId: call?.callId, outcome: 'busy' }])
  await agent.change({ maxAttempts: 1 })
  clockAt(15 * minuteMs)
  expect((await agent.claim()).calls).toEqual([])
  expect((await agent.lead(added.leadId)).status).toBe('exhausted')
})

it('A pause stops claims at once, and reports are still recorded', async () => {
  const agent = await seedAgent()
  const { callId } = await agent.call()
  const { leadId } = await agent.add()
  await agent.change({ paused: true })
  const { results, claim } = await agent.report([{ callId, outcome: 'answered' }], {})
  expect(results).toMatchObject([{ result: 'recorded' }])
  expect(claim).toMatchObject({ calls: [], reason: 'paused' })
  await agent.change({ paused: false })
  expect((await agent.claim()).calls).toMatchObject([{ lead: { _id: leadId } }])
})

it('The queue of a campaign counts what is queued and leased, and says why a claim would return nothing', async () => {
  const agent = await seedAgent()
  await agent.call()
  await agent.add()
  await agent.add({ scheduledFor: iso(hourMs) })
  const counts = { queued: 2, leased: 1, heldForConsent: 0, gate: null, isCapped: false }
  expect((await agent.settings()).queue).toEqual({
    ...counts,
    reason: null,
    nextOpening: null,
    failingAgents: [],
    agentsWaiting: 0,
  })
  const closed = { callingHours: { wed: [['12:30', '13:00']], thu: [] } }
  expect((await agent.change(closed)).queue).toMatchObject({
    ...counts,
    reason: 'outside_hours',
    nextOpening: iso(hourMs / 2),
  })
  await agent.claim()
  expect((await agent.settings()).queue.reason).toBe('outside_hours')
  expect((await agent.change(openAtAllHours)).queue.reason).toBeNull()
  expect((await agent.change({ paused: true })).queue.reason).toBe('paused')
})

it('Campaigns are listed to their company, oldest first, and to a campaign’s key its own alone', async () => {
  const agent = await seedAgent()
  const other = await agent.another()
  const idsFor = async (key: string) => {
    const data = dataOf(await agent.ask('GET', '/api/v1/campaigns', undefined, { key }), 200)
    return (data as { campaigns: Settings[] }).campaigns.map(({ id }) => id)
  }
  expect(await idsFor(agent.agentKey)).toEqual([agent.campaignId, other.campaignId])
  const held = await seedKey({ companyId: agent.companyId, campaign: other.campaign, scope: 'agent' })
  expect(await idsFor(held.key)).toEqual([other.campaignId])
})

it.each(['a b', 'a/b', 'ü', '100%', '%2F', 'a?b#c', 'a+b', '...', '😀'])(
  'Campaigns are found by their id, percent-encoded: %s (D61)',
  async (id) => {
    const { companyId } = await seedWorld()
    const campaign = await seedCampaign(companyId, id)
    const agent = await agentIn({ companyId, campaign })
    expect((await agent.settings()).id).toBe(id)
    expect(await agent.change({ paused: true })).toMatchObject({ id, paused: true })
  },
)

it('Campaigns of two companies may have the same id, and each finds its own (D39)', async () => {
  const [one, other] = [await seedWorld(), await seedWorld()]
  const campaign = await seedCampaign(other.companyId, one.campaignId)
  const agent = await agentIn({ companyId: other.companyId, campaign })
  await agent.change({ name: 'Theirs' })
  expect((await (await agentIn(one)).settings()).name).toBe(one.campaignId)
})
