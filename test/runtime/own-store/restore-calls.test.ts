// A company's own store is restored to a time before leads were created and called: who may have said no in such a call
// is not called again, and the limits of a number count it. The clock is years ahead, so that no alarm goes off.
import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, expect, it, vi } from 'vitest'
import type { CompanyStore } from '../../../src/control/companies/company-object.ts'
import { openAtAllHours } from '../../support/calling/agent.ts'
import { type OwnCompany, seedCompanyIn } from '../../support/companies/own-company.ts'
import {
  addLead,
  claim,
  objectOf,
  report,
  restore,
  resume,
  saveStore,
} from '../../support/companies/restoring.ts'

const [minuteMs, hourMs] = [60_000, 3_600_000]

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2036, 0, 16, 12) }))

const later = (ms: number) => void vi.setSystemTime(Date.now() + ms)
const noLimits = { minGapMinutes: null, per24Hours: null, per7Days: null }

async function seedTwoCampaigns(numberLimits: object) {
  const company = await seedCompanyIn('own')
  const { ask, campaignId } = company
  const { callingHours } = await ask('GET', `/api/v1/campaigns/${campaignId}`)
  await ask('POST', '/api/v1/campaigns', { id: 'other', name: 'Other', timeZone: 'UTC' }, 201)
  for (const id of [campaignId, 'other'])
    await ask('PATCH', `/api/v1/campaigns/${id}`, { numberLimits, callingHours })
  return company
}

const claimOther = async ({ ask }: OwnCompany) =>
  (await ask('POST', '/api/v1/calls/claim', { campaignId: 'other', limit: 100 })).calls as {
    callId: string
    lead: { _id: string }
  }[]
const resumeBoth = async (company: OwnCompany) => {
  await resume(company)
  await company.ask('PATCH', '/api/v1/campaigns/other', { paused: false })
}

const [said, spelled] = ['+5215512345678', '+525512345678']

it.each([
  ['is open', 0, true],
  ['has been unknown for less than a day', 23 * hourMs, true],
  ['has been unknown for more than a day', 25 * hourMs, false],
])(
  'After a restore a number is suppressed whose call %s and has lost its lead',
  async (_, sinceMs, isSuppressed) => {
    const [company, foreign] = [await seedTwoCampaigns(noLimits), await seedTwoCampaigns(noLimits)]
    const stays = []
    for (const { ask } of [company, foreign])
      stays.push(await ask('POST', '/api/v1/leads', { campaignId: 'other', phoneNumber: spelled }, 201))
    const toMs = Date.now() + 2 * minuteMs
    const saved = await saveStore(company)

    later(5 * minuteMs)
    await addLead(company, { phoneNumber: said })
    const [call] = await claim(company)
    later(minuteMs)
    if (sinceMs > 0) {
      later(hourMs)
      await runInDurableObject(objectOf(company.store), (store: CompanyStore) => store.alarm())
      later(sinceMs - hourMs)
    }
    await restore(company, saved, toMs)
    await resumeBoth(company)
    expect(await report(company, call?.callId, { outcome: 'answered' })).toMatchObject({
      results: [{ result: 'unknown_call' }],
    })
    await addLead(company, { phoneNumber: said })
    await addLead(foreign, { phoneNumber: said })
    for (const each of [company, foreign]) {
      const calls = await claim(each)
      expect(calls).toHaveLength(isSuppressed && each === company ? 0 : 1)
      // Else the phone is in a call.
      for (const { callId } of calls) await report(each, callId, { outcome: 'answered' })
    }
    expect((await claimOther(company)).map(({ lead }) => lead._id)).toEqual(
      isSuppressed ? [] : [stays[0]?.leadId],
    )
    expect((await claimOther(foreign)).map(({ lead }) => lead._id)).toEqual([stays[1]?.leadId])
    const { suppressions } = await company.ask('GET', '/api/v1/suppressions')
    expect(suppressions).toMatchObject(isSuppressed ? [{ campaignId: null, reason: 'restore' }] : [])
    // Who knows better removes it.
    await company.ask('DELETE', '/api/v1/suppressions', { phoneNumbers: [said] })
    await addLead(company, { campaignId: 'other', phoneNumber: said })
    if (sinceMs === 0) {
      // The call that was lost may still be live.
      expect(await claimOther(company)).toEqual([])
      later(10 * minuteMs)
    }
    expect(await claimOther(company)).toHaveLength(isSuppressed ? 1 : 0)
  },
)

it.each([
  ['the restore has taken', 'taken'],
  ['the restore has taken with its campaign', 'taken with its campaign'],
  ['was erased since', 'erased'],
])(
  'After a restore a do-not-call for a call whose lead %s is heard by the id of the call',
  async (_, how) => {
    const [company, foreign] = [await seedTwoCampaigns(noLimits), await seedTwoCampaigns(noLimits)]
    const calls: string[] = []
    const stays: string[] = []
    for (const own of [company, foreign]) {
      const { ask, campaignId } = own
      const beside = await ask('POST', '/api/v1/leads', { campaignId: 'other', phoneNumber: spelled }, 201)
      stays.push(beside.leadId as string)
      const toMs = Date.now() + 2 * minuteMs
      const call = async (id: string) => {
        const { leadId } = await addLead(own, { phoneNumber: said, campaignId: id })
        const { calls } = (await ask('POST', '/api/v1/calls/claim', { campaignId: id })) as {
          calls: { callId: string }[]
        }
        await report(own, calls[0]?.callId, { outcome: 'busy' })
        return [leadId, calls[0]?.callId as string] as const
      }
      const before = how === 'erased' ? await call(campaignId) : null
      const saved = await saveStore(own)
      later(5 * minuteMs)
      if (how === 'taken with its campaign')
        await ask('POST', '/api/v1/campaigns', { id: 'new', name: 'New', ...openAtAllHours }, 201)
      const [leadId, callId] = before ?? (await call(how === 'taken' ? campaignId : 'new'))
      if (how === 'erased') await ask('DELETE', `/api/v1/leads/${leadId}`)
      calls.push(callId)
      later(minuteMs)
      await restore(own, saved, toMs)
      await resumeBoth(own)
    }
    expect(await report(company, calls[0], { outcome: 'answered' })).toMatchObject({
      results: [{ result: 'unknown_call' }],
    })
    expect(await report(company, calls[0], { outcome: 'do_not_call' })).toMatchObject({
      results: [{ result: 'do_not_call_recorded', leadId: null }],
    })
    expect(await report(company, calls[1], { outcome: 'do_not_call' })).toMatchObject({
      results: [{ result: 'unknown_call' }],
    })
    for (const own of [company, foreign]) await addLead(own, { phoneNumber: said })
    expect([await claim(company), await claimOther(company)]).toEqual([[], []])
    const [theirs] = await claim(foreign)
    await report(foreign, theirs?.callId, { outcome: 'answered' })
    expect((await claimOther(foreign)).map(({ lead }) => lead._id)).toEqual([stays[1]])
  },
)

it.each([
  ['that was in a do-not-call stays suppressed', true],
  ['that could still be reported is called again', false],
])('A number of a lost call %s when the restore that has taken the call is undone', async (_, saysNo) => {
  const [company, foreign] = [await seedTwoCampaigns(noLimits), await seedTwoCampaigns(noLimits)]
  const beside: string[] = []
  for (const own of [company, foreign]) {
    const [toMs, saved] = [Date.now() + 2 * minuteMs, await saveStore(own)]
    later(5 * minuteMs)
    await addLead(own, { phoneNumber: said })
    const { leadId } = await addLead(own, { phoneNumber: spelled, campaignId: 'other' })
    beside.push(leadId)
    const [call] = await claim(own)
    later(minuteMs)
    const [closedMs, before] = [Date.now(), await saveStore(own)]
    later(minuteMs)
    if (own === foreign) continue
    await restore(own, saved, toMs)
    if (saysNo) await report(own, call?.callId, { outcome: 'do_not_call' })
    later(minuteMs)
    await restore(own, before, closedMs)
    await resumeBoth(own)
  }
  later(2 * hourMs)
  for (const own of [company, foreign]) {
    const calls = await claim(own)
    expect(calls).toHaveLength(saysNo && own === company ? 0 : 1)
    for (const { callId } of calls) await report(own, callId, { outcome: 'answered' })
  }
  const besideIds = async (own: OwnCompany) => (await claimOther(own)).map(({ lead }) => lead._id)
  expect(await besideIds(company)).toEqual(saysNo ? [] : [beside[0]])
  expect(await besideIds(foreign)).toEqual([beside[1]])
  if (!saysNo) return
  // Who knows better removes it, in any spelling.
  await company.ask('DELETE', '/api/v1/suppressions', { phoneNumbers: [said] })
  expect(await besideIds(company)).toEqual([beside[0]])
})

it.each(['taken back by the restore', 'erased before it', 'created since and erased before it'])(
  'After a restore the limits of a number count the calls of a lead that is %s',
  async (how) => {
    const limits = { minGapMinutes: 600, per24Hours: 1, per7Days: 5 }
    const [company, foreign] = [await seedTwoCampaigns(limits), await seedTwoCampaigns(limits)]
    const { leadId, phoneNumber } = await addLead(company)
    await addLead(foreign, { phoneNumber })
    const isErased = how !== 'taken back by the restore'
    const called =
      how === 'erased before it' ? await addLead(company, { campaignId: 'other', phoneNumber }) : null
    const toMs = Date.now() + 2 * minuteMs
    const saved = await saveStore(company)

    later(5 * minuteMs)
    const { leadId: calledId } = called ?? (await addLead(company, { campaignId: 'other', phoneNumber }))
    const [call] = await claimOther(company)
    await report(company, call?.callId, { outcome: 'answered' })
    later(minuteMs)
    if (isErased) await company.ask('DELETE', `/api/v1/leads/${calledId}`)
    later(5 * minuteMs)
    await restore(company, saved, toMs)
    await resumeBoth(company)
    expect(await claim(company)).toEqual([])
    expect(await claim(foreign)).toHaveLength(1)
    later(24 * hourMs)
    expect((await claim(company)).map((one) => one.leadId)).toEqual([leadId])
  },
)

it.each([
  ['was suppressed before', true],
  ['stands nowhere in plain', false],
])(
  'After a restore a no that a lost call may have held covers an older consent that comes later, also of a number that %s',
  async (_, wasListed) => {
    const [company, foreign] = [await seedTwoCampaigns(noLimits), await seedTwoCampaigns(noLimits)]
    for (const { ask } of wasListed ? [company, foreign] : []) {
      await ask('POST', '/api/v1/suppressions', { phoneNumbers: [said] })
      await ask('DELETE', '/api/v1/suppressions', { phoneNumbers: [said] })
    }
    const toMs = Date.now() + 2 * minuteMs
    const saved = await saveStore(company)

    later(hourMs)
    const givenAt = new Date(Date.now() - minuteMs).toISOString()
    await addLead(company, { phoneNumber: said })
    expect(await claim(company)).toHaveLength(1)
    later(minuteMs)
    await restore(company, saved, toMs)
    await resumeBoth(company)
    const { results } = await company.db.prepare('select phone_number from number_log').all()
    expect(JSON.stringify(results).includes(said.slice(1))).toBe(wasListed)
    for (const each of [company, foreign]) {
      const { ask, campaignId } = each
      await ask('PATCH', `/api/v1/campaigns/${campaignId}`, { requireConsent: { purpose: 'offers' } })
      for (const phoneNumber of [said, spelled]) {
        await ask('POST', '/api/v1/consents', { consents: [{ phoneNumber, purpose: 'offers', givenAt }] })
        await ask('DELETE', '/api/v1/suppressions', { phoneNumbers: [phoneNumber] })
        await addLead(each, { phoneNumber })
      }
    }
    expect(await claim(company)).toEqual([])
    // One phone, in two spellings.
    expect(await claim(foreign)).toHaveLength(1)
  },
)
