// What withdraws the consents of a number, also without being asked for it, and who sees that.
import { beforeEach, expect, it } from 'vitest'
import { dayMs, hourMs, noonMs } from '../../support/calling/calling.ts'
import { claimNumbers, consent, consentsOf, purpose, seedConsents } from '../../support/calling/consents.ts'
import { clockAt, stopClockAtNoon } from '../../support/calling/noon.ts'
import { companyDb } from '../../support/database/store.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { newPhone, newPhones, seedKey } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

const erase = async ({ manageKey }: { manageKey: string }, phoneNumber: string, suppress: boolean) =>
  dataOf(await api(manageKey).request('POST', '/api/v1/erasures', { phoneNumber, suppress }), 200)

const givenAfter = (ms: number) => ({ ...consent, givenAt: new Date(noonMs + ms).toISOString() })

/** Of the company, oldest first. */
async function logOf(companyId: string) {
  const log = companyDb.prepare(
    `select phone_number, at_ms from number_log where company_id = ?1 and withdraws = '*' order by at_ms`,
  )
  return (await log.bind(companyId).all()).results
}

it('Suppressing a number again withdraws a consent that came since, of its number alone', async () => {
  const agent = await seedConsents()
  const [phoneNumber, other] = newPhones(2) as [string, string]
  await agent.suppress([phoneNumber, other])
  clockAt(hourMs)
  for (const number of [phoneNumber, other]) await agent.store(number, givenAfter(hourMs))
  await agent.suppress([phoneNumber])
  clockAt(2 * hourMs)
  await agent.lift([phoneNumber, other])
  for (const number of [phoneNumber, other]) await agent.add({ phoneNumber: number })
  expect(await claimNumbers(agent)).toEqual([other])
})

it('A no that is said again covers a consent that was given before it and comes later, of its number and company alone', async () => {
  const [agent, foreign] = [await seedConsents(), await seedConsents()]
  const [again, once] = newPhones(2) as [string, string]
  for (const each of [agent, foreign]) await each.suppress([again, once])
  clockAt(2 * hourMs)
  await agent.suppress([again])
  clockAt(3 * hourMs)
  for (const each of [agent, foreign]) {
    for (const number of [again, once]) await each.store(number, givenAfter(hourMs))
    await each.lift([again, once])
    for (const number of [again, once]) await each.add({ phoneNumber: number })
  }
  expect(await claimNumbers(agent)).toEqual([once])
  expect(await claimNumbers(foreign)).toEqual([again, once])
  // One that is given after it counts.
  await agent.store(again, givenAfter(2 * hourMs + 1))
  expect(await claimNumbers(agent)).toEqual([again])
})

it('A no of one campaign that is said again withdraws nothing', async () => {
  const agent = await seedConsents()
  const other = await agent.another()
  const phoneNumber = newPhone()
  const { campaignId } = other
  await agent.suppress([phoneNumber])
  await agent.lift([phoneNumber])
  for (const hours of [1, 2, 3]) {
    clockAt(hours * hourMs)
    await agent.suppress([phoneNumber], { campaignId })
  }
  await agent.store(phoneNumber, givenAfter(2 * hourMs))
  await agent.add({ phoneNumber })
  expect(await claimNumbers(agent)).toEqual([phoneNumber])
})

it('Suppressing numbers again each night moves their newest entry, and adds one for a number with a newer consent alone', async () => {
  const agent = await seedConsents()
  await agent.store(newPhone())
  const [withOld, withNewer, bare] = newPhones(3) as [string, string, string]
  await agent.store(withOld)
  const list = [withOld, withNewer, bare]
  const night = async (hours: number) => {
    clockAt(hours * hourMs)
    await agent.suppress(list)
  }
  /** How many entries each number has, in both spellings, and the hour of the newest. */
  const entries = async () => {
    const log = await logOf(agent.companyId)
    return list.map((number) => {
      const times = log
        .filter(({ phone_number }) => phone_number === number)
        .map(({ at_ms }) => at_ms as number)
      return [times.length, (Math.max(...times) - noonMs) / hourMs]
    })
  }
  await night(0)
  expect(await entries()).toEqual([[1, 0], [1, 0], [1, 0]]) // biome-ignore format: a table
  expect(await logOf(agent.companyId)).toHaveLength(3 * 2)
  await night(1)
  expect(await entries()).toEqual([[1, 1], [1, 1], [1, 1]]) // biome-ignore format: a table
  clockAt(2 * hourMs)
  await agent.store(withNewer, givenAfter(2 * hourMs))
  for (const hours of [3, 4, 5]) await night(hours)
  expect(await entries()).toEqual([[1, 5], [2, 5], [1, 5]]) // biome-ignore format: a table
  // That of a single purpose does not withdraw the others.
  clockAt(6 * hourMs)
  await agent.store(withOld, givenAfter(6 * hourMs))
  await agent.withdraw(withOld, { purpose: 'other' })
  for (const hours of [7, 8]) await night(hours)
  expect(await entries()).toEqual([[2, 8], [2, 8], [1, 8]]) // biome-ignore format: a table
  expect(await logOf(agent.companyId)).toHaveLength(3 * 2 + 2)
})

it('A no that is said again after a withdrawal, an erasure or a list of before is written down once, and moves from then on', async () => {
  const agent = await seedConsents()
  const [withdrawn, ofBefore] = newPhones(2) as [string, string]
  await agent.withdraw(withdrawn, {})
  // As a version that did not log suppressions has left them.
  await companyDb
    .prepare(
      `insert into suppressions (company_id, phone_number, campaign_number, token, leads_removed, created_at_ms)
       select ?1, value, 0, 't', 0, 0 from json_each(?2)`,
    )
    .bind(agent.companyId, JSON.stringify([withdrawn, ofBefore]))
    .run()
  for (const hours of [1, 2, 3]) {
    clockAt(hours * hourMs)
    await agent.suppress([withdrawn, ofBefore])
  }
  const own = (await logOf(agent.companyId)).filter(({ phone_number }) =>
    [withdrawn, ofBefore].includes(phone_number as string),
  )
  expect(own.map(({ phone_number, at_ms }) => [phone_number, ((at_ms as number) - noonMs) / hourMs])).toEqual(
    expect.arrayContaining([
      [withdrawn, 0],
      [withdrawn, 3],
      [ofBefore, 3],
    ]),
  )
  expect(own).toHaveLength(3)
})

it('Erasing a lead during its call withdraws the consents of its number in the other campaigns', async () => {
  const agent = await seedConsents()
  const other = await agent.another()
  const { phoneNumber, leadId } = await agent.add({ consent })
  await other.add({ phoneNumber })
  await agent.claim()
  dataOf(await api(agent.manageKey).request('DELETE', `/api/v1/leads/${leadId}`), 200)
  await agent.lift([phoneNumber])
  expect(await agent.find(phoneNumber)).toMatchObject({
    withdrawals: [{ kind: 'suppression', purpose: null }],
  })
  clockAt(hourMs)
  expect(await claimNumbers(other)).toEqual([])
})

it('The search shows the erasure that withdraws a consent which is sent again', async () => {
  const agent = await seedConsents()
  const { phoneNumber } = await agent.add({ consent })
  await erase(agent, phoneNumber, false)
  expect(await agent.find(phoneNumber)).toEqual({ consents: [], withdrawals: [] })
  await agent.store(phoneNumber)
  const withdrawals = [{ kind: 'erasure', purpose: null, withdrawnAt: new Date(noonMs).toISOString() }]
  expect(await agent.find(phoneNumber)).toMatchObject({ consents: [{ purpose }], withdrawals })
})

it('The key of a campaign finds the consents of numbers that have a lead there, and of no others', async () => {
  const agent = await seedConsents()
  const ofCampaign = await seedKey({ companyId: agent.companyId, campaign: agent.campaign, scope: 'read' })
  const { find } = consentsOf({ ...agent, readKey: ofCampaign.key })
  const { phoneNumber } = await agent.add({ consent })
  expect((await find(phoneNumber)).consents).toHaveLength(1)
  const other = newPhone()
  await agent.store(other)
  expect((await agent.find(other)).consents).toHaveLength(1)
  expect((await find(other)).consents).toEqual([])
})

it('The record says why a number stays suppressed after an erasure or retention', async () => {
  const agent = await seedConsents({ retentionDays: 1 })
  const { callId, lead } = await agent.call()
  await agent.report([{ callId, outcome: 'not_interested' }])
  const { phoneNumber } = await agent.add()
  await erase(agent, phoneNumber, true)
  expect((await agent.record(phoneNumber)).entries).toMatchObject([{ type: 'erasure', reason: 'suppressed' }])
  clockAt(2 * dayMs)
  await runCron()
  expect((await agent.record(lead.phoneNumber)).entries).toMatchObject([
    {
      type: 'suppression',
      withdraws: null,
      campaignId: agent.campaignId,
      actor: 'system',
      reason: 'not_interested',
    },
  ])
})

it('A held lead counts as removed from the queue when its number is suppressed', async () => {
  const agent = await seedConsents()
  const { phoneNumber } = await agent.add()
  expect(await claimNumbers(agent)).toEqual([])
  expect(await agent.suppress([phoneNumber])).toMatchObject({ removedFromQueue: 1 })
})

it('A held appointment that is requeued stays an appointment', async () => {
  const agent = await seedConsents({ requireConsent: { purpose }, callingHours: { mon: [] } })
  const { phoneNumber, leadId } = await agent.add({ scheduledFor: new Date(noonMs + hourMs).toISOString() })
  clockAt(hourMs)
  expect(await claimNumbers(agent)).toEqual([])
  dataOf(await api(agent.writeKey).request('POST', `/api/v1/leads/${leadId}/requeue`), 200)
  await agent.store(phoneNumber)
  expect(await claimNumbers(agent)).toEqual([phoneNumber])
})
