// What is kept of consents after an erasure or retention, and until when; and the record of a number.
import { beforeEach, expect, it } from 'vitest'
import { dayMs, hourMs, noonMs } from '../../support/calling/calling.ts'
import { consent, daysAgo, hourAgo, purpose, seedConsents } from '../../support/calling/consents.ts'
import { clockAt, stopClockAtNoon } from '../../support/calling/noon.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { newPhone, seedOperatorKey } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

type Erased = { leadsErased: number; suppressed: boolean; kept: { consents: number; until: string | null } }
const nowhereElse = { alsoIn: [], isPartial: false }

async function seed(settings?: object) {
  const agent = await seedConsents(settings)
  const erase = async (method: string, path: string, body?: object) =>
    dataOf(await api(agent.manageKey).request(method, path, body), 200) as unknown as Erased
  return {
    ...agent,
    eraseLead: (leadId: string) => erase('DELETE', `/api/v1/leads/${leadId}`),
    erasePerson: (phoneNumber: string, more: object = {}) =>
      erase('POST', '/api/v1/erasures', { phoneNumber, ...more }),
  }
}

const source = { url: 'https://acme.example/form?name=Ada#top', ip: '203.0.113.7', userAgent: 'Safari' }
const certificateUrl = 'https://cert.example/1?token=2'
const whole = { ...consent, source, certificateUrl, reference: 'crm-1', text: 'Yes.' }
/** Its newest use or its giving, and five years. */
const until = (ms: number, years = 5) => {
  const at = new Date(ms)
  at.setUTCFullYear(at.getUTCFullYear() + years)
  return `${at.toISOString().slice(0, 19)}.000Z`
}

const rowsOf = async (table: string, companyId: string) =>
  (
    await companyDb
      .prepare(`select * from ${table} where company_id = ?1`)
      .bind(companyId)
      .all<Record<string, string | number | null>>()
  ).results

it('An erasure keeps the consent without the number, and says until when', async () => {
  const agent = await seed()
  const { phoneNumber } = await agent.call({ consent: whole }).then(({ lead }) => lead)
  await agent.withdraw(phoneNumber, { purpose: 'mail', reason: `for ${phoneNumber}` })
  clockAt(hourMs)
  const kept = { consents: 1, until: until(noonMs) }
  expect(await agent.erasePerson(phoneNumber)).toEqual({
    leadsErased: 1,
    suppressed: true,
    kept,
    ...nowhereElse,
  })
  expect(await agent.find(phoneNumber)).toEqual({ consents: [], withdrawals: [] })
  const [row] = await rowsOf('consents', agent.companyId)
  expect(row).toMatchObject({
    source_url: 'https://acme.example/form',
    certificate_url: 'https://cert.example/1',
    ip: null,
    user_agent: null,
    reference: null,
    content_hmac: null,
    number_hash: null,
    phone_number: expect.stringMatching(/^[\w-]{22}$/),
  })
  expect(await agent.erasePerson(phoneNumber)).toMatchObject({ leadsErased: 0, kept })
})

it('A consent stays plain while its number has another lead, and is hashed with the last', async () => {
  const agent = await seed()
  const other = await agent.another()
  const { phoneNumber, leadId } = await agent.add({ consent: whole })
  const { leadId: last } = await other.add({ phoneNumber })
  expect((await agent.eraseLead(leadId)).kept).toEqual({ consents: 1, until: until(noonMs - hourMs) })
  expect((await agent.find(phoneNumber)).consents).toMatchObject([{ reference: 'crm-1' }])
  expect((await agent.find(phoneNumber)).withdrawals).toEqual([])
  expect((await agent.eraseLead(last)).kept.consents).toBe(1)
  expect((await agent.find(phoneNumber)).consents).toEqual([])
  expect((await agent.eraseLead(last)).kept).toEqual({ consents: 0, until: null })
})

it('An older consent that is sent again after an erasure does not revive, and a newer one counts', async () => {
  const agent = await seed()
  const { phoneNumber } = await agent.add({ consent })
  await agent.erasePerson(phoneNumber, { suppress: false })
  await agent.add({ phoneNumber, consent })
  expect((await agent.claim()).calls).toEqual([])
  clockAt(hourMs)
  await agent.store(phoneNumber, { givenAt: new Date(noonMs + 1).toISOString() })
  expect((await agent.claim()).calls).toHaveLength(1)
})

it('An erasure before any consent in the company withdraws an older one that is sent later, and needs no pepper', async () => {
  const agent = await seed({})
  const [first, second] = [await agent.add(), await agent.add()]
  const bindings = { SUPPRESSION_PEPPER: undefined }
  const erasure = { phoneNumber: first.phoneNumber, suppress: false }
  const kept = { consents: 0, until: null }
  expect(
    dataOf(await api(agent.manageKey, { bindings }).request('POST', '/api/v1/erasures', erasure), 200),
  ).toEqual({ leadsErased: 1, suppressed: false, kept, ...nowhereElse })
  expect((await agent.erasePerson(second.phoneNumber, { suppress: false })).kept).toEqual(kept)
  await agent.change({ requireConsent: { purpose } })
  await agent.add({ phoneNumber: second.phoneNumber, consent })
  expect((await agent.claim()).calls).toEqual([])
})

it('A number with a consent is erased only with the pepper, and once it is lost no consent is stored and no record shown', async () => {
  const agent = await seed()
  const { phoneNumber } = await agent.add({ consent })
  const unavailable = 'Service temporarily unavailable'
  const ask = (key: string, path: string, body: object, SUPPRESSION_PEPPER?: string) =>
    api(key, { bindings: { SUPPRESSION_PEPPER } }).request('POST', path, body)
  const erasure = { phoneNumber, suppress: false }
  expectFailure(await ask(agent.manageKey, '/api/v1/erasures', erasure), 503, unavailable)
  await agent.erasePerson(phoneNumber, { suppress: false })
  const consents = [{ phoneNumber, ...consent }]
  for (const pepper of [undefined, 'another']) {
    expectFailure(await ask(agent.writeKey, '/api/v1/consents', { consents }, pepper), 503, unavailable)
    const record = await ask(agent.manageKey, '/api/v1/numbers/record', { phoneNumber }, pepper)
    expectFailure(record, 503, unavailable)
  }
  expect((await agent.find(phoneNumber)).consents).toEqual([])
})

it('Retention hashes the consents of a number with its last lead, and withdraws nothing', async () => {
  const agent = await seed({ requireConsent: { purpose }, retentionDays: 1 })
  const other = await agent.another()
  const [call, kept] = [await agent.call({ consent: whole }), await agent.call({ consent: whole })]
  await other.add({ phoneNumber: kept.lead.phoneNumber })
  await agent.report([call, kept].map(({ callId }) => ({ callId, outcome: 'answered' })))
  clockAt(2 * dayMs)
  await runCron()
  expect((await agent.find(kept.lead.phoneNumber)).consents).toHaveLength(1)
  const { phoneNumber } = call.lead
  expect(await agent.find(phoneNumber)).toEqual({ consents: [], withdrawals: [] })
  const hashed = (await rowsOf('consents', agent.companyId)).filter(({ ip }) => ip === null)
  expect(hashed).toMatchObject([{ hashed_at_ms: noonMs + 2 * dayMs }])
  const { entries, keptUntil } = await agent.record(phoneNumber)
  expect(keptUntil).toBe(until(noonMs))
  expect(entries.map(({ type }) => type)).toEqual(['consent', 'use'])
})

it('The cron removes a consent once its giving and its newest use are so many years ago, used or not', async () => {
  const agent = await seed()
  const keepFor = async (consentYears: number | null) => {
    const path = `/api/v1/companies/${agent.companyId}`
    const answer = await api((await seedOperatorKey()).key).request('PATCH', path, { consentYears })
    return (dataOf(answer, 200) as { consentYears: number }).consentYears
  }
  const left = async (ms: number) => {
    clockAt(ms)
    await runCron()
    return (await rowsOf('consents', agent.companyId)).map(({ phone_number }) => phone_number)
  }
  expect(await keepFor(1)).toBe(1)
  const { lead } = await agent.call({ consent: { ...consent, givenAt: daysAgo(360) } })
  const { phoneNumber } = await agent.add()
  await agent.store(phoneNumber, { givenAt: daysAgo(360) })
  expect((await left(dayMs)).toSorted()).toEqual([lead.phoneNumber, phoneNumber].toSorted())
  expect(await left(10 * dayMs)).toEqual([lead.phoneNumber])
  expect(await left(366 * dayMs)).toEqual([])
  await agent.store(phoneNumber)
  expect(await keepFor(null)).toBe(5)
  expect(await left(4 * 365 * dayMs)).toEqual([phoneNumber])
  expect(await keepFor(0)).toBe(0)
  expect(await left(4 * 365 * dayMs)).toEqual([])
})

it('The record of a number shows all that is held of it, oldest first, and each read is an event', async () => {
  const agent = await seed()
  const phoneNumber = newPhone()
  const { consentId } = await agent.store(phoneNumber, { givenAt: hourAgo, text: 'Yes.' })
  const { leadId } = await agent.add({ phoneNumber, metadata: { name: 'Ada' } })
  clockAt(1_000)
  const [call] = (await agent.claim()).calls
  clockAt(2_000)
  const details = { said: 'no' }
  await agent.report([{ callId: call?.callId, outcome: 'not_interested', durationSeconds: 9, details }])
  clockAt(3_000)
  await agent.withdraw(phoneNumber, { purpose, reason: 'by mail' })
  clockAt(4_000)
  await agent.suppress([phoneNumber], { reason: 'angry' })
  clockAt(5_000)
  await agent.lift([phoneNumber])
  const { entries, keptUntil } = await agent.record(phoneNumber)
  expect(keptUntil).toBe(until(noonMs + 1_000))
  const actor = expect.stringMatching(/^key/)
  const use = { consentId, callId: call?.callId, outcome: 'not_interested' }
  expect(entries).toMatchObject([
    { type: 'consent', at: hourAgo, consentId, text: 'Yes.', keptUntil },
    { type: 'lead', leadId, lead: { _id: leadId, phoneNumber, metadata: { name: 'Ada' } } },
    { type: 'call', ...use, leadId, campaignId: agent.campaignId, durationSeconds: 9, details },
    { type: 'use', ...use },
    { type: 'withdrawal', withdraws: purpose, campaignId: null, actor, reason: 'by mail' },
    { type: 'suppression', withdraws: '*', campaignId: null, actor, reason: 'angry' },
    { type: 'removal', withdraws: null, campaignId: null, actor },
  ])
  const events = dataOf(await api(agent.manageKey).request('GET', '/api/v1/events?types=record.read'), 200)
  expect(events).toMatchObject({ events: [{ type: 'record.read', data: { campaignId: null } }] })
  expect(JSON.stringify(events)).not.toContain(phoneNumber)
})

it('After an erasure the record finds with the number what is left under its hash', async () => {
  const agent = await seed()
  const call = await agent.call({ consent: whole })
  const { phoneNumber } = call.lead
  await agent.report([{ callId: call.callId, outcome: 'busy' }])
  clockAt(hourMs)
  await agent.erasePerson(phoneNumber)
  const { entries, keptUntil } = await agent.record(phoneNumber)
  expect(keptUntil).toBe(until(noonMs))
  expect(entries).toMatchObject([
    { type: 'consent', text: 'Yes.', source: { url: 'https://acme.example/form', ip: null } },
    { type: 'use', callId: call.callId, outcome: 'busy' },
    { type: 'erasure', withdraws: '*' },
  ])
  const other = await seed()
  expect((await other.record(phoneNumber)).entries).toEqual([])
})

it('A record has pages, as JSON and as CSV', async () => {
  const agent = await seed()
  const phoneNumber = newPhone()
  for (let day = 1; day <= 101; day++)
    await agent.store(phoneNumber, { givenAt: daysAgo(day), reference: '=1+1' })
  const path = '/api/v1/numbers/record'
  const ask = (body: object, headers = {}) => api(agent.manageKey).request('POST', path, body, headers)
  const { entries } = await agent.record(phoneNumber)
  expect(entries.map(({ at }) => at)).toEqual(Array.from({ length: 101 }, (_, index) => daysAgo(101 - index)))
  const csv = { accept: 'text/csv' }
  const first = await ask({ phoneNumber }, csv)
  const cursor = first.headers.get('next-cursor') ?? ''
  const second = await ask({ phoneNumber, cursor }, csv)
  expect(second.headers.get('next-cursor')).toBeNull()
  const lines = (first.text + second.text).trim().split('\r\n')
  expect(lines[0]).toMatch(/^at,type,leadId,callId,consentId,/)
  expect(lines.slice(1).map((line) => line.slice(0, 24))).toEqual(entries.map(({ at }) => at))
  expect(lines[1]).toContain("'=1+1")
  for (const wrong of ['!', 'bm90IGpzb24', 'W10'])
    expectFailure(await ask({ phoneNumber, cursor: wrong }), 400, 'cursor is not valid')
})
