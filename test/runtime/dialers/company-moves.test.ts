// A dialer whose company moves. Always begins in D1, whatever TEST_STORE says.
import { runDurableObjectAlarm } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeEach, expect, it, vi } from 'vitest'
import { freezeRows } from '../../../src/control/companies/store/move-steps.ts'
import { driveToEnd, driveUntil, moveTo, seedMoving, shared, wish } from '../../support/companies/moving.ts'
import { lasting, secret, templateAt } from '../../support/dialers/dialer-world.ts'
import { openHost } from '../../support/dialers/provider-host.ts'
import { api } from '../../support/http/api.ts'
import { dataOf } from '../../support/http/expectations.ts'
import { useFutureClock } from '../../support/webhooks/webhook.ts'
import { newPhone, seedOperatorKey } from '../../support/world.ts'

// No alarm goes off but those that a test runs.
beforeEach(useFutureClock)

async function seedMovingDialer() {
  const world = await seedMoving()
  const { companyId, campaignId, manager, writer } = world
  let isOver = false
  const host = openHost((sent) =>
    isOver && sent.method === 'GET'
      ? Response.json({ state: 'ended', reason: 'answered', talked: true, analysis: { outcome: 'answered' } })
      : lasting(sent),
  )
  const dialer = { preset: 'custom', template: templateAt(host.url), secrets: { apiKey: secret } }
  dataOf(await manager.request('PUT', `/api/v1/campaigns/${campaignId}/dialer`, dialer), 200)
  const numbers = shared.prepare('select number from campaigns where company_id = ?1').bind(companyId)
  const object = env.DIALERS.getByName(`${companyId}/${(await numbers.first<{ number: number }>())?.number}`)
  return {
    companyId,
    endCalls: () => {
      isOver = true
    },
    /** The rounds that are due within these minutes; 0: now. */
    async run(minutes: number) {
      for (let i = 0; i < Math.max(1, minutes); i++) {
        if (minutes > 0) vi.setSystemTime(Date.now() + 60_000)
        for (let rounds = 0; rounds < 4; rounds++) await runDurableObjectAlarm(object)
      }
    },
    async add(more: object = {}) {
      return dataOf(await writer.createLead({ campaignId, phoneNumber: newPhone(), ...more }), 201).leadId
    },
    starts: () => host.sent.filter((one) => one.path === '/calls').length,
    async outcomeOf(leadId: string) {
      const answer = await manager.request('GET', `/api/v1/leads/${leadId}/calls`)
      return (dataOf(answer, 200) as { calls: { outcome: string | null }[] }).calls[0]?.outcome
    },
  }
}

it('A dialer goes with its company: live calls are reported in the new store, and new leads are called there', async () => {
  const { companyId, add, run, starts, outcomeOf, endCalls } = await seedMovingDialer()
  const first = await add()
  await run(1)
  expect([starts(), await outcomeOf(first)]).toEqual([1, null])
  await moveTo(companyId, 'own')
  endCalls()
  await run(2)
  expect(await outcomeOf(first)).toBe('answered')
  const second = await add()
  await run(2)
  expect([starts(), await outcomeOf(second)]).toEqual([2, 'answered'])
  await driveToEnd(companyId)

  await moveTo(companyId, 'shared')
  const third = await add()
  await run(3)
  expect([starts(), await outcomeOf(third)]).toEqual([3, 'answered'])
})

it('A call that is started in the second before its company is copied is reported after the move', async () => {
  const { companyId, add, run, starts, outcomeOf, endCalls } = await seedMovingDialer()
  await run(1)
  const { key } = await seedOperatorKey()
  dataOf(await api(key).request('POST', `/api/v1/companies/${companyId}/move`, { to: 'own' }), 202)
  const lead = await add()
  await run(0)
  expect(starts()).toBe(1)
  await driveUntil(companyId, 'switched')
  endCalls()
  await run(3)
  expect([starts(), await outcomeOf(lead)]).toEqual([1, 'answered'])
})

it('Nothing is started while the company is copied, and ends are reported afterwards', async () => {
  const { companyId, add, run, starts, outcomeOf, endCalls } = await seedMovingDialer()
  const first = await add()
  const inTwoMinutes = new Date(Date.now() + 120_000).toISOString()
  const second = await add({ scheduledFor: inTwoMinutes })
  await run(1)
  expect(starts()).toBe(1)
  await wish(companyId, 'own')
  await freezeRows(shared, companyId, Date.now())
  endCalls()
  await run(5)
  expect([starts(), await outcomeOf(first)]).toEqual([1, null])
  await driveUntil(companyId, 'switched')
  await run(3)
  expect([starts(), await outcomeOf(first), await outcomeOf(second)]).toEqual([2, 'answered', 'answered'])
})
