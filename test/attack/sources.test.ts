// What a stranger can do with the URL of a source: post his own number and metadata. Tokens that are not this service's
// reach no store, and no value of a refused post is kept.
import { afterEach, expect, it, vi } from 'vitest'
import { companyDb } from '../support/database/store.ts'
import { isLimited } from '../support/http/expectations.ts'
import { entriesOf } from '../support/ledger/log.ts'
import { catchLogs } from '../support/run/logs.ts'
import {
  leadsOf,
  newMobile,
  type Posted,
  postJson,
  seedSource,
  send,
} from '../support/sources/source-world.ts'

afterEach(() => void vi.restoreAllMocks())

/** A database that fails each request. */
const broken = { bindings: { DB: {}, COMPANY_STORES: {} } }
const body = JSON.stringify({ phone: '+4917112345678' })
const json = { body, headers: { 'content-type': 'application/json' } }

it('A token with any character changed is 404, and no store is asked', async () => {
  const { url } = await seedSource()
  const at = url.lastIndexOf('/') + 1
  for (let place = at; place < url.length; place++) {
    const other = url[place] === 'A' ? 'B' : 'A'
    const answer = await send(url.slice(0, place) + other + url.slice(place + 1), json, broken)
    expect([place - at, answer.status]).toEqual([place - at, 404])
  }
  for (const changed of [url.slice(0, -1), `${url}A`, url.toUpperCase(), `${url}%00`, `${url}~`])
    expect((await send(changed, json, broken)).status).toBe(404)
  expect((await postJson(url, { phone: newMobile() })).status).toBe(200)
})

it('The parts of another company’s, campaign’s or source’s URL do not fit into this one', async () => {
  const [own, other] = [await seedSource(), await seedSource()]
  const sibling = await seedSource({}, own)
  const partsOf = (url: string) => decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)).split('~')
  const base = own.url.slice(0, own.url.lastIndexOf('/') + 1)
  for (const foreign of [other, sibling])
    for (let mask = 1; mask < 31; mask++) {
      const parts = partsOf(own.url).map((part, i) => ((mask >> i) & 1 ? partsOf(foreign.url)[i] : part))
      const url = base + parts.join('~')
      if (url === own.url || url === foreign.url) continue
      expect((await send(url, json, broken)).status).toBe(404)
    }
})

it('Wrong tokens count against the address, and a right one does not', async () => {
  const { url } = await seedSource()
  const address = '203.0.113.77'
  const wrong = () => send(`${url}x`, json, { address })
  for (let i = 0; i < 60; i++) expect((await wrong()).status).toBe(404)
  const refused = await wrong()
  isLimited({ ...refused, body: JSON.parse(refused.text) } as never)
  expect((await send(url, json, { address })).status).toBe(200)
})

it('What a stranger names as ours is metadata, and decides nothing', async () => {
  const { url, campaign, companyId } = await seedSource()
  const phone = newMobile()
  const claimed = {
    ...{ priority: '100', externalId: 'crm-1', external_id: 'crm-1', timeZone: 'America/New_York', _id: 'x' },
    ...{ scheduledFor: '2099-01-01T00:00:00Z', status: 'concluded', attempts: '9', campaignId: 'other' },
    ...{
      consentGivenAt: '2020-01-01T00:00:00Z',
      consentPurpose: 'offers',
      consentText: 'Yes.',
      metadata: '{"a":1}',
    },
    ...{ constructor: 'x', formula: '=HYPERLINK("https://evil.example")' },
  }
  expect(
    (await postJson(url, `{"__proto__":{"priority":100},${JSON.stringify({ phone, ...claimed }).slice(1)}`))
      .status,
  ).toBe(400)
  const text = `{"__proto__":{"priority":100},${JSON.stringify({ phone, ...claimed }).slice(1)}`
  const answer = await send(url, { body: text, headers: { 'content-type': 'application/json' } })
  expect(answer.status).toBe(200)
  const [lead] = await leadsOf(campaign)
  expect(lead).toMatchObject({
    phone,
    externalId: null,
    priority: 0,
    timeZone: '',
    scheduledFor: null,
    status: 'raw',
  })
  const { metadata: inner, ...plain } = claimed
  expect(JSON.stringify(lead?.metadata)).toContain('"__proto__.priority":"100"')
  expect(lead?.metadata).toMatchObject({ ...plain, 'metadata.a': '1' })
  expect(inner).toBe('{"a":1}')
  const consents = await companyDb
    .prepare('select count(*) as count from consents where company_id = ?1')
    .bind(companyId)
    .first<{ count: number }>()
  expect(consents?.count).toBe(0)
})

it('Ten thousand names are refused', async () => {
  const { url, campaign } = await seedSource()
  const names = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`n${i}`, '']))
  const many = { ...names, phone: newMobile() }
  const form = new URLSearchParams(many as Record<string, string>)
  const answers = [
    await send(url, { body: form }),
    await postJson(
      url,
      Object.fromEntries(
        Object.keys(names)
          .slice(0, 5_000)
          .map((name) => [name, 1]),
      ),
    ),
  ]
  expect(answers.map(({ status }: Posted) => status)).toEqual([413, 400])
  expect(await leadsOf(campaign)).toEqual([])
})

it('No value of a refused post is in any table, log or event', async () => {
  const logs = catchLogs()
  const own = await seedSource({ fields: { timeZone: 'zone' } })
  const canary = 'CANARY-7731'
  const bodies = [
    { phone: `${canary} +49 900 1234567`, note: canary },
    { phone: '+499001234567', zone: canary },
    { name: canary },
    { [`me@${canary}.example`]: canary, phone: `${canary}` },
  ]
  for (const one of bodies) expect((await postJson(own.url, one)).status).toBe(400)
  await send(own.url, { body: `{"a":"${canary}`, headers: { 'content-type': 'application/json' } })
  await send(own.url, { body: canary, headers: { 'content-type': `text/${canary}` } })
  await send(`${own.url}${canary}`, json)
  const { results: tables } = await companyDb
    .prepare(`select name from sqlite_schema where type = 'table' and name not glob '_cf_*'
      and name not glob 'lead_search*'
      and name not glob 'sqlite_*'`)
    .all<{ name: string }>()
  expect(tables.length).toBeGreaterThan(30)
  for (const { name } of tables) {
    const { results } = await companyDb.prepare(`select * from ${name}`).all()
    expect([name, JSON.stringify(results).includes(canary)]).toEqual([name, false])
    expect([name, JSON.stringify(results).includes('9001234567')]).toEqual([name, false])
  }
  const events = (await entriesOf(own.companyId)).filter(({ type }) => type === 'source.refused')
  expect(events).toHaveLength(1)
  expect(events[0]?.data).toMatchObject({ sourceId: own.sourceId, names: ['phone', 'note'], count: 1 })
  expect(logs.text()).not.toContain(canary)
  expect(logs.text()).not.toContain('9001234567')
})

it('A number that is taken is in no log', async () => {
  const logs = catchLogs()
  const { url, sourceId } = await seedSource()
  const phone = newMobile()
  await postJson(url, { phone, name: 'CANARY-Ada' })
  await postJson(url, { phone, dnc: 'yes' })
  expect(logs.text()).not.toContain(phone.slice(3))
  expect(logs.text()).not.toContain('CANARY')
  const [stored] = logs.records.filter(({ route }) => route === '/in/:token')
  expect(stored).toMatchObject({ leadsCreated: 1, status: 200, keyId: expect.stringMatching(/^key_/) })
  expect(JSON.stringify(logs.records)).not.toContain(url.slice(url.lastIndexOf('~')))
  expect(sourceId).toMatch(/^src_/)
})
