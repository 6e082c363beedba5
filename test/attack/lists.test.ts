// Attacks on lists: walking them while others add and clocks step back, forged cursors, filters that look like SQL,
// times as far away as they get.
import { describe, expect, it, vi } from 'vitest'
import { type Answer, api, type Lead } from '../support/http/api.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { stopClock } from '../support/run/clock.ts'
import { newPhone, newPhones, seedCampaign, seedKey, seedWorld, storedPhones } from '../support/world.ts'

const toLeads = (phones: readonly string[]) => phones.map((phoneNumber) => ({ phoneNumber }))

async function walk(
  key: string,
  query: Record<string, string>,
  between: () => Promise<unknown> = async () => {},
) {
  const leads: Lead[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const answer: Answer = await api(key).listLeads({ ...query, ...(cursor && { cursor }) })
    const page = dataOf(answer, 200) as { leads: Lead[]; nextCursor: string | null }
    leads.push(...page.leads)
    cursor = page.nextCursor
    await between()
  }
  return leads
}

it.each([{}, { status: 'raw' }, { createdAfter: '1' }])(
  'A list that is walked misses no lead and repeats none while others are added: %j',
  async (filter) => {
    const { companyId, campaignId, writeKey } = await seedWorld()
    const before = newPhones(40)
    dataOf(await api(writeKey).importLeads({ campaignId, leads: toLeads(before) }), 200)
    let turns = 0
    const adding: Promise<unknown>[] = []
    const walked = await walk(writeKey, { campaignId, limit: '7', ...filter }, async () => {
      if (++turns > 12) return
      const { key } = await seedKey({ companyId })
      adding.push(api(key).importLeads({ campaignId, leads: toLeads(newPhones(2)) }))
      adding.push(api(key).createLead({ campaignId, phoneNumber: newPhone() }))
    })
    await Promise.all(adding)
    const whole = dataOf(await api(writeKey).listLeads({ campaignId }), 200).leads
    const ids = walked.map((lead) => lead._id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(walked.slice(0, 40).map((lead) => lead.phoneNumber)).toEqual(before)
    expect(ids).toEqual(whole.slice(0, ids.length).map((lead) => lead._id))
  },
)

it('A list that is walked shows times of creation that never fall, even when clocks step back', async () => {
  stopClock()
  const { companyId, campaignId } = await seedWorld()
  const startMs = Date.now()
  const steps = [0, 5_000, -3_600_000, 1, -86_400_000, 60_000, 59_000, -1, 0]
  for (const [index, stepMs] of steps.entries()) {
    vi.setSystemTime(startMs + stepMs)
    const { key } = await seedKey({ companyId })
    const [a, b, c] = newPhones(3) as [string, string, string]
    if (index % 2)
      dataOf(await api(key, { bindings: {} }).importLeads({ campaignId, leads: toLeads([a, b, c]) }), 200)
    else dataOf(await api(key, { bindings: {} }).createLead({ campaignId, phoneNumber: a }), 201)
  }
  const { key } = await seedKey({ companyId })
  const { leads } = dataOf(await api(key, { bindings: {} }).listLeads({ campaignId }), 200)
  const times = leads.map((lead) => lead._creationTime)
  expect(times).toEqual(times.toSorted((x, y) => x - y))
  expect(leads.map((lead) => lead._id)).toEqual(leads.map((lead) => lead._id).toSorted())
  for (const boundMs of [startMs - 1, startMs, startMs + 5_000, startMs + 60_000]) {
    const after = dataOf(
      await api(key, { bindings: {} }).listLeads({ campaignId, createdAfter: String(boundMs) }),
      200,
    )
    expect(after.count).toBe(times.filter((time) => time > boundMs).length)
    const until = dataOf(
      await api(key, { bindings: {} }).listLeads({ campaignId, createdBefore: String(boundMs) }),
      200,
    )
    expect(until.count).toBe(times.filter((time) => time < boundMs).length)
  }
})

it('A cursor of another campaign is refused, rather than taken for the end of the list', async () => {
  const { companyId, campaignId, writeKey } = await seedWorld()
  const [before, after] = await Promise.all([seedCampaign(companyId), seedCampaign(companyId)])
  const cursors: Record<string, string> = {}
  for (const id of [before.id, campaignId, after.id]) {
    await api(writeKey).importLeads({ campaignId: id, leads: toLeads(newPhones(3)) })
    const page = dataOf(await api(writeKey).listLeads({ campaignId: id, limit: '1' }), 200)
    cursors[id] = (page as unknown as { nextCursor: string }).nextCursor
  }
  for (const [id, cursor] of Object.entries(cursors)) {
    const answer = await api(writeKey).listLeads({ campaignId, cursor })
    if (id === campaignId) expect(dataOf(answer, 200).leads).toHaveLength(2)
    else expectFailure(answer, 400, 'cursor is not valid')
  }
})

it.each([
  '0',
  '00000000000000',
  'ffffffffffffff',
  '1fffffffffffff',
  '20000000000000',
  "0' or 1=1 --aa",
  'FFFFFFFFFFFFFF',
  '\0'.repeat(14),
  'x'.repeat(5_000),
])('A cursor that was forged shows the campaign’s own leads, none, or is refused: %s', async (cursor) => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const foreign = await seedWorld()
  await api(foreign.writeKey).importLeads({ campaignId: foreign.campaignId, leads: toLeads(newPhones(3)) })
  await api(writeKey).importLeads({ campaignId, leads: toLeads(newPhones(3)) })
  const own = await storedPhones(campaign)
  const answer = await api(writeKey).listLeads({ campaignId, cursor })
  if (answer.status === 400) return expectFailure(answer, 400, 'cursor is not valid')
  for (const lead of dataOf(answer, 200).leads) expect(own).toContain(lead.phoneNumber)
})

describe('A filter', () => {
  const sqlTexts = [
    "' or 1=1 --",
    '" or ""="',
    '%',
    '_',
    'a%',
    '*',
    '?',
    '?1',
    ':x',
    '$1',
    "\\' or 1=1",
    "x'; drop table leads; --",
  ]

  it.each(sqlTexts)('A filter is a value, never SQL: externalId %s', async (text) => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const [a, b] = newPhones(2) as [string, string]
    dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: a, externalId: text }), 201)
    dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: b, externalId: 'abc' }), 201)
    const found = dataOf(await api(writeKey).listLeads({ campaignId, externalId: text }), 200)
    expect(found.leads.map((lead) => [lead.phoneNumber, lead.externalId])).toEqual([[a, text]])
    for (const name of ['status', 'phoneNumber', 'createdAfter', 'createdBefore', 'limit', 'cursor']) {
      expect((await api(writeKey).listLeads({ campaignId, [name]: text })).status).toBe(400)
    }
    expectFailure(
      await api(writeKey).listLeads({ campaignId: text }),
      403,
      'Campaign not found or access denied',
    )
    expect(await storedPhones(campaign)).toEqual([a, b])
  })

  it.each([
    ['0', 2],
    ['1', 2],
    ['99999999999999', 0],
    ['1970-01-01T00:00:00Z', 2],
    ['9999-12-31T23:59:59Z', 0],
    ['0001-01-01T00:00:00Z', 2],
    ['0000-01-01T23:59:00+23:59', 2],
  ])('A filter takes times as far away as they get: createdAfter %s', async (createdAfter, count) => {
    const { campaignId, writeKey } = await seedWorld()
    await api(writeKey).importLeads({ campaignId, leads: toLeads(newPhones(2)) })
    expect(dataOf(await api(writeKey).listLeads({ campaignId, createdAfter }), 200).count).toBe(count)
    const before = dataOf(await api(writeKey).listLeads({ campaignId, createdBefore: createdAfter }), 200)
    expect(before.count).toBe(2 - count)
  })

  it.each([
    '-1',
    '1e3',
    '9999999999999999',
    '1.5',
    '0x10',
    'NaN',
    '+275760-09-13T00:00:00Z',
    '2030-13-01T00:00:00Z',
  ])('A filter by time refuses what is no time: createdAfter %s', async (createdAfter) => {
    const { campaignId, writeKey } = await seedWorld()
    expect((await api(writeKey).listLeads({ campaignId, createdAfter })).status).toBe(400)
  })
})
