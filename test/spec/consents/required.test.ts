// The consent that a campaign requires: who is held for want of one, and comes back; and the preview of a campaign.
import { beforeEach, expect, it } from 'vitest'
import type { AgentWorld } from '../../support/calling/agent.ts'
import { dayMs, fillQueue, hourMs, minuteMs, noonMs } from '../../support/calling/calling.ts'
import { claimNumbers, consent, daysAgo, purpose, seedConsents } from '../../support/calling/consents.ts'
import { clockAt, stopClockAtNoon } from '../../support/calling/noon.ts'
import { isOfD1 } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { newPhones } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

const blockersOf = async (agent: AgentWorld, leadId: string) => {
  const answer = await agent.ask('GET', `/api/v1/leads/${leadId}/calling`)
  return (dataOf(answer, 200) as { blockers: { code: string; until: string | null }[] }).blockers
}

const previewOf = async ({ ask, campaignPath }: Pick<AgentWorld, 'ask' | 'campaignPath'>, query = '') =>
  dataOf(await ask('GET', `${campaignPath}/preview${query}`), 200) as unknown as {
    blocked: object
    withoutConsent: number
    counted: number
    isWhole: boolean
  }

it('A campaign that requires a consent calls nobody without one, and says so', async () => {
  const agent = await seedConsents()
  const [without, withOne] = [await agent.add(), await agent.add({ consent })]
  expect(await claimNumbers(agent)).toEqual([withOne.phoneNumber])
  expect(await agent.claim()).toMatchObject({ calls: [], reason: 'waiting' })
  expect(await blockersOf(agent, without.leadId)).toEqual([{ code: 'no_consent', until: null }])
  expect((await agent.settings()).queue).toMatchObject({ queued: 0, leased: 1 })
  expect(await agent.lead(without.leadId)).toMatchObject({ status: 'raw', attempts: 0 })
})

it.each<[string, object]>([
  ['of another purpose', { purpose: 'mail' }],
  ['that has expired', { expiresAt: '2026-11-18T12:00:00Z' }],
  ['that is too old', { givenAt: new Date(noonMs - 30 * dayMs - 1).toISOString() }],
])('A consent %s does not count', async (_, flaw) => {
  const agent = await seedConsents({ requireConsent: { purpose, maxAgeDays: 30 } })
  await agent.add({ consent: { ...consent, ...flaw } })
  expect(await claimNumbers(agent)).toEqual([])
  const { phoneNumber } = await agent.add({
    consent: { purpose, givenAt: daysAgo(30), expiresAt: '2026-11-18T12:00:00.001Z' },
  })
  expect(await claimNumbers(agent)).toEqual([phoneNumber])
})

it('A consent that a fast clock gave counts from the moment of its giving', async () => {
  const agent = await seedConsents()
  const givenAt = new Date(noonMs + 4 * minuteMs).toISOString()
  const lead = await agent.add({ consent: { purpose, givenAt } })
  expect(await claimNumbers(agent)).toEqual([])
  expect(await blockersOf(agent, lead.leadId)).toContainEqual({ code: 'no_consent', until: givenAt })
  clockAt(4 * minuteMs)
  expect(await claimNumbers(agent)).toEqual([lead.phoneNumber])
})

it('A consent that arrives returns the leads of its number to the queue, in every campaign that takes it', async () => {
  const agent = await seedConsents()
  const other = await agent.another()
  const { phoneNumber } = await agent.add()
  await other.add({ phoneNumber })
  const strict = await agent.another()
  await strict.change({ requireConsent: { purpose: 'mail' } })
  await strict.add({ phoneNumber })
  for (const each of [agent, other, strict]) expect(await claimNumbers(each)).toEqual([])
  await agent.store(phoneNumber)
  const queued = async (each: Pick<AgentWorld, 'settings'>) => (await each.settings()).queue.queued
  expect([await queued(agent), await queued(other), await queued(strict)]).toEqual([1, 1, 0])
  expect(await claimNumbers(agent)).toEqual([phoneNumber])
})

it('A consent of another company returns nothing', async () => {
  const [agent, foreign] = [await seedConsents(), await seedConsents()]
  const { phoneNumber } = await agent.add()
  await agent.claim()
  await foreign.store(phoneNumber)
  expect((await agent.settings()).queue.queued).toBe(0)
  expect((await agent.find(phoneNumber)).consents).toEqual([])
})

it.skipIf(isOfD1('alarms'))(
  'A changed requirement returns the leads that were held for it, at most a thousand a minute, each once',
  async () => {
    const agent = await seedConsents()
    const leads = newPhones(1_010).map((phoneNumber) => ({ phoneNumber }))
    for (const part of [leads.slice(0, 1000), leads.slice(1000)])
      dataOf(await api(agent.writeKey).importLeads({ campaignId: agent.campaignId, leads: part }), 200)
    const queued = async () => (await agent.settings()).queue.queued
    const holdAll = async () => {
      while ((await queued()) > 0) await agent.claim({ limit: 100 })
    }
    await holdAll()
    // The second change begins from the first lead again.
    for (const other of ['mail', 'surveys']) {
      await agent.change({ requireConsent: { purpose: other } })
      await runCron()
      expect(await queued()).toBe(1_000)
      await holdAll()
    }
    await runCron()
    expect(await queued()).toBe(10)
    await runCron()
    await agent.change({ requireConsent: null, maxAttempts: 5 })
    await runCron()
    await runCron()
    expect(await queued()).toBe(1_010)
  },
)

it('A setting that does not change the requirement returns nothing', async () => {
  const agent = await seedConsents()
  await agent.add()
  await agent.claim()
  await agent.change({ requireConsent: { purpose }, maxAttempts: 5 })
  await runCron()
  expect((await agent.settings()).queue.queued).toBe(0)
})

it('A held lead that is requeued or scheduled anew is judged again, and a suppression takes it out', async () => {
  const agent = await seedConsents()
  const [one, two, three, four] = [await agent.add(), await agent.add(), await agent.add(), await agent.add()]
  await agent.claim({ limit: 10 })
  const change = async ({ leadId }: { leadId: string }, body: object) =>
    dataOf(await agent.ask('PATCH', `/api/v1/leads/${leadId}`, body, { key: agent.writeKey }), 200)
  const queued = async () => (await agent.settings()).queue.queued
  await agent.requeue(one.leadId)
  await change(two, { scheduledFor: new Date(noonMs + hourMs).toISOString() })
  expect(await queued()).toBe(2)
  expect(await previewOf(agent)).toMatchObject({ counted: 4, blocked: { no_consent: 4 } })
  await change(four, { priority: 5 })
  await agent.suppress([three.phoneNumber])
  await agent.store(three.phoneNumber, { givenAt: new Date(noonMs + minuteMs).toISOString() })
  expect(await queued()).toBe(2)
  for (const { phoneNumber } of [two, four]) await agent.store(phoneNumber)
  clockAt(hourMs)
  expect(await claimNumbers(agent)).toEqual([two.phoneNumber, four.phoneNumber])
})

it('A requirement is a setting: read as it was set, and null by default', async () => {
  const agent = await seedConsents({})
  expect(await agent.settings()).toMatchObject({ requireConsent: null })
  const required = { purpose: 'a.b_c-1', maxAgeDays: 365 }
  expect(await agent.change({ requireConsent: required })).toMatchObject({ requireConsent: required })
  const ofAnyAge = { purpose, maxAgeDays: null }
  expect(await agent.change({ requireConsent: { purpose } })).toMatchObject({ requireConsent: ofAnyAge })
  expect(await agent.change({ requireConsent: null })).toMatchObject({ requireConsent: null })
})

it('A preview counts who could be called now, later today, or is blocked, by the reason that lasts longest', async () => {
  const agent = await seedConsents({
    callingHours: { wed: [['09:00', '13:00']] },
    requireConsent: { purpose },
    paused: true,
  })
  const soon = new Date(noonMs + hourMs / 2).toISOString()
  for (const fields of [
    { consent },
    { consent, scheduledFor: soon },
    { consent, timeZone: 'America/New_York' },
    { consent, scheduledFor: new Date(noonMs + 48 * hourMs).toISOString() },
    {},
  ])
    await agent.add(fields)
  await agent.change({ appointmentHours: { wed: [['09:00', '13:00']], thu: [], fri: [['09:00', '18:00']] } })
  expect(await previewOf(agent)).toEqual({
    callableNow: 1,
    laterToday: 2,
    later: 1,
    blocked: { scheduled: 1, no_consent: 1 },
    withoutConsent: 1,
    counted: 5,
    isWhole: true,
  })
  const zoneless = await agent.another()
  await zoneless.change({ timeZone: null })
  await zoneless.add()
  expect(await previewOf(zoneless)).toMatchObject({ blocked: { not_configured: 1 } })
})

it('A preview counts held leads too, and at most 5,000', async () => {
  const agent = await seedConsents()
  await agent.add()
  await agent.claim()
  expect(await previewOf(agent)).toMatchObject({ counted: 1, isWhole: true, blocked: { no_consent: 1 } })
  await fillQueue(agent.campaign, 5_001)
  const { counted, isWhole, blocked } = await previewOf(agent)
  expect([isWhole, counted <= 5_000, blocked]).toEqual([false, true, { no_consent: counted }])
})

it('A preview by a consent that is only considered counts who lacks it, and changes neither campaign nor queue', async () => {
  const agent = await seedConsents({})
  const other = await agent.another()
  await other.add({ consent })
  await agent.suppress([(await agent.add()).phoneNumber])
  await agent.add({ consent })
  await agent.add({ consent: { ...consent, givenAt: new Date(noonMs - 40 * dayMs).toISOString() } })
  await agent.add()
  const lacking = async (query: string) => (await previewOf(agent, query)).withoutConsent
  expect(await lacking('')).toBe(0)
  expect(await lacking(`?consentPurpose=${purpose}`)).toBe(1)
  expect(await lacking(`?consentPurpose=${purpose}&consentMaxAgeDays=30`)).toBe(2)
  expect(await lacking('?consentPurpose=surveys')).toBe(3)
  expect(await previewOf(agent, '?consentPurpose=surveys')).toMatchObject({ blocked: { no_consent: 3 } })
  expect(await agent.settings()).toMatchObject({ requireConsent: null, queue: { queued: 3 } })
  await agent.change({ requireConsent: { purpose: 'surveys' } })
  expect(await lacking('')).toBe(3)
  expect(await lacking(`?consentPurpose=${purpose}`)).toBe(1)
  await agent.change({ requireConsent: { purpose } })
  expect(await lacking('')).toBe(1)
  expect(await lacking('?consentMaxAgeDays=30')).toBe(2)
})

it('A queue counts the leads that are held for want of a consent, in the overview and in the list too', async () => {
  const agent = await seedConsents()
  const other = await agent.another()
  await other.add()
  await agent.add({ consent })
  const held = await agent.add()
  const counts = async () => {
    const { queue } = await agent.settings()
    const listed = dataOf(await agent.ask('GET', '/api/v1/campaigns?include=overview'), 200) as unknown as {
      campaigns: { queue: typeof queue }[]
    }
    expect(listed.campaigns.map(({ queue }) => queue.heldForConsent)).toEqual([queue.heldForConsent, 0])
    const overview = dataOf(await agent.ask('GET', `${agent.campaignPath}/overview`), 200)
    expect(overview).toMatchObject({ queue })
    return [queue.queued, queue.heldForConsent]
  }
  expect(await counts()).toEqual([2, 0])
  await agent.claim({ limit: 10 })
  expect(await counts()).toEqual([0, 1])
  await agent.store(held.phoneNumber)
  expect(await counts()).toEqual([1, 0])
})
