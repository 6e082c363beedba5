// What an erasure reads: it looks for a number in each campaign once, and for what it has found no more.
import { expect, it } from 'vitest'
import { rowsOf, watchedDatabase } from '../support/database/database.ts'
import { insertCampaigns } from '../support/database/seed.ts'
import { companyDb } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { dataOf } from '../support/http/expectations.ts'
import { newPhone, seedCampaign, seedKey, seedWorld } from '../support/world.ts'

/** Rows that an erasure reads in a company with so many campaigns more than three, which have leads of the number. */
async function rowsOfErasure(others: number, erase: 'person' | 'lead') {
  const world = await seedWorld()
  const { companyId, campaign } = world
  const { key } = await seedKey({ companyId, scope: 'manage' })
  const names = Array.from({ length: others }, (_, place) => `${campaign.id}-${place}`)
  await insertCampaigns(companyDb, companyId, names).run()
  const more = [await seedCampaign(companyId), await seedCampaign(companyId)]
  const phoneNumber = newPhone()
  const leadIds = []
  for (const { id } of [campaign, ...more])
    leadIds.push(dataOf(await api(world.writeKey).createLead({ campaignId: id, phoneNumber }), 201).leadId)
  const { DB, trips } = watchedDatabase()
  const asked = api(key, { bindings: { DB } })
  const answer =
    erase === 'person'
      ? await asked.request('POST', '/api/v1/erasures', { phoneNumber })
      : await asked.request('DELETE', `/api/v1/leads/${leadIds[0]}`)
  expect(dataOf(answer, 200)).toMatchObject({ leadsErased: erase === 'person' ? 3 : 1 })
  return rowsOf(trips, 'rows_read')
}

it.each([
  // A look for the leads in all spellings before, and one in the transaction; each campaign’s settings, for who waits.
  ['person', 4],
  ['lead', 3],
] as const)(
  'The erasure of a %s reads at most %i rows more for each campaign of the company',
  async (erase, rows) => {
    const [few, many] = [await rowsOfErasure(20, erase), await rowsOfErasure(120, erase)]
    expect(many - few).toBeGreaterThan(100)
    // The log may be a page longer.
    expect(many - few).toBeLessThan(rows * 100 + 20)
  },
)
