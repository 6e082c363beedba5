// Where a lead came from: set once by each door, shown where it is asked for, kept as its kind once the lead is erased.
import { expect, it } from 'vitest'
import { seedTeam } from '../../support/access/team.ts'
import { watchedDatabase } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { type Answer, api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newMobile, postForm, seedSource } from '../../support/sources/source-world.ts'
import { newPhone, newPhones, seedKey, seedLeads, seedWorld } from '../../support/world.ts'

type Origin = Record<string, string> | null
type Shown = { _id: string; phoneNumber: string; origin?: Origin }
type Page = { leads: Shown[]; nextCursor?: string | null }

const inFile = (name: string) => ({ 'x-import-name': encodeURIComponent(name) })

/** A lead by each door of one campaign, with the origin that it must have. */
async function seedDoors() {
  const team = await seedTeam()
  const source = await seedSource({ name: 'Contact form' }, team)
  const [crm, other] = [
    await seedKey({ companyId: team.companyId }),
    await seedKey({ companyId: team.companyId }),
  ]
  const { campaignId } = team
  const [byKey, inBulk, byOther, byMember, imported] = newPhones(5) as [
    string,
    string,
    string,
    string,
    string,
  ]
  const posted = newMobile()
  const leads = (phoneNumber: string) => ({ campaignId, leads: [{ phoneNumber }] })
  dataOf(await api(crm.key).createLead({ campaignId, phoneNumber: byKey }), 201)
  dataOf(await api(crm.key).importLeads(leads(inBulk), inFile('Käufer, März.csv')), 200)
  dataOf(await api(other.key).createLead({ campaignId, phoneNumber: byOther }), 201)
  dataOf(await api(team.session).createLead({ campaignId, phoneNumber: byMember }), 201)
  dataOf(await api(team.session).importLeads(leads(imported), inFile('fair.xlsx')), 200)
  expect((await postForm(source.url, { phone: posted })).status).toBe(200)
  const { memberId } = team.member
  const nameOf = async (id: string) =>
    (await companyDb.prepare('select name from api_keys where id = ?1').bind(id).first<{ name: string }>())
      ?.name
  const expected: readonly (readonly [string, Origin])[] = [
    [byKey, { kind: 'api', keyId: crm.id, name: (await nameOf(crm.id)) as string }],
    [
      inBulk,
      { kind: 'import', keyId: crm.id, import: 'Käufer, März.csv', name: (await nameOf(crm.id)) as string },
    ],
    [byOther, { kind: 'api', keyId: other.id, name: (await nameOf(other.id)) as string }],
    [byMember, { kind: 'api', memberId, name: 'Ada' }],
    [imported, { kind: 'import', memberId, import: 'fair.xlsx', name: 'Ada' }],
    [posted, { kind: 'source', sourceId: source.sourceId, name: 'Contact form' }],
  ]
  const list = async (query: Record<string, string>, key = team.readKey) =>
    dataOf(await api(key).listLeads({ campaignId, ...query }), 200) as Page
  return { ...team, source, crm, other, expected, list, phones: expected.map(([phone]) => phone) }
}

const originsOf = ({ leads }: Page) => leads.map(({ phoneNumber, origin }) => [phoneNumber, origin])

it('A lead by each door has its origin, in a list, alone and as CSV, where include asks for it', async () => {
  const { expected, list, campaignId, readKey } = await seedDoors()
  expect(originsOf(await list({ include: 'origin' }))).toEqual(expected)
  const { leads } = await list({ include: 'calling,origin' })
  expect(leads[5]).toMatchObject({ lastOutcome: null, origin: expected[5]?.[1] })
  for (const lead of [...(await list({})).leads, ...(await list({ include: 'calling' })).leads])
    expect(lead).not.toHaveProperty('origin')
  const one = `/api/v1/leads/${leads[1]?._id}`
  const read = (path: string) => api(readKey).request('GET', path)
  const { origin: _, ...plain } = (dataOf(await read(`${one}?include=origin`), 200) as { lead: Shown }).lead
  expect(_).toEqual(expected[1]?.[1])
  expect(dataOf(await read(one), 200)).toEqual({ lead: plain })
  const csv = await api(readKey).request(
    'GET',
    `/api/v1/leads?campaignId=${campaignId}&include=origin`,
    undefined,
    { accept: 'text/csv' },
  )
  const rows = csv.text.trimEnd().split('\r\n')
  expect(rows[0]).toMatch(/,originKind,originId,originName,originImport$/)
  expect(rows[2]).toMatch(/,import,key-\w+,[^,]*,"Käufer, März.csv"$/)
  expect(rows[6]).toMatch(/,source,src_\w+,Contact form,$/)
})

it('A list and a search have the leads of one origin, by its kind or its id, and no others', async () => {
  const { list, phones, source, crm, member, readKey } = await seedDoors()
  const [byKey, inBulk, byOther, byMember, imported, posted] = phones
  const filters: readonly (readonly [string, readonly (string | undefined)[]])[] = [
    ['api', [byKey, byOther, byMember]],
    ['import', [inBulk, imported]],
    ['source', [posted]],
    [crm.id, [byKey, inBulk]],
    [member.memberId, [byMember, imported]],
    [source.sourceId, [posted]],
    ['src_unknown', []],
  ]
  for (const [origin, expected] of filters) {
    for (const order of ['oldest', 'newest'] as const) {
      const found = (await list({ origin, order })).leads.map(({ phoneNumber }) => phoneNumber)
      expect(found).toEqual(order === 'oldest' ? expected : expected.toReversed())
    }
    const found = await api(readKey).request(
      'GET',
      `/api/v1/leads/search?q=${encodeURIComponent((byKey as string).slice(-4))}&origin=${origin}&include=origin`,
    )
    const { leads } = dataOf(found, 200) as Page
    expect(leads.map(({ phoneNumber }) => phoneNumber).includes(byKey as string)).toBe(
      expected.includes(byKey),
    )
    for (const lead of leads) expect(lead.origin).toMatchObject({ kind: expect.any(String) })
  }
})

it('A name of an import that is not percent-encoded UTF-8 of at most 100 characters is refused', async () => {
  const { campaignId, writeKey } = await seedWorld()
  const createAs = (name: string) =>
    api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }, { 'x-import-name': name })
  for (const name of ['%', '%zz', '%FF', '%00', 'a%0Ab', '%C2%85', 'x'.repeat(101), '%C3%A4'.repeat(101)])
    expectFailure(
      await createAs(name),
      400,
      'X-Import-Name must be percent-encoded UTF-8 of at most 100 characters, without control characters',
      'invalid_field',
    )
  for (const name of ['%F0%9F%8D%8F'.repeat(100), 'plain name.csv', ''])
    expect((await createAs(name)).status).toBe(201)
})

it('A request that comes again with its Idempotency-Key is the same under another name, and keeps the first', async () => {
  const { campaignId, writeKey, readKey } = await seedWorld()
  const body = { campaignId, leads: [{ phoneNumber: newPhone() }] }
  const send = (name: string) =>
    api(writeKey).importLeads(body, { 'idempotency-key': 'one', ...inFile(name) })
  const [first, second] = [await send('first.csv'), await send('second.csv')]
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(second.body).toEqual(first.body)
  const { leads } = dataOf(await api(readKey).listLeads({ campaignId, include: 'origin' }), 200) as Page
  expect(leads.map(({ origin }) => origin?.import)).toEqual(['first.csv'])
})

it('An erased lead keeps the kind of its origin alone, and the one beside it all of it', async () => {
  const { campaignId, companyId, writeKey, campaign } = await seedWorld()
  const { key: manageKey } = await seedKey({ companyId, scope: 'manage' })
  const bulk = { campaignId, leads: newPhones(2).map((phoneNumber) => ({ phoneNumber })) }
  await api(manageKey).request('GET', '/api/v1/events')
  const { createdIds } = dataOf(await api(writeKey).importLeads(bulk, inFile('ada.csv')), 200)
  const told = async () => {
    const answer = await api(manageKey).request('GET', '/api/v1/events?types=leads.created')
    const { events } = dataOf(answer, 200) as { events: { data: { origin: Origin } }[] }
    return events.map(({ data }) => data.origin)
  }
  const whole = [{ kind: 'import', keyId: expect.any(String), import: 'ada.csv', name: expect.any(String) }]
  expect(await told()).toEqual(whole)
  const erase = (id?: string) => api(manageKey).request('DELETE', `/api/v1/leads/${id}`)
  await erase(createdIds[0])
  const { results } = await companyDb
    .prepare('select origin, import_name as name from leads where campaign_number = ?1 order by seq')
    .bind(campaign.number)
    .all()
  expect(results).toEqual([
    { origin: 'i', name: null },
    { origin: expect.stringMatching(/^ikey-/), name: 'ada.csv' },
  ])
  expect(await told()).toEqual(whole)
  await erase(createdIds[1])
  expect(await told()).toEqual([{ kind: 'import' }])
})

it('The record of a number says where its lead came from, as JSON in a column of CSV too', async () => {
  const { campaignId, companyId, writeKey } = await seedWorld()
  const { key } = await seedKey({ companyId, scope: 'manage' })
  const phoneNumber = newPhone()
  dataOf(await api(writeKey).createLead({ campaignId, phoneNumber }, inFile('fair.csv')), 201)
  const record = (headers = {}): Promise<Answer> =>
    api(key).request('POST', '/api/v1/numbers/record', { phoneNumber }, headers)
  const { entries } = dataOf(await record(), 200) as { entries: { type: string; origin: Origin }[] }
  expect(entries.map(({ type, origin }) => [type, origin?.kind, origin?.import])).toEqual([
    ['lead', 'import', 'fair.csv'],
  ])
  expect((await record({ accept: 'text/csv' })).text).toMatch(/,"\{""kind"":""import"".*fair\.csv""/)
})

it('A lead of a version before has no origin, and is in no list of one', async () => {
  const { campaign, campaignId, readKey } = await seedWorld()
  await seedLeads(campaign, [{ phoneNumber: newPhone() }])
  const list = async (query: object) =>
    (dataOf(await api(readKey).listLeads({ campaignId, ...query }), 200) as Page).leads
  expect(await list({ include: 'origin' })).toMatchObject([{ origin: null }])
  for (const origin of ['api', 'source', 'import']) expect(await list({ origin })).toEqual([])
})

it('A page of a rare origin reads few rows, may be empty, and the pages have every lead of it once', async () => {
  const { campaign, campaignId, readKey, writeKeyId } = await seedWorld()
  const size = 25_000
  await companyDb
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
       insert into leads (seq, campaign_number, phone_number, created_at_ms, token, origin)
       select (?1 << 32) + i, ?1, '+1' || (4000000000 + i), i, 't', 'a' || iif(i in (3, 4, 24000), ?3, 'key-x')
       from n`,
    )
    .bind(campaign.number, size, writeKeyId)
    .run()
  for (const order of ['oldest', 'newest']) {
    const walked: string[] = []
    let pages = 0
    for (let cursor: string | null | undefined = ''; cursor !== null; pages++) {
      const { DB, trips } = watchedDatabase()
      const query = { campaignId, origin: writeKeyId, order, limit: '2', cursor: cursor ?? '' }
      const page: Page = dataOf(await api(readKey, { bindings: { DB } }).listLeads(query), 200)
      const read = trips.flatMap(({ results }) => results).reduce((sum, { meta }) => sum + meta.rows_read, 0)
      expect(read).toBeLessThan(41_000)
      walked.push(...page.leads.map(({ phoneNumber }) => phoneNumber))
      cursor = page.nextCursor
    }
    const expected = ['+14000000003', '+14000000004', '+14000024000']
    expect(walked).toEqual(order === 'oldest' ? expected : expected.toReversed())
    expect(pages).toBeGreaterThan(2)
    const whole = await api(readKey).listLeads({ campaignId, origin: writeKeyId, order })
    expect((dataOf(whole, 200) as Page).leads.map(({ phoneNumber }) => phoneNumber)).toEqual(walked)
  }
})
