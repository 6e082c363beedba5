// A source below HTTP: what is checked in the transaction that stores, what it notes, its alert, and what outlives
// restores and moves.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { addUses } from '../../../src/base/access/store/key-hours.ts'
import { limits, waits } from '../../../src/base/limits.ts'
import { raisedIn } from '../../support/alerts/alerts.ts'
import { driveToEnd, moveTo, seedMoving } from '../../support/companies/moving.ts'
import { seedCompanyIn } from '../../support/companies/own-company.ts'
import { restore, saveStore } from '../../support/companies/restoring.ts'
import { databaseThat } from '../../support/database/database.ts'
import { companyDb } from '../../support/database/store.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { entriesOf } from '../../support/ledger/log.ts'
import { runCron } from '../../support/run/cron.ts'
import { type Ended, endLead as endLeadAt } from '../../support/sources/ended-lead.ts'
import {
  leadsOf,
  newMobile,
  postJson,
  type ShownSource,
  seedSource,
  send,
} from '../../support/sources/source-world.ts'
import { seedCampaign, seedWorld } from '../../support/world.ts'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const startMs = Date.UTC(2036, 4, 5, 12)
const endLead = (source: Parameters<typeof endLeadAt>[0], phone: string, ended: Ended) =>
  endLeadAt(source, phone, startMs, ended)

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: startMs }))
const { keyUseMs } = waits
afterEach(() => void Object.assign(waits, { keyUseMs }))

it.each<
  [what: string, change: (own: Awaited<ReturnType<typeof seedSource>>) => Promise<unknown>, status: number]
>([
  ['replaced', (own) => own.shown('POST', undefined, '/rotate'), 404],
  ['disabled', (own) => own.shown('PATCH', { enabled: false }), 410],
  ['removed', (own) => own.manager.request('DELETE', own.one), 404],
])('A source that is %s while a post is on its way stores nothing of it', async (_, change, status) => {
  const own = await seedSource()
  let trips = 0
  const { DB } = databaseThat(async (run) => {
    // The first trip reads the source, the second one stores the lead.
    if (++trips === 2) await change(own)
    return run()
  })
  const json = {
    body: JSON.stringify({ phone: newMobile() }),
    headers: { 'content-type': 'application/json' },
  }
  const answer = await send(own.url, json, { bindings: { DB } })
  expect([answer.status, trips]).toEqual([status, 3])
  expect(await leadsOf(own.campaign)).toEqual([])
})

it('All numbers beside a no are suppressed by one batch, after the one that reads the source', async () => {
  const own = await seedSource()
  let trips = 0
  const { DB } = databaseThat((run) => {
    trips++
    return run()
  })
  const [phone, mobile] = [newMobile(), newMobile()]
  const json = {
    body: JSON.stringify({ phone, mobile, dnc: 'yes' }),
    headers: { 'content-type': 'application/json' },
  }
  expect([(await send(own.url, json, { bindings: { DB } })).status, trips]).toEqual([200, 2])
  const { results } = await companyDb
    .prepare(
      'select phone_number as number from suppressions where campaign_number = ?1 and phone_number in (?2, ?3)',
    )
    .bind(own.campaign.number, phone, mobile)
    .all()
  expect(results).toHaveLength(2)
})

it('A refused post is an event of its source, at most one a minute, with the count of those since', async () => {
  const [own, other] = [await seedSource(), await seedSource()]
  const refuse = async ({ url }: ShownSource, times: number) => {
    for (let i = 0; i < times; i++) expect((await postJson(url, { phone: 'x', a: i })).status).toBe(400)
  }
  const eventsOf = async ({ companyId }: { companyId: string }) =>
    (await entriesOf(companyId)).filter(({ type }) => type === 'source.refused')
  await refuse(own, 3)
  vi.setSystemTime(startMs + minuteMs)
  await refuse(own, 2)
  await refuse(other, 1)
  const problem = { code: 'invalid_field', message: expect.stringMatching(/^phoneNumber /) }
  expect((await eventsOf(own)).map(({ data }) => data)).toEqual([
    { sourceId: own.sourceId, problem, names: ['phone', 'a'], count: 1 },
    { sourceId: own.sourceId, problem, names: ['phone', 'a'], count: 3 },
  ])
  const [event] = await eventsOf(other)
  expect([event?.data.count, event?.campaignNumber]).toEqual([1, other.campaign.number])
  expect(event?.actor).toMatch(/^key_/)
})

it('Names and problem of the last post are written at most once a minute', async () => {
  const own = await seedSource()
  await postJson(own.url, { phone: newMobile(), first: 'x' })
  await postJson(own.url, { phone: 'x', second: 'x' })
  const before = await own.shown('GET')
  expect([before.lastNames, before.lastProblem?.code]).toEqual([['phone', 'first'], 'invalid_field'])
  vi.setSystemTime(startMs + minuteMs)
  await postJson(own.url, { phone: newMobile(), third: 'x' })
  expect((await own.shown('GET')).lastNames).toEqual(['phone', 'third'])
})

const keyOf = async ({ sourceId }: ShownSource) =>
  (
    await companyDb
      .prepare('select key_id as id from sources where id = ?1')
      .bind(sourceId)
      .first<{ id: string }>()
  )?.id as string

it('Five refused posts in an hour without one that is stored raise an alert, until one is stored', async () => {
  const [own, other, few] = [await seedSource(), await seedSource(), await seedSource()]
  const use = async (source: ShownSource, code: string, requests: number, atMs = Date.now()) =>
    addUses(companyDb, [{ keyId: await keyOf(source), code, requests, lastUsedAtMs: atMs }], Date.now())
  await use(own, 'invalid_field', 3)
  await use(own, 'unsupported_media_type', 2)
  await use(other, 'invalid_field', 9)
  await use(other, '', 1)
  await use(few, 'invalid_field', 4)
  await use(few, 'lead_exists', 4)
  await runCron()
  expect(await raisedIn(own.companyId)).toEqual([`source_failing ${own.sourceId}`])
  expect([await raisedIn(other.companyId), await raisedIn(few.companyId)]).toEqual([[], []])
  vi.setSystemTime(startMs + hourMs)
  await runCron()
  expect(await raisedIn(own.companyId)).toEqual([`source_failing ${own.sourceId}`])
  await use(own, '', 1)
  await runCron()
  expect(await raisedIn(own.companyId)).toEqual([])
})

it('Each post is counted in exactly one way, and one beyond a limit in none', async () => {
  const [own, other] = [await seedSource(), await seedSource()]
  Object.assign(waits, { keyUseMs: 50 })
  const phone = newMobile()
  const posts = [
    { phone },
    { phone },
    { phone: newMobile(), dnc: 'yes' },
    { phone: newMobile(), _honeypot: 'x' },
    { phone: 'x' },
    { phone: '+43 664 1234567' },
  ]
  for (const post of posts) await postJson(own.url, post)
  const received = async ({ shown }: typeof own) => {
    const { lastAt: _, ...counts } = (await shown('GET')).received
    return counts
  }
  const counts = { stored: 1, existing: 1, suppressed: 1, dropped: 1, refused: 2 }
  await expect.poll(() => received(own)).toEqual(counts)
  const none = { stored: 0, existing: 0, suppressed: 0, dropped: 0, refused: 0 }
  expect(await received(other)).toEqual(none)
  const address = '192.0.2.77'
  const junk = { body: JSON.stringify({ phone: 'x' }), headers: { 'content-type': 'application/json' } }
  const statuses: number[] = []
  for (let count = 0; count < 25; count++) statuses.push((await send(own.url, junk, { address })).status)
  expect(statuses.slice(-5)).toEqual(Array(5).fill(429))
  await expect.poll(() => received(own)).toEqual({ ...counts, refused: 22 })
})

it('A refused post is noted though another had a note within the minute, and no note replaces it', async () => {
  const consent = { purpose: 'offers', text: 'Call me.', field: 'terms' }
  const own = await seedSource({ consent })
  const lastOf = async () => (await own.shown('GET')).lastProblem
  await postJson(own.url, { phone: newMobile() })
  const note = { code: 'invalid_field', message: 'terms is not in the post: no consent is stored' }
  expect(await lastOf()).toEqual({ at: new Date(startMs).toISOString(), ...note })
  await postJson(own.url, { phone: 'x' })
  expect((await lastOf())?.message).toMatch(/^phoneNumber /)
  const refused = (await entriesOf(own.companyId)).filter(({ type }) => type === 'source.refused')
  expect(refused).toHaveLength(1)
  await postJson(own.url, { phone: newMobile(), terms: 'no' })
  expect((await lastOf())?.message).toMatch(/^phoneNumber /)
  vi.setSystemTime(startMs + minuteMs)
  await postJson(own.url, { phone: newMobile(), terms: 'no' })
  expect((await lastOf())?.message).toBe('terms says no: no consent is stored')
})

it('What was received is counted by the hours of its key, for thirty days', async () => {
  const own = await seedSource()
  Object.assign(waits, { keyUseMs: 50 })
  const phone = newMobile()
  await postJson(own.url, { phone })
  await postJson(own.url, { phone })
  await postJson(own.url, { phone: 'x' })
  await postJson(own.url, { phone, _gotcha: 'x' })
  const received = async () => (await own.shown('GET')).received
  await expect.poll(received).toMatchObject({ stored: 1, existing: 1, refused: 1 })
  expect((await received()).lastAt).toBe(new Date(startMs).toISOString())
  vi.setSystemTime(startMs + 29 * dayMs)
  const keyId = await keyOf(own)
  await addUses(companyDb, [{ keyId, code: '', requests: 1, lastUsedAtMs: Date.now() }], Date.now())
  expect(await received()).toMatchObject({ stored: 2, existing: 1 })
  vi.setSystemTime(startMs + 31 * dayMs)
  expect(await received()).toMatchObject({ stored: 1, existing: 0 })
})

it('Keys of sources count neither as keys nor as keys that were made', async () => {
  const own = await seedSource()
  for (let campaigns = 0; campaigns < 4; campaigns++) {
    const { id } = await seedCampaign(own.companyId)
    for (let i = 0; i < 20; i++) {
      const made = { name: `${i}`, countries: ['DE'] }
      dataOf(await own.manager.request('POST', `/api/v1/campaigns/${id}/sources`, made), 201)
    }
  }
  dataOf(await own.manager.request('POST', '/api/v1/keys', { name: 'crm', scope: 'write' }), 201)
})

it.each<[what: string, ended: Ended, isQueued: boolean]>([
  ['after busy', { outcome: 'busy' }, true],
  ['after an answer', { outcome: 'answered', status: 'concluded' }, true],
  ['within a day', { outcome: 'busy', endedAgoMs: dayMs - 1 }, false],
  ['after a refusal', { outcome: 'not_interested', status: 'concluded' }, false],
  ['after a do-not-call', { outcome: 'do_not_call' }, false],
  ['after a wrong number', { outcome: 'wrong_number' }, false],
])('A person who posts again is called again where the source says so: %s', async (_, ended, isQueued) => {
  const [own, keeping] = [await seedSource({ onExisting: 'requeue' }), await seedSource()]
  const phone = newMobile()
  const dueIn = async ({ campaign }: typeof own) =>
    (
      await companyDb
        .prepare('select due_at_ms as due from leads where campaign_number = ?1')
        .bind(campaign.number)
        .first<{ due: number | null }>()
    )?.due
  for (const source of [own, keeping]) {
    await postJson(source.url, { phone })
    await endLead(source, phone, ended)
    expect((await postJson(source.url, { phone })).status).toBe(200)
  }
  expect([await dueIn(own), await dueIn(keeping)]).toEqual([isQueued ? startMs : null, null])
})

it('A person whose number is suppressed since is not called again', async () => {
  const own = await seedSource({ onExisting: 'requeue' })
  const phone = newMobile()
  await postJson(own.url, { phone })
  await endLead(own, phone, { outcome: 'busy' })
  dataOf(await own.manager.request('POST', '/api/v1/suppressions', { phoneNumbers: [phone] }), 200)
  expect((await postJson(own.url, { phone })).status).toBe(200)
  expect(await leadsOf(own.campaign)).toMatchObject([{ status: 'exhausted' }])
})

it('A URL that was replaced, disabled or removed does not come back to life with a restore', async () => {
  const company = await seedCompanyIn('own')
  const path = `/api/v1/campaigns/${company.campaignId}/sources`
  const make = async (name: string) =>
    (await company.ask('POST', path, { name, countries: ['DE'] }, 201)) as unknown as ShownSource
  const [replaced, disabled, removed, untouched] = [
    await make('a'),
    await make('b'),
    await make('c'),
    await make('d'),
  ]
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)
  vi.setSystemTime(Date.now() + hourMs)
  const { url } = await company.ask('POST', `${path}/${replaced.sourceId}/rotate`)
  await company.ask('PATCH', `${path}/${disabled.sourceId}`, { enabled: false })
  await company.ask('DELETE', `${path}/${removed.sourceId}`)
  await restore(company, saved, toMs)
  const statusOf = async (one: string) => (await postJson(one, { phone: newMobile() })).status
  expect(await Promise.all([replaced.url, disabled.url, removed.url].map(statusOf))).toEqual([404, 410, 404])
  expect(await Promise.all([untouched.url, url as string].map(statusOf))).toEqual([200, 200])
})

it('A source takes posts at the same URL wherever its company has moved', async () => {
  const world = await seedMoving()
  const path = `/api/v1/campaigns/${world.campaignId}/sources`
  const made = await world.manager.request('POST', path, { name: 'form', countries: ['DE'] })
  const { url } = dataOf(made, 201) as ShownSource
  const post = async () => (await postJson(url, { phone: newMobile() })).status
  expect(await post()).toBe(200)
  await moveTo(world.companyId, 'own')
  expect([await post(), await post()]).toEqual([200, 200])
  await driveToEnd(world.companyId)
  await moveTo(world.companyId, 'shared')
  expect([await post(), await post()]).toEqual([200, 200])
  const list = await world.manager.request('GET', `/api/v1/leads?campaignId=${world.campaignId}`)
  expect((dataOf(list, 200) as { leads: unknown[] }).leads).toHaveLength(5)
})

it('A consent of a post has its text, its time, and what a browser says of its page', async () => {
  const consent = { purpose: 'offers', text: 'Call me.', field: 'ok', expiresAfterDays: 30 }
  const own = await seedSource({ consent }, await seedWorld())
  const consentsOf = async (phoneNumber: string) => {
    const found = await own.manager.request('POST', '/api/v1/consents/search', { phoneNumber })
    return (dataOf(found, 200) as { consents: Record<string, unknown>[] }).consents
  }
  const [browser, server, without] = [newMobile(), newMobile(), newMobile()]
  const from = { origin: 'https://shop.example', referer: 'https://shop.example/contact?secret=1' }
  await postJson(own.url, { phone: browser, ok: 'on' }, from)
  await postJson(own.url, { phone: server, ok: 'on' })
  await postJson(own.url, { phone: without }, from)
  const given = {
    purpose: 'offers',
    text: 'Call me.',
    givenAt: new Date(startMs).toISOString(),
    reference: own.sourceId,
  }
  const expiresAt = new Date(startMs + 30 * dayMs).toISOString()
  expect(await consentsOf(browser)).toMatchObject([
    { ...given, expiresAt, source: { url: 'https://shop.example', ip: expect.stringMatching(/^10\./) } },
  ])
  const [plain] = await consentsOf(server)
  expect(plain).toMatchObject(given)
  expect(JSON.stringify(plain)).not.toMatch(/shop|10\./)
  expect(await consentsOf(without)).toEqual([])
  const fromDisk = newMobile()
  await postJson(own.url, { phone: fromDisk, ok: 'on' }, { origin: 'null' })
  expect(JSON.stringify(await consentsOf(fromDisk))).toMatch(/"ip":"10\./)
  expect(JSON.stringify(await consentsOf(fromDisk))).not.toContain('"url":"null"')
})

it('A campaign has as many sources as the limit says and not one more, whatever another campaign has', async () => {
  const [own, other] = [await seedSource(), await seedSource()]
  const make = ({ manager, path }: typeof own) =>
    manager.request('POST', path, { name: 'Form', countries: ['DE'] })
  for (let count = 1; count < limits.sourcesPerCampaign; count++) dataOf(await make(own), 201)
  expectFailure(await make(own), 409, 'Too many sources')
  dataOf(await make(other), 201)
  dataOf(await own.manager.request('DELETE', own.one), 200)
  dataOf(await make(own), 201)
})

it('A new source ends what is kept of removed ones of its campaign after 30 days, and of no other campaign', async () => {
  const [own, other] = [await seedSource(), await seedSource()]
  for (const { manager, one } of [own, other]) dataOf(await manager.request('DELETE', one), 200)
  const kept = async () => {
    const found = companyDb.prepare('select id from sources where id in (?1, ?2)')
    const { results } = await found.bind(own.sourceId, other.sourceId).all<{ id: string }>()
    return new Set(results.map(({ id }) => id))
  }
  const make = () => own.manager.request('POST', own.path, { name: 'Form', countries: ['DE'] })
  vi.setSystemTime(startMs + 30 * dayMs)
  dataOf(await make(), 201)
  expect(await kept()).toEqual(new Set([own.sourceId, other.sourceId]))
  vi.setSystemTime(startMs + 30 * dayMs + 1)
  dataOf(await make(), 201)
  expect(await kept()).toEqual(new Set([other.sourceId]))
})
