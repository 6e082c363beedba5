// A company's own store is restored to before its dialer was set, while that is in a call: the object of the dialer,
// which no restore takes back, ends the call and hears its no, and finds it live again when the restore is undone. The
// clock is years ahead, so that no alarm goes off but those that the test runs.
import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { type OwnCompany, seedCompanyIn } from '../../support/companies/own-company.ts'
import { addLead, openHistory, resume } from '../../support/companies/restoring.ts'
import { secret, templateAt } from '../../support/dialers/dialer-world.ts'
import { openHost } from '../../support/dialers/provider-host.ts'
import { api } from '../../support/http/api.ts'

const [secondMs, minuteMs, hourMs] = [1_000, 60_000, 3_600_000]

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2036, 0, 16, 12) }))

type Talk = {
  readonly id: string
  readonly number: string
  /** Null: it is live. */
  said: object | null
  isHungUp: boolean
}

/** With a dialer that is set after a state was kept, and a lead of before that it calls. */
async function seedCalling(campaignId?: string, phoneNumber?: string) {
  const company = await seedCompanyIn('own', campaignId)
  const history = openHistory(company)
  const talks: Talk[] = []
  const state = { takesHangUps: true, says: {} }
  const host = openHost(({ method, path, text }) => {
    if (path === '/calls') {
      const talk = { id: `p${talks.length + 1}`, number: JSON.parse(text).to, said: null, isHungUp: false }
      talks.push(talk)
      return Response.json({ id: talk.id }, { status: 201 })
    }
    const talk = talks.find(({ id }) => id === path.split('/')[2]) as Talk
    if (method === 'POST') {
      talk.isHungUp = state.takesHangUps
      if (talk.isHungUp) talk.said = state.says
      return Response.json({}, { status: talk.isHungUp ? 200 : 500 })
    }
    if (talk.said === null) return Response.json({ state: 'talking' })
    return Response.json({ state: 'ended', reason: 'answered', talked: true, analysis: talk.said })
  })
  const object = env.DIALERS.getByName(`${company.companyId}/${company.campaign.number}`)
  const dialerPath = `/api/v1/campaigns/${company.campaignId}/dialer`
  const alarmMs = () => runInDurableObject(object, (_: unknown, { storage }) => storage.getAlarm())
  const lead = await addLead(company, phoneNumber === undefined ? {} : { phoneNumber })
  await history.keep()
  vi.setSystemTime(Date.now() + 5 * minuteMs)
  await company.ask('PUT', dialerPath, {
    ...{ preset: 'custom', template: templateAt(host.url), secrets: { apiKey: secret } },
  })
  return {
    ...company,
    company,
    ...{ history, talks, state, lead, object, dialerPath },
    hangUps: () => host.sent.filter(({ path }) => path.endsWith('/end')),
    /** Rounds that are due in this time. */
    async pass(ms: number) {
      const untilMs = Date.now() + ms
      for (let atMs = await alarmMs(); atMs !== null && atMs <= untilMs; atMs = await alarmMs()) {
        vi.setSystemTime(Math.max(Date.now(), atMs))
        await runDurableObjectAlarm(object)
      }
      vi.setSystemTime(untilMs)
    },
    async callsOf(leadId: string) {
      const { calls } = await company.ask('GET', `/api/v1/leads/${leadId}/calls`)
      return (calls as { outcome: string | null; doNotCall: boolean }[]).map(({ outcome }) => outcome)
    },
  }
}

const restoreTo = async ({ history }: Pick<Awaited<ReturnType<typeof seedCalling>>, 'history'>, toMs = 0) => {
  vi.setSystemTime(Date.now() + 2 * minuteMs)
  expect(await history.restore(toMs)).toMatchObject({ kind: 'restored' })
}

const claimNew = async (company: OwnCompany, phoneNumbers: readonly string[]) => {
  const campaignId = 'new'
  const { ask, campaignId: before } = company
  const { callingHours } = await ask('GET', `/api/v1/campaigns/${before}`)
  await ask('POST', '/api/v1/campaigns', { id: campaignId, name: 'New', timeZone: 'UTC', callingHours }, 201)
  for (const phoneNumber of phoneNumbers) await ask('POST', '/api/v1/leads', { campaignId, phoneNumber }, 201)
  const { calls } = await ask('POST', '/api/v1/calls/claim', { campaignId, limit: 10 })
  return (calls as { lead: { phoneNumber: string } }[]).map(({ lead }) => lead.phoneNumber).toSorted()
}

it('After a restore to before a dialer was set its object hangs up what it has called, and records the no', async () => {
  const world = await seedCalling()
  const { phoneNumber, leadId } = world.lead
  // The same campaign and phone, of another company.
  const neighbour = await seedCalling(world.campaignId, phoneNumber)
  for (const one of [world, neighbour]) await one.pass(20 * secondMs)
  const [toMs] = world.history.times()
  world.state.says = { outcome: 'answered', doNotCall: 'Ja' }
  await restoreTo(world, toMs)
  await resume(world.company)
  expect((await api(world.keyOf('manage').key).request('GET', world.dialerPath)).status).toBe(404)
  for (const one of [world, neighbour]) await one.pass(2 * minuteMs)
  expect(world.hangUps().map(({ headers }) => headers.get('authorization'))).toEqual([`Bearer ${secret}`])
  expect(neighbour.hangUps()).toEqual([])
  expect(await world.callsOf(leadId)).toEqual(['do_not_call'])
  expect([world, neighbour].map(({ talks }) => talks.map(({ number }) => number))).toEqual([
    [phoneNumber],
    [phoneNumber],
  ])
  const other = '+4930123456'
  expect(await claimNew(world.company, [phoneNumber, other])).toEqual([other])
  // In the end it has nothing left.
  await world.pass(2 * hourMs)
  const left = await runInDurableObject(world.object, (_: unknown, { storage }) => storage.list())
  expect([...left.keys()]).toEqual([])
})

it('When a restore to before a dialer was set is undone it calls others again, and not the lead that is called', async () => {
  const world = await seedCalling()
  const { phoneNumber, leadId } = world.lead
  await world.pass(20 * secondMs)
  const [toMs] = world.history.times()
  world.state.takesHangUps = false
  await restoreTo(world, toMs)
  await resume(world.company)
  await world.pass(3 * minuteMs)
  expect(world.hangUps().length).toBeGreaterThan(0)
  // The state right before it, which it has kept itself.
  await restoreTo(world, world.history.times()[1])
  await resume(world.company)
  expect((await api(world.keyOf('manage').key).request('GET', world.dialerPath)).status).toBe(200)
  const next = await addLead(world.company)
  await world.pass(15 * minuteMs)
  expect(world.talks.map(({ number }) => number)).toEqual([phoneNumber, next.phoneNumber])
  // Its lease is extended again.
  expect(await world.callsOf(leadId)).toEqual([null])
  const { leased } = (await world.ask('GET', `/api/v1/campaigns/${world.campaignId}`)).queue as {
    leased: number
  }
  expect(leased).toBe(2)
  for (const talk of world.talks) talk.said = { outcome: 'not_interested' }
  await world.pass(10 * minuteMs)
  expect(world.talks).toHaveLength(2)
  expect(await world.callsOf(leadId)).toEqual(['not_interested'])
})
