// A no to a number withdraws the consents of every spelling of the same phone (D70), in its company, and gives none
// back.
import { beforeEach, describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs, noonMs } from '../../support/calling/calling.ts'
import { claimNumbers, consent, consentsOf, purpose, seedConsents } from '../../support/calling/consents.ts'
import { clockAt, stopClockAtNoon } from '../../support/calling/noon.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { newPhone, seedKey } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

type Company = Awaited<ReturnType<typeof seedConsents>>

const bothWays = [
  ['+525512345678', '+5215512345678'],
  ['+5215512345678', '+525512345678'],
  ['+491711234567', '+4901711234567'],
  ['+4901711234567', '+491711234567'],
] as const
const [said, other] = bothWays[0]

const givenAfter = (ms: number) => ({ givenAt: new Date(noonMs + ms).toISOString() })
const erase = async ({ manageKey }: Company, method: string, path: string, body?: object) =>
  dataOf(await api(manageKey).request(method, path, body), 200)
const erasePerson = (company: Company, phoneNumber: string, suppress: boolean) =>
  erase(company, 'POST', '/api/v1/erasures', { phoneNumber, suppress })

/** Of the company, in plain, oldest first. */
async function plainLogOf({ companyId }: Company) {
  const log = companyDb.prepare(
    `select phone_number, at_ms from number_log where company_id = ?1 and withdraws = '*' and phone_number like '+%'
     order by at_ms, phone_number`,
  )
  return (await log.bind(companyId).raw()) as [string, number][]
}

describe.each(bothWays)('A number %s, also written %s', (said, other) => {
  it(`Lifting a suppression of ${said} gives ${other} no older consent back, and a newer one counts`, async () => {
    const [company, foreign] = [await seedConsents(), await seedConsents()]
    await company.suppress([said])
    for (const each of [company, foreign]) await each.store(other)
    await company.lift([said])
    for (const each of [company, foreign]) await each.add({ phoneNumber: other })
    expect(await claimNumbers(company)).toEqual([])
    expect(await claimNumbers(foreign)).toEqual([other])
    clockAt(hourMs)
    await company.store(other, givenAfter(1))
    expect(await claimNumbers(company)).toEqual([other])
  })

  it(`Lifting the do-not-call of a call to ${said} gives ${other} no older consent back`, async () => {
    const [company, foreign] = [await seedConsents(), await seedConsents()]
    for (const each of [company, foreign]) {
      const { callId } = await each.call({ phoneNumber: said, consent })
      const outcome = each === company ? { outcome: 'do_not_call' } : { outcome: 'answered' }
      await each.report([{ callId, ...outcome }])
      await each.store(other)
    }
    await company.lift([said])
    for (const each of [company, foreign]) await each.add({ phoneNumber: other })
    // After the gap of the phone.
    clockAt(hourMs)
    expect(await claimNumbers(company)).toEqual([])
    expect(await claimNumbers(foreign)).toEqual([other])
  })

  it(`A withdrawal for ${said} withdraws the consents of ${other}, counts its own, and stands in both records`, async () => {
    const [company, foreign] = [await seedConsents(), await seedConsents()]
    for (const each of [company, foreign])
      for (const phoneNumber of [said, other]) await each.store(phoneNumber)
    await company.store(other, givenAfter(-2 * hourMs))
    expect(await company.withdraw(said, { reason: 'by mail' })).toMatchObject({ consents: 1 })
    for (const each of [company, foreign]) await each.add({ phoneNumber: other })
    expect(await claimNumbers(company)).toEqual([])
    expect(await claimNumbers(foreign)).toEqual([other])
    for (const phoneNumber of [said, other]) {
      const { entries } = await company.record(phoneNumber)
      expect(entries.filter(({ type }) => type === 'withdrawal')).toMatchObject([{ reason: 'by mail' }])
    }
    clockAt(hourMs)
    await company.store(other, givenAfter(1))
    expect(await claimNumbers(company)).toEqual([other])
  })
})

it('A withdrawal of one purpose or of an earlier time withdraws no more of another spelling', async () => {
  const company = await seedConsents()
  await company.store(other)
  await company.withdraw(said, { purpose: 'mail' })
  await company.withdraw(said, { withdrawnAt: new Date(noonMs - 2 * hourMs).toISOString() })
  await company.add({ phoneNumber: other })
  expect(await claimNumbers(company)).toEqual([other])
})

it.each([
  ['A withdrawal', async (company: Company) => void (await company.withdraw(said))],
  ['A suppression', async (company: Company) => void (await company.suppress([said]))],
  [
    'The do-not-call of a call',
    async (company: Company, callId: string) =>
      void (await company.report([{ callId, outcome: 'do_not_call' }])),
  ],
  ['The erasure of a person', async (company: Company) => void (await erasePerson(company, said, true))],
])(
  '%s withdraws a consent of another spelling that was given by a clock ahead, and none that is given later',
  async (_, say) => {
    const [company, foreign] = [await seedConsents(), await seedConsents()]
    const calls = []
    for (const each of [company, foreign]) {
      calls.push(await each.call({ phoneNumber: said, consent }))
      await each.report([{ callId: calls.at(-1)?.callId, outcome: 'answered' }])
      await each.store(other, givenAfter(4 * minuteMs))
    }
    await say(company, calls[0]?.callId ?? '')
    // After the gap of the phone.
    clockAt(20 * minuteMs)
    await company.lift([said])
    for (const each of [company, foreign]) await each.add({ phoneNumber: other })
    expect(await claimNumbers(company)).toEqual([])
    expect(await claimNumbers(foreign)).toEqual([other])
    await company.store(other, givenAfter(4 * minuteMs + 1))
    expect(await claimNumbers(company)).toEqual([other])
  },
)

it('A suppression of one campaign withdraws nothing of another spelling, and logs none', async () => {
  const company = await seedConsents()
  const second = await company.another()
  await company.store(other)
  await company.suppress([said], { campaignId: company.campaignId })
  expect(await plainLogOf(company)).toEqual([])
  await second.add({ phoneNumber: other })
  expect(await claimNumbers(second)).toEqual([other])
})

it('Suppressing a number again each night moves the entry of each spelling, and adds one where a newer consent is', async () => {
  const company = await seedConsents()
  const bare = '+14155550123'
  const night = async (hours: number) => {
    clockAt(hours * hourMs)
    await company.suppress([said, bare])
  }
  const at = (hours: number, ...numbers: string[]) =>
    numbers.map((number) => [number, noonMs + hours * hourMs])
  await night(0)
  expect(await plainLogOf(company)).toEqual(at(0, bare, other, said))
  for (const hours of [1, 2]) await night(hours)
  expect(await plainLogOf(company)).toEqual(at(2, bare, other, said))
  await company.store(other, givenAfter(2 * hourMs + 1))
  for (const hours of [3, 4, 5]) await night(hours)
  expect(await plainLogOf(company)).toEqual([...at(2, other), ...at(5, bare, other, said)])
})

it('The key of a campaign withdraws by a lead of any spelling, and its answer tells of the number itself only', async () => {
  const company = await seedConsents()
  const second = await company.another()
  const keyOf = async (campaign: typeof company.campaign) => {
    const { key } = await seedKey({ companyId: company.companyId, campaign, scope: 'write' })
    return consentsOf({ ...company, writeKey: key })
  }
  const [ours, theirs] = [await keyOf(company.campaign), await keyOf(second.campaign)]
  const ahead = givenAfter(60_000)
  await company.store(said, ahead)
  for (const each of [company, second]) await each.add({ phoneNumber: newPhone() })
  await second.add({ phoneNumber: said, consent })
  const nothing = { withdrawnAt: new Date(noonMs).toISOString(), consents: 0 }
  // Without a lead of any spelling.
  for (const phoneNumber of [said, other]) expect(await ours.withdraw(phoneNumber)).toEqual(nothing)
  expect(await plainLogOf(company)).toEqual([])
  await company.add({ phoneNumber: other })
  expect(await ours.withdraw(said)).toEqual(nothing)
  expect(await claimNumbers(second)).toEqual([])
  expect((await ours.find(said)).withdrawals).toHaveLength(1)
  expect(await theirs.withdraw(said)).toEqual({ withdrawnAt: ahead.givenAt, consents: 2 })
})

it('Erasing a person withdraws consents of every spelling that are sent again', async () => {
  const [company, foreign] = [await seedConsents(), await seedConsents()]
  await company.add({ phoneNumber: said, consent })
  await erasePerson(company, said, false)
  for (const each of [company, foreign]) await each.add({ phoneNumber: other, consent })
  expect(await claimNumbers(company)).toEqual([])
  expect(await claimNumbers(foreign)).toEqual([other])
})

it('Erasing a lead during its call withdraws the consents of every spelling, also once that is lifted', async () => {
  const company = await seedConsents()
  const second = await company.another()
  const { phoneNumber, leadId } = await company.add({ phoneNumber: said, consent })
  await second.add({ phoneNumber })
  await company.claim()
  await erase(company, 'DELETE', `/api/v1/leads/${leadId}`)
  await company.lift([said])
  await second.add({ phoneNumber: other, consent })
  clockAt(hourMs)
  expect(await claimNumbers(second)).toEqual([])
})

it('Erasing a lead during its call withdraws the consents that another spelling has without a lead', async () => {
  const company = await seedConsents()
  const { leadId } = await company.add({ phoneNumber: said, consent })
  await company.store(other)
  await company.claim()
  await erase(company, 'DELETE', `/api/v1/leads/${leadId}`)
  await company.lift([said])
  await company.add({ phoneNumber: other })
  clockAt(hourMs)
  expect(await claimNumbers(company)).toEqual([])
})

describe.each(['by a request', 'by retention'])('The last lead of a number that said no goes %s', (way) => {
  async function loseLead(company: Company, leadId: string) {
    if (way === 'by a request') await erase(company, 'DELETE', `/api/v1/leads/${leadId}`)
    else {
      clockAt(2 * dayMs)
      await runCron()
    }
  }
  async function seedSaidNo() {
    const company = await seedConsents({ requireConsent: { purpose }, retentionDays: 1 })
    const { callId, lead } = await company.call({ phoneNumber: said, consent })
    await company.report([{ callId, outcome: 'answered' }])
    await company.withdraw(said, { reason: `for ${said}` })
    return { ...company, leadId: lead._id }
  }

  it(`No spelling of it stays in plain (${way}), and the withdrawal holds by the hash`, async () => {
    const [company, foreign] = [await seedSaidNo(), await seedSaidNo()]
    await foreign.change({ retentionDays: null })
    await loseLead(company, company.leadId)
    expect(await plainLogOf(company)).toEqual([])
    expect(await plainLogOf(foreign)).toHaveLength(2)
    await company.add({ phoneNumber: other, consent })
    expect(await claimNumbers(company)).toEqual([])
  })

  it(`A spelling that has a lead or a consent of its own stays as it is (${way})`, async () => {
    const [withLead, withConsent] = [await seedSaidNo(), await seedSaidNo()]
    clockAt(hourMs)
    await withLead.add({ phoneNumber: other })
    await withConsent.store(other, givenAfter(hourMs))
    for (const company of [withLead, withConsent]) {
      await loseLead(company, company.leadId)
      expect((await plainLogOf(company)).map(([phoneNumber]) => phoneNumber)).toEqual([other])
    }
    await withConsent.add({ phoneNumber: other })
    expect(await claimNumbers(withConsent)).toEqual([other])
  })
})

it('Lifting a suppression that a version before has written withdraws what it had withdrawn of every spelling, and no more', async () => {
  const [company, foreign] = [await seedConsents(), await seedConsents()]
  const listed =
    'suppressions (company_id, phone_number, campaign_number, created_at_ms, token, leads_removed)'
  for (const each of [company, foreign]) {
    await companyDb
      .prepare(`insert into ${listed} values (?1, ?2, 0, ?3, 'before', 0)`)
      .bind(each.companyId, said, noonMs)
      .run()
    for (const phoneNumber of [said, other]) await each.store(phoneNumber)
  }
  clockAt(hourMs)
  await company.lift([said])
  expect(await plainLogOf(company)).toEqual([
    [other, noonMs],
    [said, noonMs],
  ])
  for (const phoneNumber of [said, other]) {
    const { entries } = await company.record(phoneNumber)
    expect(entries.filter(({ type }) => type === 'withdrawal')).toMatchObject([{ withdraws: '*' }])
  }
  await company.add({ phoneNumber: other })
  await foreign.add({ phoneNumber: other })
  expect(await claimNumbers(company)).toEqual([])
  expect(await plainLogOf(foreign)).toEqual([])
  expect(await claimNumbers(foreign)).toEqual([other])
  await company.store(other, givenAfter(1))
  expect(await claimNumbers(company)).toEqual([other])
})

it('Lifting what is suppressed by its hash alone withdraws by the hashes of all spellings', async () => {
  const company = await seedConsents()
  await company.add({ phoneNumber: said })
  await erasePerson(company, said, true)
  const logged = () =>
    companyDb
      .prepare(`select count(*) as n from number_log where company_id = ?1 and withdraws = '*'`)
      .bind(company.companyId)
      .first('n')
  // As a version before left it, which knew that spelling alone.
  await companyDb.prepare('delete from number_log where company_id = ?1').bind(company.companyId).run()
  await company.store(other)
  expect(await company.lift([said])).toEqual({ lifted: 1 })
  expect([await logged(), await plainLogOf(company)]).toEqual([2, []])
  await company.add({ phoneNumber: other })
  expect(await claimNumbers(company)).toEqual([])
})
