// Random histories of two people around the time of a restore: what they have said, what was erased, and what came in
// again. After the restore nobody is called who must not be, and nothing of who was erased stands in plain. The clock
// is years ahead, so that no alarm goes off.
import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import { type OwnCompany, seedCompanyIn } from '../../support/companies/own-company.ts'
import { claim, report, restore, resume, saveStore } from '../../support/companies/restoring.ts'
import { newPhone } from '../../support/database/seed.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { isThorough } from '../../support/run/thorough.ts'

const minuteMs = 60_000

const acts = [
  'come',
  'withdraw',
  'suppress',
  'list',
  'lift',
  'erase',
  'erase and suppress',
  'delete',
  'call',
  'ring',
] as const
type Act = (typeof acts)[number]
type Step = readonly [person: 0 | 1, act: Act]

/** What is known of a person, by what was done. */
class Person {
  readonly phoneNumber = newPhone()
  consent: object | null = null
  leadId: string | null = null
  /** Since the last consent. */
  hasSaidNo = false
  isSuppressed = false
  /** The last that was done, which leaves nothing in plain. */
  isErased = false
  /** Not reported yet: says no after the restore. */
  callId: string | null = null
}

async function act(company: OwnCompany, person: Person, what: Act): Promise<void> {
  const { ask, campaignId, keyOf } = company
  const { phoneNumber } = person
  const manage = api(keyOf('manage').key)
  vi.setSystemTime(Date.now() + minuteMs)
  const says = (suppresses: boolean) => {
    person.hasSaidNo = true
    person.isErased = false
    person.isSuppressed ||= suppresses
  }
  switch (what) {
    case 'come': {
      person.consent = { purpose: 'offers', givenAt: new Date(Date.now()).toISOString() }
      person.hasSaidNo = false
      person.isErased = false
      const body = { campaignId, phoneNumber, consent: person.consent }
      const answer = await manage.createLead(body)
      if (answer.status === 201) person.leadId = dataOf(answer, 201).leadId
      else await ask('POST', '/api/v1/consents', { consents: [{ phoneNumber, ...person.consent }] })
      return
    }
    case 'withdraw':
      await ask('POST', '/api/v1/consents/withdraw', { phoneNumber, reason: 'said' })
      return says(false)
    case 'suppress':
      await ask('POST', '/api/v1/suppressions', { phoneNumbers: [phoneNumber], reason: 'said' })
      return says(true)
    case 'list':
      await ask('POST', '/api/v1/suppressions', { phoneNumbers: [phoneNumber], campaignId, reason: 'said' })
      person.isSuppressed = true
      person.isErased = false
      return
    case 'lift':
      await ask('DELETE', '/api/v1/suppressions', { phoneNumbers: [phoneNumber] })
      await ask('DELETE', '/api/v1/suppressions', { phoneNumbers: [phoneNumber], campaignId })
      person.isSuppressed = false
      person.isErased = false
      // An erasure may have suppressed the number for it, which is lifted now.
      person.callId = null
      return
    case 'erase':
    case 'erase and suppress':
      await ask('POST', '/api/v1/erasures', { phoneNumber, suppress: what === 'erase and suppress' })
      says(what === 'erase and suppress')
      person.leadId = null
      person.isErased = true
      return
    case 'delete':
      if (person.leadId !== null) {
        await ask('DELETE', `/api/v1/leads/${person.leadId}`)
        person.hasSaidNo = true
      }
      person.leadId = null
      return
    case 'call':
      for (const { callId } of await claim(company))
        await ask('POST', '/api/v1/calls/report', { calls: [{ callId, outcome: 'busy' }] })
      return
    case 'ring': {
      await act(company, person, 'come')
      const open = (await claim(company)).find(({ leadId }) => leadId === person.leadId)
      person.callId = open?.callId ?? person.callId
    }
  }
}

const tables = ['suppressions', 'number_log', 'consents', 'leads', 'calls']

async function attack(before: readonly Step[], after: readonly Step[]): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2036, 0, 16, 12) })
  const company = await seedCompanyIn('own')
  const { ask, campaignId, db, keyOf } = company
  const limits = { minGapMinutes: null, per24Hours: null, per7Days: null }
  const settings = { requireConsent: { purpose: 'offers' }, numberLimits: limits, maxAttempts: 50 }
  await ask('PATCH', `/api/v1/campaigns/${campaignId}`, settings)
  const people = [new Person(), new Person()] as const
  for (const [index, what] of before) await act(company, people[index], what)
  vi.setSystemTime(Date.now() + 2 * minuteMs)
  const toMs = Date.now()
  const saved = await saveStore(company)
  vi.setSystemTime(Date.now() + 60 * minuteMs)
  for (const [index, what] of after) await act(company, people[index], what)
  vi.setSystemTime(Date.now() + 60 * minuteMs)
  await restore(company, saved, toMs)
  for (const { phoneNumber, isErased } of people)
    for (const table of isErased ? tables : []) {
      const { results } = await db.prepare(`select * from ${table}`).all()
      expect([table, JSON.stringify(results).includes(phoneNumber.slice(1))]).toEqual([table, false])
    }
  await resume(company)
  for (const person of people.filter(({ callId }) => callId !== null)) {
    await report(company, person.callId ?? '', { outcome: 'do_not_call' })
    person.isSuppressed = true
  }
  for (const { phoneNumber, consent } of people)
    await api(keyOf('manage').key).createLead({ campaignId, phoneNumber, ...(consent && { consent }) })
  vi.setSystemTime(Date.now() + 2 * 24 * 60 * minuteMs)
  const { calls } = (await ask('POST', '/api/v1/calls/claim', { campaignId, limit: 100 })) as {
    calls: { lead: { phoneNumber: string } }[]
  }
  const called = calls.map(({ lead }) => lead.phoneNumber)
  for (const { phoneNumber, hasSaidNo, isSuppressed, consent } of people)
    if (hasSaidNo || isSuppressed || consent === null) expect(called).not.toContain(phoneNumber)
}

const step = fc.tuple(fc.constantFrom(0 as const, 1 as const), fc.constantFrom(...acts))
const histories = fc.tuple(fc.array(step, { maxLength: 6 }), fc.array(step, { minLength: 1, maxLength: 8 }))

it('After a restore nobody is called who has said no, and nothing of who was erased stands in plain, whatever came before', async () => {
  await fc.assert(
    fc.asyncProperty(histories, ([before, after]) => attack(before, after)),
    { numRuns: isThorough ? 60 : 8 },
  )
}, 300_000)
