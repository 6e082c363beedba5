// A company's own store is restored to a time: what has to outlive that, and what any end of the object leaves.
// Erasures are in restore-erased.test.ts. The clock is years ahead, so that no alarm goes off.
import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { randomBase62 } from '../../../src/base/base62.ts'
import { nameBeside, newStoreName, storeStub } from '../../../src/base/database/company-store.ts'
import type { CompanyStore } from '../../../src/control/companies/company-object.ts'
import { openAtAllHours } from '../../support/calling/agent.ts'
import { asOperator, companiesPath } from '../../support/companies/operator.ts'
import { seedCompanyIn, stubOf } from '../../support/companies/own-company.ts'
import {
  addLead,
  askToRestore,
  claim,
  giveHistory,
  leadAt,
  objectOf,
  report,
  requestOf,
  restore,
  resume,
  saveStore,
} from '../../support/companies/restoring.ts'
import { newPhone } from '../../support/database/seed.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { catchLogs } from '../../support/run/logs.ts'

const [minuteMs, hourMs] = [60_000, 3_600_000]

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2036, 0, 16, 12) }))

it('A restore of a company brings back nobody who has said no, was reached or was erased since', async () => {
  const company = await seedCompanyIn('own')
  const { ask, campaignId } = company
  const called = ['refused', 'answered', 'busy', 'live'] as const
  const names = [...called, 'listed', 'erased', 'untouched'] as const
  const leads = {} as Record<(typeof names)[number], Awaited<ReturnType<typeof addLead>>>
  for (const name of names) leads[name] = await addLead(company)
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)

  vi.setSystemTime(Date.now() + hourMs)
  const calls = new Map((await claim(company, called.length)).map((call) => [call.leadId, call.callId]))
  const callOf = (name: keyof typeof leads) => calls.get(leads[name].leadId)
  await report(company, callOf('refused'), { outcome: 'answered', doNotCall: true })
  await report(company, callOf('answered'), { outcome: 'answered' })
  await report(company, callOf('busy'), { outcome: 'busy' })
  await ask('POST', '/api/v1/suppressions', { phoneNumbers: [leads.listed.phoneNumber] })
  await ask('POST', '/api/v1/erasures', { phoneNumber: leads.erased.phoneNumber })

  expect(await restore(company, saved, toMs)).toEqual({ kind: 'restored', undoBookmark: 'before' })
  expect(await claim(company)).toEqual([])
  await resume(company)
  expect((await claim(company)).map(({ leadId }) => leadId)).toEqual([leads.untouched.leadId])
  expectFailure(await leadAt(company, leads.erased.leadId), 404, 'Lead not found')
  const statusOf = async (name: keyof typeof leads) =>
    (dataOf(await leadAt(company, leads[name].leadId), 200) as { lead: { status: string } }).lead.status
  expect(await statusOf('answered')).toBe('concluded')
  expect(await statusOf('refused')).toBe('concluded')
  expect(await statusOf('busy')).toBe('attempting')
  expect(await report(company, callOf('live'), { outcome: 'answered' })).toMatchObject({
    results: [{ result: 'recorded' }],
  })
  vi.setSystemTime(Date.now() + 2 * hourMs)
  expect((await claim(company)).map(({ leadId }) => leadId)).toContain(leads.busy.leadId)
  const erased = { campaignId, phoneNumber: leads.erased.phoneNumber }
  const again = await ask('POST', '/api/v1/leads', erased, 201)
  expect((await claim(company)).map(({ leadId }) => leadId)).not.toContain(again.leadId)
})
it('A restore of a company takes back no consent, no withdrawal and no hash of a number', async () => {
  const company = await seedCompanyIn('own')
  const { ask, campaignId, db } = company
  const consent = { purpose: 'offers', givenAt: new Date(Date.now() - hourMs).toISOString(), text: 'Yes.' }
  await ask('PATCH', `/api/v1/campaigns/${campaignId}`, { requireConsent: { purpose: 'offers' } })
  const work = () => runInDurableObject(objectOf(company.store), (store: CompanyStore) => store.alarm())
  await work()
  const add = () => addLead(company, { consent })
  const [kept, withdrawn, erased, held] = [await add(), await add(), await add(), await addLead(company)]
  const withdraw = (body: object) => ask('POST', '/api/v1/consents/withdraw', body)
  await withdraw({ phoneNumber: erased.phoneNumber, purpose: 'mail' })
  const calls = (await claim(company)).map(({ callId }) => ({ callId, delaySeconds: 0 }))
  await ask('POST', '/api/v1/calls/release', { calls })
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)

  vi.setSystemTime(Date.now() + hourMs)
  await withdraw({ phoneNumber: withdrawn.phoneNumber })
  await ask('POST', '/api/v1/erasures', { phoneNumber: erased.phoneNumber, suppress: false })
  const later = { ...consent, phoneNumber: held.phoneNumber, text: 'Yes, indeed.' }
  await ask('POST', '/api/v1/consents', { consents: [later] })
  const search = () => ask('POST', '/api/v1/consents/search', { phoneNumber: held.phoneNumber })
  const before = await search()

  await restore(company, saved, toMs)
  expect(await search()).toEqual(before)
  for (const table of ['consents', 'number_log', 'leads', 'calls']) {
    const { results } = await db.prepare(`select * from ${table}`).all()
    expect(JSON.stringify(results)).not.toContain(erased.phoneNumber.slice(1))
  }
  await resume(company)
  await work()
  expect((await claim(company)).map(({ leadId }) => leadId)).toEqual([kept.leadId, held.leadId])
})

it('A no of a campaign that a restore takes away holds when the campaign and the lead are made again', async () => {
  const [company, neighbour] = [await seedCompanyIn('own'), await seedCompanyIn('own')]
  const [listed, erased, refused, other] = [newPhone(), newPhone(), newPhone(), newPhone()]
  const numbers = [listed, erased, refused, other]
  const make = async ({ ask }: typeof company) =>
    ask('POST', '/api/v1/campaigns', { id: 'new', name: 'New', ...openAtAllHours }, 201)
  const call = async ({ ask }: typeof company, sent: readonly string[]) => {
    for (const phoneNumber of sent)
      await ask('POST', '/api/v1/leads', { campaignId: 'new', phoneNumber }, 201)
    const { calls } = await ask('POST', '/api/v1/calls/claim', { campaignId: 'new', limit: 9 })
    return calls as { callId: string; lead: { phoneNumber: string } }[]
  }
  for (const own of [company, neighbour]) {
    const { ask } = own
    const toMs = Date.now() + 2 * minuteMs
    const saved = await saveStore(own)
    vi.setSystemTime(Date.now() + hourMs)
    await make(own)
    const [first] = await call(own, [refused])
    const inNew = { campaignId: 'new' }
    if (own === company) {
      await ask('POST', '/api/v1/suppressions', { phoneNumbers: [listed, erased], ...inNew })
      await ask('POST', '/api/v1/erasures', { phoneNumber: erased, suppress: false })
    }
    const outcome = own === company ? 'not_interested' : 'answered'
    await report(own, first?.callId, { outcome })
    vi.setSystemTime(Date.now() + 24 * hourMs)
    await restore(own, saved, toMs)
    await make(own)
  }
  const called = async (own: typeof company) =>
    (await call(own, numbers)).map(({ lead }) => lead.phoneNumber).toSorted()
  expect(await called(company)).toEqual([other])
  expect(await called(neighbour)).toEqual(numbers.toSorted())
})

it('A restore of a company takes back no no that was said again since', async () => {
  const [company, foreign] = [await seedCompanyIn('own'), await seedCompanyIn('own')]
  const [again, once] = [newPhone(), newPhone()]
  const requireConsent = { purpose: 'offers' }
  for (const { ask, campaignId } of [company, foreign]) {
    await ask('PATCH', `/api/v1/campaigns/${campaignId}`, { requireConsent })
    await ask('POST', '/api/v1/suppressions', { phoneNumbers: [again, once] })
  }
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)

  vi.setSystemTime(Date.now() + hourMs)
  const givenAt = new Date(Date.now() - minuteMs).toISOString()
  await company.ask('POST', '/api/v1/suppressions', { phoneNumbers: [again] })
  await restore(company, saved, toMs)
  await resume(company)
  for (const each of [company, foreign]) {
    const { ask } = each
    const consents = [again, once].map((phoneNumber) => ({ phoneNumber, ...requireConsent, givenAt }))
    await ask('POST', '/api/v1/consents', { consents })
    await ask('DELETE', '/api/v1/suppressions', { phoneNumbers: [again, once] })
    for (const phoneNumber of [again, once]) await addLead(each, { phoneNumber })
  }
  expect(await claim(company)).toHaveLength(1)
  expect(await claim(foreign)).toHaveLength(2)
})

it('A restore of a company judges held leads by the settings that are back, and keeps the uses of consents', async () => {
  const company = await seedCompanyIn('own')
  const { ask, campaignId } = company
  const settings = `/api/v1/campaigns/${campaignId}`
  const held = await addLead(company)
  const twice = await addLead(company)
  await ask('POST', '/api/v1/campaigns', { id: 'other', name: 'Other' }, 201)
  await addLead(company, { campaignId: 'other', phoneNumber: twice.phoneNumber })
  await ask('POST', '/api/v1/consents/withdraw', { phoneNumber: twice.phoneNumber, purpose: 'mail' })
  await ask('PATCH', settings, { numberLimits: { minGapMinutes: null } })
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)

  vi.setSystemTime(Date.now() + hourMs)
  await ask('POST', '/api/v1/erasures', { phoneNumber: twice.phoneNumber, suppress: false })
  const released = (await claim(company)).map(({ callId }) => ({ callId, delaySeconds: 0 }))
  await ask('POST', '/api/v1/calls/release', { calls: released })
  await ask('PATCH', settings, { requireConsent: { purpose: 'offers' } })
  const consent = { purpose: 'offers', givenAt: new Date(Date.now() - hourMs).toISOString() }
  const [called, erased] = [await addLead(company, { consent }), await addLead(company, { consent })]
  const calls = (await claim(company)).map(({ callId }) => callId)
  expect(calls).toHaveLength(2)
  for (const callId of calls) await report(company, callId, { outcome: 'answered' })
  await ask('POST', '/api/v1/erasures', { phoneNumber: erased.phoneNumber, suppress: false })

  await restore(company, saved, toMs)
  const usesOf = async ({ phoneNumber }: { phoneNumber: string }) => {
    const { entries } = await ask('POST', '/api/v1/numbers/record', { phoneNumber })
    return (entries as { type: string; callId: string; outcome: string }[]).filter(
      ({ type }) => type === 'use',
    )
  }
  for (const lead of [called, erased])
    expect(await usesOf(lead)).toMatchObject([{ callId: expect.toBeOneOf(calls), outcome: 'answered' }])
  const { results } = await company.db.prepare('select * from number_log').all()
  expect(JSON.stringify(results)).not.toContain(twice.phoneNumber)
  await resume(company)
  await runInDurableObject(objectOf(company.store), (store: CompanyStore) => store.alarm())
  expect((await claim(company)).map(({ leadId }) => leadId)).toEqual([held.leadId])
})

it('A restore of a company keeps the calls to numbers whose leads it takes back, and what they refused', async () => {
  const company = await seedCompanyIn('own')
  const { ask, campaignId, db } = company
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)

  vi.setSystemTime(Date.now() + hourMs)
  await ask('POST', '/api/v1/campaigns', { id: 'later', name: 'Later' }, 201)
  const [called, refused] = [await addLead(company), await addLead(company)]
  const calls = new Map((await claim(company)).map((call) => [call.leadId, call.callId]))
  await report(company, calls.get(called.leadId), { outcome: 'answered' })
  await report(company, calls.get(refused.leadId), { outcome: 'not_interested' })
  const listed = newPhone()
  await ask('POST', '/api/v1/suppressions', { phoneNumbers: [listed], campaignId: 'later' })

  await restore(company, saved, toMs)
  expectFailure(await leadAt(company, called.leadId), 404, 'Lead not found')
  const count = (table: string) => db.prepare(`select count(*) as n from ${table}`).first<number>('n')
  expect(await count('number_calls')).toBe(2)
  const { suppressions } = (await ask('GET', '/api/v1/suppressions')) as { suppressions: object[] }
  expect(suppressions).toMatchObject([{ phoneNumber: listed, campaignId: null }])
  await resume(company)
  const again = await ask('POST', '/api/v1/leads', { campaignId, phoneNumber: refused.phoneNumber }, 201)
  expect((await claim(company)).map(({ leadId }) => leadId)).not.toContain(again.leadId)
})

it('A key that has ended since a restore’s time stays ended', async () => {
  const company = await seedCompanyIn('own')
  const { ask, keyOf } = company
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)
  vi.setSystemTime(Date.now() + hourMs)
  await ask('DELETE', `/api/v1/keys/${keyOf('read').id}`)
  await company.db
    .prepare('update api_keys set expires_at_ms = 1 where id = ?1')
    .bind(keyOf('write').id)
    .run()
  await restore(company, saved, toMs)
  for (const scope of ['read', 'write'] as const)
    expectFailure(await company.list(keyOf(scope).key), 401, 'Invalid or inactive API key')
  dataOf(await company.list(keyOf('manage').key), 200)
})

it('A webhook that was removed or disabled since a restore’s time stays so, also after another one, and no other does', async () => {
  const company = await seedCompanyIn('own')
  const { ask, keyOf } = company
  const make = async (name: string, key = keyOf('manage').key) => {
    const body = { url: `https://${name}.receiver.test/hook`, types: ['lead.erased'] }
    return (dataOf(await api(key).request('POST', '/api/v1/webhooks', body), 201) as { webhookId: string })
      .webhookId
  }
  const second = dataOf(
    await api(keyOf('manage').key).request('POST', '/api/v1/keys', { name: 'second', scope: 'manage' }),
    201,
  ) as { keyId: string; key: string }
  const paths = []
  for (const name of ['removed', 'disabled', 'back', 'untouched'])
    paths.push(`/api/v1/webhooks/${await make(name)}`)
  paths.push(`/api/v1/webhooks/${await make('of-a-key', second.key)}`)
  const [removed = '', disabled = '', back = '', untouched = '', ofKey = ''] = paths
  const earlierMs = Date.now() + 2 * minuteMs
  const savedEarlier = await saveStore(company)
  vi.setSystemTime(Date.now() + hourMs)
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)
  vi.setSystemTime(Date.now() + hourMs)
  await ask('DELETE', removed)
  await ask('PATCH', disabled, { disabled: true })
  await ask('PATCH', back, { disabled: true })
  await ask('PATCH', back, { disabled: false })
  await ask('DELETE', `/api/v1/keys/${second.keyId}?withCreated=true`)
  const before = [await ask('GET', disabled), await ask('GET', ofKey)]
  await restore(company, saved, toMs)
  vi.setSystemTime(Date.now() + hourMs)
  await restore(company, savedEarlier, earlierMs)
  expectFailure(await api(keyOf('manage').key).request('GET', removed), 404, 'Webhook not found')
  const disabledOf = ({ disabledAt, disabledReason }: Record<string, unknown>) => [disabledAt, disabledReason]
  expect([disabledOf(await ask('GET', disabled)), disabledOf(await ask('GET', ofKey))]).toEqual(
    before.map(disabledOf),
  )
  expect(before.map((one) => one.disabledReason)).toEqual(['operator', 'key_revoked'])
  for (const path of [back, untouched]) expect(disabledOf(await ask('GET', path))).toEqual([null, null])
})

it.each(['before', 'after'])(
  'A restore of a company answers nobody until campaigns are paused, ended each time %s a step is noted',
  async (end) => {
    const company = await seedCompanyIn('own')
    const { ask, store, keyOf } = company
    const { phoneNumber, leadId } = await addLead(company)
    const other = await addLead(company)
    const toMs = Date.now() + 2 * minuteMs
    const saved = await saveStore(company)
    vi.setSystemTime(Date.now() + hourMs)
    await ask('POST', '/api/v1/suppressions', { phoneNumbers: [phoneNumber] })
    const request = requestOf(company, toMs)
    const restored: string[] = []
    catchLogs()
    let lives = 0
    let result: object | null = null
    for (; result === null; lives++) {
      expect(lives).toBeLessThan(60)
      await giveHistory(company, saved, restored)
      // One write beside it, and the end: at the next write, or right after the first.
      let writes = 0
      const getByName = (name: string) => {
        const beside = stubOf(name) as unknown as DurableObjectStub<CompanyStore>
        return {
          readRestore: () => beside.readRestore(),
          readKept: (index: number) => beside.readKept(index),
          async writeRestore(...given: Parameters<CompanyStore['writeRestore']>) {
            if (writes++ > 0) throw new Error('away')
            await beside.writeRestore(...given)
            if (end === 'after') throw new Error('away')
          },
        }
      }
      await runInDurableObject(
        objectOf(store),
        (object: CompanyStore) =>
          void Object.assign(object, { env: { ...env, COMPANY_STORES: { getByName } } }),
      )
      result = await askToRestore(company, request).catch(() => null)
      const state = await objectOf(nameBeside(store as string)).readRestore()
      const isOpen = state === null || state.phase === 'done'
      // An object whose last write lost its answer opens in its next life.
      const statuses = isOpen ? (end === 'after' ? [200, 503] : [200]) : [503]
      expect(statuses).toContain((await company.list(keyOf('manage').key)).status)
      await runInDurableObject(objectOf(store), (_, object) => object.abort('crash')).catch(() => {})
    }
    expect(lives).toBeGreaterThan(10)
    expect(restored).toEqual([`of ${toMs}`])
    expect(await claim(company)).toEqual([])
    await resume(company)
    expect((await claim(company)).map((call) => call.leadId)).toEqual([other.leadId])
    expect((await leadAt(company, leadId)).status).toBe(200)
  },
)

it('A restore of a company takes place once, however often its request is repeated', async () => {
  const company = await seedCompanyIn('own')
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)
  vi.setSystemTime(Date.now() + hourMs)
  const request = requestOf(company, toMs)
  const restored: string[] = []
  await giveHistory(company, saved, restored)
  await expect(askToRestore(company, request)).rejects.toThrow('store restored')
  const result = { kind: 'restored', undoBookmark: 'before' }
  expect(await askToRestore(company, request)).toEqual(result)
  const { leadId } = await addLead(company)
  await giveHistory(company, saved, restored)
  expect(await askToRestore(company, request)).toEqual(result)
  expect((await leadAt(company, leadId)).status).toBe(200)
  expect(restored).toEqual([`of ${toMs}`])
})

it.each([
  ['the minute before', 2 * minuteMs],
  ['its very moment', 0],
])(
  'A time that an earlier restore has taken back is refused until that is undone to %s: no no of its leads is lost',
  async (_, earlierMs) => {
    const [company, other] = [await seedCompanyIn('own'), await seedCompanyIn('own')]
    const [firstMs, first] = [Date.now(), await saveStore(company)]
    const pass = (ms: number) => vi.setSystemTime(Date.now() + ms)
    pass(hourMs)
    const [refused, untouched] = [await addLead(company), await addLead(company)]
    await addLead(other)
    pass(5 * minuteMs)
    const [secondMs, second, ofOther] = [Date.now(), await saveStore(company), await saveStore(other)]
    pass(30 * minuteMs)
    const [call] = (await claim(company)).filter(({ leadId }) => leadId === refused.leadId)
    await report(company, call?.callId, { outcome: 'not_interested' })
    const before = await saveStore(company)
    const closedMs = Date.now()
    const request = requestOf(company, firstMs)
    await giveHistory(company, first)
    await expect(askToRestore(company, request)).rejects.toThrow('store restored')
    pass(2 * minuteMs)
    const [middleMs, middle] = [Date.now(), await saveStore(company)]
    pass(2 * minuteMs)
    expect(await askToRestore(company, request)).toMatchObject({ kind: 'restored' })
    pass(hourMs)
    for (const [ms, saved] of [
      [secondMs, second],
      [closedMs - 2 * minuteMs - 1, second],
      [middleMs, middle],
    ] as const) {
      await giveHistory(company, saved)
      expect(await askToRestore(company, requestOf(company, ms))).toEqual({
        kind: 'refused',
        reason: 'an earlier restore has taken that time back: undo that first',
      })
    }
    expect(await restore(other, ofOther, secondMs)).toMatchObject({ kind: 'restored' })
    // It brings back all that there was.
    const restored: string[] = []
    await giveHistory(company, before, restored)
    const undo = requestOf(company, closedMs - earlierMs)
    await expect(askToRestore(company, undo)).rejects.toThrow('store restored')
    expect(await askToRestore(company, undo)).toMatchObject({ kind: 'restored' })
    expect(restored).toEqual(['before'])
    pass(hourMs)
    expect(await restore(company, second, secondMs)).toMatchObject({ kind: 'restored' })
    await resume(company)
    pass(2 * 24 * hourMs)
    expect((await claim(company)).map(({ leadId }) => leadId)).toEqual([untouched.leadId])
  },
)

it('A restore that is requested again with its Idempotency-Key takes place once, and without one again', async () => {
  const company = await seedCompanyIn('own')
  const to = new Date(Date.now() + 2 * minuteMs).toISOString()
  const saved = await saveStore(company)
  vi.setSystemTime(Date.now() + hourMs)
  const restored: string[] = []
  const { ask } = await asOperator()
  const restore = async (headers: Record<string, string>) => {
    await giveHistory(company, saved, restored)
    const body = { confirm: company.companyId, to }
    dataOf(await ask('POST', `${companiesPath}/${company.companyId}/restore`, body, headers), 200)
    return restored.length
  }
  const once = { 'Idempotency-Key': randomBase62(10) }
  expect([await restore(once), await restore(once), await restore({})]).toEqual([1, 1, 2])
})

it('A restore of a company keeps what it reads in the place of the store, and under its jurisdiction', () => {
  const asked: unknown[] = []
  const getByName = (...given: unknown[]) => asked.push(...given)
  const stores = { jurisdiction: (name: string) => ({ getByName: asked.push(name) && getByName }) }
  const name = newStoreName('acme', { location: 'weur', jurisdiction: 'eu' })
  storeStub({ ...env, COMPANY_STORES: stores } as unknown as Env, nameBeside(name))
  expect(asked).toEqual(['eu', nameBeside(name), { locationHint: 'weur' }])
  expect(nameBeside(name)).not.toBe(name)
})

it('A restored store answers nobody while the object beside it does not say that the restore has ended', async () => {
  const company = await seedCompanyIn('own')
  await runInDurableObject(objectOf(company.store), (_, object) => object.abort('crash')).catch(() => {})
  const getByName = () => ({ readRestore: () => Promise.reject(new Error('away')) })
  await runInDurableObject(
    objectOf(company.store),
    (object: CompanyStore) => void Object.assign(object, { env: { ...env, COMPANY_STORES: { getByName } } }),
  )
  expect((await company.create()).status).toBe(503)
  await runInDurableObject(
    objectOf(company.store),
    (object: CompanyStore) => void Object.assign(object, { env }),
  )
  expect((await company.create()).status).toBe(201)
})
