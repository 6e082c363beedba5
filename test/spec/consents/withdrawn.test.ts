// What withdraws the consents of a number, also without being asked for it, and who sees that.
import { beforeEach, expect, it } from 'vitest'
import { dayMs, hourMs, noonMs } from '../../support/calling/calling.ts'
import { claimNumbers, consent, consentsOf, purpose, seedConsents } from '../../support/calling/consents.ts'
import { clockAt, stopClockAtNoon } from '../../support/calling/noon.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { runCron } from '../../support/run/cron.ts'
import { newPhone, seedKey } from '../../support/world.ts'

beforeEach(stopClockAtNoon)

const erase = async ({ manageKey }: { manageKey: string }, phoneNumber: string, suppress: boolean) =>
  dataOf(await api(manageKey).request('POST', '/api/v1/erasures', { phoneNumber, suppress }), 200)

it('Suppressing a number again withdraws a consent that was given since and arrives later', async () => {
  const agent = await seedConsents()
  await agent.store(newPhone())
  const phoneNumber = newPhone()
  await agent.suppress([phoneNumber])
  clockAt(2 * hourMs)
  await agent.suppress([phoneNumber])
  clockAt(3 * hourMs)
  await agent.lift([phoneNumber])
  await agent.add({ phoneNumber, consent: { ...consent, givenAt: new Date(noonMs + hourMs).toISOString() } })
  expect(await claimNumbers(agent)).toEqual([])
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
