// A company's own store is restored to a time before people were erased: none of them stands in plain again, and who
// has said no since is not called. The clock is years ahead, so that no alarm goes off.
import { runInDurableObject } from 'cloudflare:test'
import { beforeEach, expect, it, vi } from 'vitest'
import { spellingsOf } from '../../../src/base/ledger/suppression/spellings.ts'
import type { CompanyStore } from '../../../src/control/companies/company-object.ts'
import { openAtAllHours } from '../../support/calling/agent.ts'
import { type OwnCompany, seedCompanyIn } from '../../support/companies/own-company.ts'
import {
  addLead,
  claim,
  leadAt,
  objectOf,
  openHistory,
  report,
  restore,
  resume,
  saveStore,
} from '../../support/companies/restoring.ts'
import { newPhone } from '../../support/database/seed.ts'

const [minuteMs, hourMs] = [60_000, 3_600_000]

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2036, 0, 16, 12) }))

const later = (ms = hourMs) => void vi.setSystemTime(Date.now() + ms)
const consentNow = () => ({ purpose: 'offers', givenAt: new Date(Date.now()).toISOString() })

async function seedRequiring() {
  const company = await seedCompanyIn('own')
  await company.ask('PATCH', `/api/v1/campaigns/${company.campaignId}`, {
    requireConsent: { purpose: 'offers' },
  })
  return company
}

const withdraw = ({ ask }: OwnCompany, phoneNumber: string, reason = 'by phone') =>
  ask('POST', '/api/v1/consents/withdraw', { phoneNumber, reason })
const erase = ({ ask }: OwnCompany, phoneNumber: string, suppress = false) =>
  ask('POST', '/api/v1/erasures', { phoneNumber, suppress })
const suppress = ({ ask }: OwnCompany, phoneNumber: string, more: object = {}) =>
  ask('POST', '/api/v1/suppressions', { phoneNumbers: [phoneNumber], ...more })

const leadsOf = async (company: OwnCompany) => (await claim(company)).map(({ leadId }) => leadId)

const tables = ['suppressions', 'number_log', 'consents', 'leads', 'calls', 'call_details']

async function tablesWith({ db }: OwnCompany, text: string): Promise<string[]> {
  const found = tables.map(async (table) => {
    const { results } = await db.prepare(`select * from ${table}`).all()
    return JSON.stringify(results).includes(text) ? [table] : []
  })
  return (await Promise.all(found)).flat()
}

const listed = async ({ ask }: OwnCompany) =>
  (
    (await ask('GET', '/api/v1/suppressions')) as { suppressions: { phoneNumber: string }[] }
  ).suppressions.map(({ phoneNumber }) => phoneNumber)

it('A withdrawal after an erasure outlives a restore to before the erasure, and the number is not called', async () => {
  const company = await seedRequiring()
  const { phoneNumber } = await addLead(company, { consent: consentNow() })
  const neighbour = await addLead(company, { consent: consentNow() })
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)

  later()
  await erase(company, phoneNumber)
  later()
  const consent = consentNow()
  await addLead(company, { phoneNumber, consent })
  later()
  await withdraw(company, phoneNumber)
  later()
  await restore(company, saved, toMs)
  await resume(company)
  await addLead(company, { phoneNumber, consent })
  expect(await leadsOf(company)).toEqual([neighbour.leadId])
})

it('A withdrawal of before a restore’s time comes back as a hash alone where the person was erased since, and withdraws', async () => {
  const company = await seedRequiring()
  const { ask, db } = company
  const consent = consentNow()
  const { phoneNumber } = await addLead(company, { consent })
  const other = await addLead(company, { consent })
  const without = newPhone()
  later(minuteMs)
  for (const number of [phoneNumber, without, other.phoneNumber])
    await withdraw(company, number, 'said on the phone')
  const saidMs = Date.now()
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)

  later()
  for (const number of [phoneNumber, without]) await erase(company, number)
  later()
  await restore(company, saved, toMs)
  for (const number of [phoneNumber, without]) expect(await tablesWith(company, number.slice(1))).toEqual([])
  // Of each spelling; the neighbour's stays as it was said.
  const { results } = await db
    .prepare("select phone_number, at_ms, reason from number_log where kind = 'withdrawal'")
    .all<{ phone_number: string; at_ms: number; reason: string | null }>()
  const spelled = (number: string) => spellingsOf(number).length
  const hashed = results.filter((row) => !row.phone_number.startsWith('+'))
  expect(hashed.map(({ at_ms, reason }) => [at_ms, reason])).toEqual(
    Array(spelled(phoneNumber) + spelled(without)).fill([saidMs, null]),
  )
  const plain = results.filter((row) => row.phone_number.startsWith('+'))
  expect(plain.map((row) => [row.phone_number, row.reason]).toSorted()).toEqual(
    spellingsOf(other.phoneNumber)
      .map((number) => [number, 'said on the phone'])
      .toSorted(),
  )
  await resume(company)
  for (const number of [phoneNumber, without]) await addLead(company, { phoneNumber: number, consent })
  expect(await leadsOf(company)).toEqual([])
  await ask('POST', '/api/v1/consents', { consents: [{ phoneNumber, ...consentNow() }] })
  expect((await claim(company)).length).toBe(1)
})

it('A withdrawal outlives the erasure of one lead whose other leads a restore takes back', async () => {
  const company = await seedRequiring()
  const { ask, campaignId } = company
  const requireConsent = { purpose: 'offers' }
  await ask('POST', '/api/v1/campaigns', { id: 'other', name: 'Other', requireConsent }, 201)
  const consent = consentNow()
  const { leadId, phoneNumber } = await addLead(company)
  later(minuteMs)
  await withdraw(company, phoneNumber)
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)

  later()
  await addLead(company, { campaignId: 'other', phoneNumber, consent })
  await ask('DELETE', `/api/v1/leads/${leadId}`)
  later()
  await restore(company, saved, toMs)
  await resume(company)
  await addLead(company, { campaignId, phoneNumber, consent })
  expect(await leadsOf(company)).toEqual([])
})

it('A restore to before an erasure leaves nothing of the person in plain, nor reasons and texts', async () => {
  const company = await seedCompanyIn('own')
  const { ask, campaignId, db } = company
  const names = ['lead', 'listed', 'in a campaign', 'without a lead', 'untouched'] as const
  const numbers = Object.fromEntries(names.map((name) => [name, newPhone()])) as Record<
    (typeof names)[number],
    string
  >
  for (const name of ['lead', 'listed', 'in a campaign', 'untouched'] as const)
    await addLead(company, { phoneNumber: numbers[name] })
  await withdraw(company, numbers.lead, 'said of lead')
  for (const name of ['listed', 'without a lead', 'untouched'] as const)
    await suppress(company, numbers[name], { reason: `said of ${name}` })
  await suppress(company, numbers['in a campaign'], { campaignId, reason: 'said of in a campaign' })
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)

  later()
  for (const name of names.slice(0, 4)) await erase(company, numbers[name as 'lead'])
  const before = await listed(company)
  later()
  await restore(company, saved, toMs)
  expect(await listed(company)).toEqual(before)
  for (const name of names.slice(0, 4)) {
    expect([name, await tablesWith(company, numbers[name].slice('+49'.length))]).toEqual([name, []])
    expect([name, await tablesWith(company, `said of ${name}`)]).toEqual([name, []])
  }
  expect(await tablesWith(company, numbers.untouched.slice(1))).toEqual([
    'suppressions',
    'number_log',
    'leads',
  ])
  expect(await tablesWith(company, 'said of untouched')).toEqual(['suppressions', 'number_log'])
  // Who was suppressed stays so by hash.
  await resume(company)
  for (const name of ['listed', 'in a campaign', 'without a lead', 'untouched'] as const)
    await ask('POST', '/api/v1/leads/bulk', { campaignId, leads: [{ phoneNumber: numbers[name] }] })
  expect(await leadsOf(company)).toEqual([])
  // Two numbers, each in two spellings, and the pepper's check.
  const hashes = await db.prepare('select count(*) as n from suppressed_hashes').first<number>('n')
  expect(hashes).toBe(5)
})

it('A restore to before an erasure leaves no spelling of the number in plain, and each is withdrawn', async () => {
  const company = await seedRequiring()
  const [said, other, erased] = ['+5215512345678', '+525512345678', '+5491123456789']
  const { leadId } = await addLead(company, { phoneNumber: erased })
  await withdraw(company, erased)
  const consent = consentNow()
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)

  later()
  await company.ask('DELETE', `/api/v1/leads/${leadId}`)
  await withdraw(company, said)
  await restore(company, saved, toMs)
  expect(await tablesWith(company, '1123456789')).toEqual([])
  await resume(company)
  for (const phoneNumber of [said, other]) await addLead(company, { phoneNumber, consent })
  expect(await leadsOf(company)).toEqual([])
})

it('A number that was suppressed again after its erasure is listed after a restore, by the newer entry', async () => {
  const company = await seedCompanyIn('own')
  const { phoneNumber } = await addLead(company)
  await suppress(company, phoneNumber, { reason: 'first' })
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)

  later()
  await erase(company, phoneNumber)
  later()
  await suppress(company, phoneNumber, { reason: 'second' })
  const before = await company.ask('GET', '/api/v1/suppressions')
  later()
  await restore(company, saved, toMs)
  expect(await company.ask('GET', '/api/v1/suppressions')).toEqual(before)
  expect(await tablesWith(company, 'first')).toEqual([])
})

it('A restore keeps the suppression of a number whose other lead was not erased', async () => {
  const company = await seedCompanyIn('own')
  const { ask, campaignId } = company
  await ask('POST', '/api/v1/campaigns', { id: 'other', name: 'Other' }, 201)
  const { leadId, phoneNumber } = await addLead(company)
  const other = await addLead(company, { campaignId: 'other', phoneNumber })
  await suppress(company, phoneNumber)
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)

  later()
  await ask('DELETE', `/api/v1/leads/${leadId}`)
  await restore(company, saved, toMs)
  expect(await listed(company)).toEqual([phoneNumber])
  await resume(company)
  await ask('PATCH', '/api/v1/campaigns/other', { paused: false })
  await ask('POST', `/api/v1/leads/${other.leadId}/requeue`, {}).catch(() => {})
  const { calls } = await ask('POST', '/api/v1/calls/claim', { campaignId: 'other' })
  expect(calls).toEqual([])
  expect(campaignId).not.toBe('other')
})

it('A person whose call by consent a restore brings back in plain is erased again, and the use of the consent stays', async () => {
  const company = await seedRequiring()
  const { phoneNumber } = await addLead(company, { consent: consentNow() })
  const neighbour = await addLead(company, { consent: consentNow() })
  for (const { callId } of await claim(company)) await report(company, callId, { outcome: 'busy' })
  // Within the minute that a time and what the platform calls that time may differ.
  later(10_000)
  const [toMs, saved] = [Date.now(), await saveStore(company)]
  later()
  await erase(company, phoneNumber, true)
  later()
  expect(await restore(company, saved, toMs)).toMatchObject({ kind: 'restored' })
  expect(await tablesWith(company, phoneNumber.slice(1))).toEqual([])
  expect(await tablesWith(company, neighbour.phoneNumber.slice(1))).toContain('leads')
  const { results } = await company.db.prepare('select outcome from calls where consent_id is not null').all()
  expect(results).toEqual([{ outcome: 'busy' }, { outcome: 'busy' }])
})

it('An erased number that stood on the list for its last lead, which retention has erased since, stays off the list', async () => {
  const company = await seedCompanyIn('own')
  const { ask, campaignId, store } = company
  const settings = {
    ...openAtAllHours,
    numberLimits: { minGapMinutes: null, per24Hours: null, per7Days: null },
  }
  await ask('PATCH', `/api/v1/campaigns/${campaignId}`, { ...settings, retentionDays: 1 })
  await ask('POST', '/api/v1/campaigns', { id: 'other', name: 'Other', ...settings }, 201)
  const { phoneNumber } = await addLead(company)
  const neighbour = newPhone()
  await suppress(company, neighbour)
  const [call] = await claim(company)
  await report(company, call?.callId, { outcome: 'busy' })
  const live = await addLead(company, { phoneNumber, campaignId: 'other' })
  later(1_000)
  await ask('POST', '/api/v1/calls/claim', { campaignId: 'other', limit: 1 })
  await ask('DELETE', `/api/v1/leads/${live.leadId}`)
  expect((await listed(company)).toSorted()).toEqual([phoneNumber, neighbour].toSorted())
  // Listed for the same reason.
  const marks = company.db.prepare(
    'update suppressions set token = (select token from suppressions where phone_number = ?1) where phone_number = ?2',
  )
  expect((await marks.bind(phoneNumber, neighbour).run()).meta.changes).toBe(1)
  later(5 * minuteMs)
  const [toMs, saved] = [Date.now(), await saveStore(company)]
  later(26 * hourMs)
  await runInDurableObject(objectOf(store), (object: CompanyStore) => object.alarm())
  later()
  await restore(company, saved, toMs)
  expect(await tablesWith(company, phoneNumber.slice(1))).toEqual([])
  expect(await listed(company)).toEqual([neighbour])
})

it('A number that was erased in the metadata of another’s lead does not come back with a restore, and that lead stays', async () => {
  const company = await seedCompanyIn('own')
  const partner = newPhone()
  const metadata = { partner, name: 'Ada' }
  const [lead, other] = [await addLead(company, { metadata }), await addLead(company, { metadata })]
  const kept = await addLead(company, { metadata: { name: 'Bob' } })
  later(minuteMs)
  const toMs = Date.now() + 2 * minuteMs
  const saved = await saveStore(company)

  later()
  const erased = (await erase(company, partner)) as { alsoIn: string[] }
  expect(erased.alsoIn).toEqual([other.leadId, lead.leadId])
  await company.ask('PATCH', `/api/v1/leads/${kept.leadId}`, { metadata: { name: 'Eve' } })
  later()
  await restore(company, saved, toMs)
  expect(await tablesWith(company, partner.slice(1))).toEqual([])
  const { results } = await company.db.prepare('select metadata, words from leads order by seq').all()
  expect(results.map(({ metadata: now }) => now)).toEqual([
    '{"name":"Ada"}',
    '{"name":"Ada"}',
    '{"name":"Bob"}',
  ])
  for (const { words } of results) expect(words).toMatch(/^[\da-f]{8}_(ada|bob)$/)
})

it('Who is erased while a restore has taken their lead does not come back when that is undone, and others do', async () => {
  const company = await seedRequiring()
  const history = openHistory(company)
  await history.keep()
  const firstMs = Date.now()
  later()
  const [erased, refused, other] = [
    await addLead(company, { consent: consentNow() }),
    await addLead(company, { consent: consentNow() }),
    await addLead(company, { consent: consentNow() }),
  ]
  later()
  const closedMs = Date.now()
  expect(await history.restore(firstMs)).toMatchObject({ kind: 'restored' })
  later()
  await erase(company, erased.phoneNumber)
  await erase(company, refused.phoneNumber, true)
  later()
  expect(await history.restore(closedMs - minuteMs)).toMatchObject({ kind: 'restored' })
  for (const { phoneNumber } of [erased, refused]) expect(await tablesWith(company, phoneNumber)).toEqual([])
  expect((await leadAt(company, other.leadId)).status).toBe(200)
  await resume(company)
  await addLead(company, { phoneNumber: refused.phoneNumber, consent: consentNow() })
  expect(await leadsOf(company)).toEqual([other.leadId])
})
