// Consents: what is stored, which one counts, and which call used which. What a campaign requires is in
// required.test.ts, what is kept after an erasure in kept.test.ts.
import { beforeEach, expect, it } from 'vitest'
import { hourMs, minuteMs, noonMs } from '../../support/calling/calling.ts'
import {
  claimNumbers,
  consent,
  daysAgo,
  hourAgo,
  purpose,
  seedConsents,
} from '../../support/calling/consents.ts'
import { clockAt, stopClockAtNoon } from '../../support/calling/noon.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf, expectFailure } from '../../support/http/expectations.ts'
import { newPhone, newPhones, seedKey } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

it('A consent that came with a lead is shown with all that was sent of it', async () => {
  const agent = await seedConsents()
  const sent = {
    ...consent,
    expiresAt: '2027-11-18T13:00:00+01:00',
    text: 'I agree that Acme calls me.',
    source: { url: 'https://acme.example/form?a=1#b', ip: '203.0.113.7', userAgent: 'Safari' },
    certificateUrl: 'https://cert.example/1',
    reference: 'crm-1',
  }
  const { phoneNumber } = await agent.add({ consent: sent })
  expect(await agent.find(phoneNumber)).toEqual({
    consents: [
      {
        ...sent,
        consentId: expect.stringMatching(/^con_[0-9A-Za-z]{22}$/),
        expiresAt: '2027-11-18T12:00:00.000Z',
        textSha256: '0328fb913f188298dde631718ea3eac4073f030a22848559c5f33f339aa919d9',
        storedAt: new Date(noonMs).toISOString(),
      },
    ],
    withdrawals: [],
  })
})

it('A text is stored once for a company, and shown for a consent that has its SHA-256 alone', async () => {
  const agent = await seedConsents()
  const [one, two, three] = newPhones(3) as [string, string, string]
  for (const number of [one, two]) await agent.store(number, { text: 'Yes.' })
  const textSha256 = (await agent.find(one)).consents[0]?.textSha256 as string
  await agent.store(three, { textSha256: textSha256.toUpperCase() })
  expect((await agent.find(three)).consents).toMatchObject([{ text: 'Yes.', textSha256 }])
  const { results } = await companyDb
    .prepare('select text from consent_texts where company_id = ?1')
    .bind(agent.companyId)
    .all()
  expect(results).toEqual([{ text: 'Yes.' }])
})

it('The same consent again is the same record, and any other content is another', async () => {
  const agent = await seedConsents()
  const phoneNumber = newPhone()
  const first = await agent.store(phoneNumber, { reference: 'a' })
  expect(first.status).toBe('created')
  expect(await agent.store(phoneNumber, { reference: 'a' })).toEqual({ ...first, status: 'existing' })
  const others = [{ reference: 'b' }, { purpose: 'mail' }, { givenAt: daysAgo(1) }, { source: { ip: '::1' } }]
  for (const other of others)
    expect(await agent.store(phoneNumber, { reference: 'a', ...other })).toMatchObject({ status: 'created' })
  expect((await agent.find(phoneNumber)).consents).toHaveLength(5)
  const [a, b] = newPhones(2).map((number) => ({ phoneNumber: number, ...consent }))
  const body = { consents: [a, b, a] }
  const data = dataOf(await api(agent.writeKey).request('POST', '/api/v1/consents', body), 200)
  const [one, two] = (data as { results: { consentId: string }[] }).results
  expect(data).toEqual({
    results: [
      { ...one, index: 0, status: 'created' },
      { ...two, index: 1, status: 'created' },
      { ...one, index: 2, status: 'existing' },
    ],
  })
})

it('A consent is stored for a lead that exists already, in a bulk too, and not in a dry run', async () => {
  const agent = await seedConsents()
  const { phoneNumber } = await agent.add()
  const { campaignId } = agent
  const again = await api(agent.writeKey).createLead({ campaignId, phoneNumber, consent } as never)
  expectFailure(again, 409, 'Lead already exists')
  expect((await agent.find(phoneNumber)).consents).toHaveLength(1)
  const leads = [{ phoneNumber, consent: { ...consent, reference: 'bulk' } }]
  for (const query of ['?dryRun=true', '']) {
    const body = { campaignId, leads }
    dataOf(await agent.ask('POST', `/api/v1/leads/bulk${query}`, body, { key: agent.writeKey }), 200)
    expect((await agent.find(phoneNumber)).consents).toHaveLength(query === '' ? 2 : 1)
  }
})

it('A consent may be given five minutes ahead, and no later', async () => {
  const agent = await seedConsents()
  const givenAt = (ms: number) => new Date(noonMs + 5 * minuteMs + ms).toISOString()
  await agent.add({ consent: { purpose, givenAt: givenAt(0) } })
  const consents = [{ phoneNumber: newPhone(), purpose, givenAt: givenAt(1) }]
  const late = await api(agent.writeKey).request('POST', '/api/v1/consents', { consents })
  expectFailure(late, 400, 'consents[0].givenAt must not be more than 5 minutes in the future')
})

it('An expired consent is stored, and empty members are not set', async () => {
  const agent = await seedConsents()
  const empty = { text: '', source: { url: '', ip: '' }, reference: null }
  const { phoneNumber } = await agent.add({ consent: { ...consent, ...empty, expiresAt: daysAgo(0) } })
  const shown = { text: null, source: null, reference: null, expiresAt: '2026-11-18T12:00:00.000Z' }
  expect((await agent.find(phoneNumber)).consents).toMatchObject([shown])
  const { phoneNumber: none } = await agent.add({ consent: null })
  expect((await agent.find(none)).consents).toEqual([])
})

it('A call names the newest valid consent, in its history, its event and the uses of the consent', async () => {
  const agent = await seedConsents()
  const phoneNumber = newPhone()
  await agent.store(phoneNumber, { givenAt: daysAgo(2) })
  const { consentId } = await agent.store(phoneNumber, { givenAt: daysAgo(1) })
  await agent.store(phoneNumber, { givenAt: hourAgo, expiresAt: hourAgo })
  await agent.ask('GET', '/api/v1/events', undefined, { key: agent.readKey })
  const { leadId } = await agent.add({ phoneNumber })
  const [call] = (await agent.claim()).calls
  const usedAt = new Date(noonMs).toISOString()
  expect(await agent.uses(consentId)).toEqual([{ callId: call?.callId, usedAt, outcome: null }])
  await agent.report([{ callId: call?.callId, outcome: 'answered' }])
  expect(await agent.uses(consentId)).toEqual([{ callId: call?.callId, usedAt, outcome: 'answered' }])
  const path = `/api/v1/leads/${leadId}/calls`
  expect(dataOf(await agent.ask('GET', path), 200)).toMatchObject({ calls: [{ consentId }] })
  const events = dataOf(await agent.ask('GET', '/api/v1/events', undefined, { key: agent.readKey }), 200)
  const reported = (events as { events: { type: string; data: object }[] }).events.filter(
    ({ type }) => type === 'call.reported',
  )
  expect(reported).toMatchObject([{ data: { consentId } }])
})

it('A call in a campaign that requires no consent uses none', async () => {
  const agent = await seedConsents({})
  const { phoneNumber } = await agent.add({ consent })
  expect(await claimNumbers(agent)).toEqual([phoneNumber])
  const [{ consentId } = { consentId: '' }] = (await agent.find(phoneNumber)).consents
  expect(await agent.uses(consentId)).toEqual([])
})

it('A withdrawal covers the consents of its purpose that were given until then, and wins a tie', async () => {
  const agent = await seedConsents()
  const { phoneNumber } = await agent.add({ consent })
  const withdrawn = { purpose, withdrawnAt: hourAgo, reason: 'by mail' }
  expect(await agent.withdraw(phoneNumber, withdrawn)).toEqual({ withdrawnAt: hourAgo, consents: 1 })
  expect(await agent.withdraw(phoneNumber, withdrawn)).toEqual({ withdrawnAt: hourAgo, consents: 1 })
  const { withdrawals } = await agent.find(phoneNumber)
  expect(withdrawals).toEqual([{ purpose, withdrawnAt: hourAgo, kind: 'withdrawal', reason: 'by mail' }])
  expect(await claimNumbers(agent)).toEqual([])
  await agent.store(phoneNumber, { givenAt: daysAgo(1) })
  expect(await claimNumbers(agent)).toEqual([])
  await agent.store(phoneNumber, { givenAt: new Date(noonMs - hourMs + 1).toISOString() })
  expect(await claimNumbers(agent)).toEqual([phoneNumber])
})

it('A withdrawal without a purpose covers all, and one of another purpose none', async () => {
  const agent = await seedConsents()
  const { phoneNumber } = await agent.add({ consent })
  expect((await agent.withdraw(phoneNumber, { purpose: 'mail' })).consents).toBe(0)
  expect((await agent.withdraw(phoneNumber)).consents).toBe(1)
  expect(await claimNumbers(agent)).toEqual([])
})

it('A withdrawal counts for consents that arrive later and were given before, also those of a fast clock', async () => {
  const agent = await seedConsents()
  const [number, ahead] = newPhones(2) as [string, string]
  await agent.withdraw(number)
  await agent.store(ahead, { givenAt: new Date(noonMs + minuteMs).toISOString() })
  await agent.withdraw(ahead)
  clockAt(2 * minuteMs)
  for (const phoneNumber of [number, ahead]) await agent.add({ phoneNumber, consent })
  expect(await claimNumbers(agent)).toEqual([])
})

it('A live call whose consent is withdrawn has to stop, and is not given out again', async () => {
  const agent = await seedConsents()
  const phoneNumber = newPhone()
  const body = { campaignId: agent.campaignId }
  const headers = { 'Idempotency-Key': 'claim-1' }
  await agent.add({ phoneNumber, consent })
  const [call] = (await agent.claim(body, headers)).calls
  const stopOf = async () => (await agent.extend([call?.callId ?? '']))[0]?.stop
  expect(await stopOf()).toBeNull()
  expect((await agent.claim(body, headers)).calls).toHaveLength(1)
  await agent.withdraw(phoneNumber)
  expect(await stopOf()).toBe('consent_withdrawn')
  expect((await agent.claim(body, headers)).calls).toEqual([])
  await agent.suppress([phoneNumber])
  expect(await stopOf()).toBe('suppressed')
})

it('A do-not-call and a suppression of the company withdraw every purpose, and lifting gives none back', async () => {
  const agent = await seedConsents()
  const called = await agent.call({ consent })
  await agent.report([{ callId: called.callId, outcome: 'do_not_call' }])
  const suppressed = await agent.add()
  await agent.suppress([suppressed.phoneNumber])
  const numbers = [called.lead.phoneNumber, suppressed.phoneNumber]
  await agent.lift(numbers)
  for (const phoneNumber of numbers) {
    await agent.store(phoneNumber, { reference: 'again' })
    expect((await agent.find(phoneNumber)).withdrawals).toMatchObject([
      { purpose: null, kind: 'suppression' },
    ])
  }
  for (const leadId of [called.lead._id, suppressed.leadId]) await agent.requeue(leadId)
  clockAt(hourMs)
  expect(await claimNumbers(agent)).toEqual([])
})

it('A suppression of one campaign withdraws nothing, and a repeated one only what was given since', async () => {
  const agent = await seedConsents()
  const phoneNumber = newPhone()
  await agent.store(phoneNumber)
  await agent.suppress([phoneNumber], { campaignId: agent.campaignId })
  expect((await agent.find(phoneNumber)).withdrawals).toEqual([])
  for (const expected of [1, 1]) {
    await agent.suppress([phoneNumber])
    expect((await agent.find(phoneNumber)).withdrawals).toHaveLength(expected)
  }
  clockAt(hourMs)
  await agent.store(phoneNumber, { givenAt: new Date(noonMs + minuteMs).toISOString() })
  await agent.suppress([phoneNumber])
  expect((await agent.find(phoneNumber)).withdrawals).toHaveLength(2)
})

it('Uses are those of the campaign for its key, page by page', async () => {
  const agent = await seedConsents()
  const other = await agent.another()
  const { phoneNumber } = await agent.add()
  await other.add({ phoneNumber })
  const { consentId } = await agent.store(phoneNumber)
  const [one] = (await agent.claim()).calls
  await agent.report([{ callId: one?.callId, outcome: 'answered' }])
  clockAt(hourMs)
  await other.claim()
  const path = `/api/v1/consents/${consentId}/uses`
  const ask = async (key: string, query = '') => dataOf(await api(key).request('GET', path + query), 200)
  expect(await ask(agent.readKey)).toMatchObject({ uses: [{ outcome: 'answered' }, { outcome: null }] })
  const page = (await ask(agent.readKey, '?limit=1')) as { nextCursor: string }
  expect(await ask(agent.readKey, `?cursor=${page.nextCursor}`)).toMatchObject({ uses: [{ outcome: null }] })
  const ofCampaign = await seedKey({ companyId: agent.companyId, campaign: other.campaign, scope: 'read' })
  expect(await ask(ofCampaign.key)).toMatchObject({ uses: [{ outcome: null }], nextCursor: null })
})
