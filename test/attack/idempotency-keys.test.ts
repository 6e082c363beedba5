// Attacks on Idempotency-Key: twice at once, with another request, with another API key. Its limits are in
// test/spec/leads/send-again.test.ts; after a crash: lost-answers.test.ts and test/hard/crash.ts.

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { digestBase62 } from '../../src/base/base62.ts'
import { companyDb } from '../support/database/store.ts'
import { api } from '../support/http/api.ts'
import { dataOf, expectFailure } from '../support/http/expectations.ts'
import { newPhone, newPhones, seedKey, seedWorld, storedPhones } from '../support/world.ts'

const toLeads = (phones: readonly string[]) => phones.map((phoneNumber) => ({ phoneNumber }))
const idempotent = (key: string) => ({ 'idempotency-key': key })

it.each([
  ['with a tab', 'a\tb'],
  ['sent twice', 'a, b'],
])('Idempotency-Key %s is refused, and stores nothing', async (_, key) => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const answer = await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }, idempotent(key))
  expect(answer.status).toBe(400)
  expect(await storedPhones(campaign)).toEqual([])
})

it('Idempotency-Key creates once when the same request is sent twenty times at once', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const [phoneNumber] = newPhones(1) as [string]
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => api(writeKey).createLead({ campaignId, phoneNumber }, idempotent('x'))),
  )
  const ids = new Set(answers.map((answer) => dataOf(answer, 201).leadId))
  expect(ids.size).toBe(1)
  expect(answers.filter((answer) => !answer.headers.has('idempotent-replayed'))).toHaveLength(1)
  expect(await storedPhones(campaign)).toEqual([phoneNumber])
})

it('Idempotency-Key lets one of twenty different requests with the same key create', async () => {
  const { campaign, campaignId, writeKey } = await seedWorld()
  const answers = await Promise.all(
    newPhones(20).map((phoneNumber) =>
      api(writeKey).createLead({ campaignId, phoneNumber }, idempotent('x')),
    ),
  )
  const created = answers.filter((answer) => answer.status === 201)
  expect(created).toHaveLength(1)
  for (const answer of answers) {
    if (answer.status !== 201) expectFailure(answer, 409, 'Idempotency-Key was used for a different request')
  }
  expect(await storedPhones(campaign)).toHaveLength(1)
})

it('Idempotency-Key answers a bulk the same ten times at once, and stores its leads once', async () => {
  const { companyId, campaign, campaignId } = await seedWorld()
  const { key } = await seedKey({ companyId })
  const phones = newPhones(50)
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      api(key).importLeads({ campaignId, leads: toLeads(phones) }, idempotent('x')),
    ),
  )
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
  expect(dataOf(answers[0] as (typeof answers)[0], 200).created).toBe(50)
  expect(await storedPhones(campaign)).toEqual(phones)
})

it('Idempotency-Key is another one for another API key, even of the same company, and reveals nothing of the first', async () => {
  const { companyId, campaignId, writeKey } = await seedWorld()
  const { key } = await seedKey({ companyId })
  const first = await api(writeKey).createLead({ campaignId, phoneNumber: newPhone() }, idempotent('x'))
  const second = await api(key).createLead({ campaignId, phoneNumber: newPhone() }, idempotent('x'))
  expect(dataOf(second, 201).leadId).not.toBe(dataOf(first, 201).leadId)
  expect(second.headers.has('idempotent-replayed')).toBe(false)
})

it('Idempotency-Key is not reached by another key’s that reads alike', async () => {
  const { companyId, campaignId } = await seedWorld()
  const { key, id } = await seedKey({ companyId })
  dataOf(await api(key).createLead({ campaignId, phoneNumber: newPhone() }, idempotent('a')), 201)
  const other = await seedKey({ companyId })
  // What is hashed is the key's id, a space and the header.
  const answer = await api(other.key).createLead(
    { campaignId, phoneNumber: newPhone() },
    idempotent(`${id}a`),
  )
  dataOf(answer, 201)
})

it('What is stored with leads of an Idempotency-Key confirms no guess of the request, also when its lead is erased', async () => {
  const { companyId, campaign, campaignId } = await seedWorld()
  const { id, key } = await seedKey({ companyId, scope: 'manage' })
  const body = JSON.stringify({ campaignId, phoneNumber: newPhone() })
  const { leadId } = dataOf(await api(key).createLead(body, idempotent('deal-1234')), 201)
  const plain = createHash('sha256').update(`${id} deal-1234 /api/v1/leads\n${body}`).digest()
  const guesses = [digestBase62(plain, 11), digestBase62(plain, 22)]
  const stored = async () =>
    JSON.stringify(
      await companyDb
        .prepare(`select l.token, l.request_key, e.data from leads as l
          left join events as e on e.company_id = ?2 where l.campaign_number = ?1`)
        .bind(campaign.number, companyId)
        .all(),
    )
  for (const guess of guesses) expect(await stored()).not.toContain(guess)
  dataOf(await api(key).request('DELETE', `/api/v1/leads/${leadId}`), 200)
  for (const guess of guesses) expect(await stored()).not.toContain(guess)
  expect(await stored()).toContain(leadId.slice(-11))
})

describe('A request that comes again after the pepper was lost', () => {
  const without = { bindings: { SUPPRESSION_PEPPER: '' } }

  it('A request that comes again after the pepper was lost stores nothing twice', async () => {
    const { campaign, campaignId, writeKey } = await seedWorld()
    const one = { campaignId, phoneNumber: newPhone() }
    dataOf(await api(writeKey).createLead(one, idempotent('one')), 201)
    expectFailure(await api(writeKey, without).createLead(one, idempotent('one')), 409, 'Lead already exists')
    const many = { campaignId, leads: toLeads([one.phoneNumber]) }
    const bulk = await api(writeKey, without).importLeads(many, idempotent('one'))
    expect(dataOf(bulk, 200)).toMatchObject({ created: 0, skipped: 1 })
    expect(await storedPhones(campaign)).toEqual([one.phoneNumber])
  })
})
