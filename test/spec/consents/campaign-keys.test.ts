// What a campaign's key may do with consents: those of numbers that have a lead in its campaign, and nothing that shows
// of others.
import { beforeEach, expect, it } from 'vitest'
import { noonMs } from '../../support/calling/calling.ts'
import {
  claimNumbers,
  consent,
  consentsOf,
  daysAgo,
  hourAgo,
  purpose,
  seedConsents,
} from '../../support/calling/consents.ts'
import { stopClockAtNoon } from '../../support/calling/noon.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { type Campaign, newPhone, seedKey } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

const noon = new Date(noonMs).toISOString()
const withText = (text: string) => ({ ...consent, text })
const sha256Of = async (text: string) =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('hex')

/** Two campaigns that require a consent; `ours` and `theirs` have keys of their campaigns only. */
async function seedTwo() {
  const company = await seedConsents()
  const second = await company.another()
  const withKeys = async (campaign: Campaign) => {
    const keyOf = (scope: 'read' | 'write') => seedKey({ companyId: company.companyId, campaign, scope })
    const [read, write] = [await keyOf('read'), await keyOf('write')]
    const keys = { readKey: read.key, writeKey: write.key, manageKey: company.manageKey }
    return { ...keys, ...consentsOf(keys) }
  }
  const ours = { ...company, ...(await withKeys(company.campaign)) }
  const theirs = { ...second, ...(await withKeys(second.campaign)) }
  return { company, ours, theirs }
}

async function rowsOf(companyId: string) {
  const select = (table: string) =>
    companyDb.prepare(`select * from ${table} where company_id = ?1`).bind(companyId).all()
  const found = await Promise.all(['consents', 'consent_texts', 'number_log'].map(select))
  return found.map(({ results }) => results)
}

it('The key of a campaign stores no consent of a number whose lead is in another campaign, or nowhere', async () => {
  const { company, ours, theirs } = await seedTwo()
  const { phoneNumber: stranger } = await theirs.add()
  const nobody = newPhone()
  const { phoneNumber: own } = await ours.add()
  expect(await claimNumbers(theirs)).toEqual([])
  // The same one, so that an answer could tell it from a new one.
  await company.store(stranger, withText('Yes.'))
  await company.withdraw(stranger)
  const before = await rowsOf(company.companyId)
  const consents = [
    { phoneNumber: stranger, ...withText('Yes.') },
    { phoneNumber: stranger, ...consent, givenAt: daysAgo(-0.003) },
    { phoneNumber: nobody, ...withText('No text of this is stored.') },
  ]
  const sent = async (list: object[]) =>
    dataOf(await api(ours.writeKey).request('POST', '/api/v1/consents', { consents: list }), 200)
  const ignored = { status: 'ignored', consentId: null }
  expect(await sent(consents)).toEqual({ results: [0, 1, 2].map((index) => ({ index, ...ignored })) })
  expect(await rowsOf(company.companyId)).toEqual(before)
  expect(await claimNumbers(theirs)).toEqual([])

  expect(await sent([...consents, { phoneNumber: own, ...withText('Yes.') }])).toMatchObject({
    results: [ignored, ignored, ignored, { index: 3, status: 'created' }],
  })
  expect((await company.find(own)).consents).toHaveLength(1)
  expect((await company.find(stranger)).consents).toHaveLength(1)
})

it('The key of a campaign withdraws nothing of a number whose lead is in another campaign, and does not learn of it', async () => {
  const { company, ours, theirs } = await seedTwo()
  // The newest is given ahead of now: a withdrawal that covers it would say its time.
  const ahead = new Date(noonMs + 60_000).toISOString()
  const { phoneNumber } = await theirs.add({ consent })
  await company.store(phoneNumber, { givenAt: ahead })
  const nobody = newPhone()
  const before = await rowsOf(company.companyId)
  for (const number of [phoneNumber, nobody]) {
    expect(await ours.withdraw(number)).toEqual({ withdrawnAt: noon, consents: 0 })
    const said = { purpose, withdrawnAt: hourAgo, reason: 'by mail' }
    expect(await ours.withdraw(number, said)).toEqual({ withdrawnAt: hourAgo, consents: 0 })
  }
  expect(await rowsOf(company.companyId)).toEqual(before)
  expect(await claimNumbers(theirs)).toEqual([phoneNumber])
})

it('For a number with a lead in its campaign, the key of a campaign gives and withdraws in the whole company', async () => {
  const { ours, theirs } = await seedTwo()
  const { phoneNumber } = await ours.add()
  await theirs.add({ phoneNumber })
  expect(await claimNumbers(theirs)).toEqual([])
  expect(await ours.store(phoneNumber)).toMatchObject({ status: 'created' })
  expect(await ours.store(phoneNumber)).toMatchObject({ status: 'existing' })
  expect(await claimNumbers(theirs)).toEqual([phoneNumber])
  expect(await ours.withdraw(phoneNumber)).toEqual({ withdrawnAt: noon, consents: 1 })
  expect((await theirs.find(phoneNumber)).withdrawals).toHaveLength(1)
})

it('The key of a campaign finds no consent, withdrawal or use of a number whose lead is in another campaign', async () => {
  const { company, ours, theirs } = await seedTwo()
  const { phoneNumber } = await theirs.add({ consent })
  const { consentId } = (await company.find(phoneNumber)).consents[0] as { consentId: string }
  expect(await claimNumbers(theirs)).toEqual([phoneNumber])
  await company.withdraw(phoneNumber, { purpose: 'other' })
  expect(await ours.find(phoneNumber)).toEqual({ consents: [], withdrawals: [] })
  expect(await ours.uses(consentId)).toEqual([])
  expect(await theirs.find(phoneNumber)).toMatchObject({ consents: [{ consentId }], withdrawals: [{}] })
  expect(await theirs.uses(consentId)).toHaveLength(1)
})

it('The key of a campaign sees the texts of its own campaign’s consents only, whatever SHA-256 it knows', async () => {
  const { company, ours, theirs } = await seedTwo()
  const [text, other] = ['They agreed to this.', 'The company alone has this.']
  const { phoneNumber } = await theirs.add({ consent: withText(text) })
  await company.store(phoneNumber, { ...withText(other), givenAt: daysAgo(1) })
  await ours.add({ phoneNumber, consent: { ...withText('We asked for this.'), givenAt: daysAgo(2) } })
  const { phoneNumber: own } = await ours.add({ consent: { ...consent, textSha256: await sha256Of(text) } })
  await ours.store(own, { textSha256: await sha256Of(other) })
  await ours.store(own, { ...withText('By key.'), givenAt: daysAgo(1) })
  const textsOf = async (of: Pick<typeof ours, 'find'>, number: string) =>
    (await of.find(number)).consents.map((one) => one.text)
  expect(await textsOf(ours, phoneNumber)).toEqual(['We asked for this.', null, null])
  expect(await textsOf(theirs, phoneNumber)).toEqual([null, null, text])
  expect(await textsOf(company, phoneNumber)).toEqual(['We asked for this.', other, text])
  expect(await textsOf(ours, own)).toEqual(['By key.', null, null])
  expect(new Set(await textsOf(company, own))).toEqual(new Set(['By key.', text, other]))
  expect((await ours.find(own)).consents[1]).toMatchObject({
    textSha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  })
})
