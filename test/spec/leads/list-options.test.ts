// Opt-in: walking a list, filtering it, reading it as CSV, and reading one lead. Without parameters nothing changes:
// list.test.ts. Attacks on cursors, filters and cells are in test/attack.
import { expect, it } from 'vitest'
import { mistyped } from '../../support/database/seed.ts'
import { companyDb } from '../../support/database/store.ts'
import { api, type Lead, type Listed } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhone, newPhones, seedCompany, seedKey, seedLeads, seedWorld } from '../../support/world.ts'

type Page = Listed & { nextCursor?: string | null }

async function seedList(count: number) {
  const world = await seedWorld()
  const phones = newPhones(count)
  await seedLeads(
    world.campaign,
    phones.map((phoneNumber) => ({ phoneNumber })),
  )
  // A second apart, the first at 1000.
  await companyDb
    .prepare('update leads set created_at_ms = (seq & 4294967295) * 1000 where campaign_number = ?1')
    .bind(world.campaign.number)
    .run()
  const list = async (query: Record<string, string>): Promise<Page> =>
    dataOf(await api(world.readKey).listLeads({ campaignId: world.campaignId, ...query }), 200)
  return { ...world, phones, list }
}

const phonesOf = ({ leads }: Page) => leads.map((lead) => lead.phoneNumber)

it('GET /api/v1/leads, page by page, shows every lead once and in order, however large the page', async () => {
  const { phones, list } = await seedList(7)
  for (const limit of ['1', '3', '7', '1000']) {
    const walked: string[] = []
    for (let cursor: string | null | undefined = ''; cursor !== null; ) {
      const page: Page = await list({ limit, cursor: cursor ?? '' })
      expect(page.count).toBe(page.leads.length)
      walked.push(...phonesOf(page))
      cursor = page.nextCursor
    }
    expect(walked).toEqual(phones)
  }
})

it('GET /api/v1/leads, page by page, shows the newest first when asked to, whole and as CSV, through every filter', async () => {
  const { campaign, campaignId, readKey, phones, list } = await seedList(150)
  const [, called, , recalled] = phones as [string, string, string, string]
  await companyDb
    .prepare(
      "update leads set status = 'attempting', external_id = 'crm-1' where campaign_number = ?1 and " +
        'phone_number in (?2, ?3)',
    )
    .bind(campaign.number, called, recalled)
    .run()
  const newest = phones.toReversed()
  const filters: readonly (readonly [Record<string, string>, readonly string[]])[] = [
    [{}, newest],
    [{ status: 'attempting' }, [recalled, called]],
    [{ status: 'attempting', createdAfter: '2000' }, [recalled]],
    [{ status: 'raw', createdBefore: '4000' }, [phones[2] as string, phones[0] as string]],
    [{ externalId: 'crm-1' }, [recalled, called]],
    [{ createdAfter: '148000' }, newest.slice(0, 2)],
    [{ phoneNumber: called }, [called]],
  ]
  for (const [filter, expected] of filters) {
    expect(phonesOf(await list({ order: 'newest', ...filter }))).toEqual(expected)
    for (const limit of ['1', '149']) {
      if (limit === '1' && expected.length > 2) continue
      const walked: string[] = []
      for (
        let next: Record<string, string> | null = { campaignId, order: 'newest', limit, ...filter };
        next;
      ) {
        const answer = await api(readKey).listLeads(next)
        walked.push(...phonesOf(dataOf(answer, 200)))
        const link: string | undefined = /^<.*\?(.*)>/.exec(answer.headers.get('link') ?? '')?.[1]
        next = link === undefined ? null : Object.fromEntries(new URLSearchParams(link))
      }
      expect(walked).toEqual(expected)
    }
  }
  const csv = await api(readKey).request(
    'GET',
    `/api/v1/leads?campaignId=${campaignId}&order=newest`,
    undefined,
    {
      accept: 'text/csv',
    },
  )
  const rows = csv.text.trim().split('\r\n').slice(1)
  expect(rows.map((row) => phones.findIndex((phone) => row.includes(phone)))).toEqual(
    newest.map((_, i) => 149 - i),
  )
})

it('GET /api/v1/leads, page by page, names the next page in nextCursor and Link, null on the last', async () => {
  const { campaignId, readKey } = await seedList(2)
  const first = await api(readKey).listLeads({ campaignId, limit: '1' })
  const { nextCursor } = dataOf(first, 200) as Page
  const link = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] as string
  expect(new URLSearchParams(link.split('?')[1]).get('cursor')).toBe(nextCursor)
  const last = await api(readKey).request('GET', link)
  expect(dataOf(last, 200)).toMatchObject({ count: 1, nextCursor: null })
  expect(last.headers.get('link')).toBeNull()
})

it('GET /api/v1/leads, page by page, leaves out of Link what is no parameter of a list, however long', async () => {
  const { campaignId, readKey } = await seedList(2)
  const answer = await api(readKey).listLeads({ campaignId, limit: '1', other: 'x'.repeat(10_000) })
  const { nextCursor } = dataOf(answer, 200) as Page
  const next = new URLSearchParams({ campaignId, limit: '1', cursor: nextCursor as string })
  expect(answer.headers.get('link')).toBe(`</api/v1/leads?${next}>; rel="next"`)
})

it('GET /api/v1/leads, page by page, continues in Link with the query as it was read, also when it was not well encoded', async () => {
  const { campaignId, readKey, writeKey } = await seedWorld()
  const phones = newPhones(3)
  for (const [index, phoneNumber] of phones.entries()) {
    const externalId = index === 1 ? 'M\uFFFDller' : 'M%FCller'
    dataOf(await api(writeKey).createLead({ campaignId, phoneNumber, externalId }), 201)
  }
  const path = `/api/v1/leads?campaignId=${campaignId}&externalId=M%FCller&limit=1`
  const first = await api(readKey).request('GET', path)
  const link = /^<(.*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] as string
  const pages = [first, await api(readKey).request('GET', link)].map((page) => dataOf(page, 200) as Page)
  expect(pages.flatMap(phonesOf)).toEqual([phones[0], phones[2]])
})

it('GET /api/v1/leads, page by page, keeps every filter in Link', async () => {
  const { campaignId, readKey, phones, list } = await seedList(3)
  const filter = { status: 'raw', createdAfter: '1970-01-01T00:00:00Z', createdBefore: '9000' }
  const first = await api(readKey).listLeads({ campaignId, ...filter, limit: '2' })
  const link = /^<(.*)>/.exec(first.headers.get('link') ?? '')?.[1] as string
  const asked = Object.fromEntries(new URLSearchParams(link.split('?')[1]))
  const { nextCursor } = dataOf(first, 200) as Page
  expect(asked).toEqual({
    campaignId,
    status: 'raw',
    createdAfter: '0',
    createdBefore: '9000',
    limit: '2',
    cursor: nextCursor,
  })
  expect(phonesOf(await list(asked))).toEqual(phones.slice(2))
})

it('GET /api/v1/leads, page by page, has no nextCursor when no page was asked for', async () => {
  const { list } = await seedList(2)
  expect(Object.keys(await list({}))).toEqual(['leads', 'count'])
})

it.each([
  [{ limit: '0' }, 'limit must be an integer between 1 and 1000'],
  [{ limit: '1001' }, 'limit must be an integer between 1 and 1000'],
  [{ limit: '1.5' }, 'limit must be an integer between 1 and 1000'],
  [{ cursor: 'next' }, 'cursor is not valid'],
  [{ phoneNumber: '0049' }, 'phoneNumber must be in E.164 format'],
  [
    { createdAfter: 'today' },
    'createdAfter must be an ISO 8601 timestamp with a UTC offset, or Unix milliseconds',
  ],
  [
    { createdBefore: '2027-01-01' },
    'createdBefore must be an ISO 8601 timestamp with a UTC offset, or Unix milliseconds',
  ],
])('GET /api/v1/leads, page by page, refuses %j', async (query, error) => {
  const { campaignId, readKey } = await seedWorld()
  expectFailure(await api(readKey).listLeads({ campaignId, ...query }), 400, error)
})

it.each(['campaignId', 'status', 'limit'])(
  'A parameter of GET /api/v1/leads that is given twice is refused, rather than one of the two chosen: %s',
  async (name) => {
    const { campaignId, readKey } = await seedWorld()
    const answer = await api(readKey).listLeads(`campaignId=${campaignId}&${name}=raw&${name}=raw`)
    expectFailure(answer, 400, `${name} must be given once`)
  },
)

it('GET /api/v1/leads is filtered by phoneNumber, also with a plus sign that was not encoded', async () => {
  const { campaignId, readKey, phones, list } = await seedList(3)
  const phoneNumber = phones[1] as string
  expect(phonesOf(await list({ phoneNumber }))).toEqual([phoneNumber])
  const raw = await api(readKey).request(
    'GET',
    `/api/v1/leads?campaignId=${campaignId}&phoneNumber=${phoneNumber}`,
  )
  expect(phonesOf(dataOf(raw, 200) as Page)).toEqual([phoneNumber])
})

it('GET /api/v1/leads is filtered by externalId, in commit order', async () => {
  const { campaignId, writeKey, list } = await seedList(1)
  const phones = newPhones(3)
  for (const phoneNumber of phones) {
    dataOf(await api(writeKey).createLead({ campaignId, phoneNumber, externalId: 'crm-1' }), 201)
  }
  expect(phonesOf(await list({ externalId: 'crm-1' }))).toEqual(phones)
  expect(phonesOf(await list({ externalId: 'crm-2' }))).toEqual([])
  const page = await list({ externalId: 'crm-1', limit: '2' })
  expect(phonesOf(await list({ externalId: 'crm-1', cursor: page.nextCursor as string }))).toEqual(
    phones.slice(2),
  )
})

it('GET /api/v1/leads is filtered by time of creation, both ends left out, wherever they fall', async () => {
  const { phones, list } = await seedList(9)
  const times = [0, 500, 1000, 1001, 4000, 4500, 8999, 9000, 9001, 20_000]
  for (const after of times) {
    for (const before of times) {
      const expected = phones.filter((_, index) => (index + 1) * 1000 > after && (index + 1) * 1000 < before)
      const page = await list({ createdAfter: String(after), createdBefore: String(before) })
      expect([after, before, phonesOf(page)]).toEqual([after, before, expected])
    }
  }
})

it('GET /api/v1/leads is filtered by status and time, page by page', async () => {
  const { campaign, phones, list } = await seedList(20)
  await companyDb
    .prepare("update leads set status = 'concluded' where campaign_number = ?1 and created_at_ms % 2000 = 0")
    .bind(campaign.number)
    .run()
  const filter = { status: 'concluded', createdAfter: '4000', createdBefore: '16000' }
  const expected = phones.filter((_, i) => i % 2 === 1 && i > 3 && i < 15)
  expect(phonesOf(await list(filter))).toEqual(expected)
  const first = await list({ ...filter, limit: '3' })
  const second = await list({ ...filter, limit: '3', cursor: first.nextCursor as string })
  expect([first, second].flatMap(phonesOf)).toEqual(expected)
  expect(second.nextCursor).toBeNull()
})

it('GET /api/v1/leads is filtered by time as ISO 8601 with an offset', async () => {
  const { phones, list } = await seedList(5)
  const page = await list({
    createdAfter: '1970-01-01T01:00:02+01:00',
    createdBefore: '1970-01-01T00:00:04.5Z',
  })
  expect(phonesOf(page)).toEqual(phones.slice(2, 4))
})

it('GET /api/v1/leads is filtered by several at once', async () => {
  const { phones, list } = await seedList(5)
  const phoneNumber = phones[2] as string
  expect(phonesOf(await list({ phoneNumber, createdAfter: '2000', status: 'raw' }))).toEqual([phoneNumber])
  expect(phonesOf(await list({ phoneNumber, createdAfter: '3000' }))).toEqual([])
  expect(phonesOf(await list({ phoneNumber, status: 'concluded' }))).toEqual([])
})

it('GET /api/v1/leads as text/csv has the same leads, a column for each field', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const lead = {
    phoneNumber: newPhone(),
    externalId: 'a,"b"',
    metadata: { n: 1 },
    priority: 7,
    timeZone: 'Asia/Kolkata',
  }
  dataOf(await api(writeKey).createLead({ campaignId, ...lead }), 201)
  const stored = dataOf(await api(writeKey).listLeads({ campaignId }), 200).leads[0] as Lead
  const request = new Request(`http://lead-intake.test/api/v1/leads?campaignId=${campaignId}`, {
    headers: { 'x-api-key': writeKey, accept: 'text/csv' },
  })
  const { exports } = await import('cloudflare:workers')
  const response = await exports.default.fetch(request)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present')
  expect(await response.text()).toBe(
    `_id,campaignId,phoneNumber,externalId,metadata,status,scheduledFor,priority,attempts,_creationTime,timeZone\r\n` +
      `${stored._id},${campaignId},${lead.phoneNumber},"a,""b""","{""n"":1}",raw,,7,0,` +
      `${stored._creationTime},Asia/Kolkata\r\n`,
  )
})

it('CSV with include=calling has the last outcome and the due time as its last columns', async () => {
  const { campaignId, writeKey } = await seedWorld()
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }), 201)
  const query = { campaignId, include: 'calling' }
  const [lead] = dataOf(await api(writeKey).listLeads(query), 200).leads as (Lead & { dueAt?: string })[]
  const plain = await api(writeKey).listLeads({ campaignId }, { accept: 'text/csv' })
  const csv = await api(writeKey).listLeads(query, { accept: 'text/csv' })
  const wanted = plain.text
    .trim()
    .split('\r\n')
    .map((line, at) => `${line},${['lastOutcome,dueAt', `,${lead?.dueAt}`][at]}`)
  expect(csv.text.trim().split('\r\n')).toEqual(wanted)
  expect(lead?.dueAt).toMatch(/^\d{4}-/)
})

it('GET /api/v1/leads/{id} shows the lead as the list does', async () => {
  const { campaignId, readKey, writeKey } = await seedWorld()
  const body = {
    campaignId,
    phoneNumber: newPhone(),
    metadata: { a: 1 },
    scheduledFor: '2027-01-01T00:00:00Z',
  }
  const { leadId } = dataOf(await api(writeKey).createLead(body), 201)
  const listed = dataOf(await api(readKey).listLeads({ campaignId }), 200).leads
  expect(dataOf(await api(readKey).request('GET', `/api/v1/leads/${leadId}`), 200)).toEqual({
    lead: listed[0],
  })
})

it('GET /api/v1/leads/{id} is 304 without a body for a client that has this version of the lead', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const { leadId } = dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }), 201)
  const read = (tag: string) =>
    api(writeKey).request('GET', `/api/v1/leads/${leadId}`, undefined, { 'if-none-match': tag })
  const known = await read('"1"')
  expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', '"1"'])
  expect(dataOf(await read('"2"'), 200)).toMatchObject({ lead: { _id: leadId } })
})

it('GET /api/v1/leads/{id} answers the same for a lead that is not there and one that is not the key’s to see', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const { leadId } = dataOf(await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }), 201)
  const stranger = await seedKey({ companyId: await seedCompany() })
  for (const id of [leadId, mistyped(leadId), `${'0'.repeat(25)}${'A'.repeat(11)}`]) {
    const answer = await api(stranger.key).request('GET', `/api/v1/leads/${id}`)
    expectFailure(answer, 404, 'Lead not found', 'lead_not_found')
  }
})
