// Retries of the store: when they are made, and that a lost answer never makes a second lead or a false duplicate.
import { describe, expect, it } from 'vitest'
import { databaseFailingTimes, databaseLosingAnswers } from '../support/database/database.ts'
import { api } from '../support/http/api.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { newPhone, newPhones, seedWorld, storedPhones } from '../support/world.ts'

const toLeads = (phones: readonly string[]) => phones.map((phoneNumber) => ({ phoneNumber }))

// All tries share one time limit, and the waits between them are real.
describe('Retries', () => {
  const transient = [
    'D1_ERROR: Network connection lost.',
    'D1_ERROR: Internal error in D1 DB storage caused object to be reset.',
    'D1_ERROR: D1 DB reset because its code was updated.',
    'D1_ERROR: Cannot resolve D1 DB due to transient issue on remote node.',
    'D1_ERROR: D1 DB failed: Durable Object instance is no longer active.',
    'D1_ERROR: D1 DB exceeded its CPU time limit and was reset.',
    'D1_ERROR: Currently processing a long-running export.',
  ]

  it.each(transient)('A create that fails is retried, and succeeds: %s', async (message) => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    dataOf(await api(writeKey).listLeads({ campaignId }), 200)
    const { DB, trips } = databaseFailingTimes(2, message)
    const phoneNumber = newPhone()
    dataOf(await api(writeKey, { bindings: { DB } }).createLead({ campaignId, phoneNumber }), 201)
    expect(trips).toHaveLength(3)
    expect(await storedPhones(campaign)).toEqual([phoneNumber])
  })

  it('A request is given up after three tries', async () => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    dataOf(await api(writeKey).listLeads({ campaignId }), 200)
    const { DB, trips } = databaseFailingTimes(99, transient[0] as string)
    const answer = await api(writeKey, { bindings: { DB } }).createLead({
      campaignId,
      phoneNumber: newPhone(),
    })
    expectFailure(answer, 503, 'Service temporarily unavailable')
    expect(trips).toHaveLength(3)
    expect(await storedPhones(campaign)).toEqual([])
  })

  it.each([
    'D1_ERROR: D1 DB is overloaded. Requests queued for too long.',
    'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset.',
    "D1_ERROR: D1 DB's isolate exceeded its memory limit and was reset.",
    'D1_ERROR: something new',
  ])('A failure is not retried where that would do harm: %s', async (message) => {
    const { campaignId, writeKey } = await seedWorld()
    dataOf(await api(writeKey).listLeads({ campaignId }), 200)
    const { DB, trips } = databaseFailingTimes(1, message)
    const answer = await api(writeKey, { bindings: { DB } }).createLead({
      campaignId,
      phoneNumber: newPhone(),
    })
    expectFailure(answer, 503, 'Service temporarily unavailable')
    expect(trips).toHaveLength(1)
  })

  it.each([1, 2])(
    'A retry answers a create that was committed %d times unheard with the one stored lead',
    async (lost) => {
      const { campaignId, writeKey } = await seedWorld()
      const { DB } = databaseLosingAnswers(lost)
      const client = api(writeKey, { bindings: { DB } })
      const { leadId } = dataOf(await client.createLead({ campaignId, phoneNumber: newPhone() }), 201)
      const { leads } = dataOf(await api(writeKey).listLeads({ campaignId }), 200)
      expect(leads.map((lead) => lead._id)).toEqual([leadId])
    },
  )

  it('A retry still calls a duplicate one when the answer to it was lost', async () => {
    const { campaignId, writeKey } = await seedWorld()
    const lead = { campaignId, phoneNumber: newPhone() }
    dataOf(await api(writeKey).createLead(lead), 201)
    const { DB } = databaseLosingAnswers(1)
    expectFailure(await api(writeKey, { bindings: { DB } }).createLead(lead), 409, 'Lead already exists')
  })

  it.each([1, 2])(
    'A retry answers a bulk that was committed %d times unheard with exactly what is stored',
    async (lost) => {
      const { campaignId, writeKey } = await seedWorld()
      const [a, b, c, d] = newPhones(4) as [string, string, string, string]
      dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: b }), 201)
      const { DB } = databaseLosingAnswers(lost)
      const leads = toLeads([d, b, a, d, c])
      const result = dataOf(await api(writeKey, { bindings: { DB } }).importLeads({ campaignId, leads }), 200)
      const stored = dataOf(await api(writeKey).listLeads({ campaignId }), 200).leads
      expect(stored.map((lead) => lead.phoneNumber)).toEqual([b, d, a, c])
      expect(result).toEqual({
        created: 3,
        skipped: 2,
        createdIds: stored.slice(1).map((lead) => lead._id),
        skippedPhones: [b, d],
      })
    },
  )
})
