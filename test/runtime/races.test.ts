// Requests that race, on a real D1: every phone number is created once, and every response is true.
import { beforeEach, describe, expect, it } from 'vitest'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { stopClock } from '../support/run/clock.ts'
import { newPhones, seedCampaign, seedKey, seedWorld, storedPhones } from '../support/world.ts'

const toLeads = (phones: readonly string[]) => phones.map((phoneNumber) => ({ phoneNumber }))

describe('Races', () => {
  beforeEach(stopClock)

  it('Two hundred requests that race for 20 numbers store each once', async () => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const phones = newPhones(20)
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        api(writeKey).createLead({ campaignId, phoneNumber: phones[i % 20] as string }),
      ),
    )
    const created = answers.filter((answer) => answer.status === 201)
    expect(created).toHaveLength(20)
    expect(answers.filter((answer) => answer.status === 409)).toHaveLength(180)
    const stored = dataOf(await api(writeKey).listLeads({ campaignId }), 200).leads
    expect(stored.map((lead) => lead.phoneNumber).toSorted()).toEqual(phones.toSorted())
    expect(stored.map((lead) => lead._id).toSorted()).toEqual(
      created.map((answer) => answer.body?.data?.leadId).toSorted(),
    )
    expect(await storedPhones(campaign)).toHaveLength(20)
  })

  it('Overlapping bulks that race store each number once, and return to each bulk what it created', async () => {
    const { companyId, campaign, campaignId } = await seedWorld()
    const phones = newPhones(100)
    const keys = await Promise.all([1, 2].map(() => seedKey({ companyId })))
    const bulks = Array.from({ length: 20 }, (_, i) => [...phones.slice(i * 3), ...phones.slice(0, i * 3)])
    const results = await Promise.all(
      bulks.map(async (bulk, i) =>
        dataOf(await api(keys[i % 2]?.key as string).importLeads({ campaignId, leads: toLeads(bulk) }), 200),
      ),
    )
    const { leads } = dataOf(await api(keys[0]?.key as string).listLeads({ campaignId }), 200)
    expect(await storedPhones(campaign)).toHaveLength(100)
    expect(results.flatMap((result) => result.createdIds).toSorted()).toEqual(
      leads.map((lead) => lead._id).toSorted(),
    )
    for (const { created, skipped } of results) expect(created + skipped).toBe(100)
  })

  it('Creates that race with bulks store a number once', async () => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const phones = newPhones(10)
    const bulk = () => api(writeKey).importLeads({ campaignId, leads: toLeads(phones) })
    const creates = phones.map((phoneNumber) => api(writeKey).createLead({ campaignId, phoneNumber }))
    const [first, ...answers] = await Promise.all([bulk(), ...creates, bulk()])
    const created = [first, ...answers].flatMap((answer) => {
      const data = answer?.body?.data as { leadId?: string; createdIds?: string[] } | null
      return data?.createdIds ?? (data?.leadId === undefined ? [] : [data.leadId])
    })
    expect(created).toHaveLength(10)
    expect((await storedPhones(campaign)).toSorted()).toEqual(phones.toSorted())
  })

  it('The leads of campaigns that are filled at the same time stay apart', async () => {
    const { companyId, campaign, writeKey } = await seedWorld()
    const campaigns = [campaign, await seedCampaign(companyId), await seedCampaign(companyId)]
    const phones = newPhones(30)
    await Promise.all(
      campaigns.flatMap(({ id }) =>
        phones.map((phoneNumber) => api(writeKey).createLead({ campaignId: id, phoneNumber })),
      ),
    )
    for (const each of campaigns) expect((await storedPhones(each)).toSorted()).toEqual(phones.toSorted())
  })
})
